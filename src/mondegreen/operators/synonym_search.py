"""Which words of an utterance are replaced with a synonym, and by which: two ways to search."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple, Protocol

from mondegreen.language.vocabulary.lexicon import related
from mondegreen.language.vocabulary.substitutes import (
    SubstituteSource,
    WordPlace,
    agrees,
    could_replace,
)
from mondegreen.language.vocabulary.tagger import GRAMMAR, part_in_place, stop_word
from mondegreen.language.vocabulary.word_classes import is_ordered
from mondegreen.text.words import TokenParts, core_of, is_acronym, word_of
from mondegreen.types import Edit

LAST = 3  # the tier of names, which a model replaces if there is nothing else
NEVER = -1  # the tier of a token that is never replaced
KINDS = {"VERB": "verb", "ADJ": "adjective", "ADV": "adverb", "NOUN": "noun"}
OTHER = "other"
_NAMING = frozenset(("NOUN", "PROPN", "NUM"))
_NOUNS = frozenset(("NOUN", "PROPN"))
_NOT_WORDS = frozenset(("PUNCT", "SYM", "X"))
_BEGINNING = 4  # letters that words of one family share
_CACHE_SIZE = 65_536
_LONG, _AROUND = 512, 64  # tokens


class WantedWord(NamedTuple):
    """What an operator asks for: its name, the classes of words, its tagger, and about names."""

    name: str
    kinds: frozenset[str]
    tagger: str
    names_change: bool


class SynonymSearch(Protocol):
    """A way to find which words to replace, and by which."""

    def tiers(self, tokens: tuple[str, ...], parts: tuple[str, ...]) -> list[int]:
        """Return the tier of each token: a later tier is used if no earlier word can be replaced.

        0 is a word of a wanted class, 1 a noun, 2 another word.
        """

    def kinds(self, token: str, part: str) -> frozenset[str]:
        """Return the classes that a word belongs to."""

    def edit_at(self, tokens: tuple[str, ...], parts: tuple[str, ...], at: int) -> Edit | None:
        """Return the edit to the best word at a position; ``None`` if no word fits."""

    def last_resort(
        self, tokens: tuple[str, ...], parts: tuple[str, ...], tiers: Sequence[int]
    ) -> list[Edit]:
        """Return edits to words that do not fit well, for an utterance where none fits."""


class ByThesaurus:
    """Words of a similar meaning that suit the words around them.

    Args:
        wanted: what the operator asks for.
        source: the thesaurus.
    """

    def __init__(self, wanted: WantedWord, source: SubstituteSource) -> None:
        self._wanted, self._source = wanted, source

    def tiers(self, tokens: tuple[str, ...], parts: tuple[str, ...]) -> list[int]:
        """Return the tier of each token; a word without candidates is never replaced."""
        wanted = self._wanted.kinds
        return [_tier(token, part, wanted) for token, part in zip(tokens, parts, strict=True)]

    def kinds(self, token: str, part: str) -> frozenset[str]:
        """Return the classes that a word belongs to."""
        return kinds_of(token, part)

    def edit_at(self, tokens: tuple[str, ...], parts: tuple[str, ...], at: int) -> Edit | None:
        """Return the edit to the best candidate with the same part of speech in the utterance."""
        part = parts[at]
        word = word_of(tokens[at], 1)
        if word is None:
            return None
        place = WordPlace(tokens, at, part)
        found = self._first(word, place, self._source.ranked(place))
        if found is None:
            return None
        kind = _kind(tokens[at], part, self._wanted.kinds)
        return Edit(at, at + 1, found, self._wanted.name, kind)

    def _first(
        self, word: TokenParts, place: WordPlace, others: Sequence[str]
    ) -> tuple[str, ...] | None:
        tokens, at, part = place
        core = word.core.lower()
        if is_acronym(tokens, at):
            word = word._replace(core=core)
        for other in others:
            if not agrees(tokens, at, other) or related(core, other, part):
                continue
            if _is_said_already(other, tokens):
                continue
            new = word.dressed((other,))
            if part_with(tokens, at, new[0], self._wanted.tagger) == part:
                return new
        return None

    def last_resort(
        self,
        tokens: tuple[str, ...],  # noqa: ARG002 (no word is forced)
        parts: tuple[str, ...],  # noqa: ARG002
        tiers: Sequence[int],  # noqa: ARG002
    ) -> list[Edit]:
        """Return nothing: an utterance without a word that fits is left as it is."""
        return []


class ByModel:
    """The most probable other word of the same part of speech, as NATURE takes it.

    Args:
        wanted: what the operator asks for.
        source: the masked language model.
    """

    def __init__(self, wanted: WantedWord, source: SubstituteSource) -> None:
        self._wanted, self._source = wanted, source

    def tiers(self, tokens: tuple[str, ...], parts: tuple[str, ...]) -> list[int]:
        """Return the tier of each token, by its part of speech alone."""
        return [self._tier(token, part) for token, part in zip(tokens, parts, strict=True)]

    def _tier(self, token: str, part: str) -> int:
        core = core_of(token)
        if part in _NOT_WORDS or not core.replace("'", "").isalpha():
            return NEVER
        if is_ordered(core) and not self._wanted.names_change:
            return NEVER
        kinds = self.kinds(token, part)
        return 0 if kinds & self._wanted.kinds else 1 if "noun" in kinds else 2

    def kinds(self, token: str, part: str) -> frozenset[str]:
        """Return the classes that a word belongs to; a proper noun is a noun if names change."""
        is_noun = self._wanted.names_change and part == "PROPN"
        return kinds_of(token, "NOUN" if is_noun else part)

    def edit_at(self, tokens: tuple[str, ...], parts: tuple[str, ...], at: int) -> Edit | None:
        """Return the edit to the most probable word with the same part of speech in its place."""
        part = parts[at]
        same = _NOUNS if part in _NOUNS and self._wanted.names_change else {part}
        for new in self._others(tokens, at, part):
            if part_with(tokens, at, new[0], self._wanted.tagger) in same:
                kinds = self.kinds(tokens[at], part)
                kind = min(kinds & self._wanted.kinds or kinds, default=OTHER)
                return Edit(at, at + 1, new, self._wanted.name, kind)
        return None

    def _others(self, tokens: tuple[str, ...], at: int, part: str) -> list[tuple[str, ...]]:
        word = word_of(tokens[at], 1)
        if word is None:
            return []
        core = word.core.lower()
        ranked = self._source.ranked(WordPlace(tokens, at, part))
        return [word.dressed((other,)) for other in ranked if other != core]

    def last_resort(
        self, tokens: tuple[str, ...], parts: tuple[str, ...], tiers: Sequence[int]
    ) -> list[Edit]:
        """Return edits to the most probable words, whatever their part of speech."""
        found = []
        for at, tier in enumerate(tiers):
            others = self._others(tokens, at, parts[at]) if tier != NEVER else []
            if others:
                found.append(Edit(at, at + 1, others[0], self._wanted.name, OTHER))
        return found


@lru_cache(maxsize=_CACHE_SIZE)
def _tier(token: str, part: str, wanted: frozenset[str]) -> int:
    core = core_of(token)
    if part in _NOT_WORDS or is_ordered(core) or not could_replace(core, part):
        return NEVER
    kinds = kinds_of(token, part)
    return 0 if kinds & wanted else 1 if "noun" in kinds else 2


def _is_said_already(word: str, tokens: tuple[str, ...]) -> bool:
    """Return whether an utterance has a word that begins like another one: "book a booking"."""
    start = word[:_BEGINNING]
    return len(start) == _BEGINNING and any(token[:_BEGINNING].lower() == start for token in tokens)


@lru_cache(maxsize=_CACHE_SIZE)
def _kind(token: str, part: str, wanted: frozenset[str]) -> str:
    """Return the class of the replaced word; if it has several, one of those wanted."""
    kinds = kinds_of(token, part)
    return min(kinds & wanted or kinds, default=OTHER)


@lru_cache(maxsize=_CACHE_SIZE)
def kinds_of(token: str, part: str) -> frozenset[str]:
    """Return the classes that a word belongs to; empty if it belongs to none of the five.

    >>> sorted(kinds_of("get", "VERB")), sorted(kinds_of("the", "DET")), sorted(kinds_of("x", "X"))
    (['verb'], ['stopword'], [])
    """
    kinds = {KINDS[part]} if part in KINDS else set()
    if part in GRAMMAR or (stop_word(token) and part not in _NAMING):  # not "city", a common noun
        kinds.add("stopword")
    return frozenset(kinds)


def part_with(tokens: tuple[str, ...], at: int, new: str, tagger: str) -> str:
    """Return the part of speech of a word in place of another.

    Of a very long utterance only the words around it are read.
    """
    if len(tokens) > _LONG:
        start = max(0, at - _AROUND)
        tokens, at = tokens[start : at + _AROUND], at - start
    return part_in_place(tokens, at, new, tagger)
