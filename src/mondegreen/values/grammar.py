"""Grammars: the tables of one language, and what each of its phrases may mean."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any, NamedTuple

from mondegreen.errors import DataError
from mondegreen.values.entries import entries
from mondegreen.values.tables import table
from mondegreen.values.tokens import folded, split_phrase

LANGUAGES = ("en", "de", "es", "fr", "pt", "it", "sv", "ru", "zh", "ja", "ko", "hi", "vi", "nl")
"""The languages that have a grammar."""
_ROMAN = r"(?=[mdclxvi])m{0,3}(?:cm|cd|d?c{0,3})(?:xc|xl|l?x{0,3})(?:ix|iv|v?i{0,3})"
_LONGEST_ENDING = 4
_SHORTEST_STEM = 2
_SHORTEST_WORD = 2


class Meaning(NamedTuple):
    """What a phrase may mean: a kind, its value, and the words after the first one."""

    kind: str
    value: Any
    rest: tuple[str, ...] = ()


class Phrases(NamedTuple):
    """What a word may mean, and the phrases that begin with it, by their second word."""

    alone: list[Meaning]
    longer: dict[str, list[Meaning]]


class Grammar:
    """The phrases of a language. ``phrases`` maps a first word to its meanings, longest first."""

    def __init__(self, language: str) -> None:
        self.language = language
        self.tables = table(language)
        self.common = table("common")
        self.accents: bool = self.tables.get("accents", True)
        self.bare: bool = self.tables.get("bare", False)  # whether José is Jose
        self.numbers: Mapping[str, Any] = self.tables["numbers"]
        self._known: dict[str, Phrases] = {}
        self.phrases, self.stems = self._read()
        self.morphemes = self._morphemes()
        self._plain: dict[str, bool] = {}
        self.pieces: dict[str, list[str]] = {}
        endings = self.tables.get("roman_endings", "")
        self.roman = re.compile(rf"({_ROMAN})(?:{endings})?")
        forms = str(self.tables.get("ordinals", {}).get("forms", "")).split()
        self.ordinal_forms = tuple(folded(form, accents=self.accents) for form in forms)
        before = str(self.tables.get("roman_after", "")).split("|")
        self.before_roman = frozenset(folded(word, accents=self.accents) for word in before)

    def _read(self) -> tuple[dict[str, list[Meaning]], dict[str, list[Meaning]]]:
        """Return what words mean, and what stems do; phrases of more words come first."""
        whole: dict[str, dict[Meaning, None]] = {}
        stems: dict[str, dict[Meaning, None]] = {}
        for phrase, kind, value in entries(self.tables, self.common):
            is_stem = len(phrase) > 1 and phrase.endswith("*")
            first, *rest = split_phrase(phrase[:-1] if is_stem else phrase, accents=self.accents)
            home = (stems if is_stem else whole).setdefault(first, {})
            home[Meaning(kind, value, tuple(rest))] = None
        ordered = [
            {word: sorted(found, key=lambda one: -len(one.rest)) for word, found in home.items()}
            for home in (whole, stems)
        ]
        return ordered[0], ordered[1]

    def cents(self, codes: Iterable[str]) -> tuple[str, ...]:
        """Return the labels of a hundredth of some currencies, where no currency is said."""
        known = self.tables.get("money", {}).get("cents", {})
        return (
            tuple({f"¢{code if code in known else '*'}": None for code in codes})
            if known
            else ("¢",)
        )

    def meanings(self, word: str) -> Phrases:
        """Return what a word and the phrases that begin with it may mean."""
        known = self._known.get(word)
        if known is None:
            known = self._known[word] = self._look(word)
        return known

    def is_plain(self, word: str) -> bool:
        """Return whether a word says nothing but itself: no value, no abbreviation, no code."""
        known = self._plain.get(word)
        if known is None:
            key = folded(word, accents=self.accents)
            alone, longer = self.meanings(key)
            values = alone or longer or self.roman.fullmatch(word) or len(word) < _SHORTEST_WORD
            compound = self.morphemes and any(key.startswith(one) for one in self.morphemes)
            known = self._plain[word] = (
                word.isascii() and word.isalpha() and not (values or compound)
            )
        return known

    def _look(self, word: str) -> Phrases:
        found = list(self.phrases.get(word, ()))
        for size in range(len(word), max(_SHORTEST_STEM, len(word) - _LONGEST_ENDING) - 1, -1):
            found += self.stems.get(word[:size], ())
        longer: dict[str, list[Meaning]] = {}
        for meaning in found:
            if meaning.rest:
                longer.setdefault(meaning.rest[0], []).append(meaning)
        return Phrases([meaning for meaning in found if not meaning.rest], longer)

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
        DataError: if there is no such table.
    """
    if language not in LANGUAGES:
        known = ", ".join(LANGUAGES)
        raise DataError(f"values cannot be read in the language {language!r}: one of {known}")
    return Grammar(language)
