"""Slots, intents and frames: conlleval's verdict, the laws of counting, users' files."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import mondegreen as mg
from commands import fails
from mondegreen.cli.main import main
from mondegreen.data import write
from mondegreen.data.sample import sample
from mondegreen.errors import DataError
from mondegreen.metrics.slu.metric import slu
from mondegreen.metrics.slu.rates import COLUMNS, PARTIAL
from mondegreen.metrics.slu.spans import spans_of_slots, spans_of_tags
from mondegreen.types import Prediction, Slot, Utterance, slots_of_tags

TAGS = st.sampled_from(["O", "B-x", "I-x", "B-y", "I-y"])
ROWS = st.lists(st.lists(TAGS, max_size=8), max_size=6)
PAIRS = st.lists(st.lists(st.tuples(TAGS, TAGS), max_size=8), max_size=6)


def sides(pairs: list[list[tuple[str, str]]]) -> tuple[list[list[str]], list[list[str]]]:
    return [[ref for ref, _ in row] for row in pairs], [[hyp for _, hyp in row] for row in pairs]


def said(refs: list[list[str]], label: str | None = None) -> list[Utterance]:
    return [
        Utterance(str(n), ("w",) * len(tags), slots_of_tags(tags), label)
        for n, tags in enumerate(refs, start=1)
    ]


CASES = [
    # ref            hyp              right span label spurious missed
    ("B-x I-x O",    "B-x I-x O",     1, 0, 0, 0, 0),
    ("B-x I-x O",    "B-x O O",       0, 1, 0, 0, 0),  # the same label, a shorter span
    ("B-x I-x O",    "B-y I-y O",     0, 0, 1, 0, 0),  # the same span, another label
    ("B-x I-x O",    "B-y O O",       0, 0, 0, 1, 1),  # neither: one too many and one missed
    ("B-x I-x I-x",  "B-x B-x B-x",   0, 1, 0, 2, 0),  # one hypothesis serves one reference
    ("B-x B-x B-x",  "B-x I-x I-x",   0, 1, 0, 0, 2),
    ("O O O",        "O I-x O",       0, 0, 0, 1, 0),  # I- that continues nothing starts a slot
    ("B-x I-y O",    "I-x B-y O",     2, 0, 0, 0, 0),
    ("",             "",              0, 0, 0, 0, 0),
]  # fmt: skip


@pytest.mark.parametrize(("ref", "hyp", "right", "span", "label", "spurious", "missed"), CASES)
def test_what_becomes_of_a_slot(
    ref: str, hyp: str, right: int, span: int, label: int, spurious: int, missed: int
) -> None:
    sums = slu([ref.split()], [hyp.split()]).sums()
    assert [sums[name] for name in ("slots_right", *PARTIAL)] == [
        right, span, label, spurious, missed,
    ]  # fmt: skip


@pytest.mark.parametrize("name", ["well-formed", "ill-formed"])
def test_conlleval_says_the_same(
    name: str, shared: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    verdict = (shared / f"golden/slots/{name}.conlleval_out.txt").read_text()
    pairs = shared / f"golden/slots/{name}.conll.txt"
    assert main(["score", "slu", "--pairs", str(pairs), "--json", "--no-intervals"]) == 0
    found = json.loads(capsys.readouterr().out)
    counts = re.search(r"(\d+) phrases; found: (\d+) phrases; correct: (\d+)", verdict)
    assert counts is not None
    totals = [found["counts"][f"slots_{which}"] for which in ("said", "found", "right")]
    assert totals == [int(count) for count in counts.groups()]
    for line in verdict.splitlines()[2:]:
        label, right, there, given_, *_ = line.replace(":", " ").split()
        one = found["types"][label]
        assert [one["right"], one["said"], one["found"]] == [int(right), int(there), int(given_)]


@given(ROWS)
def test_tags_at_once_are_read_as_one_by_one(rows: list[list[str]]) -> None:
    at_once = spans_of_tags(rows, {"x": 0, "y": 1})
    one_by_one = spans_of_slots(map(slots_of_tags, rows), {"x": 0, "y": 1})
    assert [column.tolist() for column in at_once] == [column.tolist() for column in one_by_one]


@given(PAIRS)
def test_every_slot_is_counted_once(pairs: list[list[tuple[str, str]]]) -> None:
    refs, hyps = sides(pairs)
    for row, ref, hyp in zip(slu(refs, hyps).items, refs, hyps, strict=True):
        gold, found = set(slots_of_tags(ref)), set(slots_of_tags(hyp))
        assert row["slots_right"] == len(gold & found)
        paired = row["slots_right"] + row["slots_other_span"] + row["slots_other_label"]
        assert paired + row["slots_missed"] == row["slots_said"] == len(gold)
        assert paired + row["slots_spurious"] == row["slots_found"] == len(found)
        assert min(row[name] for name in (*COLUMNS, *PARTIAL)) >= 0
        assert row["wrong"] == (gold != found)


@given(PAIRS)
def test_swapping_the_sides_swaps_precision_and_recall(
    pairs: list[list[tuple[str, str]]],
) -> None:
    refs, hyps = sides(pairs)
    there, back = slu(refs, hyps), slu(hyps, refs)
    assert there["slot_precision"].value == back["slot_recall"].value
    assert there["slot_f1"].value == back["slot_f1"].value
    assert there.sums()["slots_other_label"] == back.sums()["slots_other_label"]


@given(PAIRS)
def test_tags_utterances_and_shards_give_one_score(pairs: list[list[tuple[str, str]]]) -> None:
    refs, hyps = sides(pairs)
    predictions = [Prediction.of(str(n), tags) for n, tags in enumerate(hyps, start=1)]
    whole = slu(refs, hyps)
    assert slu(said(refs), predictions).items == whole.items
    if len(refs) > 1:
        parts = slu(refs[:1], hyps[:1]) + slu(refs[1:], hyps[1:])
        assert {name: parts[name].value for name in parts} == {
            name: whole[name].value for name in whole
        }


def test_intents_and_whole_frames() -> None:
    refs = said([["B-x"], ["B-x"], ["B-x"]], "play")
    slots = (Slot("x", 0, 1),)
    score = slu(
        refs,
        [
            Prediction("1", slots, "play"),
            Prediction("2", (), "play"),
            Prediction("3", slots, "stop"),
        ],
    )
    assert score["intent_accuracy"].value == 2 / 3
    assert score["e2e_accuracy"].value == 1 / 3
    assert score["slot_recall"].value == 2 / 3
    assert score.by_type["x"].recall == 2 / 3


def test_what_is_not_said_is_not_scored() -> None:
    refs = said([["B-x"], ["O"]], "play")
    classes = slu(refs, [Prediction("1", None, "play"), Prediction("2", None, "stop")])
    assert classes["intent_accuracy"].value == 0.5
    assert classes["slot_f1"].value is None
    assert classes["e2e_accuracy"].value is None
    slots = slu(refs, [Prediction.of("1", ["B-x"]), Prediction.of("2", ["O"])])
    assert slots["slot_f1"].value == 1
    assert slots["intent_accuracy"].value is None
    assert slots["e2e_accuracy"].value is None
    plain = slu(said([[], []], "a"), [Prediction("1", (), "a"), Prediction("2", (), "b")])
    assert plain["slot_f1"].value is None
    assert plain["intent_accuracy"].value == plain["e2e_accuracy"].value == 0.5
    assert slu([], [])["slot_f1"].value is None


def test_references_of_labels_alone_judge_no_slots() -> None:
    refs = said([["O", "O"], ["O"]], "play")
    hyps = [Prediction.of("1", ["B-x", "O"], "play"), Prediction.of("2", ["O"], "stop")]
    score = slu(refs, hyps)
    rates = {name: score[name].value for name in score}
    assert rates == {
        "slot_precision": None, "slot_recall": None, "slot_f1": None,
        "value_precision": None, "value_recall": None, "value_f1": None,
        "intent_accuracy": 0.5, "frame_accuracy": None, "e2e_accuracy": 0.5,
    }  # fmt: skip
    assert score.sums()["slots_spurious"] == 0
    assert score.by_type == {}
    assert slu(refs, hyps, slots=True)["e2e_accuracy"].value == 0  # a part of a set with slots
    with_slot = [*refs, Utterance("3", ("w",), (Slot("x", 0, 1),), "play")]
    whole = slu(with_slot, [*hyps, Prediction.of("3", ["B-x"], "play")])
    assert whole["e2e_accuracy"].value == 1 / 3
    assert whole["slot_precision"].value == 0.5
    tags = slu(said([["O"]]), [Prediction.of("1", ["B-x"])])  # no label: slots are all there is
    assert tags["slot_precision"].value == 0


def test_utterances_are_hypotheses() -> None:
    refs = [said([["B-x", "O"]], "play")[0], Utterance("2", ("w",), (), "stop")]
    score = slu(refs, refs)
    assert score["e2e_accuracy"].value == score["slot_f1"].value == 1
    classes = slu(refs, [Utterance(one.id, one.tokens, (), one.label) for one in refs])
    assert classes["intent_accuracy"].value == 1
    assert classes["slot_f1"].value is None
    with pytest.raises(DataError, match="utterance '1': 1 tags for 2 tokens"):
        slu(refs, [Utterance("1", ("w",), (), "play"), refs[1]])


ONE = [Utterance("u1", ("a", "b"), (Slot("x", 0, 1),), "play")]
TWO = [*ONE, Utterance("u2", ("c",), (), "stop")]
WRONG: list[tuple[Any, Any, str]] = [
    (ONE, [Prediction("u2", ())], "'u1' is paired with the prediction of 'u2'"),
    (ONE, [], "1 references and 0 hypotheses"),
    (ONE, [["O"]], "utterance 'u1': 1 tags for 2 tokens"),
    ([["O"]], [["O", "O"]], "utterance '1': 2 tags for 1 tokens"),
    (ONE, [Prediction("u1", (Slot("x", 1, 3),))], "utterance 'u1': a predicted slot covers"),
    (ONE, [Prediction("u1", (Slot("x", 0, 2), Slot("y", 1, 2)))], "tokens 1 to 2"),
    (ONE, [Prediction("u1", (Slot("x", 1, 1),))], "tokens 1 to 1"),
    (TWO, [Prediction("u1", ()), Prediction("u2", None, "stop")], "'u2' has no slots"),
    (TWO, [Prediction("u1", (), "play"), Prediction("u2", ())], "'u2' has no label"),
    ([["O"]], [["B"]], "tag 0 is 'B'"),
    (["O O"], ["O O"], "all of one kind"),
    ([Prediction("u1", ())], [Prediction("u1", ())], "all of one kind"),
    ([*ONE, ["O"]], [["O"], ["O"]], "all of one kind"),
]


@pytest.mark.parametrize(("refs", "hyps", "message"), WRONG)
def test_what_does_not_fit_is_named(refs: Any, hyps: Any, message: str) -> None:
    with pytest.raises(DataError, match=re.escape(message)):
        slu(refs, hyps)


@pytest.fixture
def ref(tmp_path: Path) -> Path:
    path = tmp_path / "ref.jsonl"
    write(list(sample())[:20], path)
    return path


def run(capsys: pytest.CaptureFixture[str], *arguments: object) -> Any:
    assert main(["score", "slu", *map(str, arguments), "--json"]) == 0, capsys.readouterr().err
    return json.loads(capsys.readouterr().out)


@pytest.mark.parametrize("name", ["hyp.jsonl", "hyp", "hyp.conll", "hyp.csv"])
def test_every_labelled_format_is_a_hypothesis(
    name: str, ref: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    hyp = ref.with_name(name)
    write(mg.read(ref), hyp)
    found = run(capsys, "--ref", ref, "--hyp", hyp, "--no-intervals")
    names = {"slot_precision", "slot_recall", "slot_f1", "intent_accuracy", "e2e_accuracy"}
    assert set(found["scores"]) > names
    assert found["scores"]["intent_accuracy"]["value"] == 1
    if name != "hyp.csv":  # it keeps no slots
        assert found["scores"]["e2e_accuracy"]["value"] == 1


def predictions(path: Path, rows: list[dict[str, Any]]) -> Path:
    hyp = path.with_name("hyp.jsonl")
    hyp.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return hyp


def answers(ref: Path) -> list[dict[str, Any]]:
    return [{"id": one.id, "tags": list(one.tags), "label": one.label} for one in mg.read(ref)]


def test_predictions_in_any_order_by_id_with_groups_and_items(
    ref: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = answers(ref)
    rows[0]["label"] = "nonsense"
    worse = [row | {"tags": ["O"] * len(row["tags"])} for row in rows]
    hyp = predictions(ref, rows[::-1])
    against = ref.with_name("worse.jsonl")
    against.write_text("".join(json.dumps(row) + "\n" for row in worse))
    items = ref.with_name("items.jsonl")
    found = run(
        capsys, "--ref", ref, "--hyp", hyp, "--against", against, "--by", "label", "--items", items
    )
    assert found["scores"]["intent_accuracy"]["numerator"] == 19
    assert found["scores"]["slot_f1"]["value"] == 1
    assert found["comparison"]["rates"]["slot_f1"]["second"] == 0
    assert found["groups"]
    first = json.loads(items.read_text().splitlines()[0])
    assert first["hyp"].startswith("nonsense: ")
    assert main(["score", "slu", "--ref", str(ref), "--hyp", str(hyp)]) == 0
    table = capsys.readouterr().out
    assert "slots_other_span 0" in table
    assert "precision" in table


def test_a_folder_without_ids_pairs_by_line_numbers_in_any_order(
    ref: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = ref.with_name("ref")
    write(mg.read(ref), folder)
    rows = [row | {"id": n} for n, row in enumerate(answers(ref), start=1)]
    for hyp in (rows, rows[::-1], [row | {"id": f"u{row['id']}"} for row in rows]):
        found = run(capsys, "--ref", folder, "--hyp", predictions(ref, hyp), "--no-intervals")
        assert found["scores"]["e2e_accuracy"]["value"] == 1


@pytest.mark.filterwarnings("ignore:the labels are numbers")
def test_classes_may_be_numbers(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "ref.jsonl"
    path.write_text('{"id": 1, "text": "good", "label": 1}\n{"id": 2, "text": "bad", "label": 0}\n')
    hyp = predictions(path, [{"id": 2, "label": 1}, {"id": 1, "label": 1}])
    scores = run(capsys, "--ref", path, "--hyp", hyp, "--no-intervals")["scores"]
    assert scores["intent_accuracy"]["value"] == 0.5


def test_labels_alone_are_classification(ref: Path, capsys: pytest.CaptureFixture[str]) -> None:
    hyp = predictions(ref, [{"id": one.id, "intent": one.label} for one in mg.read(ref)])
    scores = run(capsys, "--ref", ref, "--hyp", hyp, "--no-intervals")["scores"]
    assert scores["intent_accuracy"]["value"] == 1
    assert scores["slot_f1"]["value"] is None


def test_nothing_in_common_is_an_error(ref: Path, capsys: pytest.CaptureFixture[str]) -> None:
    slots = ref.with_name("slots.jsonl")
    write([Utterance(one.id, one.tokens, one.slots) for one in mg.read(ref)], slots)
    labels = ref.with_name("labels.jsonl")
    write([Utterance(one.id, one.tokens, (), one.label) for one in mg.read(ref)], labels)
    classes = predictions(ref, [{"id": one.id, "label": one.label} for one in mg.read(ref)])
    command = ["score", "slu", "--ref", str(slots), "--hyp"]
    fails([*command, str(classes)], "slots.jsonl has slots and ", capsys)
    message = "hyp.jsonl has labels, so nothing can be compared"
    tags = ref.with_name("tags.jsonl")
    rows = [{"id": one.id, "tags": one.tags} for one in mg.read(ref)]
    tags.write_text("".join(json.dumps(row) + "\n" for row in rows))
    fails([*command, str(tags), "--against", str(classes)], message, capsys)
    command = ["score", "slu", "--ref", str(labels), "--hyp", str(tags)]
    fails(command, "labels.jsonl has labels and ", capsys)


def test_wrong_predictions_are_named(ref: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = answers(ref)
    id = rows[3]["id"]
    both = ["score", "slu", "--ref", str(ref), "--hyp", str(ref.with_name("hyp.jsonl"))]
    for wrong, message in (
        ([*rows[:3], *rows[4:]], f"1 (such as {id!r}) without hypothesis"),
        ([*rows, rows[3]], f"hyp.jsonl, line 21: the id {id!r} occurs twice"),
        ([*rows[:3], rows[3] | {"tags": ["O"]}, *rows[4:]], f"hyp.jsonl: utterance {id!r}: 1 tags"),
        ([*rows[:3], rows[3] | {"tags": ["Q"] * len(rows[3]["tags"])}, *rows[4:]], "tag 0 is 'Q'"),
        (
            [{"id": id}],
            "hyp.jsonl, line 1: there is no key tags or slots or values or entities or label",
        ),
    ):
        predictions(ref, wrong)
        fails(both, message, capsys)
    bare = ref.with_name("bare.txt")
    bare.write_text("play jazz\n")
    fails(
        ["score", "slu", "--ref", str(bare), "--hyp", str(ref)], "no utterance has a slot", capsys
    )


def test_wrong_pairs_are_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "pairs.txt"
    for content, message in (
        ("a O O\n\nb O\n", "pairs.txt, line 3: token, gold tag and predicted tag"),
        ("a O O\n\nb O X\n", "pairs.txt: utterance 2: tag 0 is 'X'"),
        ("\n", "no utterances"),
    ):
        path.write_text(content)
        fails(["score", "slu", "--pairs", str(path)], message, capsys)
    fails(["score", "slu", "--pairs", str(path), "--ref", str(path)], "give --ref", capsys, code=2)
    fails(["score", "slu"], "give --ref and --hyp, or --pairs", capsys, code=2)
