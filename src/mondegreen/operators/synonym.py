"""Naive synonyms: a word becomes any word that shares a sense with it, whatever the context."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

from mondegreen.language.thesaurus import synonyms
from mondegreen.operators.amounts import Amount, Once
from mondegreen.operators.options import Option, Others
from mondegreen.operators.typo import Typo
from mondegreen.operators.word import WordOperator
from mondegreen.text.words import word_of


@dataclass(frozen=True)
class NaiveSynonym(WordOperator):
    """Replace a word by a synonym from WordNet, in any of its senses: "play" becomes "fiddle".

    English only. A synonym may be of several words. Where there is none, a typo.
    """

    name: ClassVar[str] = "synonym.naive"
    default: ClassVar[Amount] = Once()
    example: ClassVar[str] = "play some quiet music for dinner"

    @cached_property
    def _otherwise(self) -> Typo:
        return Typo()

    def options(self, token: str) -> Option | None:
        """Replace the word by a synonym."""
        word = word_of(token)
        if word is None:
            return None
        found = synonyms(word.core.lower())
        if not found:
            return self._otherwise.options(token)
        return Others("synonym", word, found)
