"""Shard to shard: an output for each shard; a command that was killed continues."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import mondegreen as mg
from commands import fails
from mondegreen.cli.main import main
from mondegreen.data.sample import requests
from mondegreen.errors import OutputError
from mondegreen.variants import jobs, writing

SHARDS = 4


@pytest.fixture(params=["parquet", "jsonl"])
def work(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Shards in the current folder; return their ending."""
    ending = str(request.param)
    if ending == "parquet":
        pytest.importorskip("pyarrow")
    many = requests(SHARDS * 60, 1)[0]
    for at in range(SHARDS):
        mg.write(many[at * 60 : (at + 1) * 60], tmp_path / f"in-{at:02}.{ending}")
    monkeypatch.chdir(tmp_path)
    return ending


def command(ending: str, *more: str) -> list[str]:
    """Return the command that perturbs all shards."""
    return ["perturb", f"in-*.{ending}", "-o", f"out-*.{ending}", "--op", "typo", "-q", *more]


def content() -> dict[str, bytes]:
    """Return the outputs that are there."""
    return {path.name: path.read_bytes() for path in sorted(Path().glob("out-*"))}


def test_each_shard_has_an_output_that_can_be_verified(work: str) -> None:
    assert main(command(work, "--ledger", "ledger-*.jsonl")) == 0
    assert [path.name for path in sorted(Path().glob(f"out-*.{work}"))] == [
        f"out-{at:02}.{work}" for at in range(SHARDS)
    ]
    said = [one for at in range(SHARDS) for one in mg.read(f"in-{at:02}.{work}")]
    heard = [one.text for at in range(SHARDS) for one in mg.read(f"out-{at:02}.{work}")]
    assert heard == [variant.utterance.text for variant in mg.perturb(said, "typo")]
    assert all(main(["verify", f"out-{at:02}.{work}"]) == 0 for at in range(SHARDS))


def test_finished_shards_are_skipped(
    work: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(command(work)) == 0
    whole = content()
    for path in Path().glob("out-*"):
        path.unlink()
    calls = []

    def killed(*arguments: object) -> object:
        calls.append(1)
        if len(calls) == 3:
            raise OutputError("no space left")
        return writing.write_parts(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(jobs, "write_parts", killed)
    fails(command(work), "no space left", capsys)
    assert sum(name.endswith(work) for name in content()) == 2
    capsys.readouterr()
    assert main([one for one in command(work) if one != "-q"]) == 0
    assert f"2 of {SHARDS} shards were finished" in capsys.readouterr().err
    assert content() == whole
    assert len(calls) == 3 + SHARDS - 2


def test_an_output_of_another_recipe_is_not_taken_for_finished(
    work: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(command(work)) == 0
    before = content()
    fails(command(work, "--seed", "9"), "exists", capsys)
    assert main(command(work, "--seed", "9", "--force")) == 0
    assert all(content()[name] != raw for name, raw in before.items())
    Path(f"in-01.{work}").write_bytes(Path(f"in-02.{work}").read_bytes())
    fails(command(work, "--seed", "9"), f"out-01.{work}", capsys)


def test_a_ledger_needs_a_name_for_each_shard(
    work: str, capsys: pytest.CaptureFixture[str]
) -> None:
    fails(command(work, "--ledger", "ledger.jsonl"), "write * in this name", capsys, 2)


def test_a_killed_command_goes_on(work: str) -> None:
    assert main(command(work)) == 0
    whole = content()
    for path in Path().glob("out-*"):
        path.unlink()
    start, dice = [sys.executable, "-m", "mondegreen", *command(work)], random.Random(5)
    for _ in range(3):
        process = subprocess.Popen(start)
        time.sleep(dice.uniform(0.3, 1.2))
        process.send_signal(signal.SIGKILL)
        process.wait()
    assert subprocess.run(start, check=False, env=os.environ).returncode == 0
    assert content() == whole
