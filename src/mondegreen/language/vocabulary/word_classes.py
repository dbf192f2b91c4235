"""Small classes of words that speakers confuse, such as days, cities and genres."""

from __future__ import annotations

from functools import cache, lru_cache

from mondegreen.resources import read_resource

CONTENT = "content"
_ORDERED = frozenset(("numbers", "teens", "tens", "digits", "round", "years", "days", "months"))
"""Classes in order."""
_CALENDAR = frozenset(("years", "days", "months"))


@cache
def _classes() -> tuple[tuple[str, tuple[str, ...]], ...]:
    lines = read_resource("languages/en/kin.txt").decode().splitlines()
    rows = (line.partition(":") for line in lines if line and not line.startswith("#"))
    return tuple((name, tuple(words.split())) for name, _, words in rows)


@cache
def _families() -> dict[str, str]:
    found: dict[str, str] = {}
    for name, words in _classes():
        if name.startswith("+"):
            for word in words:
                found.setdefault(word, name[1:].partition(".")[0])
    return found


def is_ordered(word: str) -> bool:
    """Return whether a lower-case word is a number, day or month.

    >>> is_ordered("twenty"), is_ordered("monday"), is_ordered("jazz")
    (True, True, False)
    """
    return bool(_order(word))


@lru_cache(maxsize=65_536)
def _order(word: str) -> str:
    if word.isdecimal():
        return "numbers"
    for name, words in _classes():
        if name in _ORDERED and word in words:
            return name if name in _CALENDAR else "numbers"
    return ""


_SHAPED = (*_ORDERED, "ordinals", "daywords", "monthshort", "dayparts", "halves", "units", "unit")


@cache
def _by_word() -> dict[str, str]:
    found: dict[str, str] = {}
    for name, words in _classes():
        if name in _SHAPED:
            for word in words:
                found.setdefault(word, name if name not in _ORDERED - _CALENDAR else "numbers")
    return found


def class_of(word: str) -> str:
    """Return the class of a number word, a calendar word or a unit of time; empty for others.

    >>> class_of("twelve"), class_of("friday"), class_of("minutes"), class_of("jazz")
    ('numbers', 'days', 'units', '')
    """
    return _by_word().get(word, "")


@cache
def _calendar() -> frozenset[str]:
    classes = ("days", "daywords", "months", "monthshort", "dayparts")
    return frozenset(word for name, words in _classes() if name in classes for word in words)


def is_calendar_word(word: str) -> bool:
    """Return whether a lower-case word is a day, a month or a part of a day.

    >>> is_calendar_word("monday"), is_calendar_word("jazz")
    (True, False)
    """
    return word in _calendar()


@lru_cache(maxsize=100_000)
def family(word: str) -> str:
    """Return the class of function words of a word; ``content`` for all other words.

    >>> family("the"), family("i'm"), family("jazz")
    ('determiners', 'pronouns', 'content')
    """
    return _families().get(head(word), CONTENT)


def head(word: str) -> str:
    """Return a word in lower case, without a contracted ending.

    >>> head("I'm"), head("isn't")
    ('i', 'is')
    """
    stem = word.lower().replace("n't", "").partition("'")[0]
    return stem or word.lower()
