"""Signatures of scores that belong together: parts of a corpus, or systems on one corpus."""

from __future__ import annotations

MIXED = "unit:mixed"
"""Some words are of a script without spaces and are compared by character, the rest by word.

Whether it is so depends on the texts, so that one part of a corpus may have it and another not.
"""


def joint(first: str, second: str) -> str | None:
    """Return the signature of two scores together; ``None`` if their recipes differ.

    >>> joint("mondegreen|words|norm:none", "mondegreen|words|norm:none|unit:mixed")
    'mondegreen|words|norm:none|unit:mixed'
    >>> joint("mondegreen|words|norm:none", "mondegreen|words|norm:basic") is None
    True
    """
    if first == second:
        return first
    plain = [signature.replace(f"|{MIXED}", "") for signature in (first, second)]
    return max(first, second, key=len) if plain[0] == plain[1] else None
