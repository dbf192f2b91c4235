"""Values against what was meant: SLURP's evaluator, wrong values by kind, users' files."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

import mondegreen as mg
from commands import fails
from mondegreen.cli.main import main
from mondegreen.data.pairs.transcripts import Transcripts
from mondegreen.data.states import states_of, worst_state
from mondegreen.edits import apply_edits
from mondegreen.metrics.metric import References
from mondegreen.metrics.values.metric import VALUES, values
from mondegreen.testing import metric_laws
from mondegreen.types import Edit, Prediction, Slot, Utterance

RATES = {
    "scenario": "scenario_accuracy",
    "action": "action_accuracy",
    "intent (scen_act)": "intent_accuracy",
    "entities": "value",
    "entities (distance word)": "word_distance",
    "entities (distance char)": "char_distance",
    "slu f1": "slu",
}
CITY = Utterance.of("1", "fly to orlando", [Slot("city", 2, 3)], "fly")
MISHEARD = apply_edits(CITY, [Edit(2, 3, ("atlanta",), "speako", "speako")], id="1").utterance
REPAIR = Edit(2, 2, ("boston", "no", "wait"), "repairs", "repair", 1)
FILE = Transcripts(Path("ref.jsonl"), has_ids=True, ids=["1", "1"], texts=["", ""])

TestValues = metric_laws(
    VALUES,
    References(FILE, [CITY, MISHEARD]),
    [Prediction("1", (), "fly"), Prediction("1", values={"city": ["atlanta"]}, label="stay")],
)


def scored(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> dict[str, Any]:
    assert main(["score", "values", *arguments, "--json", "--no-intervals"]) == 0
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


@pytest.mark.filterwarnings("ignore:.*have no prediction")
@pytest.mark.parametrize(
    ("name", "key"),
    [
        ("gold", "gold_hermit_predictions.jsonl (--load-gold)"),
        ("asr", "asr_hermit_predictions.jsonl"),
    ],
)
def test_slurps_evaluator_says_the_same(
    name: str, key: str, shared: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = shared / "data/slurp"
    expected = json.loads((shared / "golden/slurp/expected.json").read_text())[key]
    files = [folder / "test.jsonl", folder / f"{name}_hermit_predictions.jsonl"]
    arguments = ["--ref", str(files[0]), "--hyp", str(files[1]), "--format", "slurp"]
    found = scored(arguments, capsys)["scores"]
    for part, rates in expected.items():
        for rate, value in rates.items():
            ours = RATES[part] if "accuracy" in RATES[part] else f"{RATES[part]}_{rate}"
            assert found[ours]["value"] == pytest.approx(value, abs=1e-9)


def slurp_distances(gold: list[tuple[str, str]], found: list[tuple[str, str]]) -> dict[str, float]:
    """SLURP's rules, written down once more, with jiwer for words."""
    jiwer = pytest.importorskip("jiwer")
    distance = {"words": 0.0, "chars": 0.0}
    for name in distance:
        left = list(gold)
        for label, value in found:
            same = [one for one in left if one[0] == label]
            if not same:
                continue
            far = [
                jiwer.wer(one[1], value) if name == "words" else _normalised(one[1], value)
                for one in same
            ]
            best = far.index(min(far))
            distance[name] += far[best]
            left.remove(same[best])
    return distance


def _normalised(a: str, b: str) -> float:
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, start=1):
        last, row[0] = row[0], i
        for j, y in enumerate(b, start=1):
            last, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, last + (x != y))
    return row[-1] / max(len(a), len(b))


def test_random_values_have_slurps_distances() -> None:
    draw = random.Random(7)
    words = ["new", "york", "los", "angeles", "seven", "am", "a", "very long street"]
    for _ in range(200):
        sides: list[list[tuple[str, str]]] = [
            [
                (draw.choice("xyz"), " ".join(draw.choices(words, k=draw.randint(1, 3))))
                for _ in range(draw.randint(0, 4))
            ]
            for _ in range(2)
        ]
        gold, found = sides
        score = values([_said(gold)], [_answer(found)])
        sums, expected = score.sums(), slurp_distances(gold, found)
        assert sums["word_distance"] == pytest.approx(1e9 * expected["words"], abs=8)
        assert sums["char_distance"] == pytest.approx(1e9 * expected["chars"], abs=8)
        kinds = sum(sums[kind] for kind in ("stale", "misheard", "invented", "missing"))
        pairs = sum(min(len(_of(label, gold)), len(_of(label, found))) for label in "xyz")
        assert kinds == len(gold) + len(found) - pairs - sums["values_right"]


def _of(label: str, pairs: Sequence[tuple[str, str]]) -> list[str]:
    return [value for name, value in pairs if name == label]


def _said(gold: list[tuple[str, str]]) -> Utterance:
    slots = [Slot(label, i, i + 1, value) for i, (label, value) in enumerate(gold)]
    return Utterance("1", ("w",) * max(1, len(gold)), tuple(slots))


def _answer(found: list[tuple[str, str]]) -> Prediction:
    return Prediction("1", values={label: _of(label, found) for label, _ in found})


@pytest.mark.parametrize(
    ("edits", "answer", "kind"),
    [
        ([], "orlando", ""),
        ([], "boston", "invented"),
        ([], None, "missing"),
        ([Edit(2, 3, ("atlanta",), "speako", "speako")], "atlanta", "misheard"),
        ([Edit(2, 3, ("atlanta",), "speako", "speako")], "orlando", ""),
        ([REPAIR], "boston", "stale"),
        ([REPAIR], "orlando", ""),
    ],
)
def test_what_was_found_instead(edits: list[Edit], answer: str | None, kind: str) -> None:
    said = _read_back(apply_edits(CITY, edits, id="1"))
    found = Prediction("1", values={} if answer is None else {"city": [answer]}, label="fly")
    score = values([said], [found])
    kinds = ("stale", "misheard", "invented", "missing")
    assert [score.sums()[one] for one in kinds] == [int(one == kind) for one in kinds]
    assert score["frame_accuracy"].value == float(not kind)


def _read_back(variant: mg.Variant) -> Utterance:
    from mondegreen.data.formats.jsonl import json_line
    from mondegreen.data.records import utterance_of

    return utterance_of(json.loads(json_line(variant)), "1")


@pytest.mark.parametrize(
    ("answer", "right"), [("Two", 1), ("2", 1), ("the 2", 1), ("two.", 1), ("three", 0)]
)
def test_numbers_and_articles_are_equal_only_on_request(answer: str, right: int) -> None:
    said = Utterance.of("1", "a table for two", [Slot("guests", 3, 4)])
    found = [Prediction("1", values={"guests": [answer]})]
    assert values([said], found).sums()["values_right"] == 0
    assert values([said], found, normalise="plain").sums()["values_right"] == right


def test_values_without_spans_are_read(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ref, hyp = tmp_path / "ref.jsonl", tmp_path / "hyp.jsonl"
    mg.write([MISHEARD], ref)
    hyp.write_text('{"id": "1", "label": "fly", "values": {"city": "orlando"}}\n')
    found = scored(["--ref", str(ref), "--hyp", str(hyp)], capsys)
    assert found["scores"]["value_f1"]["value"] == 1.0
    assert found["scores"]["frame_accuracy"]["value"] == 1.0


def test_bad_predictions_of_slurp(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ref, hyp = tmp_path / "ref.jsonl", tmp_path / "hyp.jsonl"
    record = {
        "slurp_id": 1, "sentence": "wake me at seven", "scenario": "alarm", "action": "set",
        "tokens": [{"surface": word} for word in ("wake", "me", "at", "seven")],
        "entities": [{"span": [3], "type": "time"}], "recordings": [{"file": "a.flac"}],
    }  # fmt: skip
    ref.write_text(json.dumps(record) + "\n")
    arguments = ["score", "values", "--ref", str(ref), "--hyp", str(hyp), "--format", "slurp"]
    hyp.write_text('{"scenario": "alarm", "action": "set", "entities": []}\n')
    fails(arguments, "line 1: a prediction needs a slurp_id or a file", capsys)
    hyp.write_text('{"scenario": "alarm", "action": "set", "entities": [], "file": "b"}\n')
    fails(arguments, "no prediction has the slurp_id or the file of a reference", capsys)


@pytest.mark.parametrize("ending", ["jsonl", "conll", "csv", "parquet"])
def test_formats_carry_what_was_meant(ending: str, tmp_path: Path) -> None:
    if ending == "parquet":
        pytest.importorskip("pyarrow")
    edits = [[Edit(2, 3, ("atlanta",), "speako", "speako")], [REPAIR], []]
    said = [Utterance(str(n), CITY.tokens, CITY.slots, CITY.label) for n in range(len(edits))]
    made = [apply_edits(one, found, id=one.id) for one, found in zip(said, edits, strict=True)]
    path = tmp_path / f"noisy.{ending}"
    mg.write(made, path)
    back = list(mg.read(path))
    assert [one.values for one in back] == [{"city": ["orlando"]}] * len(edits)
    assert [one.slots for one in back] == [one.utterance.slots for one in made]
    if ending in ("jsonl", "parquet"):
        assert [worst_state(states_of(one)) for one in back] == ["lost", "corrected", "kept"]
        assert states_of(back[1])[0].taken_back == "boston"
