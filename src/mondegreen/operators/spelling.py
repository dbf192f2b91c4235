"""Spelling mistakes: replace a word with a misspelling that people actually write."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import ClassVar

from mondegreen.language.vocabulary.misspellings import Misspellings, misspellings
from mondegreen.operators.amounts import Amount, Once
from mondegreen.operators.options import Others
from mondegreen.operators.word import WordOperator
from mondegreen.text.words import word_of


@dataclass(frozen=True)
class Spelling(WordOperator):
    """Replace a word with a common misspelling: "tomorrow" becomes "tommorow".

    The misspellings were collected from what people actually wrote: dropped, doubled and swapped
    letters, neighbouring keys, and letters that sound alike. One word is changed by default, since
    people misspell far fewer words than three in ten.

    Args:
        dictionary: a file with a word and its misspellings on each line; empty for the built-in
            English ones.
    """

    name: ClassVar[str] = "spelling"
    english: ClassVar[bool] = True
    version: ClassVar[int] = 3
    default: ClassVar[Amount] = Once()
    example: ClassVar[str] = "book a restaurant for tomorrow evening"

    dictionary: str = ""

    @cached_property
    def _table(self) -> Misspellings:
        return misspellings(self.dictionary)

    def options(self, token: str) -> Others | None:
        """Return the misspellings of the token."""
        word = word_of(token)
        found = self._table.get(word.core.lower()) if word is not None else None
        return Others("spelling", word, found) if word is not None and found else None

    def resources(self) -> Sequence[Path]:
        """Return the file of misspellings, if the user gave one."""
        return (Path(self.dictionary),) if self.dictionary else ()
