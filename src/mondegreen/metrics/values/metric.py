"""Values: what the speaker meant by each slot, exactly and by the rules of SLURP's evaluator."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from mondegreen import __version__
from mondegreen.data.answers.slurp import (
    is_slurp,
    read_slurp_frames,
    read_slurp_predictions,
    recorded,
)
from mondegreen.data.pairs.texts import Side
from mondegreen.data.pairs.transcripts import Transcripts, concatenated
from mondegreen.data.states import STATES
from mondegreen.errors import DataError
from mondegreen.metrics.framed import FrameMetric
from mondegreen.metrics.metric import Files, Part, Ratio, References, Section, setting
from mondegreen.metrics.scores.score import Score, both_sides
from mondegreen.metrics.values.matching import (
    NORMALISERS,
    Gold,
    Values,
    gold_values,
    in_gold_writing,
    judge,
    predicted_values,
)
from mondegreen.types import Prediction, Utterance

UNIT = 10**9
"""Distances are counted in billionths, so that counts are whole numbers."""
COLUMNS = (
    "values_right", "values_said", "values_found", "labels_right", "word_distance",
    "char_distance", "stale", "misheard", "invented", "missing", "intents_right", "intents",
    "scenarios_right", "actions_right", "scenarios", "frames_right", "frames", "wrong",
    "utterances",
)  # fmt: skip


def _distance_rates(name: str, *distances: str) -> tuple[Ratio, Ratio, Ratio]:
    """Return SLURP's precision, recall and F1; of several distances, the counts are added."""
    n = len(distances)

    def far(s: Any) -> Any:
        return sum(s[one] for one in distances) / UNIT

    return (
        Ratio(
            f"{name}_precision", lambda s: (n * s["labels_right"], n * s["values_found"] + far(s))
        ),
        Ratio(f"{name}_recall", lambda s: (n * s["labels_right"], n * s["values_said"] + far(s))),
        Ratio(
            f"{name}_f1",
            lambda s: (
                2 * n * s["labels_right"],
                n * (s["values_said"] + s["values_found"]) + 2 * far(s),
            ),
        ),
    )


_WRONG = ("stale", "misheard", "invented", "missing")
RATES = (
    *Ratio.agreement("value", "values_right", "values_found", "values_said", title="value F1"),
    *_distance_rates("word_distance", "word_distance"),
    *_distance_rates("char_distance", "char_distance"),
    *_distance_rates("slu", "word_distance", "char_distance"),
    Ratio.of("intent_accuracy", "intents_right", "intents", verb="Understands"),
    Ratio.of(
        "frame_accuracy", "frames_right", "frames", title="frame accuracy", verb="Understands"
    ),
    Ratio.of("scenario_accuracy", "scenarios_right", "scenarios"),
    Ratio.of("action_accuracy", "actions_right", "scenarios"),
    *(Ratio.of(f"{kind}_share", kind, " ".join(_WRONG), lower_is_better=True) for kind in _WRONG),
)


@dataclass(frozen=True)
class ValueSettings:
    """What changes the numbers of ``score values``."""

    normalise: str = setting(
        default="none",
        help="Make values equal before they are compared: none, or plain (case, punctuation, "
        "articles, and numbers in words or digits).",
        metavar="NAME",
    )
    format_equal: str = setting(
        default="",
        help='Count "8:55" and "eight fifty-five a m" as the same value. The language of the '
        "values, such as en.",
        metavar="LANGUAGE",
    )


class ValuesDetail(NamedTuple):
    """Both sides, and the counts of each state of a slot: right, and all."""

    refs: Sequence[Gold]
    hyps: Sequence[Values]
    states: dict[str, tuple[int, int]]

    def sides(self, item: int) -> tuple[str, str]:
        """Return the values that were meant and those that were found, as text."""
        gold, found = self.refs[item], self.hyps[item]
        meant = [f"{one.label}={one.value}" for one in gold.slots]
        pairs = [f"{label}={value}" for label, values in found.items() for value in values]
        return ", ".join(meant), ", ".join(pairs)


def values(
    refs: Sequence[Utterance],
    hyps: Sequence[Prediction],
    *,
    normalise: str = "none",
    format_equal: str = "",
) -> Score:
    """Score the values of slots against what was meant, whatever their spans.

    Args:
        refs: the labelled utterances; the value of a slot is ``Slot.value``, or its words.
        hyps: one prediction per utterance, in the same order; a prediction has ``values``, or
            slots whose words are the values.
        normalise: ``none``, or ``plain`` to make case, punctuation, articles and numbers equal.
        format_equal: a language, such as ``en``: values may be written or said.

    >>> from mondegreen.types import Slot
    >>> said = Utterance.of("1", "fly to atlanta", [Slot("city", 2, 3, "orlando")])
    >>> score = values([said], [Prediction("1", values={"city": ["atlanta"]})])
    >>> score["value_f1"].value, score["misheard_share"].value
    (0.0, 1.0)

    Raises:
        DataError: if references and predictions do not pair up, or a prediction has no values.
    """
    refs, hyps = both_sides(refs, hyps, None)
    if normalise not in NORMALISERS:
        raise DataError(f"there is no normalisation {normalise!r}; give {', '.join(NORMALISERS)}")
    plain = NORMALISERS[normalise]
    golds = [gold_values(ref, plain) for ref in refs]
    found = [predicted_values(ref, hyp, plain) for ref, hyp in zip(refs, hyps, strict=True)]
    if format_equal:
        found = [in_gold_writing(*pair, format_equal) for pair in zip(golds, found, strict=True)]
    table = np.zeros((len(refs), len(COLUMNS)), np.int64)
    by_state = {state: [0, 0] for state in STATES}
    for row, (ref, hyp, gold, values) in enumerate(zip(refs, hyps, golds, found, strict=True)):
        verdict = judge(gold, values)
        for one, right in zip(gold.slots, verdict.right, strict=True):
            by_state[one.state][0] += right
            by_state[one.state][1] += 1
        table[row] = (
            *verdict.counts(UNIT),
            *_intent_counts(ref, hyp),
            *_frame(ref, hyp, verdict.wrong),
        )
    equal = f"|format-equal:{format_equal}" if format_equal else ""
    signature = f"mondegreen|values|norm:{normalise}{equal}|v:{__version__}"
    states = {state: (right, total) for state, (right, total) in by_state.items() if total}
    ids = tuple(ref.id for ref in refs)
    return Score(VALUES, signature, table, ids, detail=ValuesDetail(golds, found, states))


def _intent_counts(ref: Utterance, hyp: Prediction) -> tuple[int, ...]:
    """Return the counts of intents and, for SLURP, of scenarios and actions."""
    if ref.label is None or hyp.label is None:
        return 0, 0, 0, 0, 0
    parts = dict(ref.extra)
    intent = int(ref.label == hyp.label), 1
    if "scenario" not in parts or "action" not in parts:
        return *intent, 0, 0, 0
    scenario, _, action = hyp.label.partition("_")
    return *intent, int(scenario == parts["scenario"]), int(action == parts["action"]), 1


def _frame(ref: Utterance, hyp: Prediction, wrong_values: bool) -> tuple[int, int, int, int]:  # noqa: FBT001
    """Return whether the frame is right, whether there is one, whether it is wrong, and 1."""
    intent = ref.label is not None and hyp.label is not None
    right = not wrong_values and (not intent or ref.label == hyp.label)
    judged = intent or ref.label is None
    return int(right and judged), int(judged), int(not right), 1


class ValuesMetric(FrameMetric):
    """Values of slots against what was meant."""

    name = "values"
    summary = "Slot values against what was meant: precision, recall, F1, and SLURP's SLU-F1."
    help = """Score the values of slots in HYP against what the speakers of REF meant.

    Unlike slu, it compares values and not spans. A slot that was misheard or split keeps its
    value in REF (the column values); HYP is in any labelled format, or JSON lines with id, label
    and values ({"city": "orlando"}), tags or slots. SLURP's own files are read and scored as by
    its evaluator."""
    examples = (
        "values --ref noisy.jsonl --hyp predictions.jsonl",
        "values --ref noisy.jsonl --hyp answers.jsonl --normalise plain",
        "values --ref noisy.jsonl --hyp answers.jsonl --format-equal en",
        "values --ref slurp/test.jsonl --hyp asr_predictions.jsonl --format slurp",
    )
    columns = COLUMNS
    rates = RATES
    main = ("value_f1", "frame_accuracy", "intent_accuracy")
    one_column = False
    settings = ValueSettings
    both = ""

    def pairs(self, files: Files, settings: ValueSettings) -> Iterator[Part]:
        """Yield utterances with their predictions; SLURP's files as its evaluator pairs them."""
        hyps = [one for one in files.hyps if is_slurp(one.path, one.format)]
        if not hyps:
            yield from super().pairs(files, settings)
            return
        ref = files.ref.path
        refs = read_slurp_frames(ref) if is_slurp(ref, files.ref.format) else None
        refs = refs or concatenated(list(self.references(files.ref, settings)))
        found = [read_slurp_predictions(refs, one.path) for one in hyps]
        yield Part(References.of(recorded(refs, found[0])), tuple(found))

    def references(self, side: Side, settings: ValueSettings) -> Iterator[Transcripts]:
        """Yield labelled utterances, of SLURP's with its fillers as values."""
        if is_slurp(side.path, side.format):
            return iter([read_slurp_frames(side.path)])
        return super().references(side, settings)

    def score(self, refs: References, hyps: Sequence[Prediction], settings: ValueSettings) -> Score:
        """Score values."""
        return values(
            refs.items, hyps, normalise=settings.normalise, format_equal=settings.format_equal
        )

    def tally(self, score: Score, refs: References, display: Any) -> dict[str, Counter[str]]:  # noqa: ARG002
        """Count the slots of each state."""
        states: dict[str, tuple[int, int]] = score.detail.states
        right = Counter({state: counts[0] for state, counts in states.items()})
        return {"right": right, "slots": Counter({state: one[1] for state, one in states.items()})}

    def sections(self, score: Score, refs: References, display: Any) -> list[Section]:  # noqa: ARG002
        """Return the recall of each state."""
        right, slots = score.tallies["right"], score.tallies["slots"]
        states = {state: (right[state], slots[state]) for state in STATES if slots[state]}
        record = {
            state: {"right": right, "slots": total, "value_recall": right / total}
            for state, (right, total) in states.items()
        }
        width = max(map(len, ("state", *states)))
        lines = [f"\n{'state':{width}} {'recall':>10} {'right':>8} {'slots':>8}"]
        lines += [
            f"{state:{width}} {100 * right / total:8.2f} % {right:8,} {total:8,}"
            for state, (right, total) in states.items()
        ]
        return [Section("states", record, lines if len(states) > 1 else ())]


VALUES = ValuesMetric()
