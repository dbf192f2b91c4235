"""Naive synonyms: replace a word with a synonym in any of its senses, whatever the context."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

from mondegreen.language.vocabulary.thesaurus import synonyms
from mondegreen.operators.amounts import Amount, Once
from mondegreen.operators.options import Option, Others
from mondegreen.operators.typo import Typo
from mondegreen.operators.word import WordOperator
from mondegreen.text.words import word_of


@dataclass(frozen=True)
class NaiveSynonym(WordOperator):
    """Replace a word with a synonym from WordNet, in any of its senses: "play" becomes "fiddle".

    English only. A synonym may have several words. A word without synonyms gets a typo instead.
    """

    name: ClassVar[str] = "synonym.naive"
    english: ClassVar[bool] = True
    keeps_slots: ClassVar[bool] = False
    keeps_meaning: ClassVar[bool] = False
    default: ClassVar[Amount] = Once()
    example: ClassVar[str] = "play some quiet music for dinner"

    @cached_property
    def _fallback(self) -> Typo:
        return Typo()

    def options(self, token: str) -> Option | None:
        """Return the synonyms of the token, or a typo if it has no synonyms."""
        word = word_of(token)
        if word is None:
            return None
        found = synonyms(word.core.lower())
        if not found:
            return self._fallback.options(token)
        return Others("synonym", word, found)
