"""Numbers in English text, in digits or in words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from mondegreen.text.patterns import lazy_pattern
from mondegreen.values.tables import alternatives, listed, table

_NUMBERS = table("en")["numbers"]
_UNITS = {
    word: 10 * (name == "teens") + n
    for name in ("units", "teens")
    for n, (word, *_) in enumerate(listed(_NUMBERS[name]))
}
_TENS = {word: 10 * n for n, (word, *_) in enumerate(listed(_NUMBERS["tens"]), start=2)}
_SCALES = {
    alternatives(words)[0]: int(value)
    for value, words in _NUMBERS["multipliers"].items()
    if 10**3 <= int(value) <= 10**12
}
_TEEN, _CENTURY = 10, 100
_MOST_DIGITS = 290  # beyond, it is no number that anybody means, nor one that fits into a float
_DIGITS = lazy_pattern(r"[$£€]?(-?\d{1,3}(?:,\d{3})+|-?\d+)(\.\d+)?(?:st|nd|rd|th|%|[kKmM])?")


class CountedNumber(NamedTuple):
    """A number, and the position after its last word."""

    value: float
    end: int


def number_in(token: str) -> float | None:
    """Return the number that a token writes in digits; ``None`` if it is not a number.

    >>> number_in("$1,200"), number_in("3.5"), number_in("21st"), number_in("b2")
    (1200, 3.5, 21, None)
    """
    match = _DIGITS.fullmatch(token)
    if match is None:
        return None
    whole = match[1].replace(",", "")
    if len(whole) > _MOST_DIGITS:
        return None
    return float(whole + match[2]) if match[2] else int(whole)


def number_at(words: Sequence[str], start: int) -> CountedNumber | None:
    """Return the number that begins at a word; ``None`` if none does. Words are in lower case.

    >>> number_at("play two hundred and five songs".split(), 1)
    CountedNumber(value=205, end=5)
    >>> number_at(["nineteen", "eighty", "four"], 0)
    CountedNumber(value=1984, end=3)
    """
    plain = number_in(words[start])
    if plain is not None:
        return _scaled(words, CountedNumber(plain, start + 1))
    parts = _parts(words, start)
    if parts is None:
        return None
    return _decimals(words, parts)


def _scaled(words: Sequence[str], found: CountedNumber) -> CountedNumber:
    """Read "2 million"."""
    scale = _SCALES.get(words[found.end]) if found.end < len(words) else None
    return found if scale is None else CountedNumber(found.value * scale, found.end + 1)


def _parts(words: Sequence[str], start: int) -> CountedNumber | None:
    total = group = 0
    last = 0  # the value of the word before, which decides what may follow
    at = start
    while at < len(words):
        word = words[at]
        skip = word == "and" and last >= _CENTURY and at + 1 < len(words)
        if skip:
            word = words[at + 1]
        if word in _UNITS or word in _TENS:
            value = _UNITS.get(word, _TENS.get(word, 0))
            if at > start and not _follows(last, value, group):
                break
            century = _TEEN <= group < _CENTURY and value >= _TEEN
            group = group * _CENTURY + value if century else group + value
        elif word == "hundred" and 0 < group < _CENTURY:
            group *= _CENTURY
            value = _CENTURY
        elif word in _SCALES and group:
            value = _SCALES[word]
            total, group = total + group * value, 0
        else:
            break
        last = value
        at += 2 if skip else 1
    return CountedNumber(total + group, at) if at > start else None


def _follows(last: int, value: int, group: int) -> bool:
    """Return whether a number below a hundred may follow a word: "twenty five", not "two five"."""
    if last >= _CENTURY:
        return True
    if last in _TENS.values() and 0 < value < _TEEN:
        return True
    return _TEEN <= group < _CENTURY and value >= _TEEN  # nineteen eighty


def _decimals(words: Sequence[str], whole: CountedNumber) -> CountedNumber:
    at, digits = whole.end, ""
    if at < len(words) and words[at] == "point":
        at += 1
        while at < len(words) and _UNITS.get(words[at], _TEEN) < _TEEN:
            digits += str(_UNITS[words[at]])
            at += 1
    return CountedNumber(float(f"{whole.value}.{digits}"), at) if digits else whole


def in_digits(words: Sequence[str]) -> list[str]:
    """Return words with every number in digits.

    >>> in_digits(["twenty", "five", "red", "2.0", "roses"])
    ['25', 'red', '2', 'roses']
    """
    found: list[str] = []
    at = 0
    while at < len(words):
        number = number_at(words, at)
        found.append(words[at] if number is None else f"{number.value:.15g}")
        at = at + 1 if number is None else number.end
    return found
