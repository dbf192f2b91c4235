"""Speakos: replace a word with the frequent word that sounds most like it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from mondegreen.errors import OperatorError
from mondegreen.language.reading import spoken
from mondegreen.language.sounds.alike import DISTANCES, sound_alikes
from mondegreen.language.sounds.frequent import american
from mondegreen.operators.amounts import Amount, Once
from mondegreen.operators.options import Others
from mondegreen.operators.word import WordOperator
from mondegreen.text.words import word_of

_SPARE = 4  # extra candidates, since some are the word itself: read aloud, or spelt differently


@dataclass(frozen=True)
class Speako(WordOperator):
    """Replace a word with the frequent word that sounds most like it: "weather" becomes "whether".

    English only. Homophones are nearest of all; of words that are equally near, the most frequent
    one is taken. Numbers are read aloud.

    Args:
        distance: ``features`` weighs each changed phoneme by the phonological features that differ;
            ``phonemes`` counts the changed phonemes.
        spread: how many of the nearest words to draw from; each is half as likely as the one before
            it.
    """

    name: ClassVar[str] = "speako"
    english: ClassVar[bool] = True
    keeps_slots: ClassVar[bool] = False
    keeps_meaning: ClassVar[bool] = False
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
        """Return the frequent words that sound most like the token."""
        word = word_of(token, 0)
        if word is None:
            return None
        core = word.core.lower()
        same = {core, american(core), *spoken(core)}
        near = sound_alikes(core, self.spread + _SPARE, distance=self.distance, among="spoken")
        words = tuple(alike.word for alike in near if alike.word not in same)[: self.spread]
        if not words:
            return None
        return Others(
            "speako", word, words, tuple(1 << (len(words) - i) for i in range(len(words)))
        )
