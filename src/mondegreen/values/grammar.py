"""Grammars: the tables of one language, and what each of its phrases may mean."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple

from mondegreen.errors import DataError
from mondegreen.values.tokens import folded, plain, split_phrase, tokens

LANGUAGES = ("en", "de", "es", "fr", "pt", "it", "sv", "ru", "zh", "ja", "ko", "hi", "vi")
"""The languages that have a grammar."""
_ROMAN = r"(?=[mdclxvi])m{0,3}(?:cm|cd|d?c{0,3})(?:xc|xl|l?x{0,3})(?:ix|iv|v?i{0,3})"
Labels = tuple[str, ...]
_LONGEST_ENDING = 4
_SHORTEST_STEM = 2
_HUNDRED, _THOUSAND = 100, 1000


class Meaning(NamedTuple):
    """What a phrase may mean: a kind, its value, and the words after the first one."""

    kind: str
    value: Any
    rest: tuple[str, ...] = ()


class Part(NamedTuple):
    """A part of a number: its value, and the bound of what may be added to it."""

    value: int | Fraction
    room: int


class Grammar:
    """The phrases of a language. ``phrases`` maps a first word to its meanings, longest first."""

    def __init__(self, language: str) -> None:
        self.language = language
        self.tables = _table(language)
        self.common = _table("common")
        self.accents: bool = self.tables.get("accents", True)
        self.numbers: Mapping[str, Any] = self.tables["numbers"]
        self.phrases: dict[str, list[Meaning]] = {}
        self.stems: dict[str, list[Meaning]] = {}
        self._known: dict[str, list[Meaning]] = {}
        for phrase, kind, value in _entries(self):
            self._add(phrase, kind, value)
        for meanings in (*self.phrases.values(), *self.stems.values()):
            meanings.sort(key=lambda meaning: -len(meaning.rest))
        self.morphemes = self._morphemes()
        endings = self.tables.get("roman_endings", "")
        self.roman = re.compile(rf"({_ROMAN})(?:{endings})?")
        before = str(self.tables.get("roman_after", "")).split("|")
        self.before_roman = frozenset(folded(word, accents=self.accents) for word in before)

    def _add(self, phrase: str, kind: str, value: object) -> None:
        is_stem = len(phrase) > 1 and phrase.endswith("*")
        first, *rest = split_phrase(phrase[:-1] if is_stem else phrase, accents=self.accents)
        home = self.stems if is_stem else self.phrases
        meaning = Meaning(kind, value, tuple(rest))
        meanings = home.setdefault(first, [])
        if meaning not in meanings:
            meanings.append(meaning)

    def meanings(self, word: str) -> list[Meaning]:
        """Return what phrases that begin with a word may mean, the longest first."""
        known = self._known.get(word)
        if known is None:
            known = list(self.phrases.get(word, ()))
            for size in range(len(word), _SHORTEST_STEM - 1, -1):
                if len(word) - size > _LONGEST_ENDING:
                    break
                known += self.stems.get(word[:size], ())
            self._known[word] = known
        return known

    def _morphemes(self) -> frozenset[str]:
        """Return the words that numbers in one word are made of; empty where there are none."""
        if not self.numbers.get("compounds"):
            return frozenset()
        kinds = {"add", "mul", "and", "ord", "den", "mark", "part", "point"}
        extra = str(self.numbers.get("glue", "")).split()
        numeric = {
            word
            for word, meanings in self.phrases.items()
            if any(meaning.kind in kinds and not meaning.rest for meaning in meanings)
        }
        return frozenset(numeric | set(extra))


@cache
def grammar(language: str) -> Grammar:
    """Return the grammar of a language.

    Raises:
        DataError: if there is none.
    """
    if language not in LANGUAGES:
        known = ", ".join(LANGUAGES)
        raise DataError(f"values cannot be read in the language {language!r}: one of {known}")
    return Grammar(language)


@cache
def _table(name: str) -> dict[str, Any]:
    source = files("mondegreen.values").joinpath("languages", f"{name}.toml")
    return tomllib.loads(source.read_text(encoding="utf-8"))


def listed(entry: str) -> Iterator[list[str]]:
    """Yield the alternatives of each word of a list.

    >>> list(listed("zero|oh one double_u"))
    [['zero', 'oh'], ['one'], ['double u']]
    """
    for word in entry.split():
        yield [one.replace("_", " ") for one in word.split("|")]


def named(entry: str) -> Iterator[tuple[str, list[str]]]:
    """Yield names with their alternatives.

    >>> list(named("w=double_u|double_you .=dot"))
    [('w', ['double u', 'double you']), ('.', ['dot'])]
    """
    for word in entry.split():
        name, _, words = word[1:].partition("=")
        yield word[0] + name, [one.replace("_", " ") for one in words.split("|")]


@cache
def literal_labels(phrase: str) -> Labels:
    """Return the labels of words in a table; those of values stand for themselves.

    >>> literal_labels("half past"), literal_labels("#10 월")
    (('half', 'past'), ('#10', '월'))
    """
    found: list[str] = []
    for word in phrase.split():
        is_value = len(word) > 1 and (word[0] in "#°/$¢" or word.startswith("u:"))
        found += [word] if is_value else [t.text for t in tokens(plain(word)) if t.text not in "-'"]
    return tuple(found)


Entry = tuple[str, str, Any]


def _entries(grammar: Grammar) -> Iterator[Entry]:
    tables, common = grammar.tables, grammar.common
    yield from _number_entries(grammar.numbers)
    yield from _ordered(tables.get("ordinals", {}), "ord")
    yield from _denominator_entries(tables)
    yield from _date_entries(tables.get("dates", {}))
    yield from _unit_entries(tables.get("units", {}), common["units"])
    times = tables.get("times", {})
    for sign in ("am", "pm"):
        written = [f"{sign[0]} m", sign]
        for phrase in (*written, *_alternatives(times.get(sign, ""))):
            yield phrase, "tail", (sign,)
    money = tables.get("money", {})
    for code, names in money.get("currencies", {}).items():
        signs = common["currencies"].get(code, "").split("|")
        for phrase in (*_alternatives(names), *(sign for sign in signs if sign)):
            yield phrase, "tail", (f"${code}",)
    for phrase in _alternatives(money.get("cent", "")):
        yield phrase, "tail", ("¢",)
    for written, said in tables.get("words", {}).items():
        for phrase in _alternatives(said):
            yield written, "label", literal_labels(phrase)
    yield from _spelling_entries(tables, common)


def _alternatives(entry: str) -> list[str]:
    return [one.replace("_", " ") for one in entry.split("|") if one]


def _numbers(words: Iterable[list[str]], first: int, step: int) -> Iterator[tuple[str, int]]:
    for at, alternatives in enumerate(words):
        for word in alternatives:
            yield word, first + at * step


def _number_entries(numbers: Mapping[str, Any]) -> Iterator[Entry]:
    rooms = {int(value): int(room) for value, room in numbers.get("rooms", {}).items()}
    ranks = (("units", 0, 1, 1), ("teens", 10, 1, 1), ("tens", 20, 10, 10))
    for name, first, step, room in (*ranks, ("hundreds", _HUNDRED, _HUNDRED, _HUNDRED)):
        for word, value in _numbers(listed(numbers.get(name, "")), first, step):
            yield word, "add", Part(value, rooms.get(value, room))
    for value, words in numbers.get("more", {}).items():
        room = 10 if _exact(value) % 10 == 0 else 1
        for word in _alternatives(words):
            yield word, "add", Part(_exact(value), room)
    for value, words in numbers.get("multipliers", {}).items():
        for word in _alternatives(words):
            yield word, "mul", int(value)
    for kind, name in (("and", "and"), ("point", "point"), ("minus", "minus"), ("one", "one"),
                       ("zero", "zero_digit"), ("gap", "zero_filler")):  # fmt: skip
        for word in _alternatives(numbers.get(name, "")):
            yield word, kind, None
    for value, words in named(numbers.get("short", "")):
        for word in words:
            yield word, "short", int(value)
    for kind, name in (("plus", "plus"), ("before", "before")):
        for value, words in named(numbers.get(name, "")):
            for word in words:
                yield word, kind, Fraction(value)
    for value, words in named(numbers.get("parts", "")):
        for word in words:
            yield word, "part", int(value)
    for word in _alternatives(numbers.get("whole", "")):
        yield word, "whole", None


def _exact(value: str) -> int | Fraction:
    return int(value) if value.isdecimal() else Fraction(value)


def _ordered(table: Mapping[str, Any], kind: str) -> Iterator[Entry]:
    """Yield ordinals or denominators with their endings: a value, and whether it multiplies."""
    endings = table["endings"].split(" ") if "endings" in table else [""]
    ranks = (("units", 0, 1), ("teens", 10, 1), ("tens", 20, 10), ("hundreds", _HUNDRED, _HUNDRED))
    for name, first, step in ranks:
        for word, value in _numbers(listed(table.get(name, "")), first, step):
            for form in _forms(word, endings):
                yield form, kind, (value, False)
    for value, words in named(table.get("words", "")):
        for word in words:
            yield word, kind, (int(value), False)
    for value, words in named(table.get("multipliers", "")):
        for word in words:
            for form in _forms(word, endings):
                yield form, kind, (int(value), True)
    for word in _alternatives(table.get("mark", "")):
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
    for word in _alternatives(dates.get("hundreds", "")):
        yield word, "decade", 0


def _unit_entries(units: Mapping[str, Any], common: Mapping[str, str]) -> Iterator[Entry]:
    for sign, words in unit_names(units, common).items():
        for word in words:
            yield word, "tail", unit_labels(sign)
    for word in _alternatives(units.get("per", "")):
        yield word, "tail", ("per",)
    yield "/", "tail", ("per",)
    for word in _alternatives(units.get("of", "")):
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
            spaced = ("", " ")
            said[prefix + base] = [f"{w}{s}{n}" for s in spaced for w in words for n in names]
    for sign, names in units.get("words", {}).items():
        said.setdefault(sign, []).extend(_alternatives(names))
    written = {sign: common.get(sign, sign).split("|") for sign in {**said, **common}}
    found = {sign: [*said.get(sign, ()), *signs] for sign, signs in written.items()}
    for power, name in (("²", "square"), ("³", "cubic")):
        patterns = _alternatives(units.get(name, ""))
        for sign in [sign for sign in said if sign.isalpha()]:
            names = [pattern.replace("{}", n) for pattern in patterns for n in said[sign]]
            signs = [pattern.replace("{}", n) for pattern in patterns for n in written[sign]]
            found[sign + power] = [*names, *signs, *(f"{one}{power}" for one in {*written[sign], *said[sign]})]
    return found


def _spelling_entries(tables: Mapping[str, Any], common: Mapping[str, Any]) -> Iterator[Entry]:
    for char, words in named(tables.get("letters", "")):
        for word in words:
            yield word, "char", char
    for char, words in named(tables.get("signs", "")):
        for word in words:
            yield word, "sign", char
    for char, words in (*named(common["spelling"]["words"]), *named(tables.get("spelling", ""))):
        for word in words:
            yield word, "spelling", char
    for times, words in enumerate(listed(tables.get("double", "")), 2):
        for word in words:
            yield word, "times", times
    for word in _alternatives(tables.get("as_in", "")):
        yield word, "as in", None
    for phrase, name in tables.get("names", {}).items():
        for word in _alternatives(name):
            yield word, "name", phrase
