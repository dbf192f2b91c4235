"""Tf-idf of words: computed from texts, read from a file, or estimated for common English words.

Augmentation replaces words with a low tf-idf by other such words (Xie et al., Unsupervised Data
Augmentation, 2019; nlpaug).
"""

from __future__ import annotations

import math
from bisect import bisect
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from itertools import accumulate
from pathlib import Path
from typing import NamedTuple

from mondegreen.data.files.by_content import by_content
from mondegreen.data.files.lines import read_lines
from mondegreen.data.files.output import write_lines
from mondegreen.draw import Draw
from mondegreen.errors import DataError
from mondegreen.language.vocabulary.common import common_words
from mondegreen.text.segment import split
from mondegreen.text.words import word_of

_LEAST_WORDS = 2
_STEPS = 1_000_000  # weights are integers, so that draws are exact
_COMMON = 1_000  # words of the package's list; rarer ones seem odd in most contexts
_LENGTH = 10  # words of a typical utterance, for estimates


class TermWeight(NamedTuple):
    """The inverse document frequency of a word, and its tf-idf summed over all texts."""

    idf: float
    total: float


class TfIdf:
    """The weights of the words of a collection of texts, by lower-case word.

    Raises:
        DataError: if there are fewer than two words, so that no word can replace another.
    """

    def __init__(self, words: Mapping[str, TermWeight]) -> None:
        if len(words) < _LEAST_WORDS:
            raise DataError(f"tf-idf needs two different words or more, got {len(words)}")
        self.words = dict(sorted(words.items()))
        self._names = list(self.words)
        self._place = {word: i for i, word in enumerate(self._names)}
        most = max(weight.total for weight in self.words.values()) or 1.0
        weights = (
            1 + round((most - weight.total) / most * _STEPS) for weight in self.words.values()
        )
        self._ends = list(accumulate(weights, initial=0))

    @classmethod
    def fit(cls, texts: Iterable[str]) -> TfIdf:
        """Compute the weights of the words of two letters or more in texts.

        >>> TfIdf.fit(["play jazz", "play rock"]).words["play"].idf
        0.0
        """
        count = 0
        document_counts: Counter[str] = Counter()
        by_length: defaultdict[str, Counter[int]] = defaultdict(Counter)
        for text in texts:
            count += 1
            tokens = split(text)
            words = [word.core.lower() for word in map(word_of, tokens) if word is not None]
            document_counts.update(set(words))
            for word in words:
                by_length[word][len(tokens)] += 1
        idf = {word: math.log(count / n) for word, n in document_counts.items()}
        shares = {
            word: math.fsum(n / length for length, n in lengths.items())  # in any order
            for word, lengths in by_length.items()
        }
        return cls({word: TermWeight(idf[word], idf[word] * shares[word]) for word in idf})

    @classmethod
    def ranked(cls, words: Iterable[str]) -> TfIdf:
        """Estimate the weights of a list of words, the most frequent first, by Zipf's law.

        >>> table = TfIdf.ranked(["the", "play", "jazz"]).words
        >>> table["the"].idf < table["play"].idf < table["jazz"].idf
        True
        """
        ranked = tuple(words)
        norm = sum(1 / rank for rank in range(1, len(ranked) + 1))
        found = {}
        for rank, word in enumerate(ranked, start=1):
            probability = 1 / (rank * norm)
            idf = -math.log(1 - (1 - probability) ** _LENGTH)
            found[word] = TermWeight(idf, idf * probability)
        return cls(found)

    @classmethod
    def load(cls, path: Path | str) -> TfIdf:
        """Read a file of ``word<TAB>idf<TAB>total`` lines.

        Raises:
            DataError: if a line has another form.
        """
        found = {}
        for number, line in read_lines(Path(path)):
            try:
                word, idf, total = line.split("\t")
                found[word] = TermWeight(_weight(idf), _weight(total))
            except ValueError:
                raise DataError.at(
                    path,
                    number,
                    f"a word and two numbers, separated by tabs, are expected, got {line!r:.60}; "
                    "make the file with: mondegreen fit tfidf",
                ) from None
        return cls(found)

    def save(self, path: Path | str, *, force: bool = False) -> None:
        """Write the words, one per line; ``force`` replaces an existing file."""
        lines = (f"{word}\t{t.idf:.6f}\t{t.total:.6f}" for word, t in self.words.items())
        write_lines(Path(path), lines, force=force)

    def other(self, word: str, draw: Draw) -> str:
        """Draw a word other than ``word``; words with a lower total are more likely.

        >>> TfIdf.ranked(["play", "jazz"]).other("play", Draw(7, 0))
        'jazz'
        """
        place = self._place[word]
        start, end = self._ends[place], self._ends[place + 1]
        at = draw.below(self._ends[-1] - (end - start))
        return self._names[bisect(self._ends, at if at < start else at + end - start) - 1]


def _weight(text: str) -> float:
    """Return a number that can be a weight.

    Raises:
        ValueError: if it is infinite, below 0, or not a number.
    """
    number = float(text)
    if not 0 <= number < math.inf:
        raise ValueError(text)
    return number


@by_content
def tfidf(path: str = "") -> TfIdf:
    """Return the table of a file, or one of common English words; each file is read once."""
    return TfIdf.load(path) if path else TfIdf.ranked(common_words().words[:_COMMON])
