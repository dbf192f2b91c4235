"""Speakos: replace a word with the frequent word that sounds most like it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from mondegreen.errors import OperatorError, unknown
from mondegreen.language.input_methods import homophones
from mondegreen.language.languages import ENGLISH
from mondegreen.language.languages import language as language_of
from mondegreen.language.offers import require_offer
from mondegreen.language.reading import spoken
from mondegreen.language.sounds.alike import AMONG, DISTANCES, sound_alikes
from mondegreen.language.sounds.frequent import american
from mondegreen.language.sounds.tongue_alike import alikes_in
from mondegreen.operators.amounts import Amount, Once
from mondegreen.operators.options import Others
from mondegreen.operators.word import WordOperator
from mondegreen.text.words import TokenParts, word_of

_SPARE = 4  # extra candidates, since some are the word itself: read aloud, or spelt differently


@dataclass(frozen=True)
class Speako(WordOperator):
    """Replace a word with the frequent word that sounds most like it: "weather" becomes "whether".

    Homophones are nearest of all; of words that are equally near, the most frequent
    one is taken. Numbers are read aloud.

    Args:
        distance: ``features`` weighs each changed phoneme by the phonological features that differ;
            ``phonemes`` counts the changed phonemes.
        spread: how many of the nearest words to draw from; each is half as likely as the one before
            it.
        among: the words to choose from: ``spoken`` for the 10,000 most frequent, ``common`` for
            the package's 60,000 common words, ``dictionary`` for all words that have a known
            pronunciation, or a file with one word per line. A number after a word is its frequency;
            words that occur less than a thousand times are left out. English only.
        language: code of the language; see: mondegreen languages.
    """

    name: ClassVar[str] = "speako"
    english: ClassVar[bool] = True
    keeps_slots: ClassVar[bool] = False
    keeps_meaning: ClassVar[bool] = False
    default: ClassVar[Amount] = Once()
    example: ClassVar[str] = "what is the weather forecast for the week"

    distance: str = "features"
    spread: int = 1
    among: str = "spoken"
    language: str = ENGLISH

    def __post_init__(self) -> None:
        require_offer(self.name, self.language)
        if self.distance not in DISTANCES:
            choices = " or ".join(DISTANCES)
            raise OperatorError(f"speako: distance must be {choices}, got {self.distance!r}")
        if not self.spread >= 1:
            raise OperatorError(f"speako: spread must be 1 or more, got {self.spread}")
        if self.among not in AMONG and not Path(self.among).is_file():
            raise OperatorError(
                f"speako: {unknown('list of words', self.among, AMONG)} It is no file either."
            )

    @property
    def unspaced(self) -> str:
        """The language, if its words are written without spaces."""
        return "" if language_of(self.language).spaced else self.language

    def resources(self) -> Sequence[Path]:
        """Return the user's list of words, if one was given."""
        return () if self.among in AMONG else (Path(self.among),)

    def options(self, token: str) -> Others | None:
        """Return the frequent words that sound most like the token."""
        word = word_of(token, 0)
        if word is None:
            return None
        core = word.core.lower()
        if self.language != ENGLISH:
            return self._elsewhere(word)
        same = {core, american(core), *spoken(core)}
        near = sound_alikes(core, self.spread + _SPARE, distance=self.distance, among=self.among)
        words = tuple(alike.word for alike in near if alike.word not in same)[: self.spread]
        if not words:
            return None
        return Others(
            "speako", word, words, tuple(1 << (len(words) - i) for i in range(len(words)))
        )

    def _elsewhere(self, word: TokenParts) -> Others | None:
        """Return the words of another language that sound most like a word."""
        core = word.core.lower()
        if self.unspaced and core in language_of(self.language).function_words:
            return None
        words: tuple[str, ...] = ()
        if not self.unspaced or len(core) > 1:  # one character is only taken for a homophone
            near = alikes_in(core, self.language, self.spread)
            words = tuple(alike.word for alike in near)
        if self.unspaced and not words:
            words = homophones(core, self.language)[: self.spread]
        weights = tuple(1 << (len(words) - i) for i in range(len(words)))
        return Others("speako", word, words, weights) if words else None
