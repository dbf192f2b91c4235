"""Items of a run for display: marked words, frames as chips, and columns one above the other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import zip_longest
from typing import Any

from mondegreen.report.conversations import call_chips, conversation_of
from mondegreen.report.dialogues import cause_chips
from mondegreen.report.frames import colours_of
from mondegreen.report.marked import MarkedLine, edited_words, frame_chips
from mondegreen.runs.items import RunItem
from mondegreen.types import Slot


def marked_item(item: RunItem) -> MarkedLine:
    """Return an item with its edits marked, and what differs between gold and prediction."""
    tokens = item.utterance.tokens
    conversation, chips = conversation_of(item), cause_chips(item)
    if conversation:
        chips = tuple(call_chips(conversation.calls))
    elif chips is None:
        frames = (item.label, item.utterance.slots), (item.predicted, item.prediction.slots)
        chips = tuple(frame_chips(tokens, *frames))
    words = edited_words(tokens, item.edits, item.before)
    return MarkedLine(tuple(words), chips, wrong=item.wrong)


def verdict(item: RunItem) -> str:
    """Return whether an item is right, and whether its source is."""
    found = "wrong" if item.wrong else "right"
    if item.flip:
        found += ", though the source is right" if item.flip < 0 else ", though the source is wrong"
    return found


def stacked(item: RunItem) -> dict[str, Any]:
    """Return the columns of an item: source, variant, gold slot and predicted slot of each token.

    The columns wrap together, so that what belongs together stays one above the other.
    """
    gold, given = item.utterance.slots, item.prediction.slots
    colours = colours_of({slot.label for slot in (*gold, *(given or ()))})
    tags = [list(_tags(item, slots, colours)) for slots in (gold, given or ())]
    columns = []
    for source, variant, note in _pairs(item):
        column: dict[str, Any] = {"source": source, "variant": "", "note": note, "slots": ()}
        if variant is not None:
            column["variant"] = item.utterance.tokens[variant]
            column["slots"] = tuple(side[variant] for side in tags)
        columns.append(column)
    sides = ["gold", "predicted"] if given is not None else ["gold"]
    has_slots = bool(gold or given)
    return {"columns": columns, "edited": bool(item.edits), "sides": sides if has_slots else []}


def _tags(
    item: RunItem, slots: Sequence[Slot], colours: dict[str, int]
) -> Iterator[dict[str, Any] | None]:
    """Yield the slot of each token: its label, its colour, and whether the token is its first."""
    owner = {at: slot for slot in slots for at in range(slot.start, slot.end)}
    given = item.utterance.slots if item.prediction.slots is None else item.prediction.slots
    same = {slot for slot in item.utterance.slots if slot in given}
    for at in range(len(item.utterance.tokens)):
        slot = owner.get(at)
        if slot is None:
            yield None
            continue
        yield {
            "label": slot.label,
            "colour": colours[slot.label],
            "first": slot.start == at,
            "last": slot.end == at + 1,
            "same": slot in same,
        }


def _pairs(item: RunItem) -> Iterator[tuple[str, int | None, str]]:
    """Yield each source token with the position of the variant's token below it, and the edit."""
    tokens = item.utterance.tokens
    at = 0
    shift = 0
    for edit, old in zip(item.edits, item.before, strict=True):
        for position in range(at, edit.start + shift):
            yield tokens[position], position, ""
        start = edit.start + shift
        note = f"{edit.operator}: {edit.kind}"
        new = range(start, start + len(edit.tokens))
        for source, position in zip_longest(old, new):
            yield source or "", position, note
        at = start + len(edit.tokens)
        shift += len(edit.tokens) - (edit.end - edit.start)
    for position in range(at, len(tokens)):
        yield tokens[position], position, ""
