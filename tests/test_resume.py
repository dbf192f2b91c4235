"""Jobs over shards that are killed: the same command goes on, with the same result."""

from __future__ import annotations

import os
import random
import resource
import shutil
import signal
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import interrupt
import mondegreen as mg
from commands import fails
from interrupt import content, printed, run, start, trial
from mondegreen.cli.main import main
from mondegreen.data.files import journal
from mondegreen.data.pairs import parts
from mondegreen.data.sample import requests
from mondegreen.engines import open_workers
from mondegreen.metrics.scores import kept
from mondegreen.variants import sources
from worker_jobs import slow_pid

JOBS = {
    "perturb": "perturb in-?.jsonl --op typo -o out.jsonl --ledger ledger.jsonl --marked m.tsv",
    "compressed": "perturb in-?.jsonl --op typo --op fillers -o out-{op}.jsonl.gz",
    "plain": "perturb ref-?.txt --op typo -o out.txt",
    "numbered": "perturb ref-?.txt --op typo -o out.jsonl",
    "suite": "suite in-?.jsonl --op typo --random 1 -o out",
    "score": "score words --ref ref-?.txt --hyp hyp-?.txt --items out.jsonl --confusions 3",
}
SHARDS, SIZE = 4, 120  # the first 200 utterances are looked at for their language

pytestmark = pytest.mark.filterwarnings("default:.*another command had finished")


@pytest.fixture(autouse=True)
def small_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sources, "PART", 70)
    monkeypatch.setattr(parts.shard_line_parts, "__defaults__", (None, 70))


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("shards") / "work"
    folder.mkdir()
    many = requests(SHARDS * SIZE, 1)[0]
    for at in range(SHARDS):
        some = many[at * SIZE : (at + 1) * SIZE]
        mg.write(some, folder / f"in-{at}.jsonl")
        mg.write(some, folder / f"ref-{at}.txt")
        noisy = mg.perturb(some, "typo", seed=at)
        mg.write((made.utterance for made in noisy), folder / f"hyp-{at}.txt")
    return folder


@pytest.fixture
def work(source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the shards, which is also the current folder and holds the cache."""
    folder = tmp_path / "work"
    shutil.copytree(source, folder)
    monkeypatch.chdir(folder)
    monkeypatch.setenv("XDG_CACHE_HOME", str(folder))
    return folder


def quiet_run(command: str, source: Path, tmp_path: Path) -> dict[str, str]:
    """Return what a command makes of the shards without interruption."""
    folder = tmp_path / "quiet" / "work"
    shutil.copytree(source, folder)
    assert run(command, folder) == 0
    return content(folder)


def killed_at(call: int, function: Callable[..., Any], *, after: bool) -> Callable[..., Any]:
    """Return a function that kills its process at one of its calls."""
    calls = 0

    def counted(*arguments: Any, **options: Any) -> Any:
        nonlocal calls
        calls += 1
        if calls == call and not after:
            os.kill(os.getpid(), signal.SIGKILL)
        found = function(*arguments, **options)
        if calls == call:
            os.kill(os.getpid(), signal.SIGKILL)
        return found

    return counted


JOURNAL = [
    (journal.Journal, "_append", ((1, False), (2, True), (SHARDS, False), (SHARDS + 1, True))),
    (journal, "put", ((1, False), (1, True))),
    (journal, "remove", ((1, True), (2, False), (2, True))),
]
SCORES = [(kept._Store, "put", ((1, False), (2, True), (5, True)))]  # noqa: SLF001


@pytest.mark.parametrize("job", list(JOBS))
def test_a_job_that_is_killed_at_any_step_goes_on(
    job: str, source: Path, tmp_path: Path, work: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wanted = quiet_run(JOBS[job], source, tmp_path)
    for place, name, calls in SCORES if job == "score" else JOURNAL:
        for call, after in calls:
            shutil.rmtree(work)
            shutil.copytree(source, work)
            with monkeypatch.context() as patch:
                patch.setattr(place, name, killed_at(call, getattr(place, name), after=after))
                process = start(JOBS[job], work)
                assert os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]) in (0, -9)
            if content(work) != wanted:
                run(JOBS[job], work)
                assert content(work) == wanted, (name, call, after)


@pytest.mark.parametrize(
    "name",
    ["shards: perturb", "shards: perturb, processes", "shards: suite", "shards: score items"],
)
def test_a_job_that_is_killed_at_any_moment_goes_on(name: str, tmp_path: Path) -> None:
    command, rng = interrupt.COMMANDS[name], random.Random(name)
    shards, whole = tmp_path / "shards", tmp_path / "whole" / "work"
    shards.mkdir()
    interrupt.prepare_shards(shards)
    shutil.copytree(shards, whole)
    begin = time.monotonic()
    assert run(command, whole) == 0
    seconds, wanted = time.monotonic() - begin, content(whole)
    for _ in range(2):
        assert not trial(command, shards, wanted, rng.uniform(0, seconds), "KILL")


def kill(command: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Kill a command after two shards."""
    place, name = (kept._Store, "put") if "score" in command else (journal.Journal, "_append")  # noqa: SLF001
    with monkeypatch.context() as patch:
        patch.setattr(place, name, killed_at(2, getattr(place, name), after=True))
        process = start(command, folder)
        assert os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]) == -signal.SIGKILL


@pytest.mark.parametrize("job", ["perturb", "suite", "score"])
def test_finished_shards_are_skipped(
    job: str, work: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    kill(JOBS[job], work, monkeypatch)
    read: list[str] = []
    scored = kept._Store.put  # noqa: SLF001

    def put(store: Any, digest: bytes, found: Any) -> None:
        read.append("part")
        scored(store, digest, found)

    with monkeypatch.context() as patch:
        patch.setattr(kept._Store, "put", put)  # noqa: SLF001
        made = journal.Journal._finish  # noqa: SLF001

        def finish(self: Any, shard: Path, *more: Any) -> None:
            read.append(shard.name)
            made(self, shard, *more)

        patch.setattr(journal.Journal, "_finish", finish)
        assert main(JOBS[job].split()) == 0
    expected = ["part"] * 5 if job == "score" else ["in-2.jsonl", "in-3.jsonl"]
    assert read == expected
    note = {"score": "2 parts were scored at an earlier start"}
    said = note.get(job, "2 of 4 shards were finished at an earlier start and are skipped")
    assert (job == "suite") or said in capsys.readouterr().err


@pytest.mark.parametrize(
    "other",
    [
        "perturb in-?.jsonl --op fillers -o out.jsonl",
        "perturb in-?.jsonl --op typo --seed 3 -o out.jsonl",
        "perturb in-?.jsonl --op typo --severity 0.5 -o out.jsonl",
        "perturb in-[123].jsonl --op typo -o out.jsonl",
        "perturb in-?.jsonl --op typo -o out.jsonl --to txt",
        "perturb in-?.jsonl --op typo -o out.jsonl --protect phrases.txt",
    ],
)
def test_another_command_uses_nothing_of_the_first(
    other: str, source: Path, tmp_path: Path, work: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(source, tmp_path / "own")
    for folder in (work, tmp_path / "own"):
        (folder / "phrases.txt").write_text("play\nthe\n")
    wanted = quiet_run(other, tmp_path / "own", tmp_path)
    kill("perturb in-?.jsonl --op typo -o out.jsonl", work, monkeypatch)
    assert run(other, work) == 0
    assert content(work) == wanted


@pytest.mark.parametrize("job", ["perturb", "suite", "score"])
@pytest.mark.parametrize("change", ["version", "shard"])
def test_another_version_or_shard_is_worked_on_again(
    job: str,
    change: str,
    source: Path,
    tmp_path: Path,
    work: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    kill(JOBS[job], work, monkeypatch)
    changed = tmp_path / "changed"
    shutil.copytree(source, changed)
    if change == "version":
        for module in ("variants.jobs", "provenance.manifest", "metrics.scores.kept"):
            monkeypatch.setattr(f"mondegreen.{module}.__version__", "9.9")
        monkeypatch.setattr("mondegreen.provenance.suite_manifest.__version__", "9.9")
    else:
        for folder in (changed, work):
            for name in ("in-0.jsonl", "hyp-0.txt"):
                text = (folder / name).read_text().replace("the", "teh")
                (folder / name).write_text(text)
    wanted = quiet_run(JOBS[job], changed, tmp_path)
    assert run(JOBS[job], work) == 0
    shutil.rmtree(work / "mondegreen", ignore_errors=True)  # of the old version, for a week
    assert content(work) == wanted


def test_a_shard_that_cannot_be_read_is_named_and_the_rest_kept(
    source: Path, tmp_path: Path, work: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    wanted = quiet_run(JOBS["perturb"], source, tmp_path)
    whole = (work / "in-2.jsonl").read_text()
    (work / "in-2.jsonl").write_text(whole[:-30])
    fails(JOBS["perturb"].split(), "in-2.jsonl, line 120: not JSON", capsys)
    assert not (work / "out.jsonl").exists()
    (work / "in-2.jsonl").write_text(whole)
    assert run(JOBS["perturb"], work) == 0
    assert content(work) == wanted


def test_what_is_kept_is_said(work: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = [*JOBS["perturb"].split(), "-q", "--language", "en"]
    (work / "in-2.jsonl").write_text("{")
    said = "2 of 4 shards are finished and kept; the same command goes on from there"
    fails(command, said, capsys)
    assert (work / ".out.jsonl.journal").exists()
    (work / "in-0.jsonl").write_text("{")
    fails(command, "in-0.jsonl, line 1: not JSON", capsys)
    assert not [path for path in work.iterdir() if path.name.startswith(".")]


def test_an_id_in_a_finished_shard_is_refused(
    work: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    kill(JOBS["perturb"], work, monkeypatch)
    first = (work / "in-0.jsonl").read_text().splitlines()[0]
    with (work / "in-3.jsonl").open("a") as file:
        file.write(first + "\n")
    fails([*JOBS["perturb"].split(), "-q"], "occurs in an earlier shard, too", capsys)


def test_a_damaged_journal_is_begun_again(
    source: Path, tmp_path: Path, work: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wanted = quiet_run(JOBS["perturb"], source, tmp_path)
    mine = work / "mine.txt"
    for damage in (b"", b"{}\n", b'{"type":"begun","job":{},"files":["mine.txt","."]}\n'):
        kill(JOBS["perturb"], work, monkeypatch)
        (work / ".out.jsonl.journal").write_bytes(damage)
        mine.write_text("my notes")
        assert run(JOBS["perturb"], work) == 0
        assert mine.read_text() == "my notes"
        mine.unlink()
        assert content(work) == wanted
        for name in ("out.jsonl", "out.jsonl.manifest.json", "ledger.jsonl", "m.tsv"):
            (work / name).unlink()


def test_a_damaged_store_of_scores_is_read_as_far_as_it_goes(
    source: Path, tmp_path: Path, work: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wanted = quiet_run(JOBS["score"], source, tmp_path)
    for cut in (1, 60, 500):
        kill(JOBS["score"], work, monkeypatch)
        (store,) = (work / "mondegreen").glob("*.parts")
        store.write_bytes(store.read_bytes()[:-cut])
        assert run(JOBS["score"], work) == 0
        assert content(work) == wanted
        (work / "out.jsonl").unlink()
    assert printed(work).read_bytes()


def test_a_full_disk_is_named_and_finished_shards_are_kept(
    source: Path, tmp_path: Path, work: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    wanted = quiet_run(JOBS["perturb"], source, tmp_path)
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    ledger = tmp_path / "quiet" / "work" / "ledger.jsonl"
    resource.setrlimit(resource.RLIMIT_FSIZE, (ledger.stat().st_size * 3 // 5, limits[1]))
    try:
        assert main([*JOBS["perturb"].split(), "-q"]) == 1
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    printed = capsys.readouterr().err
    assert "out.jsonl: cannot be written: File too large" in printed
    assert "of 4 shards are finished and kept" in printed
    assert not (work / "out.jsonl").exists()
    assert run(JOBS["perturb"], work) == 0
    assert content(work) == wanted


def test_workers_end_with_the_main_process(tmp_path: Path) -> None:
    process = os.fork()
    if not process:
        for number, pid in enumerate(open_workers("processes", 2).map(slow_pid, range(10_000))):
            (tmp_path / str(pid)).touch()
            if number > 5:
                os.kill(os.getpid(), signal.SIGKILL)
        os._exit(0)
    os.waitpid(process, 0)
    workers = [int(path.name) for path in tmp_path.iterdir()]
    assert workers
    until = time.monotonic() + 20
    while any(Path(f"/proc/{pid}").exists() for pid in workers):
        assert time.monotonic() < until
        time.sleep(0.05)
