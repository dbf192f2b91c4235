"""Surveys: questions are drawn evenly, operators are hidden, answers are scored."""

from __future__ import annotations

import csv
import json
from collections import Counter
from pathlib import Path

import pytest

from commands import fails
from mondegreen.cli.main import main
from mondegreen.data import write
from mondegreen.data.sample import sample
from mondegreen.suites.build import suite
from mondegreen.survey.answers import Rating, agreement
from mondegreen.survey.sheet import draw_questions


@pytest.fixture(scope="module")
def suites(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    folder = tmp_path_factory.mktemp("suites")
    for name, part in (("one", "test"), ("two", "train")):
        write(list(sample(part))[:30], folder / f"{name}.jsonl")
        suite(folder / f"{name}.jsonl", folder / name, ["fillers", "typo", "keyboard"], random=0)
    return [folder / "one", folder / "two"]


def test_questions_are_spread_evenly_over_operators_and_suites(suites: list[Path]) -> None:
    found = draw_questions(suites, n=60, controls=8)
    assert Counter((one.suite, one.operator) for one in found) == Counter(
        {(name, op): 10 for name in ("one", "two") for op in ("fillers", "typo", "keyboard")}
        | {("one", ""): 4, ("two", ""): 4}
    )
    assert len({one.item for one in found}) == 68
    assert [one.operator for one in found] != sorted(one.operator for one in found)
    assert draw_questions(suites, n=60, controls=8) == found
    assert draw_questions(suites, n=60, controls=8, seed=1) != found


def test_the_answers_to_a_sheet_are_scored(
    suites: list[Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sheet = tmp_path / "sheet.csv"
    folders = [str(path) for path in suites]
    assert main(["survey", *folders, "-o", str(sheet), "--n", "12", "--controls", "4"]) == 0
    assert "fillers" not in sheet.read_text().splitlines()[0]
    key = json.loads((tmp_path / "sheet.csv.key.json").read_text())["items"]
    for rater, verdict in (("ann", "reasonable"), ("bob", "unreasonable")):
        with sheet.open(newline="") as file, (tmp_path / f"{rater}.csv").open("w") as out:
            writer = csv.DictWriter(out, ["item", "slots", "intent"], extrasaction="ignore")
            writer.writeheader()
            for row in csv.DictReader(file):
                is_typo = key[row["item"]][1] == "typo"
                answer = verdict if is_typo else "reasonable"
                writer.writerow({"item": row["item"], "slots": answer, "intent": "reasonable"})
    answers = [str(tmp_path / "ann.csv"), str(tmp_path / "bob.csv")]
    capsys.readouterr()
    assert main(["survey", "--score", str(sheet), *answers, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    slots = {op: part["scores"]["slots_reasonable"] for op, part in found["operators"].items()}
    assert slots["typo"]["value"] == 0.5
    assert slots["typo"]["denominator"] == 8
    assert slots["control"]["value"] == 1
    assert found["agreement"]["intent"] is None
    assert found["agreement"]["slots"] < 0.5
    assert main(["survey", "--score", str(sheet), *answers]) == 0
    assert "Krippendorff" in capsys.readouterr().out


def test_the_page_shows_the_labels_and_hides_the_operators(
    suites: list[Path], tmp_path: Path
) -> None:
    sheet = tmp_path / "sheet.html"
    assert main(["survey", str(suites[0]), "-o", str(sheet), "--n", "6", "--controls", "2"]) == 0
    page = sheet.read_text()
    assert page.count("<fieldset") == 8
    assert "keyboard" not in page


def test_agreement_equals_the_example_of_krippendorff() -> None:
    """Two observers, ten units, binary: alpha is 0.095 (Krippendorff 2011)."""
    meg = [0, 1, 0, 0, 0, 0, 0, 0, 1, 0]
    owen = [1, 1, 1, 0, 0, 1, 0, 0, 0, 0]
    raters = [{str(i): Rating(bool(x), None) for i, x in enumerate(one)} for one in (meg, owen)]
    assert agreement(raters, "slots") == pytest.approx(0.095, abs=0.0005)
    assert agreement(raters, "intent") is None


def test_invalid_answers_raise_an_error(
    suites: list[Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sheet = tmp_path / "sheet.csv"
    main(["survey", str(suites[0]), "-o", str(sheet), "--n", "6", "--controls", "2"])
    capsys.readouterr()
    answers = tmp_path / "answers.csv"
    score = ["survey", "--score", str(sheet), str(answers)]
    for content, message in (
        ("item,slots,intent\nq001,perhaps,yes\n", "line 2: 'perhaps' is not an answer"),
        ("item,slots,intent\nq999,yes,yes\n", "no item 'q999'"),
        ("item,slots,intent\nq001,yes,yes\nq001,no,no\n", "answered twice"),
        ("item,slots\n", "no column 'intent'"),
    ):
        answers.write_text(content)
        fails(score, message, capsys)
    fails(["survey", str(suites[0]), "-o", str(tmp_path / "b.csv"), "--n", "999"], "fewer", capsys)
    fails(["survey", "--score", str(answers), str(answers)], "there is no key", capsys)
