"""Written values: times, dates, amounts, fractions, ordinals, and how they are said."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from typing import NamedTuple

from mondegreen.text.patterns import lazy_pattern
from mondegreen.values.grammar import Grammar, grammar
from mondegreen.values.lattice import FORM, GUESS
from mondegreen.values.patterns import (
    FRACTION,
    date_patterns,
    money_patterns,
    money_signs,
    number_source,
    scales,
    time_patterns,
)
from mondegreen.values.sums import shown
from mondegreen.values.tables import Labels, listed, literal_labels
from mondegreen.values.templates import Ways, expanded, template
from mondegreen.values.tokens import folded

_MONTHS, _DAYS, _HOURS, _MINUTES = 12, 31, 24, 60
_NOON = 12
_GENDERS = str.maketrans({"º": "o", "°": "o", "ª": "a"})
_FORM_SIGN = lazy_pattern(r"[.:-]")
MOST_DIGITS = 290
"""Digits of the longest number that anybody means."""


class WrittenValue(NamedTuple):
    """A written value between two characters: how it is said, and whether that is a guess.

    ``form`` says that it stands for a word in any of its forms.
    """

    start: int
    end: int
    labels: Labels
    guess: bool = False
    form: bool = False

    @property
    def weak(self) -> int:
        """Return how the edge of this value is weak."""
        return (GUESS if self.guess else 0) | (FORM if self.form else 0)


class Digits(NamedTuple):
    """A number in digits, by characters."""

    start: int
    end: int
    value: int | Fraction


class Writing:
    """How one language writes values."""

    def __init__(self, language: Grammar) -> None:
        self.tables = language.tables
        self.language = language
        self.decimal: str = self.tables.get("decimal", ".")
        self.number = re.compile(number_source(self.decimal, both=self.tables.get("both", False)))
        months = self.tables.get("dates", {}).get("months", "")
        self.months = {
            word.casefold(): at for at, words in enumerate(listed(months), 1) for word in words
        }
        self.times = time_patterns(self.tables)
        article = self.tables.get("times", {}).get("articles")
        self.article = re.compile(rf"(?<!\w)(?:{article}) $", re.IGNORECASE) if article else None
        self.dates = date_patterns(self.tables, list(self.months))
        self.scales = scales(language)
        self.money = money_patterns(language, self.number.pattern)
        written = self.tables.get("ordinals", {}).get("written", "")
        self.ordinal = re.compile(
            rf"(?<![\d.,])(\d{{1,3}}(?:[., ]\d{{3}})+|\d+)({written})(?!\w)", re.IGNORECASE
        ) if written else None  # fmt: skip
        self.decade = re.compile(r"(?<![\w.])(\d{0,2})(\d0)'?s(?!\w)")

    def values(self, text: str) -> Iterator[WrittenValue]:
        """Yield the written values of a text."""
        yield from self._times(text)
        yield from self._dates(text)
        yield from self._amounts(text)
        yield from self._fractions(text)
        yield from self._ordinals(text)
        yield from self._percents(text)
        yield from self._weekdays(text)
        if "decades" in self.tables.get("dates", {}):
            for match in self.decade.finditer(text):
                first = (f"#{int(match[1])}",) if match[1] else ()
                yield WrittenValue(match.start(), match.end(), (*first, f"{match[2]}s"))

    def numbers(self, text: str) -> Iterator[Digits]:
        """Yield the numbers of a text, in each way that they may be meant."""
        for match in self.number.finditer(text):
            for value in self.meant(match[0]):
                yield Digits(match.start(), match.end(), value)

    def meant(self, digits: str) -> Iterator[int | Fraction]:
        """Yield the values of a number in digits: 1.500 is 1500 in German, 1.5 in English."""
        plain = digits.replace(" ", "")
        if len(plain) > MOST_DIGITS:
            return  # no number that anybody means
        signs = [sign for sign in plain if sign in ".,"]
        if not signs:
            yield int(plain)
            return
        last = max(plain.rfind("."), plain.rfind(","))
        groups = plain[last + 1 :]
        whole = re.sub(r"[.,]", "", plain[:last])
        decimal = plain[last] == self.decimal or len(groups) != len("000")
        both = self.tables.get("both", False) and len(signs) == 1
        if len(signs) > 1 and len(set(signs)) == 1:
            yield int(whole + groups)
            return
        if decimal or both or not whole:
            yield int(whole or "0") + Fraction(int(groups), 10 ** len(groups))
        if not decimal or (both and len(groups) == len("000")):
            yield int(whole + groups)

    def _times(self, text: str) -> Iterator[WrittenValue]:
        times = self.tables.get("times", {})
        for match in (match for pattern in self.times for match in pattern.finditer(text)):
            hour, minute = int(match["h"]), int(match["m"] or 0)
            second = match["s"]
            if hour > _HOURS or minute >= _MINUTES:
                continue
            said = times.get("seconds", ()) if second else times.get("said", ())
            parts = time_parts(hour, minute, int(second or 0))
            before = self.article.search(text, 0, match.start()) if self.article else None
            needed = ("m",) if second and minute else ()
            for labels, guess in _said(said, parts, time_cases(hour, minute), needed):
                yield WrittenValue(match.start(), match.end(), labels, guess)
                if guess and before:
                    yield WrittenValue(before.start(), match.end(), labels, guess)
                if not second and match["m"] and not guess and labels[:1] == (f"#{hour}",):
                    yield from self._with_half_of_day(match, hour, labels)
            if second and int(second) == 0:
                for labels, guess in _said(times.get("said", ()), parts, time_cases(hour, minute)):
                    yield WrittenValue(match.start(), match.end(), labels, guess)

    def _with_half_of_day(
        self, match: re.Match[str], hour: int, labels: Labels
    ) -> Iterator[WrittenValue]:
        """Yield a time of 24 hours with the half of the day: 20:55 is 8:55 p.m."""
        half, said = ("am", hour) if hour < _NOON else ("pm", hour - _NOON)
        if hour in (0, _NOON, _HOURS):
            half, said = "pm" if hour == _NOON else "am", _NOON
        made = (f"#{said}", *labels[1:])
        first = self.tables.get("times", {}).get("half_first", False)
        both = ((*made, half), (half, *made)) if first else ((*made, half),)
        for one in both:
            yield WrittenValue(match.start(), match.end(), one, guess=not _NOON < hour < _HOURS)

    def _dates(self, text: str) -> Iterator[WrittenValue]:
        dates = self.tables.get("dates", {})
        for pattern, unsure in self.dates:
            for match in pattern.finditer(text):
                found = {name: part for name, part in match.groupdict().items() if part}
                month = self.months.get(found.get("name", "").casefold()) or int(found.get("M", 0))
                day = int(found.get("d", 0))
                if not 1 <= month <= _MONTHS or day > _DAYS or ("d" in found and not day):
                    continue
                parts = date_parts(day, month, found.get("y", ""))
                said = dates.get("said", ()) if day else dates.get("month_year", ())
                year = ("y",) if "y" in found else ()
                for labels, guess in _said(said, parts, (), year):
                    yield WrittenValue(match.start(), match.end(), labels, guess or unsure)

    def _amounts(self, text: str) -> Iterator[WrittenValue]:
        for pattern in self.money:
            for match in pattern.finditer(text):
                codes = money_signs(self.language.language).get(match["sign"].casefold(), ())
                sign = -1 if match["minus"] else 1
                for value in self.meant(match["n"]):
                    scale = sign * self.scales.get((match["scale"] or "").casefold(), 1)
                    for labels, guess in self.amount(value * scale, codes):
                        yield WrittenValue(match.start(), match.end(), labels, guess)

    def amount(
        self, value: int | Fraction, codes: tuple[str, ...]
    ) -> Iterator[tuple[Labels, bool]]:
        """Yield the ways to say an amount of money."""
        money = self.tables.get("money", {})
        whole = int(value)
        cents = (value - whole) * 100
        parts: dict[str, Ways] = {
            "n": [(f"#{shown(value)}",), *([tuple(str(value))] if isinstance(value, int) else ())],
            "C": [(f"${code}",) for code in codes],
        }
        small = bool(cents) and not whole
        if cents and cents.denominator == 1:
            names = self.language.cents(codes) if small else ("¢",)
            parts |= {"a": [(f"#{whole}",)], "c": [(f"#{shown(cents)}",)]}
            parts["¢"] = [(name,) for name in names]
        said = money.get("small" if small else "said", ())
        yield from _said(said, parts, ())

    def _fractions(self, text: str) -> Iterator[WrittenValue]:
        table = self.tables.get("fractions", {})
        for match in FRACTION.finditer(text):
            top, bottom = int(match["n"]), int(re.sub(r"\D", "", match["d"]))
            top_needed = () if top == 1 else ("n",)
            root = ("√",) if match["root"] else ()
            parts: dict[str, Ways] = {
                "n": [(*root, f"#{top}")], "d": [(f"#{bottom}",)],
                "/d": [(f"/{bottom}",), (f"°{bottom}",)],
            }  # fmt: skip
            if match["w"]:
                parts["w"] = [(f"#{int(match['w'])}",)]
                for labels, guess in _said(table.get("mixed", ()), parts, (), top_needed):
                    yield WrittenValue(match.start(), match.end(), labels, guess)
                if bottom in (2, 4) and top < bottom and top % 2:
                    value = int(match["w"]) + Fraction(top, bottom)
                    yield WrittenValue(match.start(), match.end(), (f"#{shown(value)}",))
            for labels, guess in _said(table.get("said", ()), parts, (str(bottom),), top_needed):
                yield WrittenValue(match.start("root"), match.end(), labels, guess)

    def _percents(self, text: str) -> Iterator[WrittenValue]:
        """Yield percentages where the word stands before the number."""
        said = self.tables.get("percents", {}).get("said", ())
        for match in self.number.finditer(text) if said else ():
            end = match.end() + len(text[match.end() :]) - len(text[match.end() :].lstrip())
            minus = text[: match.start()].endswith("-")
            if text[end : end + 1] == "%":
                for value in self.meant(match[0]):
                    for labels, guess in _said(said, {"n": [(f"#{shown(value)}",)]}, ()):
                        yield WrittenValue(match.start(), end + 1, labels, guess)
                        if minus:
                            sign = self.language.numbers["minus"].split("|")[0]
                            said_minus = (*literal_labels(sign), *labels)
                            yield WrittenValue(match.start() - 1, end + 1, said_minus, guess)

    def _weekdays(self, text: str) -> Iterator[WrittenValue]:
        """Yield days of the week that are written by one sign in brackets."""
        table = self.tables.get("brackets", {})
        for match in re.finditer(rf"\(([{table['signs']}])\)", text) if table else ():
            said = literal_labels(table["said"].replace("{}", match[1]))
            yield WrittenValue(match.start(1), match.end(1), said)

    def _ordinals(self, text: str) -> Iterator[WrittenValue]:
        for match in self.ordinal.finditer(text) if self.ordinal else ():
            value = int(re.sub(r"\D", "", match[1]))
            form = _FORM_SIGN.sub("", folded(match[2].translate(_GENDERS), accents=False))
            marked = form in self.language.ordinal_forms
            yield WrittenValue(match.start(), match.end(), (f"°{value}",), form=marked)
            if marked:
                yield WrittenValue(match.start(), match.end(), (f"°{value}~{form}",))
            if self.tables["ordinals"].get("as_numbers"):
                yield WrittenValue(match.start(), match.end(), (f"#{value}",), guess=True)


def _said(
    sources: list[str] | tuple[str, ...],
    parts: dict[str, Ways],
    cases: tuple[str, ...],
    needed: tuple[str, ...] = (),
) -> Iterator[tuple[Labels, bool]]:
    """Yield what templates say; one that leaves out a part that is needed says something else."""
    for source in sources:
        made = template(source)
        if not all(f"{{{part}" in source for part in needed):
            continue
        if made.case and made.case not in cases:
            continue
        if not made.case and "other" in cases and "00" in cases:
            continue
        for labels in expanded(made.pieces, parts):
            yield labels, made.heard


def time_cases(hour: int, minute: int) -> tuple[str, ...]:
    """Return the cases of a time: its minutes, whether they have one digit, noon and midnight."""
    cases = [f"{minute:02d}"]
    if minute == 0:
        cases.append("other")
        if hour == _NOON:
            cases.append("noon")
        if hour in (0, _HOURS):
            cases.append("midnight")
        return tuple(cases)
    if minute < len("0123456789"):
        cases.append("0x")
    for name, hours in (("noon", (_NOON,)), ("midnight", (0, _HOURS))):
        if hour in hours:
            cases += [f"{name}+", f"{name}+{minute}"]
        if (hour + 1) % _HOURS in hours or hour + 1 in hours:
            cases.append(f"{name}-")
    return tuple(cases)


def time_parts(hour: int, minute: int, second: int) -> dict[str, Ways]:
    """Return the ways to say the parts of a time."""
    following = {hour + 1, hour % _NOON + 1, (hour + 1) % _HOURS}
    near = {hour, hour - _NOON} if hour > _NOON else {hour, _NOON} if hour == 0 else {hour}
    return {
        "h": [(f"#{hour}",)],
        "h*": [(f"#{one}",) for one in sorted(near)],
        "h'": [(f"#{one}",) for one in sorted(following)],
        "m": [(f"#{minute}",)],
        "m'": [(f"#{_MINUTES - minute}",)],
        "s": [(f"#{second}",)],
        "h-": [(f"#{hour - _NOON}",)] if hour > _NOON else [],
        "h.25": [(f"#{hour}.25",)],
        "h.5": [(f"#{hour}.5",)],
        "h.75": [(f"#{hour}.75",)],
        "h'.": [(f"°{one}",) for one in sorted(following)],
        "m-": [(f"#{minute - 30}",)] if minute > 30 else [],  # noqa: PLR2004 (after half past)
        "m+": [(f"#{30 - minute}",)] if minute < 30 else [],  # noqa: PLR2004
    }


def date_parts(day: int, month: int, year: str) -> dict[str, Ways]:
    """Return the ways to say the parts of a date."""
    parts: dict[str, Ways] = {
        "M": [(f"M{month}",)], "m": [(f"#{month}",)], "m.": [(f"°{month}",)]
    }  # fmt: skip
    if day:
        parts |= {"d": [(f"#{day}",)], "d.": [(f"°{day}",)]}
    if 0 < day < len("0123456789"):
        parts |= {"0d": [("#0", f"#{day}")], "0d.": [("#0", f"°{day}")]}
    if year:
        parts["y"] = [(f"#{int(year)}",), tuple(year)]
        parts["y."] = [(f"°{int(year)}",)]
        parts["yy"] = [tuple(year)]
    return parts


@cache
def writing(language: str) -> Writing:
    """Return how a language writes values."""
    return Writing(grammar(language))
