"""Grammars for the kernel: the tables of a language as numbers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any

from mondegreen.values import spelling, text
from mondegreen.values.expressions import expression
from mondegreen.values.grammar import Grammar, Meaning
from mondegreen.values.heard import anchors, case_time, is_anchored, lasts
from mondegreen.values.patterns import FRACTION, money_signs
from mondegreen.values.tables import Labels, literal_labels
from mondegreen.values.templates import template
from mondegreen.values.written import time_cases, writing

KINDS = (
    "add", "mul", "ord", "den", "and", "gap", "point", "minus", "one", "zero", "whole", "short",
    "part", "plus", "before", "mark", "label", "decade", "of", "tail", "char", "sign", "spelling",
    "times", "as in", "loose",
)  # fmt: skip
PARTS = (
    "h", "h*", "h'", "m", "m'", "s", "h-", "h.25", "h.5", "h.75", "h'.", "m-", "m+", "n", "C", "a",
    "c", "¢", "d", "/d", "w", "M", "m_", "m.", "d_", "d.", "0d", "0d.", "y", "y.", "yy",
)  # fmt: skip
"""The parts of templates; in dates, ``m`` and ``d`` are others than in times and fractions."""
_UNKNOWN, _NONE = len(PARTS), len(PARTS) + 1
_TAG_SHIFT, _BOTTOM_BITS, _SIGN_BIT = 58, 18, 57
_TEXT, _CHARACTER, _NUMBER, _ORDINAL, _DENOMINATOR = range(5)
_TAGS = {"#": _NUMBER, "°": _ORDINAL, "/": _DENOMINATOR}
_HOURS, _MINUTES, _MONTHS = 24, 60, 12
_TIME_MARK, _DATE_MARK, _MONEY_MARK, _CENT_MARK = 1, 2, 4, 8


def compiled(grammar: Grammar) -> dict[str, Any]:
    """Return the tables of a grammar for the kernel."""
    return _TableCompiler(grammar).tables()


class _TableCompiler:
    def __init__(self, grammar: Grammar) -> None:
        self.grammar = grammar
        self.words: dict[str, int] = {}
        self.keys: dict[str, int] = {}
        self.cases: dict[str, int] = {}
        self.writing = writing(grammar.language)

    def tables(self) -> dict[str, Any]:
        """Return everything."""
        grammar, source, style = self.grammar, self.grammar.tables, self.writing
        numbers, ordinals = grammar.numbers, source.get("ordinals", {})
        found = {
            "phrases": self._phrases(grammar.phrases),
            "stems": self._phrases(grammar.stems),
            "morphemes": list(grammar.morphemes),
            "before_roman": [self._key(word) for word in grammar.before_roman],
            "accents": grammar.accents,
            **{
                name: bool(numbers.get(name))
                for name in ("inverted", "trailing", "prefixes", "pairs")
            },
            "several": bool(ordinals.get("several")),
            "ordinal_forms": list(grammar.ordinal_forms),
            "cents": {
                sign: self._labels(grammar.cents(codes))
                for sign, codes in money_signs(grammar.language).items()
            },
            "ordinals_too": bool(ordinals.get("as_numbers")),
            "both": bool(source.get("both")),
            "decades": "decades" in source.get("dates", {}),
            "bare": grammar.bare,
            "half_first": bool(source.get("times", {}).get("half_first")),
            "decimal": style.decimal,
            **self._expressions(),
            "signs": {
                sign: [self._label(f"${code}") for code in codes]
                for sign, codes in money_signs(grammar.language).items()
            },
            "scales": style.scales,
            "months": style.months,
            "brackets": self._brackets(source.get("brackets", {})),
            **self._templates(),
            "minus": [
                self._labels(literal_labels(one)) for one in numbers.get("minus", "").split("|")
            ],
            "joins": [self._labels(one) for one in self._joins()],
            "percent_minus": self._labels(literal_labels(numbers.get("minus", "").split("|")[0])),
            "month_labels": [0, *(self._label(f"M{month}") for month in range(1, _MONTHS + 1))],
            **{
                name: self._label(label)
                for name, label in (("am", "am"), ("pm", "pm"), ("cent", "¢"), ("root", "√"))
            },
        }
        found["time_cases"] = [
            [self.cases[one] for one in time_cases(hour, minute) if one in self.cases]
            for hour in range(_HOURS + 1)
            for minute in range(_MINUTES)
        ]
        found["case_times"] = {at: self._case_time(case) for case, at in self.cases.items()}
        found["marks"] = self._marks()
        codes = source.get("money", {}).get("currencies", {})
        found["cent_of"] = {self._label(f"${code}"): self._label(f"¢{code}") for code in codes}
        found["any_cent"] = self._label("¢*")
        found["numbers"] = {at: int(case) for case, at in self.cases.items() if _is_number(case)}
        return {**found, "words": self.words, "keys": self.keys}

    def _key(self, word: str) -> int:
        return self.keys.setdefault(word, len(self.keys) + 1)

    def _label(self, label: str) -> int:
        """Return the number of a label: see values_number.hpp."""
        if len(label) == 1:
            return _CHARACTER << _TAG_SHIFT | ord(label)
        if label[0] in _TAGS and label[1:].replace(".", "", 1).removeprefix("-").isdecimal():
            value = Fraction(label[1:])
            size = int(value < 0) << _SIGN_BIT | abs(value.numerator) << _BOTTOM_BITS
            return _TAGS[label[0]] << _TAG_SHIFT | size | value.denominator
        return _TEXT << _TAG_SHIFT | self.words.setdefault(label, len(self.words))

    def _labels(self, labels: Iterable[str]) -> list[int]:
        return [self._label(label) for label in labels]

    def _phrases(self, phrases: Mapping[str, list[Meaning]]) -> dict[str, list[tuple[Any, ...]]]:
        found = {}
        for word, meanings in phrases.items():
            self._key(word)
            found[word] = [self._meaning(meaning) for meaning in meanings]
        return found

    def _meaning(self, meaning: Meaning) -> tuple[Any, ...]:
        value, room, multiplies = 0, 1, False
        labels: list[int] = []
        name = 0
        if meaning.kind == "add":
            value, room = meaning.value
        elif meaning.kind in ("ord", "den"):
            value, multiplies = meaning.value
        elif meaning.kind == "mark":
            multiplies = meaning.value == "den"
        elif meaning.kind in ("label", "tail", "loose"):
            labels = self._labels(meaning.value)
        elif meaning.kind in ("char", "sign", "spelling"):
            labels, name = self._labels(tuple(meaning.value)), self._label(meaning.value)
        elif meaning.value is not None:
            value = meaning.value
        whole = isinstance(value, int)
        rest = [self._key(word) for word in meaning.rest]
        kind = KINDS.index(meaning.kind)
        top, bottom = Fraction(value).as_integer_ratio()
        return kind, top, bottom, whole, room, multiplies, labels, name, rest

    def _expressions(self) -> dict[str, Any]:
        style = self.writing
        return {
            "number": expression(style.number),
            "fraction": expression(FRACTION),
            "ordinal": expression(style.ordinal),
            "decade": expression(style.decade),
            "article": expression(style.article),
            "roman": expression(self.grammar.roman),
            "address": expression(text.ADDRESS),
            "chunk_address": expression(spelling.ADDRESS),
            "times": [expression(one) for one in style.times],
            "dates": [expression(one, guess=guess) for one, guess in style.dates],
            "money": [expression(one) for one in style.money],
        }

    def _brackets(self, table: Mapping[str, str]) -> dict[str, list[int]]:
        return {
            sign: self._labels(literal_labels(table["said"].replace("{}", sign)))
            for sign in table.get("signs", "")
        }

    def _joins(self) -> Iterable[Labels]:
        joins = self.grammar.tables.get("ranges", {}).get("joins", "")
        minus = self.grammar.numbers.get("minus", "")
        said = [one.replace("_", " ") for one in f"{joins}|{minus}".split("|") if one]
        return [tuple(words.split()) for words in said]

    def _templates(self) -> dict[str, Any]:
        source = self.grammar.tables
        places = (
            ("said_time", "times", "said"), ("said_seconds", "times", "seconds"),
            ("said_date", "dates", "said"), ("said_month", "dates", "month_year"),
            ("said_money", "money", "said"), ("said_small", "money", "small"),
            ("said_fraction", "fractions", "said"), ("said_mixed", "fractions", "mixed"),
            ("said_percent", "percents", "said"),
        )  # fmt: skip
        return {
            name: [self._template(one, table) for one in source.get(table, {}).get(key, ())]
            for name, table, key in places
        }

    @staticmethod
    def _case_time(case: str) -> tuple[int, int]:
        hour, minute = case_time(case)
        return -1 if hour is None else hour, -1 if minute is None else minute

    def _marks(self) -> dict[int, int]:
        """Return the labels without which no time, date or amount is said in words, as bits."""
        marks = {self._label(f"M{month}"): _DATE_MARK for month in range(1, _MONTHS + 1)}
        for code in self.grammar.tables.get("money", {}).get("currencies", {}):
            marks[self._label(f"${code}")] = _MONEY_MARK
            marks[self._label(f"¢{code}")] = _CENT_MARK
        marks |= dict.fromkeys(self._labels(("¢", "¢*")), _CENT_MARK)
        for source in self.grammar.tables.get("times", {}).get("said", ()):
            for word in anchors(template(source), self.grammar)[:1]:
                label = self._label(word)
                marks[label] = marks.get(label, 0) | _TIME_MARK
        return marks

    def _template(self, source: str, table: str) -> tuple[int, bool, int, list[Any], bool, bool]:
        made = template(source)
        case = self.cases.setdefault(made.case, len(self.cases)) if made.case else -1
        has = sum(1 << bit for bit, part in enumerate("myn") if f"{{{part}" in source)
        needed = {"dates": "{M}", "money": "{C}"}.get(table)
        read = needed in made.pieces if needed else is_anchored(made, self.grammar)
        variants = self._variants(made.pieces, dated=table == "dates")
        return case, made.heard, has, variants, read, lasts(made, self.grammar)

    def _variants(self, pieces: Iterable[str], *, dated: bool) -> list[Any]:
        """Return the ways through a template: pieces, and parts that must not be there."""
        ways: list[tuple[list[Any], list[list[int]]]] = [([], [])]
        for piece in pieces:
            ways = [
                ([*before, *more], [*unless, *without])
                for before, unless in ways
                for more, without in self._ways(piece, dated=dated)
            ]
        return ways

    def _ways(self, piece: str, *, dated: bool) -> list[tuple[list[Any], list[list[int]]]]:
        if piece[0] == "{":
            name = piece[1:-1]
            name = f"{name}_" if dated and name in ("m", "d") else name
            return [([(PARTS.index(name) if name in PARTS else _UNKNOWN, [])], [])]
        if piece[0] == "(":
            return [([(_NONE, self._labels(literal_labels(piece[1:-1])))], []), ([], [])]
        if piece[0] == "[":
            inner = self._variants(template(piece[1:-1].strip()).pieces, dated=dated)
            parts = [part for part, _ in inner[0][0] if part != _NONE]
            return [*inner, ([], [parts])]
        return [([(_NONE, self._labels(literal_labels(piece)))], [])]


def _is_number(case: str) -> bool:
    return case.isdecimal() and str(int(case)) == case
