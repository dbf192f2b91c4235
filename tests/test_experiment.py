"""Experiments: two models on one suite; finished parts are not made again."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from commands import fails
from mondegreen.cli.main import main
from mondegreen.data import write
from mondegreen.data.sample import sample


@pytest.fixture
def arguments(tmp_path: Path) -> list[str]:
    write(list(sample("train"))[:80], tmp_path / "train.jsonl")
    write(list(sample("test"))[:30], tmp_path / "test.jsonl")
    files = [str(tmp_path / "train.jsonl"), "--test", str(tmp_path / "test.jsonl")]
    operators = ["--op", "typo", "--op", "fillers.bos", "--augment", "keyboard", "--random", "2"]
    return ["experiment", *files, "-o", str(tmp_path / "out"), *operators, "-q"]


def test_both_models_are_evaluated_on_one_suite(
    arguments: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*arguments, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert {"original", "typo", "fillers.bos", "hard"} <= found["sets"].keys()
    cards = [
        json.loads((tmp_path / "out" / n / "model.json").read_text())
        for n in ("plain", "augmented")
    ]
    assert [card["utterances"] for card in cards] == [80, 160]


def test_an_interrupted_experiment_is_continued(
    arguments: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) == 0
    first = capsys.readouterr().out
    model = tmp_path / "out" / "plain" / "model.json"
    made = model.stat().st_mtime_ns
    (tmp_path / "out" / "augmented.run").unlink()
    assert main(arguments) == 0
    assert capsys.readouterr().out == first
    assert model.stat().st_mtime_ns == made


def test_a_folder_of_another_experiment_raises_an_error(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) == 0
    capsys.readouterr()
    fails([*arguments, "--seed", "1"], "another experiment", capsys)
