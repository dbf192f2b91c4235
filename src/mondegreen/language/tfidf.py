"""How much each word tells: tf-idf fitted from texts, kept in a file, or guessed for English.

The words that tell little are the ones that augmentation may replace, and replace by (Xie et al.,
Unsupervised Data Augmentation, 2019; nlpaug).
"""

from __future__ import annotations

import math
from bisect import bisect
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from itertools import accumulate
from pathlib import Path
from typing import NamedTuple

from mondegreen.data.by_content import by_content
from mondegreen.data.lines import read_lines
from mondegreen.data.output import write_lines
from mondegreen.draw import Draw
from mondegreen.errors import DataError
from mondegreen.language.common import common_words
from mondegreen.text.segment import split
from mondegreen.text.words import word_of

_LEAST_WORDS = 2
_STEPS = 1_000_000  # weights are whole numbers, so that draws are exact
_COMMON = 1_000  # words of the list in the package; rarer ones look odd in most places
_LENGTH = 10  # words of a typical utterance, where only a list of words is known


class Telling(NamedTuple):
    """How much a word tells: in one place (``idf``), and over all places (``total``)."""

    idf: float
    total: float


class TfIdf:
    """What the words of a text collection tell, by lower-case word.

    Raises:
        DataError: if there are not two words, so that none could stand for another.
    """

    def __init__(self, words: Mapping[str, Telling]) -> None:
        if len(words) < _LEAST_WORDS:
            raise DataError(f"tf-idf needs two different words or more, got {len(words)}")
        self.words = dict(sorted(words.items()))
        self._names = list(self.words)
        self._place = {word: i for i, word in enumerate(self._names)}
        most = max(telling.total for telling in self.words.values()) or 1.0
        weights = (
            1 + round((most - telling.total) / most * _STEPS) for telling in self.words.values()
        )
        self._ends = list(accumulate(weights, initial=0))

    @classmethod
    def fit(cls, texts: Iterable[str]) -> TfIdf:
        """Count in how many texts each word of two letters or more stands, and how often.

        >>> TfIdf.fit(["play jazz", "play rock"]).words["play"].idf
        0.0
        """
        count = 0
        holding: Counter[str] = Counter()
        often: defaultdict[str, Counter[int]] = defaultdict(Counter)
        for text in texts:
            count += 1
            tokens = split(text)
            words = [word.core.lower() for word in map(word_of, tokens) if word is not None]
            holding.update(set(words))
            for word in words:
                often[word][len(tokens)] += 1
        idf = {word: math.log(count / texts_with) for word, texts_with in holding.items()}
        shares = {
            word: math.fsum(n / length for length, n in lengths.items())  # whatever the order
            for word, lengths in often.items()
        }
        return cls({word: Telling(idf[word], idf[word] * shares[word]) for word in idf})

    @classmethod
    def ranked(cls, words: Iterable[str]) -> TfIdf:
        """Guess from a list of words alone, the most frequent first, by Zipf's law.

        >>> table = TfIdf.ranked(["the", "play", "jazz"]).words
        >>> table["the"].idf < table["play"].idf < table["jazz"].idf
        True
        """
        named = tuple(words)
        all_ = sum(1 / rank for rank in range(1, len(named) + 1))
        found = {}
        for rank, word in enumerate(named, start=1):
            chance = 1 / (rank * all_)
            idf = -math.log(1 - (1 - chance) ** _LENGTH)
            found[word] = Telling(idf, idf * chance)
        return cls(found)

    @classmethod
    def load(cls, path: Path | str) -> TfIdf:
        """Read a file of ``word<TAB>idf<TAB>total`` lines.

        Raises:
            DataError: if a line is not one.
        """
        found = {}
        for number, line in read_lines(Path(path)):
            try:
                word, idf, total = line.split("\t")
                found[word] = Telling(float(idf), float(total))
            except ValueError:
                raise DataError.at(
                    path,
                    number,
                    f"a word and two numbers with tabs between are expected, got {line!r:.60}; "
                    "make the file with: mondegreen fit tfidf",
                ) from None
        return cls(found)

    def save(self, path: Path | str, *, force: bool = False) -> None:
        """Write the words, one a line."""
        lines = (f"{word}\t{t.idf:.6f}\t{t.total:.6f}" for word, t in self.words.items())
        write_lines(Path(path), lines, force=force)

    def other(self, word: str, draw: Draw) -> str:
        """Draw another word than a known one, the likelier the less it tells in all.

        >>> TfIdf.ranked(["play", "jazz"]).other("play", Draw(7, 0))
        'jazz'
        """
        place = self._place[word]
        start, end = self._ends[place], self._ends[place + 1]
        at = draw.below(self._ends[-1] - (end - start))
        return self._names[bisect(self._ends, at if at < start else at + end - start) - 1]


@by_content
def tfidf(path: str = "") -> TfIdf:
    """Return the table of a file, or that of the common English words; read once."""
    return TfIdf.load(path) if path else TfIdf.ranked(common_words().words[:_COMMON])
