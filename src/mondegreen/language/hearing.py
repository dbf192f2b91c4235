"""Mishearing: the word sequences that a string of phonemes may be heard as (design/0016)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from typing import NamedTuple

from mondegreen.errors import DataError
from mondegreen.kernel import Hearing
from mondegreen.kernel.hearing import Limits
from mondegreen.language.frequent import frequent_words
from mondegreen.language.ngram import END, NAT, START, trigram
from mondegreen.language.phonology import arpabet
from mondegreen.language.pronunciations import dictionary, pronounced
from mondegreen.language.reading import spoken

LEXICON = 27_000
"""How many of the most frequent words may be heard."""
PHONEME = 24 * 4
"""A whole phoneme in the unit of the costs, a quarter of a feature."""
ENDINGS = frozenset(("S", "Z", "T", "D"))
"""What marks plural and past comes and goes at half the cost, as recognisers hear it."""
LIMITS = Limits(base=16, growth=8, sound=1_000_000, surprise=300, beam=24)


class Heard(NamedTuple):
    """Words that phonemes were heard as.

    ``distance`` is in phonemes for each phoneme said: 0 sounds the same, and an ending lost or
    added counts half. ``surprise`` is in nats, with that of the words after. ``ends`` says where
    among the phonemes said each word ends.
    """

    words: tuple[str, ...]
    distance: float
    surprise: float
    ends: tuple[int, ...]

    def crosses(self, said: tuple[int, ...]) -> bool:
        """Tell whether words begin or end elsewhere than those said, whose ends are given.

        >>> Heard(("i", "scream"), 0.0, 16.4, (1, 6)).crosses((2, 6))
        True
        """
        return self.ends != said


class _Lexicon:
    """Frequent words that the language model knows, by all their pronunciations."""

    def __init__(self) -> None:
        system = arpabet()
        self.numbers = {symbol: i for i, symbol in enumerate(system.symbols)}
        ways = dictionary()
        self.words: list[str] = []
        entries = []
        for word in frequent_words(LEXICON):
            for way in ways[word]:
                self.words.append(word)
                entries.append([self.numbers[phoneme] for phoneme in way.split()])
        table = [system.substitution(a, b) for a in system.symbols for b in system.symbols]
        alone = [
            system.alone(symbol) // (2 if symbol in ENDINGS else 1) for symbol in system.symbols
        ]
        self.search = Hearing(entries, self.words, table, alone, trigram())


@cache
def _lexicon() -> _Lexicon:
    return _Lexicon()


def hear(
    phonemes: Sequence[str],
    *,
    before: Sequence[str] = (START,),
    after: Sequence[str] = (END,),
    n: int = 8,
    barred: Iterable[tuple[str, tuple[int, int]]] = (),
    limits: Limits = LIMITS,
) -> list[Heard]:
    """Return the ``n`` best word sequences that sound like phonemes, the best first.

    Args:
        phonemes: in ARPAbet, without stress.
        before: the words said before them.
        after: the words said after them.
        n: how many at most.
        barred: words that must not be heard where they stand, with start and end among the
            phonemes.
        limits: how widely to search, and what surprise weighs against sound.

    >>> [" ".join(heard.words) for heard in hear("AY S K R IY M".split(), n=2)]
    ['ice cream', 'i scream']

    Raises:
        DataError: if a phoneme is unknown.
    """
    if not phonemes:
        return []
    lexicon = _lexicon()
    unknown = next((phoneme for phoneme in phonemes if phoneme not in lexicon.numbers), None)
    if unknown is not None:
        raise DataError(f"{unknown!r} is no phoneme; write ARPAbet in capitals, without stress")
    found = lexicon.search.hear(
        [lexicon.numbers[phoneme] for phoneme in phonemes],
        [word.lower() for word in before[-2:]],
        [word.lower() for word in after[:2]],
        list(barred),
        limits,
        n,
    )
    whole = PHONEME * len(phonemes)
    return [
        Heard(tuple(lexicon.words[e] for e in entries), sound / whole, ticks * NAT, tuple(ends))
        for entries, ends, sound, ticks in found
    ]


def mishear(
    words: Sequence[str],
    *,
    before: Sequence[str] = (START,),
    after: Sequence[str] = (END,),
    n: int = 8,
    limits: Limits = LIMITS,
) -> list[Heard]:
    """Return the ``n`` best other words that words may be heard as, the best first.

    No word is heard where it was said, nor the same letters with other spaces. Digits are read
    aloud.

    >>> [" ".join(heard.words) for heard in mishear(["the", "sky"], n=2)]
    ['this guy', 'that guy']
    """
    said = [part for word in words for part in _read_aloud(word.lower())]
    phonemes, ends = spoken_phonemes(said)
    spans = zip((0, *ends), ends, strict=False)
    barred = zip(said, spans, strict=True)
    letters = "".join(said)
    found = hear(phonemes, before=before, after=after, n=n + 1, barred=barred, limits=limits)
    return [heard for heard in found if "".join(heard.words) != letters][:n]


def spoken_phonemes(words: Iterable[str]) -> tuple[list[str], tuple[int, ...]]:
    """Return the phonemes of words in their most usual pronunciation, and where each word ends.

    >>> spoken_phonemes(["ice", "cream"])
    (['AY', 'S', 'K', 'R', 'IY', 'M'], (2, 6))
    """
    phonemes: list[str] = []
    ends = []
    for word in words:
        ways = pronounced(word).pronunciations
        phonemes += ways[0] if ways else ()
        ends.append(len(phonemes))
    return phonemes, tuple(ends)


def _read_aloud(word: str) -> list[str]:
    return spoken(word) if any(map(str.isdecimal, word)) else [word]
