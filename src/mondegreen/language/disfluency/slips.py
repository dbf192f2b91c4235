"""Function words that a speaker says by mistake for others."""

from __future__ import annotations

from functools import cache

from mondegreen.resources import read_resource
from mondegreen.text.words import core_of


@cache
def _table() -> dict[str, tuple[str, ...]]:
    lines = read_resource("languages/en/slips.txt").decode().splitlines()
    rows = (line.partition(":") for line in lines if not line.startswith("#"))
    return {word: tuple(others.split()) for word, _, others in rows}


def slips(token: str) -> tuple[str, ...]:
    """Return function words that may be said for a function word; empty for other words.

    >>> slips("In"), slips("jazz")
    (('on', 'at'), ())
    """
    return _table().get(core_of(token), ())
