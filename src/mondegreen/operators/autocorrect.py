"""Bad autocorrection: a word becomes a common word that is spelt nearly like it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import ClassVar

from mondegreen.language.common import CommonWords, common_words
from mondegreen.operators.amounts import Amount, Once
from mondegreen.operators.options import Others
from mondegreen.operators.word import WordOperator
from mondegreen.text.words import word_of

NEAREST = 5
_WEIGHT = 720_720  # a multiple of 1 to 16: the weights 1/distance are exact whole numbers


@dataclass(frozen=True)
class Autocorrect(WordOperator):
    """Replace a word by one of the five nearest common words: "jazz" becomes "jail".

    The nearer by Levenshtein distance, the likelier: each is drawn with a weight of 1/distance.

    Args:
        common: a file of common words (``mondegreen fit words``); empty for the English list.
    """

    name: ClassVar[str] = "autocorrect"
    default: ClassVar[Amount] = Once()
    example: ClassVar[str] = "play some jazz by miles davis"

    common: str = ""

    @cached_property
    def _common(self) -> CommonWords:
        return common_words(self.common)

    def options(self, token: str) -> Others | None:
        """Replace the word by a near one."""
        word = word_of(token)
        if word is None:
            return None
        near = self._common.nearest(word.core.lower(), NEAREST)
        if not near:
            return None
        others = tuple(other for other, _ in near)
        return Others("autocorrect", word, others, tuple(_WEIGHT // far for _, far in near))

    def resources(self) -> Sequence[Path]:
        """Return the file of common words, where the user gave one."""
        return (Path(self.common),) if self.common else ()
