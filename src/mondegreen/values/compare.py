"""Comparing two texts: whether they share a reading."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from mondegreen.values.engine import engine


def says_same(ref: str, hyp: str, language: str = "en") -> bool:
    """Return whether two texts say the same value.

    >>> says_same("23,50 €", "dreiundzwanzig Euro fünfzig", "de")
    True
    """
    return engine(language).same([ref], [hyp])[0]


def as_expected(value: Any, possible: Iterable[Any], language: str) -> Any:
    """Return the possible value that says the same as a given one; the given one if none does.

    >>> as_expected("eight fifty-five a m", ["8:55"], "en"), as_expected("five", [5], "en")
    ('8:55', 5)
    """
    known = list(possible)
    if value in known or not isinstance(value, str | int | float) or isinstance(value, bool):
        return value
    for one in known:
        plain = isinstance(one, str | int | float) and not isinstance(one, bool) and one != ""
        if plain and says_same(str(one), str(value), language):
            return one
    return value
