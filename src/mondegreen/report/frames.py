"""Frames to look at: tokens with their slots in colour and their edits marked."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from mondegreen.types import Edit, Slot

_COLOURS = 8


def colours_of(labels: Collection[str]) -> dict[str, int]:
    """Return a colour for each label.

    >>> colours_of({"song", "artist"})
    {'artist': 0, 'song': 1}
    """
    return {label: i % _COLOURS for i, label in enumerate(sorted(labels))}


def marks_of(edits: Sequence[Edit]) -> dict[int, str]:
    """Return which tokens of a variant an edit made, and which edit."""
    marks: dict[int, str] = {}
    grown = 0
    for edit in edits:
        start = edit.start + grown
        marks |= dict.fromkeys(
            range(start, start + len(edit.tokens)), f"{edit.operator}: {edit.kind}"
        )
        grown += len(edit.tokens) - (edit.end - edit.start)
    return marks


def parts_of(
    tokens: Sequence[str],
    slots: Sequence[Slot],
    colours: Mapping[str, int],
    marks: Mapping[int, str],
) -> list[dict[str, Any]]:
    """Return the tokens with what is to be shown of each: its edit, its slot, the slot's colour."""
    owner = {place: slot for slot in slots for place in range(slot.start, slot.end)}
    parts = []
    for place, token in enumerate(tokens):
        part: dict[str, Any] = {"text": token, "edit": marks.get(place, "")}
        slot = owner.get(place)
        part["slot"] = slot.label if slot else ""
        part["colour"] = colours[slot.label] if slot else 0
        part["last"] = slot is not None and slot.end == place + 1
        parts.append(part)
    return parts
