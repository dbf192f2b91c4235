"""Slots of many utterances as columns of numbers, so that counting them takes no Python loop."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from mondegreen.types import Slot, slots_of_tags

Numbers = npt.NDArray[np.int64]
Names = dict[str, int]
"""The number of each label, given as labels are met."""

_OUT = "O"
_BEGINS, _CLOSES = "BSU", "ESLU"  # prefixes that open a slot, and that end one
_AT = 32  # bits for the place in a row: keys are row and place together


class Spans(NamedTuple):
    """One slot a place: its utterance's number, its start and end, and its label's number."""

    rows: Numbers
    starts: Numbers
    ends: Numbers
    labels: Numbers

    @property
    def keys(self) -> Numbers:
        """Where each slot starts, over all utterances; slots in order have keys in order."""
        return (self.rows << _AT) + self.starts

    def where(self, chosen: npt.NDArray[np.bool_]) -> Spans:
        """Return some of the slots."""
        return Spans(*(column[chosen] for column in self))

    def none(self) -> Spans:
        """Return none of the slots."""
        return Spans(*(column[:0] for column in self))


def spans_of_slots(rows: Iterable[Sequence[Slot]], names: Names) -> Spans:
    """Put slots into columns.

    >>> spans_of_slots([(Slot("artist", 1, 3),)], {}).ends.tolist()
    [3]
    """
    found = [
        (row, slot.start, slot.end, names.setdefault(slot.label, len(names)))
        for row, slots in enumerate(rows)
        for slot in slots
    ]
    return Spans(*np.array(found, np.int64).reshape(-1, len(Spans._fields)).T)


def spans_of_tags(rows: Sequence[Sequence[str]], names: Names) -> Spans:
    """Read the slots of tags, as :func:`~mondegreen.types.slots_of_tags` does, all at once.

    >>> spans_of_tags([["I-a", "I-a", "B-a"], ["O"]], {}).ends.tolist()
    [2, 3]

    Raises:
        DataError: if a tag is not ``O``, ``B-label``, ``I-label`` or the like.
    """
    flat: list[str] = []
    for row in rows:
        flat += row
        flat.append(_OUT)
    codes = _Codes()
    tags = np.fromiter(map(codes.__getitem__, flat), np.int64, len(flat))
    begins = np.array([tag[0] in _BEGINS for tag in codes], bool)[tags]
    closes = np.array([tag[0] in _CLOSES for tag in codes], bool)[tags]
    labels = np.array([_number(tag, names) for tag in codes], np.int64)[tags]
    before = np.concatenate([[-1], labels[:-1]]) if flat else labels
    outside = labels < 0
    begins[1:] |= closes[:-1]
    starting = ~outside & (begins | (labels != before))
    starts, borders = np.flatnonzero(starting), np.flatnonzero(starting | outside)
    ends = borders[np.searchsorted(borders, starts, side="right")]
    lengths = np.fromiter(map(len, rows), np.int64, len(rows)) + 1
    offsets = np.cumsum(lengths) - lengths
    at = np.searchsorted(offsets, starts, side="right") - 1
    return Spans(at, starts - offsets[at], ends - offsets[at], labels[starts])


class _Codes(dict[str, int]):
    """The number of each tag, given as tags are met."""

    def __missing__(self, tag: str) -> int:
        slots_of_tags([tag])  # refuses what is no tag
        self[tag] = len(self)
        return self[tag]


def _number(tag: str, names: Names) -> int:
    return -1 if tag == _OUT else names.setdefault(tag[2:], len(names))


class Matches(NamedTuple):
    """Places of references and hypotheses that belong together, side by side."""

    refs: Numbers
    hyps: Numbers


def same_spans(refs: Spans, hyps: Spans) -> Matches:
    """Find the slots that cover the same tokens, whatever their labels."""
    near = np.searchsorted(hyps.keys, refs.keys)
    ref = np.flatnonzero(near < len(hyps.rows))
    hyp = near[ref]
    same = (refs.keys[ref] == hyps.keys[hyp]) & (refs.ends[ref] == hyps.ends[hyp])
    return Matches(ref[same], hyp[same])


def overlapping(refs: Spans, hyps: Spans) -> list[int]:
    """Return the places of references that overlap a hypothesis of their label, one each.

    Both go from left to right; a hypothesis serves one reference.
    """
    waiting: dict[tuple[int, int], list[tuple[int, int]]] = {}
    for row, start, end, label in zip(*(column.tolist() for column in hyps), strict=True):
        waiting.setdefault((row, label), []).append((start, end))
    found = []
    slots = zip(*(column.tolist() for column in refs), strict=True)
    for place, (row, start, end, label) in enumerate(slots):
        others = waiting.get((row, label), [])
        other = next((one for one in others if one[0] < end and start < one[1]), None)
        if other is not None:
            others.remove(other)
            found.append(place)
    return found
