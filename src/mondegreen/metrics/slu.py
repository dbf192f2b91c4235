"""Understanding: slots, intents and whole frames, by the rules of conlleval."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple, TypeGuard

import numpy as np

from mondegreen import __version__
from mondegreen.errors import DataError
from mondegreen.metrics.score import Counts, Ratio, Score, Sums, check_sides, numbers
from mondegreen.metrics.spans import (
    Matches,
    Names,
    Numbers,
    Spans,
    match,
    spans_of_slots,
    spans_of_tags,
)
from mondegreen.types import Prediction, Utterance

COLUMNS = (
    "slots_right", "slots_other_span", "slots_other_label", "slots_spurious", "slots_missed",
    "intents_right", "intents", "frames_right", "frames", "wrong", "utterances",
)  # fmt: skip


def _paired(sums: Sums) -> Any:
    """Slots of the reference that have a hypothesis, right or not."""
    return sums["slots_right"] + sums["slots_other_span"] + sums["slots_other_label"]


RATES: dict[str, Ratio] = {
    "slot_precision": lambda s: (s["slots_right"], _paired(s) + s["slots_spurious"]),
    "slot_recall": lambda s: (s["slots_right"], _paired(s) + s["slots_missed"]),
    "slot_f1": lambda s: (
        2 * s["slots_right"], 2 * _paired(s) + s["slots_spurious"] + s["slots_missed"],
    ),
    "intent_accuracy": lambda s: (s["intents_right"], s["intents"]),
    "e2e_accuracy": lambda s: (s["frames_right"], s["frames"]),
}  # fmt: skip


class SlotType(NamedTuple):
    """How one type of slot fared."""

    right: int
    said: int
    found: int

    @property
    def precision(self) -> float | None:
        """The share of those found that are right."""
        return self.right / self.found if self.found else None

    @property
    def recall(self) -> float | None:
        """The share of those said that are right."""
        return self.right / self.said if self.said else None

    @property
    def f1(self) -> float | None:
        """Of the two."""
        total = self.said + self.found
        return 2 * self.right / total if total else None


def slu(
    refs: Sequence[Utterance] | Sequence[Sequence[str]],
    hyps: Sequence[Prediction] | Sequence[Sequence[str]],
    *,
    ids: Sequence[str] | None = None,
) -> Score:
    """Score slots, intents and whole frames.

    What no prediction says is not scored: without intents ``intent_accuracy`` is ``None``, and so
    is ``e2e_accuracy``; in plain classification, the rates of slots are.

    Args:
        refs: the labelled utterances, or lists of BIO tags.
        hyps: a prediction each, in the same order, or lists of BIO tags.
        ids: the utterances' names; their own, or their numbers, otherwise.

    >>> score = slu([["B-artist", "I-artist", "O"]], [["B-artist", "O", "B-genre"]])
    >>> score["slot_f1"].value, score["intent_accuracy"].value
    (0.0, None)
    >>> sums = score.sums()
    >>> sums["slots_other_span"], sums["slots_spurious"]
    (1, 1)

    Raises:
        DataError: if they do not pair up, a slot or a tag does not fit its utterance, or some
            predictions say less than the others.
    """
    check_sides(refs, hyps, ids)
    names: Names = {}
    said, given = _spans(refs, names), _spans(hyps, names)
    own = _ids(refs) if ids is None else tuple(ids)
    _check_order(refs, hyps)
    _check_fit(given, _lengths(refs), own)
    has_slots = _all_say("slots", [_slots_given(hyp) for hyp in hyps], own)
    if not has_slots:
        said = said.where(np.zeros(len(said.rows), bool))
    found = match(said, given)
    return Score(
        "slu",
        f"mondegreen|slu|v:{__version__}",
        COLUMNS,
        _table(said, given, found, _intents(refs, hyps, own), frames=has_slots),
        RATES,
        own,
        None,
        _types(said, given, found, names),
    )


def by_type(score: Score) -> dict[str, SlotType]:
    """Return how each type of slot fared; of a score that was just made, not of a sum of scores.

    >>> by_type(slu([["B-artist"]], [["B-artist"]]))["artist"].f1
    1.0
    """
    types: dict[str, SlotType] = score.detail
    return types


def _is_said(item: object) -> TypeGuard[Utterance | Prediction]:
    return isinstance(item, Utterance | Prediction)


def _spans(items: Sequence[Any], names: Names) -> Spans:
    if all(map(_is_said, items)):
        return spans_of_slots((item.slots or () for item in items), names)
    if any(map(_is_said, items)) or any(isinstance(item, str) for item in items):
        raise DataError("give utterances and predictions, or lists of tags, but all of one kind")
    return spans_of_tags(items, names)


def _ids(refs: Sequence[Any]) -> tuple[str, ...]:
    if refs and _is_said(refs[0]):
        return tuple(ref.id for ref in refs)
    return numbers(len(refs))


def _lengths(refs: Sequence[Any]) -> Numbers:
    """How many tokens each utterance has."""
    words = (len(ref.tokens) if isinstance(ref, Utterance) else len(ref) for ref in refs)
    return np.fromiter(words, np.int64, len(refs))


def _slots_given(hyp: Any) -> bool:
    return not _is_said(hyp) or hyp.slots is not None


def _check_order(refs: Sequence[Any], hyps: Sequence[Any]) -> None:
    for row, (ref, hyp) in enumerate(zip(refs, hyps, strict=True)):
        if _is_said(ref) and _is_said(hyp):
            if ref.id != hyp.id:
                raise DataError(
                    f"utterance {ref.id!r} stands beside the prediction of {hyp.id!r}; give a "
                    "prediction an utterance, in the same order"
                )
        elif not _is_said(ref) and not _is_said(hyp) and len(ref) != len(hyp):
            raise DataError(f"utterance {row + 1}: {len(hyp)} tags for {len(ref)} tokens")


def _check_fit(given: Spans, lengths: Numbers, ids: Sequence[str]) -> None:
    """Refuse slots that are empty, overlap, are not in order, or end beyond their utterance."""
    within = (given.starts >= 0) & (given.starts < given.ends) & (given.ends <= lengths[given.rows])
    apart = (given.rows[1:] > given.rows[:-1]) | (given.starts[1:] >= given.ends[:-1])
    within[1:] &= apart
    if not within.all():
        bad = int(np.argmin(within))
        row = int(given.rows[bad])
        raise DataError(
            f"utterance {ids[row]!r}: a predicted slot covers tokens {given.starts[bad]} to "
            f"{given.ends[bad]}; slots must be in order, disjoint, not empty, and within the "
            f"{lengths[row]} tokens"
        )


def _all_say(what: str, given: list[bool], ids: Sequence[str]) -> bool:
    """Tell whether predictions say something; some that do and some that do not are refused."""
    if any(given) and not all(given):
        raise DataError(
            f"the prediction of utterance {ids[given.index(False)]!r} has no {what}, others have; "
            "give all or none"
        )
    return bool(given) and given[0]


def _intents(refs: Sequence[Any], hyps: Sequence[Any], ids: Sequence[str]) -> Counts:
    """Whether each intent is right, and whether there is one to be right."""
    pairs = np.zeros((len(refs), 2), np.int64)
    if not refs or not _is_said(refs[0]) or not _is_said(hyps[0]):
        return pairs
    rows = [row for row, ref in enumerate(refs) if ref.label is not None]
    given = [hyps[row].label is not None for row in rows]
    if rows and _all_say("label", given, [ids[row] for row in rows]):
        pairs[rows, 0] = [refs[row].label == hyps[row].label for row in rows]
        pairs[rows, 1] = 1
    return pairs


def _table(said: Spans, given: Spans, found: Matches, intents: Counts, *, frames: bool) -> Counts:
    n = len(intents)
    refs, hyps = (np.bincount(side.rows, minlength=n) for side in (said, given))
    right, other_label, other_span = (
        np.bincount(said.rows[places], minlength=n) for places in found
    )
    paired = right + other_label + other_span
    slots_wrong = (right < refs) | (right < hyps)
    intent_right, intent = intents.T
    frame = intent * frames
    wrong = slots_wrong | (intent_right < intent)
    columns = [
        right, other_span, other_label, hyps - paired, refs - paired,
        intent_right, intent, frame & ~wrong, frame, wrong, np.ones(n, np.int64),
    ]  # fmt: skip
    return np.column_stack(columns).astype(np.int64)


def _types(said: Spans, given: Spans, found: Matches, names: Names) -> dict[str, SlotType]:
    counts = [
        np.bincount(labels, minlength=len(names)).tolist()
        for labels in (said.labels[found.right], said.labels, given.labels)
    ]
    return {name: SlotType(*(column[names[name]] for column in counts)) for name in sorted(names)}
