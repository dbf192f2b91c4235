"""Speakos: a word becomes the frequent word that sounds nearest to it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from mondegreen.errors import OperatorError
from mondegreen.language.alike import DISTANCES, sound_alikes
from mondegreen.language.frequent import american
from mondegreen.language.reading import spoken
from mondegreen.operators.amounts import Amount, Once
from mondegreen.operators.options import Others
from mondegreen.operators.word import WordOperator
from mondegreen.text.words import word_of

_SPARE = 4  # near words that may be the word itself: read aloud, or in another spelling


@dataclass(frozen=True)
class Speako(WordOperator):
    """Replace a word by the frequent word that sounds most like it: "weather" becomes "whether".

    English only. Words that sound the same are nearest of all; of words equally near, the more
    frequent. Numbers are read aloud.

    Args:
        distance: ``features`` weighs each phoneme by what differs; ``phonemes`` counts them.
        spread: how many of the nearest to draw from, each half as likely as the one before it.
    """

    name: ClassVar[str] = "speako"
    default: ClassVar[Amount] = Once()
    example: ClassVar[str] = "what is the weather forecast for the week"

    distance: str = "features"
    spread: int = 1

    def __post_init__(self) -> None:
        if self.distance not in DISTANCES:
            choices = " or ".join(DISTANCES)
            raise OperatorError(f"speako: distance must be {choices}, got {self.distance!r}")
        if not self.spread >= 1:
            raise OperatorError(f"speako: spread must be 1 or more, got {self.spread}")

    def options(self, token: str) -> Others | None:
        """Replace the word by a near one."""
        word = word_of(token, 0)
        if word is None:
            return None
        said = word.core.lower()
        itself = {said, american(said), *spoken(said)}
        near = sound_alikes(said, self.spread + _SPARE, distance=self.distance, among="spoken")
        words = tuple(alike.word for alike in near if alike.word not in itself)[: self.spread]
        if not words:
            return None
        return Others(
            "speako", word, words, tuple(1 << (len(words) - i) for i in range(len(words)))
        )
