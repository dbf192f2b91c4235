"""Mishearing: the word sequences that phonemes can be heard as (docs/design/0016-hearing.md)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from typing import NamedTuple

from mondegreen.errors import DataError
from mondegreen.kernel import Hearing
from mondegreen.kernel.hearing import SearchLimits
from mondegreen.language.reading import spoken
from mondegreen.language.sounds.frequent import frequent_words
from mondegreen.language.sounds.phonology import arpabet
from mondegreen.language.sounds.pronunciations import dictionary, pronounced
from mondegreen.language.vocabulary.ngram import END, NAT, START, trigram

LEXICON = 27_000
"""How many of the most frequent words can be heard."""
PHONEME = 24 * 4
"""The cost of a phoneme whose features all change; costs are in quarters of a feature."""
ENDINGS = frozenset(("S", "Z", "T", "D"))
"""Phonemes of plurals and past forms; recognisers often miss or add them, so they cost half."""
LIMITS = SearchLimits(base=16, growth=8, sound=1_000_000, surprise=300, beam=24)


class Heard(NamedTuple):
    """A sequence of words that phonemes can be heard as.

    ``distance`` is the number of wrong phonemes per phoneme: 0 means that both sound the same, and
    a lost or added ending counts half. ``surprise`` is the surprisal in nats, including the words
    after. ``ends`` are the positions among the phonemes at which the words end.
    """

    words: tuple[str, ...]
    distance: float
    surprise: float
    ends: tuple[int, ...]

    def crosses(self, ends: tuple[int, ...]) -> bool:
        """Return whether the word boundaries differ from those of the words that were said.

        ``ends`` are the positions among the phonemes at which the words that were said end.

        >>> Heard(("i", "scream"), 0.0, 16.4, (1, 6)).crosses((2, 6))
        True
        """
        return self.ends != ends


class _HeardLexicon:
    """The pronunciations of frequent words, and the search for them."""

    def __init__(self) -> None:
        system = arpabet()
        self.numbers = {symbol: i for i, symbol in enumerate(system.symbols)}
        known = dictionary()
        self.words: list[str] = []
        entries = []
        for word in frequent_words(LEXICON):
            for pronunciation in known[word]:
                self.words.append(word)
                entries.append([self.numbers[phoneme] for phoneme in pronunciation.split()])
        table = [system.substitution(a, b) for a in system.symbols for b in system.symbols]
        indel = [
            system.indel(symbol) // (2 if symbol in ENDINGS else 1) for symbol in system.symbols
        ]
        self.search = Hearing(entries, self.words, table, indel, trigram())


@cache
def _lexicon() -> _HeardLexicon:
    return _HeardLexicon()


def hear(
    phonemes: Sequence[str],
    *,
    before: Sequence[str] = (START,),
    after: Sequence[str] = (END,),
    n: int = 8,
    barred: Iterable[tuple[str, tuple[int, int]]] = (),
    limits: SearchLimits = LIMITS,
) -> list[Heard]:
    """Return the ``n`` best word sequences that phonemes can be heard as, the best first.

    Args:
        phonemes: phonemes in ARPAbet, without stress.
        before: the words before them.
        after: the words after them.
        n: the most sequences to return.
        barred: words that must not be heard in a span of the phonemes, each with its span.
        limits: how widely to search, and how to weigh surprisal against sound.

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
        raise DataError(f"{unknown!r} is not a phoneme; write ARPAbet in capitals, without stress")
    found = lexicon.search.hear(
        [lexicon.numbers[phoneme] for phoneme in phonemes],
        [word.lower() for word in before[-2:]],
        [word.lower() for word in after[:2]],
        list(barred),
        limits,
        n,
    )
    scale = PHONEME * len(phonemes)
    return [
        Heard(tuple(lexicon.words[e] for e in entries), sound / scale, ticks * NAT, tuple(ends))
        for entries, ends, sound, ticks in found
    ]


def mishear(
    words: Sequence[str],
    *,
    before: Sequence[str] = (START,),
    after: Sequence[str] = (END,),
    n: int = 8,
    limits: SearchLimits = LIMITS,
) -> list[Heard]:
    """Return the ``n`` best word sequences that words can be misheard as, the best first.

    No word is heard where it was said, and no sequence has the letters of the original. Digits
    are read aloud.

    >>> [" ".join(heard.words) for heard in mishear(["the", "sky"], n=2)]
    ['this guy', 'that guy']
    """
    spoken_words = [part for word in words for part in _read_aloud(word.lower())]
    phonemes, ends = spoken_phonemes(spoken_words)
    spans = zip((0, *ends), ends, strict=False)
    barred = zip(spoken_words, spans, strict=True)
    letters = "".join(spoken_words)
    found = hear(phonemes, before=before, after=after, n=n + 1, barred=barred, limits=limits)
    return [heard for heard in found if "".join(heard.words) != letters][:n]


def spoken_phonemes(words: Iterable[str]) -> tuple[list[str], tuple[int, ...]]:
    """Return the phonemes of words in their most usual pronunciation, and the end of each word.

    >>> spoken_phonemes(["ice", "cream"])
    (['AY', 'S', 'K', 'R', 'IY', 'M'], (2, 6))
    """
    phonemes: list[str] = []
    ends = []
    for word in words:
        pronunciations = pronounced(word).pronunciations
        phonemes += pronunciations[0] if pronunciations else ()
        ends.append(len(phonemes))
    return phonemes, tuple(ends)


def _read_aloud(word: str) -> list[str]:
    return spoken(word) if any(map(str.isdecimal, word)) else [word]
