"""Understanding: slots, intents and whole frames, by the rules of conlleval."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import numpy as np
import numpy.typing as npt

from mondegreen import __version__
from mondegreen.data.dataframes import is_table, read_table
from mondegreen.data.pairs.frames import judge_slots
from mondegreen.data.pairs.parts import read_once
from mondegreen.data.pairs.transcripts import numbers
from mondegreen.data.schemes import SCHEMES, ReadTags, read_tags
from mondegreen.errors import DataError
from mondegreen.metrics.framed import FrameMetric
from mondegreen.metrics.metric import Files, Part, ReadWhole, References, Section, setting
from mondegreen.metrics.scores.score import Counts, LaterColumns, Score, both_sides
from mondegreen.metrics.slu.rates import COLUMNS, PARTIAL, RATES, value_counts
from mondegreen.metrics.slu.slot_types import SlotType, slot_types, type_lines
from mondegreen.metrics.slu.spans import (
    Names,
    Numbers,
    Spans,
    overlapping,
    same_spans,
    spans_of_slots,
    spans_of_tags,
)
from mondegreen.metrics.slu.symptoms import slu_symptoms
from mondegreen.types import Prediction, Utterance


def slu(
    refs: Sequence[Utterance] | Sequence[Sequence[str]],
    hyps: Sequence[Prediction] | Sequence[Utterance] | Sequence[Sequence[str]],
    *,
    ids: Sequence[str] | None = None,
    slots: bool | None = None,
    values: bool | None = None,
    scheme: str | None = None,
) -> Score:
    """Score slots, intents and whole frames.

    What the predictions lack is not scored: without intents ``intent_accuracy`` and
    ``e2e_accuracy`` are ``None``; in plain classification, the slot rates are. Slots are not judged
    either where the references have labels but no slot at all; a frame is then right if its intent
    is right.

    Args:
        refs: the labelled utterances, or lists of tags, or a data frame of utterances.
        hyps: one prediction per utterance, in the same order; or utterances; or lists of tags; or a
            data frame. Utterances with labels but no slot at all are taken as predictions of labels
            only.
        ids: the ids of the utterances; by default their own, or their numbers.
        slots: whether to judge slots, where ``refs`` are only a part of a set.
        values: whether to count values, too; by default only where a slot means something else than
            its words, or predictions have values instead of slots.
        scheme: read tags strictly in this scheme, as seqeval does: ``iob1 iob2 ioe1 ioe2 iobes
            bilou``. By default a slot that begins with ``I-`` or has no end counts, too.

    >>> score = slu([["B-artist", "I-artist", "O"]], [["B-artist", "O", "B-genre"]])
    >>> score["slot_f1"].value, score["intent_accuracy"].value
    (0.0, None)
    >>> score.sums()["slots_other_span"], score.sums()["slots_spurious"]
    (1, 1)

    Raises:
        DataError: if references and predictions do not pair up, if a slot or a tag does not fit
            its utterance, or if some predictions lack what others have.
    """
    left, right = both_sides(_read(refs), _read(hyps), ids)
    names: Names = {}
    read = None if scheme is None else read_tags(scheme)
    gold = _SluSide.of(left, {Utterance}, names, read)
    given = _SluSide.of(right, {Prediction, Utterance}, names, read)
    given = given._replace(ids=_agreed_ids(gold, given, ids))
    _check_fit(gold, given)
    has_slots = _all_have("slots", given.has_slots, given.ids)
    judged = has_slots and (any(gold.has_slots) if slots is None else slots)
    spans, found = (side.spans if judged else side.spans.none() for side in (gold, given))
    same = same_spans(spans, found)
    by_value = value_counts(left, right, wanted=values)
    right = same.refs[spans.labels[same.refs] == found.labels[same.hyps]]
    return Score(
        SLU,
        f"mondegreen|slu|{f'scheme:{scheme}|' if scheme else ''}v:{__version__}",
        _table(spans, found, right, _intents(gold, given), by_value, frames=has_slots),
        given.ids,
        LaterColumns(PARTIAL, lambda: _partial(spans, found, len(refs))),
        SluDetail(refs, hyps, slot_types(spans, found, right, names)),
    )


class SluDetail(NamedTuple):
    """Both sides, and the counts of each slot label."""

    refs: Sequence[Any]
    hyps: Sequence[Any]
    types: dict[str, SlotType]

    def sides(self, item: int) -> tuple[str, str]:
        """Return both frames as text: the intent, and the words with their slots in brackets."""
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


class _SluSide(NamedTuple):
    """One side as columns. Lists of tags have neither ids nor labels."""

    spans: Spans
    ids: tuple[str, ...]
    lengths: Numbers
    has_slots: list[bool]
    labels: list[str | None]

    @classmethod
    def of(
        cls, items: Sequence[Any], kinds: set[type], names: Names, read: ReadTags | None
    ) -> _SluSide:
        n, found = len(items), set(map(type, items))
        if len(found) == 1 and found <= kinds:
            spans = spans_of_slots((item.slots or () for item in items), names)
            ids, labels = tuple(item.id for item in items), [item.label for item in items]
            if found == {Prediction}:
                given = [item.slots is not None for item in items]
                return cls(spans, ids, np.full(n, -1), given, labels)
            lengths = np.array([len(item.tokens) for item in items])
            return cls(spans, ids, lengths, [_judge_slots(spans, labels)] * n, labels)
        if found & {Utterance, Prediction, str}:
            raise DataError("give utterances and predictions, or lists of tags; all of one kind")
        lengths = np.fromiter(map(len, items), np.int64, n)
        spans = spans_of_slots(map(read, items), names) if read else spans_of_tags(items, names)
        return cls(spans, (), lengths, [True] * n, [None] * n)


def _read(side: Any) -> Any:
    """Return the utterances of a data frame; any other side as it is."""
    return read_table(side) if is_table(side) else side


def _judge_slots(spans: Spans, labels: list[str | None]) -> bool:
    """Return false for utterances with labels but no slot at all: nobody looked for slots."""
    return bool(len(spans.rows)) or all(label is None for label in labels)


def _agreed_ids(gold: _SluSide, given: _SluSide, ids: Sequence[str] | None) -> tuple[str, ...]:
    """Return the ids of the utterances; refuse predictions with other ids."""
    if gold.ids and given.ids and gold.ids != given.ids:
        ref, hyp = next(
            pair for pair in zip(gold.ids, given.ids, strict=True) if len(set(pair)) > 1
        )
        raise DataError(
            f"utterance {ref!r} is paired with the prediction of {hyp!r}; give one prediction per "
            "utterance, in the same order"
        )
    return tuple(ids) if ids is not None else gold.ids or given.ids or numbers(len(gold.labels))


def _check_fit(gold: _SluSide, given: _SluSide) -> None:
    """Refuse tags of another number than tokens, and slots outside their utterance."""
    lengths, (rows, starts, ends, _) = gold.lengths, given.spans
    other = (given.lengths >= 0) & (given.lengths != lengths)
    if other.any():
        row = int(np.argmax(other))
        raise DataError(
            f"utterance {given.ids[row]!r}: {given.lengths[row]} tags for {lengths[row]} tokens; "
            "give one per token"
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


def _all_have(what: str, given: list[bool], ids: Sequence[str]) -> bool:
    """Return whether all predictions have something; refuse a mixture."""
    if any(given) and not all(given):
        raise DataError(
            f"the prediction of utterance {ids[given.index(False)]!r} has no {what}, others have; "
            "give all or none"
        )
    return bool(given) and given[0]


def _intents(gold: _SluSide, given: _SluSide) -> Counts:
    """Return whether each intent is right, and whether there is one to compare with."""
    pairs = np.zeros((len(gold.labels), 2), np.int64)
    rows = [row for row, label in enumerate(gold.labels) if label is not None]
    known = [given.labels[row] is not None for row in rows]
    if _all_have("label", known, [given.ids[row] for row in rows]):
        pairs[rows, 0] = [gold.labels[row] == given.labels[row] for row in rows]
        pairs[rows, 1] = 1
    return pairs


def _per_row(rows: Numbers, n: int) -> Numbers:
    return np.bincount(rows, minlength=n)


def _table(
    gold: Spans, given: Spans, right: Numbers, intents: Counts, by_value: Counts, *, frames: bool
) -> Counts:
    n = len(intents)
    refs, hyps, both = (_per_row(rows, n) for rows in (gold.rows, given.rows, gold.rows[right]))
    intent_right, intent = intents.T
    frame = intent * frames
    wrong: npt.NDArray[np.bool_] = (both < refs) | (both < hyps) | (intent_right < intent)
    if not frames:  # values without spans
        wrong |= (by_value[:, 0] < by_value[:, 1]) | (by_value[:, 0] < by_value[:, 2])
    frame_right = frame * ~wrong
    columns = (
        both,
        refs,
        hyps,
        intent_right,
        intent,
        frame_right,
        frame,
        by_value,
        wrong,
        np.ones(n),
    )
    return np.column_stack(columns).astype(np.int64)


def _partial(gold: Spans, given: Spans, n: int) -> Counts:
    """Count the slots that are not right: same span first, then overlapping spans."""
    same = same_spans(gold, given)
    other_label = same.refs[gold.labels[same.refs] != given.labels[same.hyps]]
    left, more = np.ones(len(gold.rows), bool), np.ones(len(given.rows), bool)
    left[same.refs] = more[same.hyps] = False
    missed, spurious = gold.where(left), given.where(more)
    other_span = _per_row(missed.rows[overlapping(missed, spurious)], n)
    columns = (
        other_span,
        _per_row(gold.rows[other_label], n),
        _per_row(spurious.rows, n) - other_span,
        _per_row(missed.rows, n) - other_span,
    )
    return np.column_stack(columns)


@dataclass(frozen=True)
class SluSettings:
    """How to score slots and intents."""

    scheme: str | None = setting(
        default=None,
        help="Read tags strictly in this scheme, as seqeval does: only well-formed slots count. "
        f"One of {', '.join(SCHEMES)}.",
        metavar="SCHEME",
    )


class Slu(FrameMetric):
    """Slots, intents and whole frames."""

    name = "slu"
    summary = "Slot F1, intent accuracy and end-to-end accuracy of whole frames."
    help = """Score slots, intents and whole frames of HYP against REF.

    A slot is right if its span and its label are right; tags are read as conlleval reads them,
    unless --scheme says otherwise. HYP is in any labelled format, or JSON lines with id, tags or
    slots, and label. What HYP lacks is not scored; slots are not scored either where REF has labels
    but no slot at all."""
    examples = (
        "slu --ref snips/test --hyp predictions.jsonl",
        "slu --ref noisy.jsonl --hyp a.jsonl --against b.jsonl --by operator",
        "slu --pairs conlleval-input.txt --scheme iob2",
    )
    columns = COLUMNS
    rates = RATES
    main = ("e2e_accuracy", "intent_accuracy", "slot_f1")
    one_column = False
    settings = SluSettings
    totals: ClassVar[Mapping[str, Mapping[str, int]]] = {
        "slot_errors": {"slots_said": 1, "slots_found": 1, "slots_right": -2}
    }

    def parts(self, files: Files, settings: SluSettings) -> Iterator[Part]:
        """Yield the corpus in parts; all of the references say whether slots are judged."""
        if read_once(files.ref.path):
            yield self.whole(files, settings)
            return
        judged = labelled = False
        first = None
        for part in self.pairs(files, settings):
            labels = any(one.label is not None for one in part.refs.items)
            slots = any(one.slots for one in part.refs.items)
            judged, labelled = judged or slots, labelled or labels
            if first is None:
                first = judged or not labelled
            yield part._replace(refs=part.refs._replace(traits={"slots": first}))
        if first is not None and not judged and not labelled:
            judge_slots([], files.ref.path)
        if first is not None and first != (judged or not labelled):
            raise ReadWhole

    def traits(self, refs: References, settings: SluSettings) -> Mapping[str, Any]:  # noqa: ARG002
        """Return whether slots are judged."""
        return {"slots": judge_slots(refs.items, refs.file.path)}

    def score(self, refs: References, hyps: Sequence[Prediction], settings: SluSettings) -> Score:
        """Score frames."""
        return slu(refs.items, hyps, scheme=settings.scheme, **refs.traits)

    def tally(self, score: Score, refs: References, display: Any) -> dict[str, Counter[str]]:  # noqa: ARG002
        """Count the slots of each label."""
        return {
            part: Counter({label: getattr(one, part) for label, one in score.by_type.items()})
            for part in SlotType._fields
        }

    def sections(self, score: Score, refs: References, display: Any) -> list[Section]:  # noqa: ARG002
        """Return the rates of each label."""
        tallies, sums = score.tallies, score.sums()
        labels = sorted(set().union(*tallies.values()))
        types = {
            name: SlotType(*(tallies[part][name] for part in SlotType._fields)) for name in labels
        }
        record = {
            name: {"precision": one.precision, "recall": one.recall, "f1": one.f1, **one._asdict()}
            for name, one in types.items()
        }
        return [Section("types", record, type_lines(types, {name: sums[name] for name in PARTIAL}))]

    def symptoms(
        self, utterance: Utterance, prediction: Prediction, edited: Collection[int]
    ) -> list[str]:
        """Return what is wrong with slots and intent."""
        return slu_symptoms(utterance, prediction, edited)


SLU = Slu()
