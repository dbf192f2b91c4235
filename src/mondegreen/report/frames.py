"""Frames for display: tokens with the colours of their slots."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from mondegreen.types import Slot

_COLOURS = 8


def colours_of(labels: Collection[str]) -> dict[str, int]:
    """Return the number of a colour for each label.

    >>> colours_of({"song", "artist"})
    {'artist': 0, 'song': 1}
    """
    return {label: i % _COLOURS for i, label in enumerate(sorted(labels))}


def parts_of(
    tokens: Sequence[str],
    slots: Sequence[Slot],
    colours: Mapping[str, int],
) -> list[dict[str, Any]]:
    """Return how to display each token: its text, its slot and the slot's colour."""
    owner = {at: slot for slot in slots for at in range(slot.start, slot.end)}
    parts = []
    for at, token in enumerate(tokens):
        part: dict[str, Any] = {"text": token}
        slot = owner.get(at)
        part["slot"] = slot.label if slot else ""
        part["colour"] = colours[slot.label] if slot else 0
        part["last"] = slot is not None and slot.end == at + 1
        parts.append(part)
    return parts
