"""Showing a variant on the terminal: what was put in stands out."""

from __future__ import annotations

import click

from mondegreen.types import Variant


def marked(variant: Variant) -> str:
    """Return the variant's text with the tokens of the edits in colour, and in brackets."""
    words: list[str] = []
    at = 0
    for edit in variant.edits:
        words += variant.parent.tokens[at : edit.start]
        words += [click.style(f"[{' '.join(edit.tokens)}]", fg="yellow")] if edit.tokens else []
        at = edit.end
    return " ".join((*words, *variant.parent.tokens[at:]))


def slots_line(variant: Variant) -> str:
    """Return the slots of a variant in one line: label and words."""
    said = variant.utterance
    return ", ".join(
        f"{slot.label}: {' '.join(said.tokens[slot.start : slot.end])}" for slot in said.slots
    )
