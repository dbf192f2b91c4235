"""Spoken forms: how numbers, amounts, times and hyphenated words are said.

Format-equal scoring reads every such token of both sides as an alternation of what is written and
all that may be said; the alignment of the networks chooses the best.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache

from mondegreen.errors import DataError, MissingExtraError
from mondegreen.metrics.normalisation.normalise import Normaliser
from mondegreen.text.patterns import lazy_pattern

_UNITS = {
    "en": {
        "%": ("percent", "per cent"),
        "$": ("dollars", "dollar"),
        "€": ("euros", "euro"),
        "£": ("pounds", "pound"),
        "&": ("and",),
    }
}
_SCALES = {"k": "thousand", "m": "million", "mm": "million", "b": "billion", "bn": "billion"}
_NUMBER = lazy_pattern(
    r"(?P<sign>[-+])?(?P<money>[$€£])?(?P<digits>\d[\d,]*)(?P<rest>\.\d+)?"
    r"(?P<scale>k|mm|m|bn|b)?(?P<unit>%|[$€£])?(?P<ordinal>st|nd|rd|th)?(?P<plural>'?s)?",
    re.IGNORECASE,
)
_TIME = lazy_pattern(r"(\d{1,2}):(\d\d)")
_EDGE = lazy_pattern(r"^[\"'(\[]+|[\"'.,;:!?)\]]+$")
_ONES = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
    "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen",
    "nineteen",
)  # fmt: skip
_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_ORDINALS = {
    "one": "first", "two": "second", "three": "third", "five": "fifth", "eight": "eighth",
    "nine": "ninth", "twelve": "twelfth",
}  # fmt: skip
_GROUPS = ((10**9, "billion"), (10**6, "million"), (1000, "thousand"), (100, "hundred"))
_LARGEST = 10**12
_PAIRED = (3, 4)  # digits of numbers that are said in pairs
_CENTURY = 20  # 2005 is also two thousand and five
Speller = Callable[[int], list[str]]


def english(number: int) -> list[str]:
    """Return a number in English words.

    >>> " ".join(english(1_250))
    'one thousand two hundred fifty'
    """
    if number < len(_ONES):
        return [_ONES[number]]
    if number < 100:  # noqa: PLR2004
        tens, ones = divmod(number, 10)
        return [_TENS[tens - 2], *([_ONES[ones]] if ones else [])]
    for size, name in _GROUPS:
        if number >= size:
            many, rest = divmod(number, size)
            return [*english(many), name, *(english(rest) if rest else [])]
    raise ValueError(number)  # every number is caught above


@cache
def speller(language: str) -> Speller:
    """Return how a language spells numbers: English here, others by num2words.

    Raises:
        MissingExtraError: if the language needs a package that is not installed.
        DataError: if the package does not know the language.
    """
    if language == "en":
        return english
    try:
        from num2words import num2words
    except ImportError:
        raise MissingExtraError.of("numbers", "Numbers in other languages than English") from None

    def spell(number: int) -> list[str]:
        return re.sub(r"[-,]", " ", num2words(number, lang=language)).split()

    try:
        spell(1)
    except NotImplementedError:
        raise DataError(f"numbers cannot be spelt in the language {language!r}") from None
    return spell


@cache
def spoken_forms(token: str, language: str = "en") -> tuple[tuple[str, ...], ...]:
    """Return the ways to say a token, beside the way it is written.

    >>> [" ".join(form) for form in spoken_forms("$5")]
    ['five dollars', 'five dollar']
    >>> ("nineteen", "ninety", "nine") in spoken_forms("1999")
    True
    >>> spoken_forms("jazz")
    ()
    """
    plain = _EDGE.sub("", token)
    found: dict[tuple[str, ...], None] = {}
    if any(map(str.isdigit, plain)):
        spell = speller(language)
        for form in (*_numbers(plain, language, spell), *_times(plain, spell)):
            found[tuple(form)] = None
    elif plain in _UNITS.get(language, {}):
        found.update(dict.fromkeys((unit,) for unit in _UNITS[language][plain]))
    if "-" in plain.strip("-"):
        for form in _parts([part for part in plain.split("-") if part], language):
            found[tuple(form)] = None
    return tuple(found)


def _parts(parts: list[str], language: str) -> Iterator[list[str]]:
    """Yield the parts of a hyphenated word apart, together, and with their numbers spelt out."""
    yield parts
    yield ["".join(parts)]
    spelt = [spoken_forms(part, language) for part in parts]
    if any(spelt):
        yield [w for part, ways in zip(parts, spelt, strict=True) for w in (ways or ((part,),))[0]]


def _numbers(token: str, language: str, spell: Speller) -> Iterator[list[str]]:
    match = _NUMBER.fullmatch(token)
    digits = match["digits"].replace(",", "") if match else ""
    if match is None or int(digits) >= _LARGEST:
        return
    rest = (match["rest"] or "")[1:]
    point = ["point", *(spell(int(digit))[0] for digit in rest)] if rest else []
    minus = ["minus"] if match["sign"] == "-" else []
    tails = list(_tails(match, language))
    for whole in _readings(digits, language, spell):
        words = _ended(whole, match) if language == "en" else whole
        for tail in tails:
            yield [*minus, *words, *point, *tail]
    if match["money"] and len(rest) == len("00") and language == "en":
        for unit in _UNITS[language][match["money"]]:
            yield [*spell(int(digits)), unit, *spell(int(rest))]
            yield [*spell(int(digits)), unit, "and", *spell(int(rest)), "cents"]


def _tails(match: re.Match[str], language: str) -> Iterator[list[str]]:
    """Yield what is said after the number: million, dollars, percent."""
    scale = [_SCALES[match["scale"].lower()]] if match["scale"] else []
    sign = match["money"] or match["unit"]
    for unit in _UNITS.get(language, {}).get(sign, (sign or "",)):
        yield [*scale, *unit.split()]


def _ended(words: list[str], match: re.Match[str]) -> list[str]:
    """Return a number as an ordinal or in the plural, if it is written so."""
    last = words[-1]
    if match["ordinal"]:
        last = _ordinal(last)
    if match["plural"]:
        last = f"{last[:-1]}ies" if last.endswith("y") else f"{last}s"
    return [*words[:-1], last]


def _readings(digits: str, language: str, spell: Speller) -> Iterator[list[str]]:
    """Yield a whole number as a quantity, in pairs of digits, and digit by digit."""
    whole = spell(int(digits))
    yield whole
    if language != "en":
        return
    if "hundred" in whole[:-1]:
        at = len(whole) - whole[::-1].index("hundred")
        yield [*whole[:at], "and", *whole[at:]]
    if whole[0] == "one" and len(whole) > 1:
        yield ["a", *whole[1:]]
    if digits[0] != "0":
        yield from _in_pairs(digits, spell)
    if len(digits) > 1:
        one_by_one = [spell(int(digit))[0] for digit in digits]
        yield one_by_one
        yield ["oh" if word == "zero" else word for word in one_by_one]


def _in_pairs(digits: str, spell: Speller) -> Iterator[list[str]]:
    """Yield years and room numbers: 1999, 1900, 2005, 420, 405."""
    if len(digits) not in _PAIRED:
        return
    first, last = int(digits[:-2]), int(digits[-2:])
    if not last:
        yield [*spell(first), "hundred"]
    else:
        yield [*spell(first), *(["oh"] if digits[-2] == "0" else []), *spell(last)]
    if first == _CENTURY and last:
        yield ["two", "thousand", "and", *spell(last)]


def _times(token: str, spell: Speller) -> Iterator[list[str]]:
    match = _TIME.fullmatch(token)
    if match is None:
        return
    hours = spell(int(match[1]))
    if match[2] != "00":
        yield [*hours, *(["oh"] if match[2][0] == "0" else []), *spell(int(match[2]))]
    else:
        yield from (hours, [*hours, "o'clock"], [*hours, "hundred"])


def _ordinal(word: str) -> str:
    if word in _ORDINALS:
        return _ORDINALS[word]
    return f"{word[:-1]}ieth" if word.endswith("y") else f"{word}th"


def in_spoken_forms(prepare: Normaliser | None, language: str) -> Normaliser:
    """Return a normaliser that also writes the spoken forms of tokens as alternations.

    >>> in_spoken_forms(None, "en")("pay $5 now")
    'pay { $5 / five dollars / five dollar } now'
    """
    speller(language)  # refuse an unknown language at once

    def spoken(text: str) -> str:
        depth = 0
        tokens = []
        for token in text.split():
            inside = depth or "{" in token
            depth += token.count("{") - token.count("}")
            forms = () if inside else spoken_forms(token, language)
            tokens.append(_alternation(token, forms) if forms else token)
        written = " ".join(tokens)
        return prepare(written) if prepare is not None else written

    return spoken


def _alternation(token: str, forms: tuple[tuple[str, ...], ...]) -> str:
    sides = [re.sub(r"([{}/])", r"\\\1", one) for one in (token, *(" ".join(f) for f in forms))]
    return f"{{ {' / '.join(dict.fromkeys(sides))} }}"
