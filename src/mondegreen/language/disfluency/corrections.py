"""Words that speakers correct, and what they say first: lists for the operator ``repairs``."""

from __future__ import annotations

from functools import cache, lru_cache
from typing import NamedTuple

from mondegreen.resources import read_resource
from mondegreen.text.patterns import lazy_pattern
from mondegreen.text.words import MARKS, core_of

_NUMBER_WORDS = (
    "one two three four five six seven eight nine ten",
    "eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen",
    "twenty thirty forty fifty sixty seventy eighty ninety",
)
_REACH = 2
_CALENDAR = ("days", "months", "daywords", "tonight")
_AMBIGUOUS = frozenset(("may", "march", "one", "second"))
_LINKS = frozenset(
    (":", "/", ".", "-", "of", "the", "past", "to", "half", "quarter", "and", "p", "m")
)
_LASTS = frozenset(
    ("am", "pm", "a.m", "p.m", "a.m.", "p.m.", "o'clock", "oclock", "m", "morning",
     "afternoon", "evening", "night"))  # fmt: skip
_WRITTEN = lazy_pattern(r"(\$|£|€)?(\d{1,3})(st|nd|rd|th|[:.]\d\d|am|pm|[:.]\d\d ?[ap]m|%)?")
_FIVE, _TEN, _HOURS = 5, 10, 12
_CACHED = 65_536
NUMBER, CALENDAR, LINK, LAST = "number", "calendar", "link", "last"
"""What a word is in a number, a date or a time."""


class Role(NamedTuple):
    """What may be said for a word, by what the word is.

    ``quantity`` is its part in a number or date, ``ambiguous`` whether it is one only beside
    others. ``ends`` is whether punctuation follows.
    """

    core: str
    ends: bool = False
    quantity: str = ""
    ambiguous: bool = False
    near: tuple[str, ...] = ()
    noun: tuple[str, ...] = ()
    adjective: tuple[str, ...] = ()
    verb: tuple[str, ...] = ()
    determiner: tuple[str, ...] = ()
    preposition: tuple[str, ...] = ()
    opening: tuple[str, ...] = ()


@cache
def _table() -> dict[str, dict[str, tuple[str, ...]]]:
    """Return the rows of the resource: by the first word of the name, then by the second."""
    found: dict[str, dict[str, tuple[str, ...]]] = {}
    for line in read_resource("languages/en/corrections.txt").decode().splitlines():
        if line and not line.startswith("#"):
            name, _, words = line.partition(":")
            group, _, key = name.partition(" ")
            found.setdefault(group, {})[key] = tuple(words.split())
    return found


def words_in(name: str) -> frozenset[str]:
    """Return a plain list of the resource.

    >>> "get" in words_in("generic")
    True
    """
    return frozenset(_table()[name][""])


@cache
def terms_of(name: str) -> tuple[tuple[str, ...], ...]:
    """Return the editing terms for a kind of correction, each as its words.

    >>> terms_of("number")[0]
    ('i', 'mean')
    """
    return tuple(tuple(term.split("_")) for term in _table()["terms"][name])


@cache
def _classmates(group: str) -> dict[str, tuple[str, ...]]:
    return {
        word: tuple(other for other in words if other != word)
        for words in _table()[group].values()
        for word in words
    }


@cache
def _near_numbers() -> dict[str, tuple[str, ...]]:
    return {
        word: tuple(words[max(0, at - _REACH) : at] + words[at + 1 : at + _REACH + 1])
        for words in map(str.split, _NUMBER_WORDS)
        for at, word in enumerate(words)
    }


@lru_cache(maxsize=_CACHED)
def role_of(token: str) -> Role:
    """Return what a token is, and what may be said for it.

    >>> role_of("friday").near[:2], role_of("17th").near, role_of("7:45").near
    (('wednesday', 'thursday'), ('15th', '16th', '18th'), ('6:45', '8:45'))
    """
    word = token.lower() if token in _LINKS else core_of(token)
    table = _table()
    mates = _classmates("class").get(word, ())
    near, quantity = _near(word)
    return Role(
        word,
        token[-1] in MARKS and len(token) > 1,
        quantity,
        word in _AMBIGUOUS,
        near,
        () if quantity else mates,
        _classmates("adjectives").get(word, ()),
        table["verb"].get(word, ()),
        table["determiner"].get(word, ()),
        table["preposition"].get(word, ()),
        table["opening"].get(word, ()),
    )


def may_be_corrected(token: str) -> bool:
    """Return whether something may be said for a token that is a noun, a number or a date.

    >>> may_be_corrected("friday"), may_be_corrected("the")
    (True, False)
    """
    role = role_of(token)
    return bool(role.near or role.noun or role.adjective)


def _near(word: str) -> tuple[tuple[str, ...], str]:
    """Return what may be said for a number or calendar word, and its part in a date."""
    near = _near_numbers().get(word)
    if near is not None:
        return near, NUMBER
    for name in _CALENDAR:
        words = _table()["class"][name]
        if word in words:
            at = words.index(word)
            return words[max(0, at - _REACH) : at] + words[at + 1 : at + _REACH + 1], CALENDAR
    match = _WRITTEN.fullmatch(word)
    if match is not None:
        return tuple(_written_near(match[1] or "", match[2], match[3] or "")), NUMBER
    if word.isdecimal():
        return (), NUMBER
    return (), LAST if word in _LASTS else LINK if word in _LINKS else ""


def _written_near(before: str, digits: str, after: str) -> list[str]:
    number = int(digits)
    if after in ("st", "nd", "rd", "th"):
        days = [n for n in (number - 2, number - 1, number + 1) if n >= 1]
        return [f"{n}{_suffix(n)}" for n in days]
    if digits.startswith("0"):
        return []
    step = _TEN if number % _TEN == 0 else _FIVE if number % _FIVE == 0 and number > _TEN else 1
    near = [n for n in (number - step, number + step) if n >= 1]
    if after and after != "%" and number <= _HOURS:
        near = [n for n in (number - 1, number + 1) if 1 <= n <= _HOURS]
    elif after and after != "%":
        near = [number - 1]
    return [f"{before}{n}{after}" for n in near]


def _suffix(number: int) -> str:
    if number // _TEN == 1:
        return "th"
    return {1: "st", 2: "nd", 3: "rd"}.get(number % _TEN, "th")
