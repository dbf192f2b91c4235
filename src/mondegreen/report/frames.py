"""Frames for display: tokens with the colours of their slots and the marks of edits."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from mondegreen.types import Edit, Slot

_COLOURS = 8


def colours_of(labels: Collection[str]) -> dict[str, int]:
    """Return the number of a colour for each label.

    >>> colours_of({"song", "artist"})
    {'artist': 0, 'song': 1}
    """
    return {label: i % _COLOURS for i, label in enumerate(sorted(labels))}


def marks_of(edits: Sequence[Edit]) -> dict[int, str]:
    """Return the edit that made each inserted token of a variant, by the token's index."""
    marks: dict[int, str] = {}
    shift = 0
    for edit in edits:
        start = edit.start + shift
        marks |= dict.fromkeys(
            range(start, start + len(edit.tokens)), f"{edit.operator}: {edit.kind}"
        )
        shift += len(edit.tokens) - (edit.end - edit.start)
    return marks


def parts_of(
    tokens: Sequence[str],
    slots: Sequence[Slot],
    colours: Mapping[str, int],
    marks: Mapping[int, str],
) -> list[dict[str, Any]]:
    """Return how to display each token: its text, its edit, its slot and the slot's colour."""
    owner = {at: slot for slot in slots for at in range(slot.start, slot.end)}
    parts = []
    for at, token in enumerate(tokens):
        part: dict[str, Any] = {"text": token, "edit": marks.get(at, "")}
        slot = owner.get(at)
        part["slot"] = slot.label if slot else ""
        part["colour"] = colours[slot.label] if slot else 0
        part["last"] = slot is not None and slot.end == at + 1
        parts.append(part)
    return parts
