"""Sound-alikes: the frequent words that sound nearest to a pronunciation."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache
from typing import NamedTuple

from mondegreen.align.costs import ONE
from mondegreen.errors import DataError
from mondegreen.kernel import Alike
from mondegreen.language.sounds.frequent import frequent_words
from mondegreen.language.sounds.phonology import arpabet
from mondegreen.language.sounds.pronunciations import dictionary, pronounced
from mondegreen.resources import read_resource

DISTANCES = ("features", "phonemes")
AMONG = ("common", "spoken")
"""The lists to search: the package's common words, or the language model's most frequent ones."""
_SPOKEN = 10_000
_CACHED = 1 << 16  # pronunciations
_SPARE = 4  # pronunciations of one word that may all be among the nearest


class SoundAlike(NamedTuple):
    """A word and its distance, in features or in phonemes."""

    word: str
    distance: float


class _Lexicon:
    """The pronunciations of frequent words, the most frequent words first."""

    def __init__(self, distance: str, among: str) -> None:
        system = arpabet()
        self.numbers = {symbol: i for i, symbol in enumerate(system.symbols)}
        known = dictionary()
        self.words: list[str] = []
        entries = []
        for word in _words(among):
            for pronunciation in known.get(word, ()):
                self.words.append(word)
                entries.append([self.numbers[phoneme] for phoneme in pronunciation.split()])
        size = len(self.numbers)
        table, indel = system.costs
        if distance == "phonemes":
            indel = [ONE] * size
            table = [[ONE * (a != b) for b in range(size)] for a in range(size)]
        self.search = Alike(entries, [cost for row in table for cost in row], indel)


def _words(among: str) -> Sequence[str]:
    if among == "spoken":
        return frequent_words(_SPOKEN)
    return read_resource("common.en.txt.gz").decode().split()


@cache
def _lexicon(distance: str, among: str) -> _Lexicon:
    return _Lexicon(distance, among)


def sound_alikes(
    word: str, n: int = 3, *, distance: str = "features", among: str = "common"
) -> list[SoundAlike]:
    """Return the ``n`` frequent words that sound most like a word, the nearest first.

    >>> [alike.word for alike in sound_alikes("descent", 2)]
    ['dissent', 'descend']

    Raises:
        DataError: if the distance or the list of words is unknown.
    """
    found: dict[str, float] = {}
    for pronunciation in pronounced(word).pronunciations:
        for alike in alikes_of(pronunciation, n + 1, distance, among):
            if alike.word != word.lower():
                found[alike.word] = min(alike.distance, found.get(alike.word, alike.distance))
    ranked = sorted(found.items(), key=lambda item: item[1])
    return [SoundAlike(*item) for item in ranked[:n]]


def alikes_of(
    phonemes: Sequence[str], n: int = 3, distance: str = "features", among: str = "common"
) -> tuple[SoundAlike, ...]:
    """Return the ``n`` frequent words that sound most like a pronunciation in ARPAbet.

    Raises:
        DataError: if the distance or the list of words is unknown.
    """
    if distance not in DISTANCES:
        raise DataError(f"the distance must be {' or '.join(DISTANCES)}, got {distance!r}")
    if among not in AMONG:
        raise DataError(f"the words must be {' or '.join(AMONG)}, got {among!r}")
    return _alikes(tuple(phonemes), n, distance, among)


@lru_cache(maxsize=_CACHED)
def _alikes(phonemes: tuple[str, ...], n: int, distance: str, among: str) -> tuple[SoundAlike, ...]:
    lexicon = _lexicon(distance, among)
    query = [lexicon.numbers[phoneme] for phoneme in phonemes]
    found: dict[str, float] = {}
    for cost, entry in lexicon.search.find(query, _SPARE * n):
        found.setdefault(lexicon.words[entry], cost / ONE)
    return tuple(SoundAlike(*item) for item in list(found.items())[:n])
