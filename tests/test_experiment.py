"""Experiments: two models on one suite; finished parts are not made again."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from statistics import stdev

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


TRAIN = """
import json, pathlib, sys
data, folder, seed = sys.argv[1:]
labels = {}
for line in open(data):
    one = json.loads(line)
    labels.setdefault(one["label"], []).append(one["text"])
print("training with seed", seed)
if "fail" in sys.argv[2]:
    sys.exit("no memory left")
place = pathlib.Path(folder)
place.mkdir()
words = {w: label for label, texts in sorted(labels.items()) for t in texts for w in t.split()}
other = sorted(labels)[int(seed) % len(labels)]
place.joinpath("words.json").write_text(json.dumps([words, other]))
"""
ANSWER = """
import json, pathlib, sys
words, other = json.loads(pathlib.Path(sys.argv[1], "words.json").read_text())
for line in sys.stdin:
    found = [words[w] for w in json.loads(line)["text"].split() if w in words]
    print(json.dumps({"label": max(set(found), key=found.count) if found else other}), flush=True)
"""


def test_27_21_own_trainer_and_several_seeds(
    arguments: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, code in (("train.py", TRAIN), ("answer.py", ANSWER)):
        (tmp_path / name).write_text(code)
    own = [
        *("--train", f"command:{sys.executable} {tmp_path}/train.py {{data}} {{folder}} {{seed}}"),
        *("--model", f"command:{sys.executable} {tmp_path}/answer.py {{folder}}"),
        *("--seeds", "3", "--no-hard"),
    ]
    assert main([*arguments, *own]) == 0
    out = capsys.readouterr().out
    assert "Means over 3 seeds" in out
    place = tmp_path / "out"
    for name in ("plain", "augmented", "plain-2", "augmented-3"):
        assert (place / name / "words.json").is_file()
        assert (place / f"{name}.run").is_file()
    assert (place / "plain-2.log").read_text() == "training with seed 1\n"
    assert len((place / "augmented.train.jsonl").read_text().splitlines()) == 160
    made = (place / "plain" / "words.json").stat().st_mtime_ns
    (place / "plain-3.trained.json").unlink()  # as if it had been killed
    (place / "plain-3" / "words.json").write_text("half")
    assert main([*arguments, *own, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (place / "plain" / "words.json").stat().st_mtime_ns == made
    rate = found["sets"]["typo"]["intent_accuracy"]
    assert len(rate["plain"]) == len(rate["augmented"]) == found["seeds"] == 3
    differences = [b - a for a, b in zip(rate["plain"], rate["augmented"], strict=True)]
    assert rate["difference"] == pytest.approx(sum(differences) / 3)
    width = 4.302653 * stdev(differences) / 3**0.5  # Student, two degrees of freedom
    assert rate["high"] - rate["difference"] == pytest.approx(width, rel=1e-4, abs=1e-9)


@pytest.mark.parametrize(
    ("own", "message"),
    [
        (["--train", "train.py"], "not a trainer"),
        (["--train", "command:python train.py {folder}"], "has no {data}"),
        (["--train", "command:x {data} {folder}", "--model", "command:y"], "name its folder"),
        (["--train", "command:/nowhere/x {data} {folder}"], "cannot be started"),
        (["--train", "command:true {data} {folder}"], "there is nothing at"),
        (["--train", "python:os:abort_now"], "abort_now"),
        (["--train", "python:sys:exit"], "python:sys:exit"),
    ],
)
def test_27_21_a_trainer_that_fails_is_named(
    arguments: list[str], own: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    fails([*arguments, *own], message, capsys)


def test_27_21_the_last_line_of_a_trainer_is_shown(
    arguments: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "fail.py").write_text(TRAIN.replace("fail", "out"))
    train = f"command:{sys.executable} {tmp_path}/fail.py {{data}} {{folder}} {{seed}}"
    fails([*arguments, "--train", train], "exited with code 1 (no memory left); see", capsys)
