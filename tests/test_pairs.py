"""One reader of pairs: columns, joining by id, missing utterances, several systems."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import mondegreen as mg
from commands import fails
from mondegreen.cli.main import main
from mondegreen.data.pairs.joining import joined
from mondegreen.data.pairs.table import read_pairs
from mondegreen.data.pairs.transcripts import Transcripts
from mondegreen.errors import DataError


def scored(capsys: pytest.CaptureFixture[str], *arguments: object) -> Any:
    """Return the JSON that a score prints."""
    assert main(["score", *map(str, arguments), "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def written(path: Path, *rows: object) -> Path:
    """Write JSON lines, or lines."""
    lines = (row if isinstance(row, str) else json.dumps(row) for row in rows)
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return path


def parts(name: str, ids: list[str], size: int) -> Iterator[Transcripts]:
    """Yield a file in parts whose texts are the ids."""
    for at in range(0, len(ids), size):
        some = ids[at : at + size]
        yield Transcripts(Path(name), has_ids=True, ids=some, texts=some)


@pytest.mark.parametrize("size", [1, 2, 3, 50])
def test_26_5_ids_join_files_in_any_order_and_in_any_parts(size: int) -> None:
    ids = [f"u{number}" for number in range(40)]
    other, third = random.Random(1).sample(ids, 40), random.Random(2).sample(ids, 40)
    sides = [parts("a", other, size), parts("b", third, 7)]
    found = list(joined(parts("ref", ids, 6), sides))
    assert [id for part in found for id in part[0].ids] == ids
    for ref, *hyps in found:
        assert all(list(hyp.texts) == list(ref.texts) for hyp in hyps)


def test_26_5_what_does_not_pair_up_is_counted() -> None:
    refs, hyps = [f"u{n}" for n in range(9)], [f"u{n}" for n in range(3, 11)]
    with pytest.raises(DataError, match=r"3 \(such as 'u0'\) without hypothesis, 2 \(such as"):
        list(joined(parts("ref", refs, 2), [parts("hyp", hyps, 4)]))
    with pytest.warns(UserWarning, match=r"3 \(such as 'u0'\).*2 \(such as 'u9'\).*left out"):
        found = list(joined(parts("ref", refs, 2), [parts("hyp", hyps, 4)], missing="skip"))
    assert [id for ref, _ in found for id in ref.ids] == refs[3:]
    with pytest.warns(UserWarning, match="taken as empty"):
        found = list(joined(parts("ref", refs, 2), [parts("hyp", hyps, 4)], missing="empty"))
    assert [text for _, hyp in found for text in hyp.texts] == ["", "", "", *refs[3:]]


@pytest.mark.parametrize("metric", ["words", "phonemes", "fluency"])
def test_26_5_two_columns_that_could_both_be_meant_are_an_error(
    metric: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table = tmp_path / "t.tsv"
    table.write_text("id\treference\ttranscript\thyp\na\tk ae t\tk ae p\tk ae d\n")
    files = ["score", metric, "--ref", str(table), "--hyp", str(table)]
    message = "the columns reference and transcript could both hold the references"
    fails(files, message, capsys)
    fails(files, "--map ref=reference", capsys)
    fails(["fit", "recogniser", str(table), "-o", str(tmp_path / "p")], message, capsys)
    with pytest.raises(DataError, match=message):
        read_pairs(table)
    if metric == "words":
        for column, said in (("transcript", "p"), ("reference", "t")):
            found = scored(capsys, *files[1:], "--map", f"ref={column}", "--confusions", "1")
            assert found["confusions"]["substitutions"] == [[[said, "d"], 1]]


def test_26_5_one_message_for_double_ids(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = [{"id": "a", "text": "x", "label": "y", "tags": ["O"]}] * 2
    path = written(tmp_path / "a.jsonl", *rows)
    good = written(tmp_path / "b.jsonl", rows[0])
    for metric in ("words", "slu", "values", "fluency"):
        for sides in ((path, good), (good, path)):
            fails(
                ["score", metric, "--ref", str(sides[0]), "--hyp", str(sides[1])],
                "line 2: the id 'a' occurs twice",
                capsys,
            )


FRAMES = [
    {"id": str(n), "text": "play jazz", "tags": ["O", "B-genre"], "label": "play"} for n in range(3)
]


@pytest.mark.filterwarnings("ignore:.*without hypothesis")
def test_27_01_missing_answers_do_not_take_the_last(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ref = written(tmp_path / "ref.jsonl", *FRAMES)
    answer = {"id": "1", "values": {"genre": "jazz"}, "label": "play"}
    hyp = written(tmp_path / "hyp.jsonl", answer)
    found = scored(capsys, "values", "--ref", ref, "--hyp", hyp, "--missing", "empty")
    assert found["scores"]["value_recall"]["value"] == pytest.approx(1 / 3)
    assert found["scores"]["value_precision"]["value"] == 1
    assert found["scores"]["intent_accuracy"]["value"] == pytest.approx(1 / 3)
    tagged = written(tmp_path / "tagged.jsonl", {**FRAMES[1], "id": "1"})
    for missing, n, recall in (("empty", 3, 1 / 3), ("skip", 1, 1)):
        found = scored(capsys, "slu", "--ref", ref, "--hyp", tagged, "--missing", missing)
        assert (found["n"], found["scores"]["slot_recall"]["value"]) == (n, pytest.approx(recall))
        assert found["scores"]["e2e_accuracy"]["value"] == pytest.approx(recall)


@pytest.mark.filterwarnings("ignore:.*without hypothesis")
def test_27_01_the_order_of_answers_does_not_matter(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ref = written(tmp_path / "ref.jsonl", *FRAMES)
    answers = [{"id": "0", "label": "play"}, {"id": "2", "label": "stop"}]
    values = []
    for order in (answers, answers[::-1]):
        hyp = written(tmp_path / "hyp.jsonl", *order)
        found = scored(capsys, "slu", "--ref", ref, "--hyp", hyp, "--missing", "empty")
        values.append(found["scores"]["intent_accuracy"]["value"])
    assert values == [pytest.approx(1 / 3)] * 2


def test_27_02_missing_reads_hypotheses_as_the_score_does(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    stm = written(tmp_path / "r.stm", "f A ann 0.0 1.0 play jazz", "f A ann 1.0 2.0 stop")
    ctm = written(tmp_path / "h.ctm", "f A 0.1 0.2 play", "f A 0.5 0.2 jaws", "f A 1.2 0.2 stop")
    for missing in ("skip", "empty", "error"):
        found = scored(capsys, "words", "--ref", stm, "--hyp", ctm, "--missing", missing)
        assert (found["n"], found["scores"]["wer"]["denominator"]) == (2, 3)
    ref, hyp = written(tmp_path / "r.trn", "a b (U1)"), written(tmp_path / "h.trn", "a b (u1)")
    files = ("--ref", ref, "--hyp", hyp, "--ignore-case")
    assert scored(capsys, "words", *files, "--missing", "skip")["n"] == 1


@pytest.mark.filterwarnings("ignore:.*without hypothesis")
def test_27_02_every_metric_takes_missing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ref = written(tmp_path / "r.tsv", "utterance_id\tcorrectness", "a\tTrue", "b\tFalse")
    hyp = written(tmp_path / "h.tsv", "utterance_id\tprediction", "a\tTrue")
    files = ["--ref", str(ref), "--hyp", str(hyp)]
    assert scored(capsys, "correctness", *files, "--missing", "skip")["n"] == 1
    message = "an empty one is neither true nor false; choose --missing skip"
    fails(["score", "correctness", *files, "--missing", "empty"], message, capsys)
    case = {
        "messages": [{"role": "user", "content": "play jazz"}],
        "tools": [{"name": "play", "parameters": {"type": "object", "properties": {}}}],
        "expected": [{"name": "play", "arguments": {}}],
    }
    cases = written(tmp_path / "c.jsonl", *({"id": id, **case} for id in "ab"))
    answers = written(tmp_path / "a.jsonl", {"id": "a", "calls": [{"name": "play"}]})
    for missing, n, value in (("skip", 1, 1), ("empty", 2, 0.5)):
        found = scored(capsys, "calls", "--ref", cases, "--hyp", answers, "--missing", missing)
        assert (found["n"], found["scores"]["call_accuracy"]["value"]) == (n, value)


def test_27_02_meetings_take_missing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("meeteval")
    stm = written(tmp_path / "r.stm", "f A ann 0.0 1.0 play jazz", "f A bob 1.0 2.0 stop")
    other = written(tmp_path / "h.stm", "f A x 0.0 1.0 play jaws", "f A y 1.0 2.0 stop")
    found = scored(capsys, "meetings", "--ref", stm, "--hyp", other, "--missing", "skip")
    assert found["scores"]["wer"]["numerator"] == 1


TABLE = "id,said,one,two\na,play some jazz,play jazz,play some jazz\nb,stop it,stop,drop it\n"


def test_27_04_also_drops_no_option(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table = tmp_path / "t.csv"
    table.write_text(TABLE)
    base = ["score", "words", "--ref", f"{table}:said", "--hyp", f"{table}:one"]
    base += ["--also", f"{table}:two"]
    items = tmp_path / "items.jsonl"
    assert (
        main([*base, "--items", str(items), "--errors", "--confusions", "1", "--by", "length"]) == 0
    )
    out = capsys.readouterr().out
    assert len(items.read_text().splitlines()) == 2
    assert {"system", "REF:", "substitutions", "length 01-03 words"} <= {
        part for part in ("system", "REF:", "substitutions", "length 01-03 words") if part in out
    }
    assert main([*base, "--fail-over", "wer=0.1"]) == 3
    assert main([*base, "--fail-over", "wer=0.9"]) == 0


def test_27_07_columns_of_one_table_are_systems(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table = tmp_path / "t.csv"
    table.write_text(TABLE)
    base = ["words", "--ref", f"{table}:said", "--hyp", f"{table}:one"]
    found = scored(capsys, *base, "--against", f"{table}:two")
    assert found["scores"]["wer"]["numerator"] == 2
    expected = mg.score.words(["play some jazz", "stop it"], ["play some jazz", "drop it"])
    assert found["comparison"]["rates"]["wer"]["second"] == expected["wer"].value
    twice = ["score", *base, "--against", f"{table}:one"]
    fails(twice, "is given twice, so that a system would be compared with itself", capsys)
    fails(["score", *base, "--also", f"{table}:one"], "is given twice", capsys)
    plain = ["score", "words", "--ref", f"{table}:said", "--hyp", str(table), "--map", "hyp=two"]
    fails([*plain, "--against", str(table)], "name it: ", capsys)
    fails(["score", *base[:4], f"{table}:three"], "three", capsys)


def test_27_07_a_column_is_named_once_by_every_name(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table, link = tmp_path / "t.csv", tmp_path / "link.csv"
    table.write_text(TABLE)
    link.symlink_to(table)
    base = ["words", "--pairs", str(table), "--map", "ref=said,hyp=one"]
    for other in (table, f"{table}:one", f"{link}:one"):
        fails(["score", *base, "--against", str(other)], "is given twice", capsys)
    found = scored(capsys, *base, "--against", f"{table}:two")
    expected = mg.score.words(["play some jazz", "stop it"], ["play some jazz", "drop it"])
    assert found["comparison"]["rates"]["wer"]["second"] == expected["wer"].value
    both = ["score", "words", "--ref", f"{table}:said", "--hyp", f"{table}:said"]
    fails(both, "given both as --ref and as --hyp", capsys)


@pytest.mark.parametrize("metric", ["slu", "values", "calls"])
def test_27_07_a_column_is_not_read_where_one_is_not_enough(
    metric: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = [{"id": "a", "text": "stop", "label": "x", "guess": "y"}]
    path = written(tmp_path / "a.jsonl", *rows)
    files = ["score", metric, "--ref", str(path), "--hyp", f"{path}:guess"]
    fails(files, "reads more than one column; name them: --map or --hyp-map label=guess", capsys)
    if metric == "slu":
        found = scored(capsys, *files[1:-1], str(path), "--hyp-map", "label=guess")
        assert found["scores"]["intent_accuracy"]["value"] == 0


def test_27_06_the_note_on_case_looks_at_every_system(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ref = written(tmp_path / "ref.txt", "play some jazz", "stop it now")
    one = written(tmp_path / "one.txt", "play sum jaws", "stop it now")
    two = written(tmp_path / "two.txt", "Play some jazz.", "Stop it now.")
    files = ["score", "words", "--ref", str(ref), "--hyp", str(one)]
    for option in ("--against", "--also"):
        assert main([*files, option, str(two), "--no-intervals"]) == 0
        note = capsys.readouterr().err
        assert f"{two}: case and punctuation make most of the errors" in note
        assert "33.33 points better" in note


def test_27_06_the_note_on_units_reads_texts_as_the_table_does(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ref = written(tmp_path / "ref.trn", "play (个) { 爵士 / jazz } now (u1)", "stop (u2)")
    hyp = written(tmp_path / "hyp.trn", "play 爵士 now (u1)", "stop (u2)")
    files = ["score", "words", "--ref", str(ref), "--hyp", str(hyp), "--no-intervals"]
    assert main(files) == 0
    assert "--unit mixed" not in capsys.readouterr().err
    written(tmp_path / "hyp.trn", "play 爵土 NOW (u1)", "stop (u2)")
    assert main([*files, "--ignore-case"]) == 0
    printed = capsys.readouterr()
    assert "wer    20.00 %  1 / 5" in printed.out
    assert "word error rate is 25.00 %, by character 20.00 %" in printed.err


def test_27_06_the_note_has_the_figure_of_the_table(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ref = written(tmp_path / "ref.txt", *["play some jazz", "stop it now please"] * 700)
    hyp = written(tmp_path / "hyp.txt", *["Play Some jazz", "Stop it now please"] * 700)
    assert main(["score", "words", "--ref", str(ref), "--hyp", str(hyp), "--no-intervals"]) == 0
    printed = capsys.readouterr()
    assert "in a sample of 1,400 utterances" in printed.err or "42.86 % with" in printed.err
    assert "42.86 %" in printed.out
