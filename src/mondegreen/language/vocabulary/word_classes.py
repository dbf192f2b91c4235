"""Small classes of words that speakers confuse, such as days, cities and genres."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache, lru_cache

from mondegreen.resources import read_resource

CONTENT = "content"
_VERBS = "verbs"
_ORDERED = frozenset(("numbers", "teens", "tens", "digits", "round", "years", "days", "months"))
"""Classes in order, in which speakers confuse neighbours."""
_CALENDAR = frozenset(("years", "days", "months"))
_REACH = 2


@cache
def _classes() -> tuple[tuple[str, tuple[str, ...]], ...]:
    lines = read_resource("languages/en/kin.txt").decode().splitlines()
    rows = (line.partition(":") for line in lines if line and not line.startswith("#"))
    return tuple((name, tuple(words.split())) for name, _, words in rows)


@cache
def _members(*, verbs: bool) -> dict[str, tuple[str, ...]]:
    """Return, per word, the other words of its first class, of verbs or of other words."""
    found: dict[str, tuple[str, ...]] = {}
    for name, words in _classes():
        if name.startswith(_VERBS) == verbs:
            for word in words:
                near = _nearest(word, words) if name in _ORDERED else words
                found.setdefault(word, _same_family(word, near))
    return found


def _nearest(word: str, words: tuple[str, ...]) -> tuple[str, ...]:
    at = words.index(word)
    return words[max(0, at - _REACH) : at + _REACH + 1]


def _same_family(word: str, others: Iterable[str]) -> tuple[str, ...]:
    return tuple(other for other in others if other != word and family(other) == family(word))


@cache
def _families() -> dict[str, str]:
    found: dict[str, str] = {}
    for name, words in _classes():
        if name.startswith("+"):
            for word in words:
                found.setdefault(word, name[1:].partition(".")[0])
    return found


_MOST_DIGITS = 100  # of a number beside which others are


@lru_cache(maxsize=100_000)
def classmates(word: str, part: str) -> tuple[str, ...]:
    """Return the other words of a lower-case word's class; for a number, nearby numbers.

    ``part`` is the part of speech: for a verb, a class of verbs is preferred.

    >>> classmates("book", "VERB")[:3], classmates("book", "NOUN")[:3]
    (('play', 'find', 'show'), ('novel', 'textbook', 'essay'))
    >>> classmates("27", "NUM"), classmates("botna", "PROPN")
    (('26', '28', '37'), ())
    """
    is_verb = part == "VERB"
    found = _members(verbs=is_verb).get(word) or _members(verbs=not is_verb).get(word, ())
    if not found and word.isdecimal() and len(word) <= _MOST_DIGITS:
        number = int(word)
        return str(max(0, number - 1)), str(number + 1), str(number + 10)
    return found


def is_ordered(word: str) -> bool:
    """Return whether a lower-case word is a number, day or month.

    >>> is_ordered("twenty"), is_ordered("monday"), is_ordered("jazz")
    (True, True, False)
    """
    return bool(_order(word))


def order_of(words: Iterable[str]) -> str:
    """Return the kind of the first lower-case word that is in an order; empty if no word is.

    >>> order_of(["next", "friday"]), order_of(["7", "pm"]), order_of(["jazz"])
    ('days', 'numbers', '')
    """
    return next(filter(None, map(_order, words)), "")


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


def needs_part(word: str) -> bool:
    """Return whether the part of speech matters.

    It does if a word is in a class of verbs and in another class, or in no class.

    >>> needs_part("book"), needs_part("tuesday"), needs_part("botna")
    (True, False, True)
    """
    return (word in _members(verbs=True)) == (word in _members(verbs=False))


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
