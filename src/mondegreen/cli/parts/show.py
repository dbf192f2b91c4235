"""Show a variant on the terminal, with its edits marked."""

from __future__ import annotations

import click

from mondegreen.types import Variant


def marked(variant: Variant) -> str:
    """Return the text of a variant with inserted tokens in brackets and in colour."""
    words: list[str] = []
    at = 0
    for edit in variant.edits:
        words += variant.parent.tokens[at : edit.start]
        words += [click.style(f"[{' '.join(edit.tokens)}]", fg="yellow")] if edit.tokens else []
        at = edit.end
    return " ".join((*words, *variant.parent.tokens[at:]))
