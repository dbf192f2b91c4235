"""Entries: the phrases of a language with what they may mean, from its tables."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction
from typing import Any, NamedTuple

from mondegreen.values.tables import Labels, alternatives, listed, literal_labels, named

_TEN, _HUNDRED = 10, 100
_PLAIN_KINDS = (
    ("and", "and"), ("point", "point"), ("minus", "minus"), ("one", "one"),
    ("zero", "zero_digit"), ("gap", "zero_filler"), ("whole", "whole"),
)  # fmt: skip
_NAMED_KINDS: tuple[tuple[str, str, Callable[[str], int | Fraction]], ...] = (
    ("short", "short", int),
    ("part", "parts", int),
    ("plus", "plus", Fraction),
    ("before", "before", Fraction),
)


class NumberPart(NamedTuple):
    """A part of a number: its value, and the bound of what may be added to it."""

    value: int | Fraction
    room: int


Entry = tuple[str, str, Any]


def entries(tables: Mapping[str, Any], common: Mapping[str, Any]) -> Iterator[Entry]:
    """Yield every phrase of a language with what it may mean."""
    yield from _number_entries(tables["numbers"])
    yield from _ordered(tables.get("ordinals", {}), "ord")
    yield from _denominator_entries(tables)
    yield from _date_entries(tables.get("dates", {}))
    yield from _unit_entries(tables.get("units", {}), common["units"])
    times = tables.get("times", {})
    for sign in ("am", "pm"):
        written = [f"{sign[0]} m", sign]
        for phrase in (*written, *alternatives(times.get(sign, ""))):
            yield phrase, "tail", (sign,)
    money = tables.get("money", {})
    for code, names in money.get("currencies", {}).items():
        signs = common["currencies"].get(code, "").split("|")
        for phrase in (*alternatives(names), *(sign for sign in signs if sign)):
            yield phrase, "tail", (f"${code}",)
    cents = money.get("cents", {})
    for phrase in alternatives(money.get("cent", "")):
        yield phrase, "loose" if cents else "tail", ("¢",)
    for code, names in cents.items():
        for phrase in alternatives(names):
            yield phrase, "tail", (f"¢{code}",)
    for written, said in tables.get("words", {}).items():
        for phrase in alternatives(said):
            yield written, "label", literal_labels(phrase)
    yield from _spelling_entries(tables, common)


def _numbers(words: Iterable[list[str]], first: int, step: int) -> Iterator[tuple[str, int]]:
    for at, names in enumerate(words):
        for word in names:
            yield word, first + at * step


def _number_entries(numbers: Mapping[str, Any]) -> Iterator[Entry]:
    rooms = {int(value): int(room) for value, room in numbers.get("rooms", {}).items()}
    ranks = (("units", 0, 1, 1), ("teens", 10, 1, 1), ("tens", 20, 10, 10))
    for name, first, step, room in (*ranks, ("hundreds", _HUNDRED, _HUNDRED, _HUNDRED)):
        for word, value in _numbers(listed(numbers.get(name, "")), first, step):
            yield word, "add", NumberPart(value, rooms.get(value, room))
    for digits, words in numbers.get("more", {}).items():
        exact = int(digits) if digits.isdecimal() else Fraction(digits)
        for word in alternatives(words):
            yield word, "add", NumberPart(exact, _TEN if exact % _TEN == 0 else 1)
    for digits, words in numbers.get("multipliers", {}).items():
        yield from ((word, "mul", int(digits)) for word in alternatives(words))
    for kind, name in _PLAIN_KINDS:
        yield from ((word, kind, None) for word in alternatives(numbers.get(name, "")))
    for kind, name, number in _NAMED_KINDS:
        for digits, names in named(numbers.get(name, "")):
            yield from ((word, kind, number(digits)) for word in names)


def _ordered(table: Mapping[str, Any], kind: str) -> Iterator[Entry]:
    """Yield ordinals or denominators with their endings: a value, and whether it multiplies."""
    endings = table["endings"].split(" ") if "endings" in table else [""]
    ranks = (("units", 0, 1), ("teens", 10, 1), ("tens", 20, 10), ("hundreds", _HUNDRED, _HUNDRED))
    for name, first, step in ranks:
        for word, value in _numbers(listed(table.get(name, "")), first, step):
            yield from ((form, kind, (value, False)) for form in _forms(word, endings))
    for digits, words in named(table.get("words", "")):
        yield from ((word, kind, (int(digits), False)) for word in words)
    for digits, words in named(table.get("multipliers", "")):
        forms = (form for word in words for form in _forms(word, endings))
        yield from ((form, kind, (int(digits), True)) for form in forms)
    for word in alternatives(table.get("mark", "")):
        yield word, "mark", kind


def _denominator_entries(tables: Mapping[str, Any]) -> Iterator[Entry]:
    table = tables.get("denominators", {})
    yield from _ordered(table, "den")
    if "plural" in table:
        for word, _, value in _ordered(tables["ordinals"], "den"):
            yield word + table["plural"], "den", value


def _forms(word: str, endings: list[str]) -> Iterator[str]:
    """Yield a stem with its endings; a word that ends in a point has none."""
    if word.endswith("."):
        yield word[:-1]
    else:
        yield from (word + ending for ending in endings)


def _date_entries(dates: Mapping[str, Any]) -> Iterator[Entry]:
    for name, sign in (("months", "M"), ("weekdays", "D")):
        for at, words in enumerate(listed(dates.get(name, "")), 1):
            for word in words:
                yield word, "label", (f"{sign}{at}",)
    for at, words in enumerate(listed(dates.get("decades", "")), 1):
        for word in words:
            yield word, "decade", 10 * at
    for word in alternatives(dates.get("hundreds", "")):
        yield word, "decade", 0


def _unit_entries(units: Mapping[str, Any], common: Mapping[str, str]) -> Iterator[Entry]:
    for sign, words in unit_names(units, common).items():
        for word in words:
            yield word, "tail", unit_labels(sign)
    for word in alternatives(units.get("per", "")):
        yield word, "tail", ("per",)
    yield "/", "tail", ("per",)
    for word in alternatives(units.get("of", "")):
        yield word, "of", None


def unit_labels(sign: str) -> Labels:
    """Return the labels of a unit.

    >>> unit_labels("km/h")
    ('u:km', 'per', 'u:h')
    """
    first, *others = sign.split("/")
    return (f"u:{first}", *(label for other in others for label in ("per", f"u:{other}")))


def unit_names(units: Mapping[str, Any], common: Mapping[str, str]) -> dict[str, list[str]]:
    """Return the ways to say and to write each unit; those that are said come first."""
    said: dict[str, list[str]] = {}
    bases = dict(named(units.get("bases", "")))
    for base, names in bases.items():
        said[base] = list(names)
        for prefix, words in named(units.get("prefixes", "")):
            glued = [f"{w}{n}" for w in words if " " not in w for n in names]
            said[prefix + base] = [*glued, *(f"{w} {n}" for w in words for n in names)]
    for sign, names in units.get("words", {}).items():
        said.setdefault(sign, []).extend(alternatives(names))
    written = {sign: common.get(sign, sign).split("|") for sign in {**said, **common}}
    found = {sign: [*said.get(sign, ()), *signs] for sign, signs in written.items()}
    for power, name in (("²", "square"), ("³", "cubic")):
        patterns = alternatives(units.get(name, ""))
        for sign in [sign for sign in said if sign.isalpha()]:
            names = [pattern.replace("{}", n) for pattern in patterns for n in said[sign]]
            signs = [pattern.replace("{}", n) for pattern in patterns for n in written[sign]]
            found[sign + power] = [
                *names,
                *signs,
                *(f"{one}{power}" for one in {*written[sign], *said[sign]}),
            ]
    return found


def _spelling_entries(tables: Mapping[str, Any], common: Mapping[str, Any]) -> Iterator[Entry]:
    alphabets = (
        ("char", tables.get("letters", "")), ("sign", tables.get("signs", "")),
        ("spelling", common["spelling"]["words"]), ("spelling", tables.get("spelling", "")),
    )  # fmt: skip
    for kind, alphabet in alphabets:
        for char, words in named(alphabet):
            yield from ((word, kind, char) for word in words)
    for times, words in enumerate(listed(tables.get("double", "")), 2):
        yield from ((word, "times", times) for word in words)
    yield from ((word, "times", 1) for word in alternatives(tables.get("once", "")))
    yield from ((word, "as in", None) for word in alternatives(tables.get("as_in", "")))
    for spelt, names in tables.get("names", {}).items():
        yield from ((word, "char", spelt) for word in alternatives(names))
