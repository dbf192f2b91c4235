"""What a simulator asks a language: its words, how they sound, and which others can be heard."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache, lru_cache

import numpy as np
from numpy.typing import NDArray
from rapidfuzz.distance import Levenshtein
from rapidfuzz.process import cdist

from mondegreen.errors import OperatorError
from mondegreen.kernel import Alike
from mondegreen.language.languages import ENGLISH, language, language_codes
from mondegreen.language.simulation.kinds import reading
from mondegreen.language.simulation.units import Words, sound, unlikeness, words_of
from mondegreen.language.sounds.frequent import frequent_words
from mondegreen.language.sounds.hearing import mishear
from mondegreen.language.sounds.phonology import arpabet
from mondegreen.language.sounds.pronunciations import prepare, pronounced
from mondegreen.language.sounds.syllables import syllable_parts
from mondegreen.language.sounds.tongue_alike import frequent_in
from mondegreen.language.sounds.tongues import listed_sounds, package_of, pinyin, sounds_of
from mondegreen.text.segment import is_unspaced, split

_VOCABULARY = 30_000  # frequent words that can be heard beside those of the pairs
_HEARD = 24  # candidates by the search for words that sound alike as a whole
_PARTS = (8, 4, 6, 4, 2)  # what initial, medial, vowel, ending and tone weigh
_NEAR = {"zh": "z", "ch": "c", "sh": "s", "l": "n"}  # initials that differ by half of their weight
_FIRST_SYMBOL = 0xF0000
_IN_IPA = -1
_SYMBOLS: dict[tuple[int, str], str] = {}

Floats = NDArray[np.float64]


class Ear:
    """How words are found and heard in English; other languages change what differs."""

    def words(self, text: str) -> Words:
        """Return the words of a text."""
        return words_of(text)

    def prepare(self, words: set[str]) -> None:
        """Find the sounds of words in one batch, which only saves time."""
        prepare(words)

    def sound(self, words: str) -> str:
        """Return how words sound, one character for each part of the sound."""
        return sound(words)

    def unlikeness(self, ref: Words, heard: Words) -> float:
        """Return how unlike words are, from 0 to 1."""
        return unlikeness(ref, heard)

    def unlike(self, by_sound: Floats, by_letter: Floats) -> Floats:
        """Return how unlike words are by their distances in sound and in letters."""
        found: Floats = (by_sound + by_letter) / 2
        return found

    def reading(self, word: str) -> Words:
        """Return how a word with digits is read aloud; empty for other words."""
        return reading(word)

    def as_a_whole(self, word: str, size: int) -> list[str]:
        """Return some words that sound like one as a whole."""
        alike = mishear(word.split(), n=_HEARD)
        return [" ".join(one.words) for one in alike if len(one.words) == size]

    def frequent(self) -> Iterable[str]:
        """Return words that can be heard besides those of the pairs."""
        return frequent_words(_VOCABULARY)

    def search(self, words: Sequence[str]) -> PhonemeSearch:
        """Return the search for the nearest of some words."""
        return PhonemeSearch(words)


@cache
def _numbers() -> dict[str, int]:
    return {symbol: i for i, symbol in enumerate(arpabet().symbols)}


def _phonemes(words: str) -> list[int]:
    """Return the phonemes of words as numbers; digits are read aloud."""
    found: list[int] = []
    for word in words.split():
        for pronunciation in pronounced(word).pronunciations[:1]:
            found += map(_numbers().__getitem__, pronunciation)
    return found


class PhonemeSearch:
    """Finds the words with the fewest other phonemes."""

    def __init__(self, words: Sequence[str]) -> None:
        size = len(_numbers())
        table = [int(a != b) for a in range(size) for b in range(size)]
        self._alike = Alike([_phonemes(word) for word in words], table, [1] * size)

    def find(self, words: str, n: int) -> list[tuple[int, int]]:
        """Return distances and places of the words nearest to some words."""
        return self._alike.find(_phonemes(words), n)


class _Mandarin(Ear):
    """Each character is a word that sounds as its syllable; other words are only their letters.

    Only characters of the pairs can be heard, so that simplified and traditional ones are not
    mixed.
    """

    def words(self, text: str) -> Words:
        """Return the characters of a text, and words in letters and digits."""
        return words_of(" ".join(split(text)))

    def prepare(self, words: set[str]) -> None:
        """Do nothing: syllables are looked up."""

    def sound(self, words: str) -> str:
        """Return the syllables of characters, with each part as often as it weighs."""
        return "".join(map(_syllable, words.split()))

    def unlikeness(self, ref: Words, heard: Words) -> float:
        """Return how unlike syllables are; below 0.15 if only tones differ."""
        return Levenshtein.normalized_distance(
            self.sound(" ".join(ref)), self.sound(" ".join(heard))
        )

    def unlike(self, by_sound: Floats, by_letter: Floats) -> Floats:  # noqa: ARG002
        """Return how unlike characters are: all of them differ in letters."""
        return by_sound

    def reading(self, word: str) -> Words:  # noqa: ARG002
        """Return nothing: numbers are kept or heard as the pairs have them."""
        return ()

    def as_a_whole(self, word: str, size: int) -> list[str]:  # noqa: ARG002
        """Return nothing: a character is one syllable."""
        return []

    def frequent(self) -> Iterable[str]:
        """Return nothing but the characters of the pairs."""
        return ()

    def search(self, words: Sequence[str]) -> PhonemeSearch:
        """Return the search for the characters with the nearest syllables."""
        return _SyllableSearch(words)


class _Tongue(Ear):
    """Words sound as the lexicon of their language says them, or its model for other words.

    Words that cannot be said, such as numbers in digits, sound as they are spelt.
    """

    def __init__(self, code: str) -> None:
        self._code = code
        package_of(code)  # the package with the pronunciations is there
        self._said = lru_cache(maxsize=1 << 16)(self._one)

    def prepare(self, words: set[str]) -> None:
        """Do nothing: words are looked up."""

    def sound(self, words: str) -> str:
        """Return the sounds of words, one character for each."""
        return "".join(map(self._said, words.split()))

    def unlikeness(self, ref: Words, heard: Words) -> float:
        """Return how unlike words are in sound and spelling."""
        by_sound = Levenshtein.normalized_distance(
            self.sound(" ".join(ref)), self.sound(" ".join(heard))
        )
        return (by_sound + Levenshtein.normalized_distance("".join(ref), "".join(heard))) / 2

    def reading(self, word: str) -> Words:  # noqa: ARG002
        """Return nothing: numbers are kept or heard as the pairs have them."""
        return ()

    def as_a_whole(self, word: str, size: int) -> list[str]:  # noqa: ARG002
        """Return nothing: only usual words beside similar ones are proposed."""
        return []

    def frequent(self) -> Iterable[str]:
        """Return the frequent words of the language that its lexicon has."""
        return (word for word in frequent_in(self._code) if listed_sounds(word, self._code))

    def search(self, words: Sequence[str]) -> PhonemeSearch:
        """Return the search for the words with the nearest sounds."""
        return _SoundSearch(words, self)

    def _one(self, word: str) -> str:
        sounds = sounds_of(word, self._code) or tuple(word)
        return "".join(_symbol(_IN_IPA, one) for one in sounds)


class _SoundSearch(PhonemeSearch):
    """Finds the words with the fewest other sounds."""

    def __init__(self, words: Sequence[str], ear: Ear) -> None:
        said = [ear.sound(word) for word in words]
        self._ear, self._numbers = ear, {one: i for i, one in enumerate(sorted(set("".join(said))))}
        size = len(self._numbers) + 1  # the last number is that of all other sounds
        table = [int(a != b or a == size - 1) for a in range(size) for b in range(size)]
        self._alike = Alike([self._numbered(one) for one in said], table, [1] * size)

    def find(self, words: str, n: int) -> list[tuple[int, int]]:
        """Return distances and places of the words nearest to some words."""
        return self._alike.find(self._numbered(self._ear.sound(words)), n)

    def _numbered(self, sounds: str) -> list[int]:
        return [self._numbers.get(one, len(self._numbers)) for one in sounds]


@lru_cache(maxsize=1 << 16)
def _syllable(word: str) -> str:
    """Return the syllable of a character, with each part as often as it weighs; else the word."""
    said = pinyin(word) if is_unspaced(word) else ()
    parts = syllable_parts(said[0]) if len(said) == 1 else ()
    if not parts:
        return word
    initial, *others = parts
    half = _PARTS[0] // 2
    found = _symbol(0, _NEAR.get(initial, initial)) * half + _symbol(1, initial) * half
    for at, (part, weight) in enumerate(zip(others, _PARTS[1:], strict=True), 2):
        found += _symbol(at, part) * weight
    return found


def _symbol(at: int, part: str) -> str:
    return _SYMBOLS.setdefault((at, part), chr(_FIRST_SYMBOL + len(_SYMBOLS)))


class _SyllableSearch(PhonemeSearch):
    """Finds the characters with the nearest syllables, of equally near ones the first."""

    def __init__(self, words: Sequence[str]) -> None:
        self._sounds = [_syllable(word) for word in words]

    def find(self, words: str, n: int) -> list[tuple[int, int]]:
        """Return distances and places of the characters nearest to some."""
        said = _MANDARIN.sound(words)
        found = cdist([said], self._sounds, scorer=Levenshtein.distance, dtype=np.int32)[0]
        nearest = np.argsort(found, kind="stable")[:n]
        return [(int(found[place]), int(place)) for place in nearest]


_ENGLISH, _MANDARIN = Ear(), _Mandarin()
_tongue = cache(_Tongue)


def ear_of(code: str) -> Ear:
    """Return how words are heard in a language.

    >>> ear_of("zh").words("播放Jazz, 谢谢")
    ('播', '放', 'jazz', '谢', '谢')

    Raises:
        OperatorError: if recognisers of the language cannot be simulated.
    """
    if code == ENGLISH:
        return _ENGLISH
    kind = language(code).sounds
    if kind == "pinyin":
        return _MANDARIN
    if kind == "gruut":
        return _tongue(code)
    can = [one for one in language_codes() if language(one).sounds in ("pinyin", "gruut")]
    raise OperatorError(
        f"recognisers of {language(code).name} cannot be simulated; languages whose recognisers "
        f"can: {', '.join(sorted([ENGLISH, *can]))}"
    )
