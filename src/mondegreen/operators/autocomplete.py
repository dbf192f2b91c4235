"""Bad autocompletion: a word becomes a common word that begins like it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import ClassVar

from mondegreen.language.common import CommonWords, common_words
from mondegreen.operators.amounts import Amount, Once
from mondegreen.operators.autocorrect import Autocorrect
from mondegreen.operators.options import Others
from mondegreen.operators.word import WordOperator
from mondegreen.text.words import word_of


@dataclass(frozen=True)
class Autocomplete(WordOperator):
    """Replace a word by a common word with the same start: "player" becomes "playing".

    The same first five letters, else four, else three; where no common word begins like it, bad
    autocorrection.

    Args:
        common: a file of common words (``mondegreen fit words``); empty for the English list.
    """

    name: ClassVar[str] = "autocomplete"
    default: ClassVar[Amount] = Once()
    example: ClassVar[str] = "remind me to call the restaurant"

    common: str = ""

    @cached_property
    def _otherwise(self) -> Autocorrect:
        return Autocorrect(self.common)

    @cached_property
    def _common(self) -> CommonWords:
        return common_words(self.common)

    def options(self, token: str) -> Others | None:
        """Replace the word by one that begins like it."""
        word = word_of(token)
        if word is None:
            return None
        found = self._common.completions(word.core.lower())
        if not found:
            return self._otherwise.options(token)
        return Others("autocomplete", word, found)

    def resources(self) -> Sequence[Path]:
        """Return the file of common words, where the user gave one."""
        return self._otherwise.resources()
