"""Understanding: slots, intents and whole frames, by the rules of conlleval."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from mondegreen import __version__
from mondegreen.errors import DataError
from mondegreen.metrics.score import Counts, Later, Ratio, Score, check_sides, numbers
from mondegreen.metrics.spans import (
    Names,
    Numbers,
    Spans,
    overlapping,
    same_spans,
    spans_of_slots,
    spans_of_tags,
)
from mondegreen.types import Prediction, Utterance

COLUMNS = (
    "slots_right", "slots_said", "slots_found", "intents_right", "intents", "frames_right",
    "frames", "wrong", "utterances",
)  # fmt: skip
PARTIAL = ("slots_other_span", "slots_other_label", "slots_spurious", "slots_missed")
"""What became of the slots that are not right; worked out when it is asked for."""
RATES: dict[str, Ratio] = {
    "slot_precision": lambda s: (s["slots_right"], s["slots_found"]),
    "slot_recall": lambda s: (s["slots_right"], s["slots_said"]),
    "slot_f1": lambda s: (2 * s["slots_right"], s["slots_said"] + s["slots_found"]),
    "intent_accuracy": lambda s: (s["intents_right"], s["intents"]),
    "e2e_accuracy": lambda s: (s["frames_right"], s["frames"]),
}


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
    hyps: Sequence[Prediction] | Sequence[Utterance] | Sequence[Sequence[str]],
    *,
    ids: Sequence[str] | None = None,
    slots: bool | None = None,
) -> Score:
    """Score slots, intents and whole frames.

    What no prediction says is not scored: without intents ``intent_accuracy`` is ``None``, and so
    is ``e2e_accuracy``; in plain classification, the rates of slots are. Nor are slots judged
    where the references have labels and not one slot: a frame is then right if its intent is.

    Args:
        refs: the labelled utterances, or lists of BIO tags.
        hyps: a prediction each, in the same order, or utterances, or lists of BIO tags. Utterances
            with labels and not one slot tell labels alone.
        ids: the utterances' names; their own, or their numbers, otherwise.
        slots: whether to judge slots, for a part of a set, which cannot tell what the whole has.

    >>> score = slu([["B-artist", "I-artist", "O"]], [["B-artist", "O", "B-genre"]])
    >>> score["slot_f1"].value, score["intent_accuracy"].value
    (0.0, None)
    >>> score.sums()["slots_other_span"], score.sums()["slots_spurious"]
    (1, 1)

    Raises:
        DataError: if they do not pair up, a slot or a tag does not fit its utterance, or some
            predictions say less than the others.
    """
    check_sides(refs, hyps, ids)
    names: Names = {}
    said, given = _Side.of(refs, {Utterance}, names), _Side.of(hyps, {Prediction, Utterance}, names)
    given = given._replace(ids=_agreed_ids(said, given, ids))
    _check_fit(said, given)
    told = _all_say("slots", given.has_slots, given.ids)
    judged = told and (any(said.has_slots) if slots is None else slots)
    spans, found = (side.spans if judged else side.spans.none() for side in (said, given))
    same = same_spans(spans, found)
    right = same.refs[spans.labels[same.refs] == found.labels[same.hyps]]
    return Score(
        "slu",
        f"mondegreen|slu|v:{__version__}",
        COLUMNS,
        _table(spans, found, right, _intents(said, given), frames=told),
        RATES,
        given.ids,
        Later(PARTIAL, lambda: _partial(spans, found, len(refs))),
        SluDetail(refs, hyps, _types(spans, found, right, names)),
    )


def by_type(score: Score) -> dict[str, SlotType]:
    """Return how each type of slot fared; of a score that was just made, not of a sum of scores.

    >>> by_type(slu([["B-artist"]], [["B-artist"]]))["artist"].f1
    1.0
    """
    types: dict[str, SlotType] = score.detail.types
    return types


class SluDetail(NamedTuple):
    """Both sides, and how each type of slot fared."""

    refs: Sequence[Any]
    hyps: Sequence[Any]
    types: dict[str, SlotType]

    def sides(self, item: int) -> tuple[str, str]:
        """Both frames as text: the intent, and the words with their slots in brackets."""
        ref, hyp = self.refs[item], self.hyps[item]
        tokens = ref.tokens if isinstance(ref, Utterance) else ref
        return _frame(ref, tokens), _frame(hyp, tokens)


def _frame(item: Any, tokens: Sequence[str]) -> str:
    if not isinstance(item, Utterance | Prediction):
        return " ".join(item)
    words = list(tokens)
    for slot in item.slots or ():
        words[slot.start] = f"[{slot.label}: {words[slot.start]}"
        words[slot.end - 1] += "]"
    return " ".join(([f"{item.label}:"] if item.label is not None else []) + words)


class _Side(NamedTuple):
    """One side in columns. Lists of tags have no ids of their own, and no labels."""

    spans: Spans
    ids: tuple[str, ...]
    lengths: Numbers
    has_slots: list[bool]
    labels: list[str | None]

    @classmethod
    def of(cls, items: Sequence[Any], kinds: set[type], names: Names) -> _Side:
        n, found = len(items), set(map(type, items))
        if len(found) == 1 and found <= kinds:
            spans = spans_of_slots((item.slots or () for item in items), names)
            ids, labels = tuple(item.id for item in items), [item.label for item in items]
            if found == {Prediction}:
                said = [item.slots is not None for item in items]
                return cls(spans, ids, np.full(n, -1), said, labels)
            lengths = np.array([len(item.tokens) for item in items])
            return cls(spans, ids, lengths, [_tell_slots(spans, labels)] * n, labels)
        if found & {Utterance, Prediction, str}:
            raise DataError("give utterances and predictions, or lists of tags; all of one kind")
        lengths = np.fromiter(map(len, items), np.int64, n)
        return cls(spans_of_tags(items, names), (), lengths, [True] * n, [None] * n)


def _tell_slots(spans: Spans, labels: list[str | None]) -> bool:
    """Utterances with labels and not one slot are of classes: nobody looked for slots."""
    return bool(len(spans.rows)) or all(label is None for label in labels)


def _agreed_ids(said: _Side, given: _Side, ids: Sequence[str] | None) -> tuple[str, ...]:
    """The utterances' names; predictions that name others are refused."""
    if said.ids and given.ids and said.ids != given.ids:
        ref, hyp = next(
            pair for pair in zip(said.ids, given.ids, strict=True) if len(set(pair)) > 1
        )
        raise DataError(
            f"utterance {ref!r} stands beside the prediction of {hyp!r}; give a prediction an "
            "utterance, in the same order"
        )
    return tuple(ids) if ids is not None else said.ids or given.ids or numbers(len(said.labels))


def _check_fit(said: _Side, given: _Side) -> None:
    """Refuse rows of tags of another length, and slots that do not lie within their utterance."""
    lengths, (rows, starts, ends, _) = said.lengths, given.spans
    other = (given.lengths >= 0) & (given.lengths != lengths)
    if other.any():
        row = int(np.argmax(other))
        raise DataError(
            f"utterance {given.ids[row]!r}: {given.lengths[row]} tags for {lengths[row]} tokens; "
            "give one a token"
        )
    fits = (starts >= 0) & (starts < ends) & (ends <= lengths[rows])
    fits[1:] &= (rows[1:] > rows[:-1]) | (starts[1:] >= ends[:-1])
    if not fits.all():
        bad = int(np.argmin(fits))
        raise DataError(
            f"utterance {given.ids[rows[bad]]!r}: a predicted slot covers tokens {starts[bad]} to "
            f"{ends[bad]}; slots must be in order, disjoint, not empty, and within the "
            f"{lengths[rows[bad]]} tokens"
        )


def _all_say(what: str, given: list[bool], ids: Sequence[str]) -> bool:
    """Tell whether predictions say something; some that do and some that do not are refused."""
    if any(given) and not all(given):
        raise DataError(
            f"the prediction of utterance {ids[given.index(False)]!r} has no {what}, others have; "
            "give all or none"
        )
    return bool(given) and given[0]


def _intents(said: _Side, given: _Side) -> Counts:
    """Whether each intent is right, and whether there is one to be right."""
    pairs = np.zeros((len(said.labels), 2), np.int64)
    rows = [row for row, label in enumerate(said.labels) if label is not None]
    known = [given.labels[row] is not None for row in rows]
    if _all_say("label", known, [given.ids[row] for row in rows]):
        pairs[rows, 0] = [said.labels[row] == given.labels[row] for row in rows]
        pairs[rows, 1] = 1
    return pairs


def _per_row(rows: Numbers, n: int) -> Numbers:
    return np.bincount(rows, minlength=n)


def _table(said: Spans, given: Spans, right: Numbers, intents: Counts, *, frames: bool) -> Counts:
    n = len(intents)
    refs, hyps, both = (_per_row(rows, n) for rows in (said.rows, given.rows, said.rows[right]))
    intent_right, intent = intents.T
    frame = intent * frames
    wrong: npt.NDArray[np.bool_] = (both < refs) | (both < hyps) | (intent_right < intent)
    columns = (both, refs, hyps, intent_right, intent, frame * ~wrong, frame, wrong, np.ones(n))
    return np.column_stack(columns).astype(np.int64)


def _partial(said: Spans, given: Spans, n: int) -> Counts:
    """What became of the slots that are not right: a same span first, then one that overlaps."""
    same = same_spans(said, given)
    other_label = same.refs[said.labels[same.refs] != given.labels[same.hyps]]
    left, more = np.ones(len(said.rows), bool), np.ones(len(given.rows), bool)
    left[same.refs] = more[same.hyps] = False
    missed, spurious = said.where(left), given.where(more)
    other_span = _per_row(missed.rows[overlapping(missed, spurious)], n)
    columns = (
        other_span,
        _per_row(said.rows[other_label], n),
        _per_row(spurious.rows, n) - other_span,
        _per_row(missed.rows, n) - other_span,
    )
    return np.column_stack(columns)


def _types(said: Spans, given: Spans, right: Numbers, names: Names) -> dict[str, SlotType]:
    labels = (said.labels[right], said.labels, given.labels)
    counts = [np.bincount(side, minlength=len(names)).tolist() for side in labels]
    types = {name: SlotType(*(column[names[name]] for column in counts)) for name in sorted(names)}
    return {name: one for name, one in types.items() if any(one)}
