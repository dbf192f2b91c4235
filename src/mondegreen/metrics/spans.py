"""Slots of many utterances as columns of numbers, so that counting them takes no Python loop."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from mondegreen.types import Slot, slots_of_tags

Numbers = npt.NDArray[np.int64]
Names = dict[str, int]
"""The number of each label, given as labels are met."""

_OUT = "O"
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
    """Read the slots off BIO tags, as :func:`~mondegreen.types.slots_of_tags` does, all at once.

    >>> spans_of_tags([["I-a", "I-a", "B-a"], ["O"]], {}).ends.tolist()
    [2, 3]

    Raises:
        DataError: if a tag is none of ``O``, ``B-label``, ``I-label``.
    """
    flat = list(chain.from_iterable(chain(row, (_OUT,)) for row in rows))
    codes = {tag: code for code, tag in enumerate(dict.fromkeys(flat))}
    for tag in codes:
        slots_of_tags([tag])
    tags = np.fromiter(map(codes.__getitem__, flat), np.int64, len(flat))
    begins = np.array([tag[0] == "B" for tag in codes], bool)[tags]
    labels = np.array([_number(tag, names) for tag in codes], np.int64)[tags]
    before = np.concatenate([[-1], labels[:-1]]) if len(flat) else labels
    outside = labels < 0
    starting = ~outside & (begins | (labels != before))
    starts, borders = np.flatnonzero(starting), np.flatnonzero(starting | outside)
    ends = borders[np.searchsorted(borders, starts, side="right")]
    lengths = np.fromiter(map(len, rows), np.int64, len(rows)) + 1
    offsets = np.cumsum(lengths) - lengths
    at = np.searchsorted(offsets, starts, side="right") - 1
    return Spans(at, starts - offsets[at], ends - offsets[at], labels[starts])


def _number(tag: str, names: Names) -> Any:
    return -1 if tag == _OUT else names.setdefault(tag[2:], len(names))


class Matches(NamedTuple):
    """What became of the slots, in numbers of references and hypotheses that belong together."""

    right: Numbers
    """References found as they are."""
    other_label: Numbers
    """References whose span was found with another label."""
    other_span: Numbers
    """References whose label was found on another span that overlaps."""


def match(refs: Spans, hyps: Spans) -> Matches:
    """Find for each reference slot its hypothesis; one serves one.

    First the same span, then, of what is left, the same label on a span that overlaps, from left
    to right.
    """
    _, ref, hyp = np.intersect1d(refs.keys, hyps.keys, assume_unique=True, return_indices=True)
    same_end = refs.ends[ref] == hyps.ends[hyp]
    ref, hyp = ref[same_end], hyp[same_end]
    same_label = refs.labels[ref] == hyps.labels[hyp]
    left = np.setdiff1d(np.arange(len(refs.rows)), ref, assume_unique=True)
    more = np.setdiff1d(np.arange(len(hyps.rows)), hyp, assume_unique=True)
    return Matches(ref[same_label], ref[~same_label], left[_overlapping(refs, left, hyps, more)])


def _overlapping(refs: Spans, left: Numbers, hyps: Spans, more: Numbers) -> list[int]:
    """Which of the references that are left overlap a hypothesis of their label, one each."""
    waiting: dict[tuple[int, int], list[tuple[int, int]]] = {}
    for row, start, end, label in zip(*(c[more].tolist() for c in hyps), strict=True):
        waiting.setdefault((row, label), []).append((start, end))
    found = []
    places = zip(*(column[left].tolist() for column in refs), strict=True)
    for place, (row, start, end, label) in enumerate(places):
        others = waiting.get((row, label), ())
        for other in others:
            if other[0] < end and start < other[1]:
                waiting[row, label].remove(other)
                found.append(place)
                break
    return found
