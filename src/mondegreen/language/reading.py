"""Reading aloud: numbers, ordinals, clock times, decades, amounts and acronyms as words."""

from __future__ import annotations

import re
from functools import cache

from mondegreen.text.patterns import lazy_pattern
from mondegreen.values.spelling_out import speller
from mondegreen.values.tables import listed, table

_ONES = [words[0] for name in ("units", "teens") for words in listed(table("en")["numbers"][name])]
_SYMBOLS = {"%": ["percent"], "&": ["and"], "+": ["plus"], "@": ["at"], "=": ["equals"]}
_CURRENCIES = {"$": "dollars", "£": "pounds", "€": "euros"}
_TOO_LONG = 10**12
_LONGEST = 200  # characters of a token that anybody could say

_CLOCK = lazy_pattern(r"([01]?\d|2[0-4]):([0-5]\d)")
_ORDINAL = lazy_pattern(r"(\d+)(?:st|nd|rd|th)")
_DECADE = lazy_pattern(r"'?(\d*)(\d0)'?s")
_DECIMAL = lazy_pattern(r"(\d+)\.(\d+)")
_AMOUNT = lazy_pattern(r"([$£€])(\d[\d,]*)(?:\.(\d\d))?")
_PARTS = lazy_pattern(r"\d+|[^\W\d_]+|[%&+@=]")


def number(n: int) -> list[str]:
    """Return the words of an integer.

    >>> " ".join(number(1204)), " ".join(number(60))
    ('one thousand two hundred four', 'sixty')
    """
    if n >= _TOO_LONG:
        return [_ONES[int(digit)] for digit in str(n)]
    return speller("en").cardinal(n).split()


def year(n: int) -> list[str]:
    """Return the words of a number of four digits, read as a year.

    >>> " ".join(year(1984)), " ".join(year(2007)), " ".join(year(1905)), " ".join(year(1900))
    ('nineteen eighty four', 'two thousand seven', 'nineteen oh five', 'nineteen hundred')
    """
    century, rest = divmod(n, 100)
    if century % 10 == 0 and rest < 10:  # noqa: PLR2004 (2000 to 2009)
        return number(n)
    if rest == 0:
        return [*number(century), "hundred"]
    return [*number(century), *(["oh", _ONES[rest]] if rest < len("0123456789") else number(rest))]


def ordinal(words: list[str]) -> list[str]:
    """Return the words of a number with the last one as an ordinal.

    >>> ordinal(["twenty", "one"]), ordinal(["sixty"])
    (['twenty', 'first'], ['sixtieth'])
    """
    said = dict(zip(_words("numbers"), _words("ordinals"), strict=True))
    last = words[-1]
    return [*words[:-1], said.get(last, f"{last}th")]


@cache
def _words(kind: str) -> tuple[str, ...]:
    """Return the words of the small numbers, or of their ordinals."""
    ranks = ("units", "teens", "tens")
    return tuple(words[0] for rank in ranks for words in listed(table("en")[kind][rank]))


def _plural(words: list[str]) -> list[str]:
    last = words[-1]
    return [*words[:-1], last[:-1] + "ies" if last.endswith("y") else last + "s"]


def spoken(token: str) -> list[str]:
    """Return the words of a token of digits, symbols and letters, as it is read aloud.

    >>> [" ".join(spoken(token)) for token in ("7:30", "60s", "21st", "mp3", "3.5")]
    ['seven thirty', 'sixties', 'twenty first', 'mp three', 'three point five']
    >>> [" ".join(spoken(token)) for token in ("$5.20", "1999")]
    ['five dollars twenty', 'nineteen ninety nine']
    """
    if len(token) > _LONGEST:
        return [token]
    for pattern, read in _READERS:
        match = pattern.fullmatch(token)
        if match:
            return read(match)
    words: list[str] = []
    for part in _PARTS.findall(token):
        if part.isdecimal():
            words += _plain_number(part)
        else:
            words += _SYMBOLS.get(part, [part])
    return words


def _plain_number(digits: str) -> list[str]:
    if digits.startswith("0") and len(digits) > 1:
        return ["oh" if digit == "0" else _ONES[int(digit)] for digit in digits]
    n = int(digits)
    return year(n) if len(digits) == 4 and 1100 <= n < 2100 else number(n)  # noqa: PLR2004 (years)


def _clock(match: re.Match[str]) -> list[str]:
    hour, minute = int(match[1]), int(match[2])
    if minute == 0:
        return [*number(hour), "o'clock"] if hour <= 12 else [*number(hour), "hundred"]  # noqa: PLR2004
    return [*number(hour), *(["oh"] if minute < len("0123456789") else []), *number(minute)]


def _decade(match: re.Match[str]) -> list[str]:
    century = number(int(match[1])) if match[1] else []
    tens = int(match[2])
    return [*century, *_plural(number(tens))] if tens else [*century, "hundreds"]


def _decimal(match: re.Match[str]) -> list[str]:
    return [*number(int(match[1])), "point", *(_ONES[int(digit)] for digit in match[2])]


def _amount(match: re.Match[str]) -> list[str]:
    whole = int(match[2].replace(",", ""))
    cents = number(int(match[3])) if match[3] and int(match[3]) else []
    name = _CURRENCIES[match[1]]
    return [*number(whole), name.removesuffix("s") if whole == 1 else name, *cents]


_READERS = (
    (_CLOCK, _clock),
    (_ORDINAL, lambda match: ordinal(number(int(match[1])))),
    (_DECADE, _decade),
    (_DECIMAL, _decimal),
    (_AMOUNT, _amount),
    (re.compile(r"\d{1,3}(?:,\d{3})+"), lambda match: number(int(match[0].replace(",", "")))),
)
