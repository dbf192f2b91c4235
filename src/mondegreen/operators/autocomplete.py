"""Bad autocompletion: replace a word with a common word that begins like it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import ClassVar

from mondegreen.language.vocabulary.common import CommonWords, common_words
from mondegreen.operators.amounts import Amount, Once
from mondegreen.operators.autocorrect import Autocorrect
from mondegreen.operators.options import Others
from mondegreen.operators.word import WordOperator
from mondegreen.text.words import word_of


@dataclass(frozen=True)
class Autocomplete(WordOperator):
    """Replace a word with a common word that begins like it: "player" becomes "playing".

    The new word has the same first five letters; if there is no such word, the same four, then the
    same three. If no common word matches, the word is changed as by ``autocorrect``.

    Args:
        common: a file of common words, written by ``mondegreen fit words``; empty for the built-in
            English list.
    """

    name: ClassVar[str] = "autocomplete"
    english: ClassVar[bool] = True
    keeps_slots: ClassVar[bool] = False
    keeps_meaning: ClassVar[bool] = False
    default: ClassVar[Amount] = Once()
    example: ClassVar[str] = "remind me to call the restaurant"

    common: str = ""

    @cached_property
    def _fallback(self) -> Autocorrect:
        return Autocorrect(self.common)

    @cached_property
    def _common(self) -> CommonWords:
        return common_words(self.common)

    def options(self, token: str) -> Others | None:
        """Return the common words that begin like the token."""
        word = word_of(token)
        if word is None:
            return None
        found = self._common.completions(word.core.lower())
        if not found:
            return self._fallback.options(token)
        return Others("autocomplete", word, found)

    def resources(self) -> Sequence[Path]:
        """Return the file of common words, if the user gave one."""
        return self._fallback.resources()
