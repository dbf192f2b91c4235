"""Dictation: text as a recogniser writes it, all in words, without case and punctuation."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from mondegreen.language.detection import ENGLISH
from mondegreen.language.reading import number, ordinal, spoken, year
from mondegreen.language.sounds.pronunciations import dictionary
from mondegreen.text.dates import MONTHS, date_of
from mondegreen.text.patterns import lazy_pattern
from mondegreen.values.compare import says_same
from mondegreen.values.speaking import is_scale, is_sign, spoken_word

_EDGES = "\"'“”‘’«»„()[]{}<>.,;:!?…*`"  # noqa: RUF001 (typographic quotation marks)
_ADDRESS = lazy_pattern(
    r"[^\s@]+@[^\s@]+\.\w+|(?:https?://|www\.)\S+|[\w-]+(?:\.[\w-]+)*\.[a-z]{2,}(?:/\S*)?"
)
_SCHEME = lazy_pattern(r"https?://")
_PIECES = lazy_pattern(r"[^\W\d_]+|\d+|[^\w\s]|_")
_SIGNS = {
    ".": "dot", "@": "at", "-": "dash", "_": "underscore", "/": "slash", ":": "colon", "+": "plus",
    "#": "hash", "&": "and", "=": "equals", "~": "tilde", "%": "percent", "?": "question mark",
    "*": "star", "^": "to the power of", "\\": "backslash", "$": "dollar", "|": "pipe",
    "<": "less than", ">": "greater than",
}  # fmt: skip
_NEGATIVE = lazy_pattern(r"[-−]\d[\d.,]*%?")  # noqa: RUF001 (the minus sign)
_NUMBER = lazy_pattern(r"\d{1,3}(?:,\d{3})+|\d+")
_MONEY = lazy_pattern(r"[$£€]\d[\d,]*(?:\.\d\d)?")
_MEASURE = lazy_pattern(r"([\d.,]+)([^\W\d_]+(?:/h)?|°[CF]?|%)")
_UNITS = {
    "km": "kilometer", "m": "meter", "cm": "centimeter", "mm": "millimeter", "mi": "mile",
    "kg": "kilogram", "g": "gram", "mg": "milligram", "lb": "pound", "lbs": "pound", "oz": "ounce",
    "ml": "milliliter", "l": "liter", "L": "liter", "kb": "kilobyte", "mb": "megabyte",
    "gb": "gigabyte", "tb": "terabyte", "kB": "kilobyte", "KB": "kilobyte", "MB": "megabyte",
    "GB": "gigabyte", "TB": "terabyte", "W": "watt", "kW": "kilowatt", "V": "volt", "px": "pixel",
    "min": "minute", "mins": "minute", "sec": "second", "secs": "second", "s": "second",
    "ms": "millisecond", "h": "hour", "hr": "hour", "hrs": "hour", "°": "degree",
}  # fmt: skip
"""Units whose plural has an s; an ``s`` after a decade ("1990s") is not a unit."""
_OTHER_UNITS = {
    "ft": ("foot", "feet"), "Hz": ("hertz", "hertz"), "kHz": ("kilohertz", "kilohertz"),
    "MHz": ("megahertz", "megahertz"), "GHz": ("gigahertz", "gigahertz"),
    "kWh": ("kilowatt hour", "kilowatt hours"), "mph": ("mile per hour", "miles per hour"),
    "kmh": ("kilometer per hour", "kilometers per hour"),
    "km/h": ("kilometer per hour", "kilometers per hour"),
    "%": ("percent", "percent"), "AM": ("am", "am"), "PM": ("pm", "pm"),
    "°C": ("degree celsius", "degrees celsius"), "°F": ("degree fahrenheit", "degrees fahrenheit"),
}  # fmt: skip
_DECADE = lazy_pattern(r"\d*\d0s")
_LONG = 7  # digits that are read one by one
_CACHED_TOKENS = 65_536
_MOST_TOGETHER = 3  # tokens of one value
_INITIALS = lazy_pattern(r"[A-Z]{2,5}")
_LETTERS = lazy_pattern(r"[^\W\d_]+(?:['’][^\W\d_]+)*")  # noqa: RUF001 (the typographic apostrophe)


def dictated(token: str) -> tuple[str, ...]:
    """Return the words of a token as a recogniser writes them; empty for punctuation.

    >>> dictated("jane.doe@example.com,")
    ('jane', 'dot', 'doe', 'at', 'example', 'dot', 'com')
    >>> dictated("Orlando!"), dictated("$20"), dictated("A4B"), dictated("SFO")
    (('orlando',), ('twenty', 'dollars'), ('a', 'four', 'b'), ('s', 'f', 'o'))
    >>> dictated("2023-06-15"), dictated("20000"), dictated("-")
    (('june', 'fifteenth', 'twenty', 'twenty', 'three'), ('twenty', 'thousand'), ())
    >>> dictated("10km"), dictated("1lb"), dictated("25°C.")
    (('ten', 'kilometers'), ('one', 'pound'), ('twenty', 'five', 'degrees', 'celsius'))
    """
    core = token.strip(_EDGES)
    if token.startswith((".", "*")) and len(core) < len(token) and core[:1].isdigit():
        core = token.rstrip(_EDGES)
    if not any(map(str.isalnum, core)):
        return ()
    return tuple(" ".join(_words(core)).split())


def dictated_in(token: str, language: str) -> tuple[str, ...]:
    """Return the words of a token as a recogniser of a language writes them, with its value.

    What is said has the same value as what is written; a token that cannot be said so is kept.

    >>> dictated_in("8:30,", "de"), dictated_in("$.50", "en"), dictated_in("Straße!", "de")
    (('acht', 'uhr', 'dreißig'), ('zero', 'point', 'five', 'dollars'), ('straße',))
    """
    core = token.strip(_EDGES)
    if not any(map(str.isalnum, core)):
        return ()
    if language == ENGLISH:
        words = dictated(token)
        if core.isalpha() or says_same(core, " ".join(words), language):
            return words
    signs = not core.isalpha()
    return tuple((spoken_word(token, language) if signs else []) or [core.lower()])


class Dictated(NamedTuple):
    """Tokens that are said together, from a start to before an end, and their words."""

    start: int
    end: int
    words: tuple[str, ...]


def dictated_tokens(
    tokens: Sequence[str], language: str, edges: Collection[int] = ()
) -> Iterator[Dictated]:
    """Yield tokens with their words; an amount and its sign, a number and its unit are one.

    Args:
        tokens: the tokens of an utterance.
        language: the language that is spoken.
        edges: places between tokens that nothing may reach across, such as the edges of slots.

    >>> [said.words for said in dictated_tokens(["für", "23,50", "€"], "de")]
    [('für',), ('dreiundzwanzig', 'euro', 'und', 'fünfzig', 'cent')]
    """
    found = list(_said_together(tokens, language, edges))
    written = " ".join(tokens)
    said = " ".join(word for one in found for word in one.words)
    if any(map(str.isdecimal, written)) and not says_same(written, said, language):
        found = [Dictated(at, at + 1, _kept(one, language)) for at, one in enumerate(tokens)]
    yield from found


def _said_together(
    tokens: Sequence[str], language: str, edges: Collection[int]
) -> Iterator[Dictated]:
    at = 0
    while at < len(tokens):
        end, words = at + 1, _said_of(tokens[at], language)
        for size in (_MOST_TOGETHER, _MOST_TOGETHER - 1):
            last = at + size
            inside = last <= len(tokens) and not any(one in edges for one in range(at + 1, last))
            if inside and _belong(tokens[at:last], language):
                joined = tuple(spoken_word(" ".join(tokens[at:last]), language))
                if joined:
                    end, words = last, joined
                    break
        yield Dictated(at, end, words)
        at = end


def _kept(token: str, language: str) -> tuple[str, ...]:
    """Return a token as it is written if it is a value; its sum with others would be another."""
    if token.strip(_EDGES).isalpha():
        return _said_of(token, language)
    return (token.lower(),)


def _belong(tokens: Sequence[str], language: str) -> bool:
    return all(_belongs(tokens[0], token, language) for token in tokens[1:])


def _belongs(token: str, following: str, language: str) -> bool:
    """Return whether a number and a sign belong together: "5 %", "€ 5", "8:30 Uhr"."""
    pair = [token.strip(_EDGES), following.strip(_EDGES)]
    digits = [any(map(str.isdecimal, one)) for one in pair]
    if digits[0] and is_scale(pair[1], language):
        return True
    return digits[0] != digits[1] and is_sign(pair[digits[0]], language, after=digits[0])


def _words(core: str) -> list[str]:
    if _LETTERS.fullmatch(core):
        return _letters(core)
    date = date_of(core)
    if date is not None and date.year:
        return [MONTHS[date.month - 1], *ordinal(number(date.day)), *year(date.year)]
    if _MONEY.fullmatch(core):
        return spoken(core)
    if _NEGATIVE.fullmatch(core):
        return ["minus", *_words(core[1:])]
    measure = _MEASURE.fullmatch(core)
    unit = _unit(measure[2], one=measure[1] == "1") if measure else ""
    if measure and unit and not _DECADE.fullmatch(core):
        return [*_words(measure[1]), unit]
    if _NUMBER.fullmatch(core):
        return _number(core)
    if _ADDRESS.fullmatch(core.lower()):
        return _spelled(_SCHEME.sub("", core.lower()))
    if _is_code(core):
        return [part for piece in _PIECES.findall(core) for part in _one_by_one(piece)]
    if any(map(str.isdigit, core)) and not any(sign in core for sign in "_/@#=-+^*"):
        return [word.lower() for word in spoken(core)]
    return _spelled(core)


def _unit(sign: str, *, one: bool) -> str:
    """Return a unit in words; empty if it is not one.

    >>> _unit("ft", one=False), _unit("th", one=False)
    ('feet', '')
    """
    if sign in _OTHER_UNITS:
        return _OTHER_UNITS[sign][0 if one else 1]
    name = _UNITS.get(sign, "")
    return name if one or not name else f"{name}s"


def _letters(word: str) -> list[str]:
    """Return a word in lower case; initials that are no word are spelled."""
    lower = word.lower()
    if _INITIALS.fullmatch(word) and lower not in dictionary():
        return list(lower)
    return [lower]


def _number(digits: str) -> list[str]:
    plain = digits.replace(",", "")
    if len(digits) >= _LONG and digits == plain and not plain.endswith("000"):
        return [word for digit in plain for word in number(int(digit))]
    return number(int(plain)) if "," in digits or len(plain) != 4 else spoken(plain)  # noqa: PLR2004


def _is_code(core: str) -> bool:
    """Return whether a token mixes capitals and digits, such as "A4B" or "QX-17"."""
    plain = re.sub(r"[-/]", "", core)
    return (
        plain.isalnum() and plain.upper() == plain and not plain.isalpha() and not plain.isdigit()
    )


def _one_by_one(piece: str) -> list[str]:
    if piece.isdigit():
        return [word for digit in piece for word in number(int(digit))]
    return list(piece.lower()) if piece.isalpha() else [_SIGNS.get(piece, "")]


def _spelled(text: str) -> list[str]:
    """Return the words of an address, a file name or another compound, its signs by name."""
    found: list[str] = []
    for piece in _PIECES.findall(text):
        if piece == "www":
            found += ["w", "w", "w"]
        elif piece.isdigit():
            found += number(int(piece)) if len(piece) < _LONG else _one_by_one(piece)
        elif piece.isalpha():
            found += _letters(piece)
        else:
            found.append(_SIGNS.get(piece, ""))
    if "-" in text and all(piece.isalpha() or piece == "-" for piece in _PIECES.findall(text)):
        return [word for word in found if word != _SIGNS["-"]]  # well-known
    return found


_said_of = lru_cache(maxsize=_CACHED_TOKENS)(dictated_in)
