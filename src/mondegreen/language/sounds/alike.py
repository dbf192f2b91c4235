"""Sound-alikes: the frequent words that sound nearest to a pronunciation."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from pathlib import Path
from typing import NamedTuple

from mondegreen.align.costs import ONE
from mondegreen.data.files.hashing import hash_of
from mondegreen.data.files.lines import read_lines
from mondegreen.errors import DataError
from mondegreen.kernel import Alike
from mondegreen.language.sounds.frequent import frequent_words
from mondegreen.language.sounds.phonology import arpabet
from mondegreen.language.sounds.pronunciations import dictionary, prepare, pronounceable, pronounced
from mondegreen.resources import read_resource

DISTANCES = ("features", "phonemes")
AMONG = ("common", "spoken", "dictionary")
"""The lists to search: the package's common words, the language model's most frequent ones, or all
words that have a pronunciation. A file of words is searched as well."""
_LEAST = 1000  # times that a word of a file with frequencies occurs, as in NATURE
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
        self.words: list[str] = []
        entries = []
        for word, pronunciation in _entries(among):
            self.words.append(word)
            entries.append([self.numbers[phoneme] for phoneme in pronunciation])
        size = len(self.numbers)
        table, indel = system.costs
        if distance == "phonemes":
            indel = [ONE] * size
            table = [[ONE * (a != b) for b in range(size)] for a in range(size)]
        self.search = Alike(entries, [cost for row in table for cost in row], indel)


def _entries(among: str) -> Iterator[tuple[str, Sequence[str]]]:
    """Yield the words of a list with each of their pronunciations, the most frequent words first.

    Words of a file that are not in the dictionary are pronounced by the model.
    """
    known = dictionary()
    if among not in AMONG:
        words = _words_of(Path(among))
        prepare(words)
        for word in words:
            yield from ((word, phonemes) for phonemes in pronounced(word).pronunciations)
        return
    if among == "dictionary":
        words = list(known)
    elif among == "spoken":
        words = list(frequent_words(_SPOKEN))
    else:
        words = read_resource("languages/en/common.txt.gz").decode().split()
    for word in words:
        yield from ((word, phonemes.split()) for phonemes in known.get(word, ()))


def _words_of(path: Path) -> list[str]:
    """Return the words of a file, one per line, the most frequent first if it has frequencies."""
    counts: dict[str, int] = {}
    for number, line in read_lines(path):
        if not line.strip():
            continue
        word, *more = line.split()
        if len(more) > 1 or not all(count.isdecimal() for count in more):
            raise DataError(
                f"{path}:{number}: {line.strip()!r} is not a word, or a word and its frequency"
            )
        count = int(more[0]) if more else _LEAST
        if count >= _LEAST:
            counts[word.lower()] = counts.get(word.lower(), 0) + count
    words = sorted(counts, key=lambda word: -counts[word])
    found = [word for word in words if pronounceable(word)]
    if not found:
        raise DataError(f"{path}: there is no word in it that occurs {_LEAST:,} times")
    return found


@cache
def _lexicon(distance: str, among: str, content: str) -> _Lexicon:  # noqa: ARG001 (a key)
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
    if among not in AMONG and not Path(among).is_file():
        raise DataError(f"the words must be {', '.join(AMONG)} or a file, got {among!r}")
    content = "" if among in AMONG else hash_of(Path(among))
    return _alikes(tuple(phonemes), n, distance, among, content)


@lru_cache(maxsize=_CACHED)
def _alikes(
    phonemes: tuple[str, ...], n: int, distance: str, among: str, content: str
) -> tuple[SoundAlike, ...]:
    lexicon = _lexicon(distance, among, content)
    query = [lexicon.numbers[phoneme] for phoneme in phonemes]
    found: dict[str, float] = {}
    for cost, entry in lexicon.search.find(query, _SPARE * n):
        found.setdefault(lexicon.words[entry], cost / ONE)
    return tuple(SoundAlike(*item) for item in list(found.items())[:n])
