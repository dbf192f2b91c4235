"""The facts of a run's items: what was asked, and what was changed, where and how."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from mondegreen.types import Edit, Utterance

PHRASES = {
    "operator": "{}",
    "inserted": "“{}” inserted",
    "replaced": "“{}” replaced",
    "by": "replaced by “{}”",
    "kind": "edit of kind {}",
    "edits": "{}",
    "place": "{}",
    "slot edited": "edit {}",
    "value": "{}",
    "position": "{}",
    "intent": "intent {}",
    "slot": "with the slot “{}”",
    "length": "{}",
    "speaker": "speaker {}",
}
"""How a sentence names a fact, in the order of a sentence; the simplest come first."""
_LENGTHS = (
    (4, "up to 4 words"),
    (8, "5 to 8 words"),
    (12, "9 to 12 words"),
    (20, "13 to 20 words"),
)
_MANY_WORDS = "more than 20 words"
_FEW_EDITS = 2
Pair = tuple[str, str]


class Placed(NamedTuple):
    """An edit, and the positions of its new tokens in the variant."""

    edit: Edit
    start: int
    end: int


def placed(edits: Sequence[Edit]) -> list[Placed]:
    """Return where the tokens of each edit are in the variant.

    >>> [edit] = placed([Edit(1, 1, ("uh", "um"), "fillers", "filler")])
    >>> edit.start, edit.end
    (1, 3)
    """
    found, shift = [], 0
    for edit in edits:
        start = edit.start + shift
        found.append(Placed(edit, start, start + len(edit.tokens)))
        shift += len(edit.tokens) - (edit.end - edit.start)
    return found


def facts_of_request(utterance: Utterance, length: int, speaker: str | None) -> Iterator[Pair]:
    """Yield the facts of an utterance itself: intent, slots, length in words, speaker."""
    if utterance.label is not None:
        yield "intent", utterance.label
    for slot in utterance.slots:
        yield "slot", slot.label
    yield "length", next((text for most, text in _LENGTHS if length <= most), _MANY_WORDS)
    if speaker is not None:
        yield "speaker", speaker


def facts_of_edits(
    utterance: Utterance, edits: Sequence[Placed], before: Sequence[Sequence[str]]
) -> Iterator[Pair]:
    """Yield the facts of the edits: operator, kind, words, and place.

    Args:
        utterance: the variant, with its gold slots.
        edits: its edits.
        before: the tokens that each edit replaced.
    """
    states = set()
    if len(edits) > 1:
        few = len(edits) <= _FEW_EDITS
        yield "edits", f"{len(edits)} edits" if few else f"more than {_FEW_EDITS} edits"
    for one, old in zip(edits, before, strict=True):
        edit, new = one.edit, " ".join(one.edit.tokens)
        yield "operator", edit.operator
        if edit.kind != edit.operator:
            yield "kind", edit.kind
        if not old:
            yield "inserted", new
        else:
            yield "replaced", " ".join(old)
            yield "by", new
        yield "position", _position(one, len(utterance.tokens))
        place, label = _place(utterance, one)
        yield "place", place
        if label:
            yield "slot edited", label
        if place == _INSIDE:
            states.add("a value is changed" if old else "a value is split")
    yield from (("value", state) for state in states or {"all values are kept"})


_INSIDE = "edit inside a slot"


def _position(one: Placed, length: int) -> str:
    if one.start == 0:
        return "at the start"
    return "at the end" if one.end == length else "in the middle"


def _place(utterance: Utterance, one: Placed) -> tuple[str, str]:
    """Return where an edit is with respect to the slots, and which slot that is."""
    for slot in utterance.slots:
        if slot.start <= one.start and one.end <= slot.end and one.end > one.start:
            return _INSIDE, f"inside {slot.label}"
    for slot in utterance.slots:
        if slot.end == one.start:
            return "edit beside a slot", f"after {slot.label}"
        if slot.start == one.end:
            return "edit beside a slot", f"before {slot.label}"
    return "edit outside the slots", ""
