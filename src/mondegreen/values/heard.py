"""Values in words, said in their other ways, too: "half past twelve" is also "twelve thirty"."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import cache
from typing import NamedTuple

from mondegreen.values.grammar import Grammar
from mondegreen.values.lattice import GUESS, Lattice
from mondegreen.values.tables import Labels, alternatives, literal_labels
from mondegreen.values.templates import Template, expanded, template
from mondegreen.values.written import date_parts, time_cases, time_parts, writing

_HALF, _NOON, _HOURS, _MINUTES, _DAYS = 30, 12, 24, 60, 31
_QUARTERS = {"h.25": 1, "h.5": 2, "h.75": 3}
_NUMERIC = ("and", "minus", "point")
_DAY = frozenset({"d", "d."})
_CENTS = 100
Found = Mapping[str, Fraction]
"""The parts of a template and their numbers; a currency is in the name of its part."""


class OtherWay(NamedTuple):
    """Another way to say what stands between two nodes, and how its edges are weak."""

    start: int
    end: int
    labels: Labels
    weak: int


def heard(lattice: Lattice, grammar: Grammar) -> list[OtherWay]:
    """Return the other ways to say the times, dates and amounts that a text says in words."""
    found = [
        *_times(lattice, grammar),
        *_dates(lattice, grammar),
        *_amounts(lattice, grammar),
    ]
    return list(dict.fromkeys(found))


def is_anchored(made: Template, grammar: Grammar) -> bool:
    """Return whether a template has a word that tells it from a mere row of numbers.

    >>> from mondegreen.values.grammar import grammar
    >>> [is_anchored(template(said), grammar("en")) for said in ("half past {h}", "{h} {m}")]
    [True, False]
    """
    return bool(anchors(made, grammar))


def anchors(made: Template, grammar: Grammar) -> list[str]:
    """Return the words that tell a template from a mere row of numbers."""
    numbers = grammar.numbers
    names = {word for kind in _NUMERIC for word in alternatives(numbers.get(kind, ""))}
    names |= {word for words in numbers["multipliers"].values() for word in alternatives(words)}
    return [
        label
        for piece in made.pieces
        if piece[0] not in "{[("
        for label in literal_labels(piece)
        if label[0] not in "#°/" and label not in names
    ]


def lasts(made: Template, grammar: Grammar) -> bool:
    """Return whether a template says how long something lasts, where that is told apart."""
    lasting = grammar.tables.get("times", {}).get("lasting", False)
    return lasting and "u:h" in made.pieces


@cache
def _sources(language: str, table: str) -> list[Template]:
    tables = writing(language).tables
    return [template(source) for source in tables.get(table, {}).get("said", ())]


def _times(lattice: Lattice, grammar: Grammar) -> Iterator[OtherWay]:
    sources = _sources(grammar.language, "times")
    for made in sources:
        if not is_anchored(made, grammar):
            continue
        for start, end, parts, weak in _matches(lattice, made):
            time = _time(made.case, parts)
            if time is None or not _applies(made, time_cases(*time)):
                continue
            cases, ways = time_cases(*time), time_parts(*time, 0)
            for other in sources:
                if _applies(other, cases) and lasts(other, grammar) == lasts(made, grammar):
                    for labels in expanded(other.pieces, ways):
                        yield OtherWay(start, end, labels, weak | int(other.heard))


def _applies(made: Template, cases: tuple[str, ...]) -> bool:
    if made.case:
        return made.case in cases
    return not ("other" in cases and "00" in cases)


def case_time(case: str) -> tuple[int | None, int | None]:
    """Return the hour and the minute that the case of a template tells.

    >>> case_time("30"), case_time("noon"), case_time("midnight-"), case_time("0x")
    ((None, 30), (12, 0), (23, None), (None, None))
    """
    name, plus, digits = case.partition("+")
    hour = {"noon": 12, "midnight": 0}.get(name.rstrip("-"))
    if hour is None:
        return None, int(name) if name.isdecimal() else None
    if name.endswith("-"):
        return (hour or _HOURS) - 1, None
    return hour, int(digits) if digits else None if plus else 0


def _time(case: str, parts: Found) -> tuple[int, int] | None:
    """Return the time that a template tells, if any; midnight ends one day and begins another."""
    hour, minute = case_time(case)
    for part, value in parts.items():
        found = _clock(part, value)
        if found is None:
            return None
        is_hour, number = found
        hour, minute = (number, minute) if is_hour else (hour, number)
    if hour is None or minute is None:
        return None
    return (hour, minute) if 0 < hour < _HOURS and 0 <= minute < _MINUTES else None


def _clock(part: str, value: Fraction) -> tuple[bool, int] | None:
    """Return whether a part of a time is the hour, and what it is."""
    quarters = _QUARTERS.get(part, 0)
    whole = value - Fraction(quarters, 4)
    if whole.denominator != 1:
        return None
    one = int(whole)
    if part in ("h", "h*") or quarters:
        return True, one
    if part in ("h'", "h'."):
        return True, one - 1 if one != 1 else _NOON
    minutes = {"m": one, "m'": _MINUTES - one, "m-": _HALF + one, "m+": _HALF - one}
    return (False, minutes[part]) if part in minutes else None


def _dates(lattice: Lattice, grammar: Grammar) -> Iterator[OtherWay]:
    sources = _sources(grammar.language, "dates")
    for made in sources:
        if "{M}" not in made.pieces:
            continue
        for start, end, parts, weak in _matches(lattice, made):
            days = {value for part, value in parts.items() if part in _DAY}
            months = [int(part[1:]) for part in parts if part[0] == "M"]
            unknown = len(parts) != 2 or not days or not months  # noqa: PLR2004 (a day and a month)
            if unknown or not 1 <= min(days) <= _DAYS or min(days).denominator != 1:
                continue
            ways = date_parts(int(min(days)), months[0], "")
            for other in sources:
                for labels in expanded(other.pieces, ways):
                    yield OtherWay(start, end, labels, weak | int(other.heard))


def _amounts(lattice: Lattice, grammar: Grammar) -> Iterator[OtherWay]:
    for made in _sources(grammar.language, "money"):
        if "{C}" not in made.pieces:
            continue
        for start, end, parts, weak in _matches(lattice, made):
            codes = [part for part in parts if part[0] == "$"]
            names = {part for part in parts if part[0] == "¢"} - {"¢", f"¢{codes[0][1:]}", "¢*"}
            cents = parts["n"] % 1 if "n" in parts else parts.get("c", Fraction()) / _CENTS
            value = parts.get("n", parts.get("a", Fraction()) + cents)
            if names or not 0 < cents < 1 or value < 1 or (cents * _CENTS).denominator != 1:
                continue
            if "a" in parts and parts["a"].denominator != 1:
                continue
            for labels, guess in writing(grammar.language).amount(value, (codes[0][1:],)):
                yield OtherWay(start, end, labels, weak | int(guess))


def _matches(lattice: Lattice, made: Template) -> Iterator[tuple[int, int, Found, int]]:
    """Yield where a template is said: from and to which node, its parts, and how weak."""
    pieces = [piece for piece in made.pieces if piece[0] != "["]
    for start in range(lattice.size):
        for end, parts, weak in _match(lattice, start, pieces, {}):
            yield start, end, parts, weak


def _match(
    lattice: Lattice, at: int, pieces: list[str], parts: Found
) -> Iterator[tuple[int, Found, int]]:
    if not pieces:
        yield at, parts, 0
        return
    piece, *rest = pieces
    if piece[0] == "(":
        yield from _match(lattice, at, rest, parts)
    steps: list[tuple[int, Found, int]]
    if piece[0] == "{":
        steps = [
            (end, {**parts, name: value}, weak)
            for label, targets in lattice.edges[at].items()
            for name, value in _part(piece[1:-1], label)
            for end, weak in targets
        ]
    else:
        steps = [(end, parts, weak) for end, weak in _literal(lattice, at, piece.strip("()"))]
    for end, found, weak in steps:
        if end <= lattice.size and end > at and not weak & GUESS:
            for last, all_parts, more in _match(lattice, end, rest, found):
                yield last, all_parts, weak | more


def _literal(lattice: Lattice, at: int, words: str) -> Iterator[tuple[int, int]]:
    places = [(at, 0)]
    for label in literal_labels(words):
        places = [
            (end, weak | more)
            for place, weak in places
            for end, more in lattice.edges[place].get(label, ())
            if end <= lattice.size and not more & GUESS
        ]
    yield from places


def _part(name: str, label: str) -> Iterator[tuple[str, Fraction]]:
    """Yield the name and number of a part, if a label can be one."""
    if name in ("C", "¢"):
        if label[0] == {"C": "$", "¢": "¢"}[name] and (name == "¢" or len(label) > 1):
            yield label, Fraction()
    elif name == "M":
        if label[0] == "M" and label[1:].isdecimal():
            yield label, Fraction()
    else:
        sign = "°" if name.endswith(".") else "#"
        if label[0] == sign and label[1:].replace(".", "", 1).isdecimal():
            yield name, Fraction(label[1:])
