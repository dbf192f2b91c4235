"""What an audit of the five sources found: marks, notes, counts of data, several suites, groups."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import mondegreen as mg
from mondegreen.cli.main import main
from mondegreen.errors import DataError, OperatorError
from mondegreen.operators import parse
from mondegreen.runs.averages import averages
from mondegreen.survey.sheet import divided, draw_questions


def written(path: Path, *lines: str) -> Path:
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return path


def command(*arguments: object) -> None:
    assert main([str(one) for one in arguments]) == 0


def test_keep_and_align_show_the_marks_of_the_reference(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ref = written(tmp_path / "ref.txt", "I UH think I MEAN so", "UM play it")
    hyp = written(tmp_path / "hyp.txt", "i think so", "play it")
    command("score", "fluency", "--ref", ref, "--hyp", hyp, "--keep", "I", "--align")
    said = capsys.readouterr().out
    assert "REF:  i UH think I MEAN so" in said
    assert "REF:  UM play it" in said


def test_marks_by_tags_are_shown_in_upper_case() -> None:
    score = mg.score.fluency([["uh", "play"]], [["play"]], tags=[["F", "O"]])
    assert [step.ref for step in score.alignments[0]] == ["UH", "play"]


def test_upper_case_gold_gets_a_note(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ref = written(tmp_path / "ref.txt", "THE the cat sat on a mat", "play some jazz")
    hyp = written(tmp_path / "hyp.txt", "the the cat sat on a hat", "play some jaws")
    command("score", "words", "--ref", ref, "--hyp", hyp)
    note = capsys.readouterr().err
    assert "1 words of the references are in UPPERCASE" in note
    assert "20.00 % without case, 30.00 % with it; see --ignore-case, or score fluency" in note
    command("score", "words", "--ref", ref, "--hyp", hyp, "--ignore-case")
    assert "UPPERCASE" not in capsys.readouterr().err


@pytest.mark.parametrize("name", ["fillers", "fillers.bos", "fillers.eos", "fillers.preverb"])
def test_an_empty_list_of_fillers_is_an_error(name: str) -> None:
    with pytest.raises(OperatorError, match="words has no filler; leave it out"):
        parse(f"{name}(words=[])")


TABLE_1 = {  # of the NATURE paper
    "atis/train": (4_478, 50_497, 867),
    "atis/valid": (500, 5_703, 463),
    "atis/test": (893, 9_164, 448),
    "snips/train": (13_084, 117_700, 11_418),
    "snips/valid": (700, 6_384, 1_571),
    "snips/test": (700, 6_354, 1_624),
}


@pytest.mark.parametrize("name", TABLE_1)
def test_the_sizes_of_table_1(shared: Path, name: str) -> None:
    found = mg.describe(shared / "data" / "slu" / name)
    assert (found.utterances, found.words, found.vocabulary) == TABLE_1[name]


def test_data_is_described(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data = tmp_path / "data.jsonl"
    data.write_text(
        '{"text": "play some jazz", "tags": ["O", "O", "B-genre"], "label": "play"}\n'
        '{"text": "stop", "label": "stop"}\n',
        encoding="utf-8",
    )
    command("describe", data, "--json")
    found = json.loads(capsys.readouterr().out)["data"][str(data)]
    assert found == {
        "utterances": 2, "words": 4, "vocabulary": 4, "slots": 1, "slot_labels": 1, "intents": 2,
    }  # fmt: skip
    command("describe", data, data)
    assert capsys.readouterr().out.splitlines()[1].split()[1:] == [
        "2",
        "4",
        "4",
        "1",
        "1",
        "2",
        "2.0",
    ]
    assert mg.describe([]).words_per_utterance is None
    assert main(["describe", str(tmp_path / "nowhere.txt")]) == 1


def answer(batch: list[dict[str, str]]) -> list[dict[str, str]]:
    return [{"label": "play" if "play" in one["text"] else "stop"} for one in batch]


@pytest.fixture
def suites(tmp_path: Path) -> list[Path]:
    texts = {"a": ["play jazz", "stop the music"], "b": ["please play rock", "stop it now", "halt"]}
    found = []
    for name, lines in texts.items():
        rows = (
            json.dumps({"text": text, "label": "play" if "play" in text else "stop"})
            for text in lines
        )
        data = written(tmp_path / f"{name}.jsonl", *rows)
        mg.suite(data, tmp_path / name, ["typo", "fillers"], random=2)
        found.append(tmp_path / name)
    return found


def test_several_suites_in_one_table(
    suites: list[Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    runs = [
        mg.evaluate(one, f"python:{__name__}:answer", one.with_suffix(".run")) for one in suites
    ]
    for run in runs:
        for one in averages(runs, "intent_accuracy"):
            if one.name in [line.name for line in run.sets]:
                values = [float(v) for v in one.values if v is not None]
                assert one.mean == pytest.approx(sum(values) / len(values))
    names = [one.name for one in averages(runs, "intent_accuracy")]
    assert names[:2] == ["original", "random"]
    for run in runs:
        run.close()
    command("report", *(one.with_suffix(".run") for one in suites), "--table")
    said = capsys.readouterr().out
    assert said.splitlines()[2].split() == ["a", "b", "mean"]
    assert "Orig" in said
    assert "each with the same weight" in said
    assert not (tmp_path / "report.html").exists()


def test_a_table_needs_runs_with_a_set_in_common(
    suites: list[Path], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["report", "--table"]) == 2
    assert "--table needs runs" in capsys.readouterr().err
    run = mg.evaluate(suites[0], f"python:{__name__}:answer", suites[0].with_suffix(".run"))
    with run, pytest.raises(DataError, match="no set in common"):
        averages([run, _Empty()], "intent_accuracy")  # type: ignore[list-item]  # a run without sets


class _Empty:
    """A run without sets."""

    sets = ()
    repeat = 1

    class metric:  # noqa: N801 (an attribute of a run)
        """Its metric."""

        main = ()
        rates = ()

    def scores(self) -> dict[str, object]:
        return {"": {}}


def test_the_survey_divides_utterances_among_groups(suites: list[Path], tmp_path: Path) -> None:
    questions = draw_questions(suites, n=8, controls=2)
    first, second = divided(questions, 2)
    changed = [[one for one in group if one.operator] for group in (first, second)]
    assert [len(group) for group in changed] == [4, 4]
    assert not {one.item for one in changed[0]} & {one.item for one in changed[1]}
    controls = [[one.item for one in group if not one.operator] for group in (first, second)]
    assert controls[0] == controls[1]
    assert len(controls[0]) == 2
    sheet = tmp_path / "sheet.csv"
    command("survey", *suites, "-o", sheet, "--n", 8, "--controls", 2, "--groups", 2)
    for number in (1, 2):
        rows = (tmp_path / f"sheet-{number}.csv").read_text(encoding="utf-8").splitlines()
        assert len(rows) == 1 + 6
        assert (tmp_path / f"sheet-{number}.csv.key.json").exists()


def test_protection_of_numbers_and_quotations_costs_some_edits() -> None:
    text = 'he said "a wonderful picture" in 1999'
    (kept,) = mg.perturb([text], "typo", severity=1.0)
    (free,) = mg.perturb([text], "typo", severity=1.0, protect_codes=False)
    assert len(kept.edits) < len(free.edits)
    assert '"a wonderful picture"' in kept.utterance.text
    assert kept.utterance.text.endswith(" 1999")
