"""Bad autocorrection: replace a word with a common word that is spelt like it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import ClassVar

from mondegreen.language.vocabulary.common import CommonWords, common_words
from mondegreen.operators.amounts import Amount, Once
from mondegreen.operators.options import Others
from mondegreen.operators.word import WordOperator
from mondegreen.text.words import word_of

NEAREST = 5
_WEIGHT = 720_720  # divisible by 1 to 16, so that the weights 1/distance are exact integers


@dataclass(frozen=True)
class Autocorrect(WordOperator):
    """Replace a word with one of the five nearest common words: "jazz" becomes "jail".

    Nearer words are more likely: each is drawn with weight 1/distance, by Levenshtein distance.

    Args:
        common: a file of common words, written by ``mondegreen fit words``; empty for the built-in
            English list.
    """

    name: ClassVar[str] = "autocorrect"
    english: ClassVar[bool] = True
    keeps_slots: ClassVar[bool] = False
    keeps_meaning: ClassVar[bool] = False
    default: ClassVar[Amount] = Once()
    example: ClassVar[str] = "play some jazz by miles davis"

    common: str = ""

    @cached_property
    def _common(self) -> CommonWords:
        return common_words(self.common)

    def options(self, token: str) -> Others | None:
        """Return the common words nearest to the token."""
        word = word_of(token)
        if word is None:
            return None
        near = self._common.nearest(word.core.lower(), NEAREST)
        if not near:
            return None
        others = tuple(other for other, _ in near)
        weights = tuple(_WEIGHT // distance for _, distance in near)
        return Others("autocorrect", word, others, weights)

    def resources(self) -> Sequence[Path]:
        """Return the file of common words, if the user gave one."""
        return (Path(self.common),) if self.common else ()
