"""Sound-alikes: the frequent words that sound nearest to a pronunciation."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

from mondegreen.align.costs import ONE
from mondegreen.errors import DataError
from mondegreen.kernel import Alike
from mondegreen.language.phonology import feature_system
from mondegreen.language.pronunciations import dictionary, pronounced
from mondegreen.resources import read_resource

DISTANCES = ("features", "phonemes")
_SPARE = 4  # ways to say a word that may all be among the nearest


class SoundAlike(NamedTuple):
    """A word and how far it is: in features, or in phonemes."""

    word: str
    distance: float


class _Lexicon:
    """Frequent words by their pronunciations, the most frequent first."""

    def __init__(self, distance: str) -> None:
        system = feature_system("hayes-arpabet")
        self.numbers = {symbol: i for i, symbol in enumerate(system.symbols)}
        known = dictionary()
        self.words: list[str] = []
        entries = []
        for word in read_resource("common.en.txt.gz").decode().split():
            for way in known.get(word, ()):
                self.words.append(word)
                entries.append([self.numbers[phoneme] for phoneme in way.split()])
        size = len(self.numbers)
        table, alone = system.costs
        if distance == "phonemes":
            alone = [ONE] * size
            table = [[ONE * (a != b) for b in range(size)] for a in range(size)]
        self.search = Alike(entries, [cost for row in table for cost in row], alone)


@cache
def _lexicon(distance: str) -> _Lexicon:
    return _Lexicon(distance)


def sound_alikes(word: str, n: int = 3, *, distance: str = "features") -> list[SoundAlike]:
    """Return the ``n`` frequent words that sound nearest to a word; frequent ones first.

    >>> [alike.word for alike in sound_alikes("descent", 2)]
    ['dissent', 'descend']

    Raises:
        DataError: if the distance is unknown.
    """
    found: dict[str, float] = {}
    for way in pronounced(word).pronunciations:
        for alike in alikes_of(way, n + 1, distance):
            if alike.word != word.lower():
                found[alike.word] = min(alike.distance, found.get(alike.word, alike.distance))
    ranked = sorted(found.items(), key=lambda item: item[1])
    return [SoundAlike(*item) for item in ranked[:n]]


def alikes_of(
    phonemes: Sequence[str], n: int = 3, distance: str = "features"
) -> tuple[SoundAlike, ...]:
    """Return the ``n`` frequent words nearest to a pronunciation in ARPAbet."""
    if distance not in DISTANCES:
        raise DataError(f"the distance must be {' or '.join(DISTANCES)}, got {distance!r}")
    return _alikes(tuple(phonemes), n, distance)


@cache
def _alikes(phonemes: tuple[str, ...], n: int, distance: str) -> tuple[SoundAlike, ...]:
    lexicon = _lexicon(distance)
    query = [lexicon.numbers[phoneme] for phoneme in phonemes]
    found: dict[str, float] = {}
    for cost, entry in lexicon.search.find(query, _SPARE * n):
        found.setdefault(lexicon.words[entry], cost / ONE)
    return tuple(SoundAlike(*item) for item in list(found.items())[:n])
