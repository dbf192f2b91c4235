"""Comparing two texts: whether they share a reading."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from mondegreen.text.patterns import lazy_pattern
from mondegreen.values.engine import engine

_RESTATED = lazy_pattern(r"(.*\S)\s*\(([^()]+)\)\s*")


def verdicts(refs: Sequence[str], hyps: Sequence[str], language: str = "en") -> list[bool]:
    """Return for each pair of texts whether they say the same value.

    What stands in brackets at the end and says the same as all before it is no second value.

    >>> verdicts(["A four six (A46)", "A four six (A47)"], ["A46", "A46"])
    [True, False]
    """
    found: list[bool] = engine(language).same(refs, hyps)
    for at, (ref, hyp) in enumerate(zip(refs, hyps, strict=True)):
        if not found[at] and (ref.endswith(")") or hyp.endswith(")")):
            one, other = _said_once(ref, language), _said_once(hyp, language)
            found[at] = (one, other) != (ref, hyp) and engine(language).same([one], [other])[0]
    return found


def _said_once(text: str, language: str) -> str:
    """Return a text without what it says again in brackets."""
    match = _RESTATED.fullmatch(text)
    return match[1] if match and engine(language).same([match[1]], [match[2]])[0] else text


def says_same(ref: str, hyp: str, language: str = "en") -> bool:
    """Return whether two texts say the same value.

    >>> says_same("23,50 €", "dreiundzwanzig Euro fünfzig", "de")
    True
    """
    return verdicts([ref], [hyp], language)[0]


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
