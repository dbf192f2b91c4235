"""Words to draw from, by their weights and by how well they suit the words around them."""

from __future__ import annotations

import math
from array import array
from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from itertools import accumulate, pairwise
from typing import NamedTuple

import numpy as np

from mondegreen.draw import UNIT, Draw
from mondegreen.language.simulation.profile import Counts
from mondegreen.language.simulation.units import Words
from mondegreen.language.vocabulary.ngram import NAT, trigram

_SEEN = 20  # that two words were seen in a row counts more than how often
_TRIED = 16  # words that are drawn before the context decides

Around = tuple[list[str], list[str]]
"""Two words before a place and one after it."""


class Drawn(NamedTuple):
    """Words to draw from, with the sums of their weights and how surprising each is by itself."""

    words: Sequence[str]
    sums: Sequence[float]
    alone: Sequence[float]

    @classmethod
    def of(cls, words: Sequence[str], weights: Iterable[float]) -> Drawn:
        """Sum up the weights."""
        alone = np.array(trigram().surprises(words, [], []), float) * NAT
        return cls(words, array("d", accumulate(weights)), array("d", alone))

    def draw(self, draw: Draw, score: Callable[[Sequence[int]], Sequence[float]]) -> str:
        """Return one of the words.

        Some are taken at equal steps through all weights; of these, ``score`` decides, which gets
        their places.
        """
        sums, last = self.sums, len(self.words) - 1
        step = sums[-1] / _TRIED
        start = uniform(draw) * step
        tried = [min(bisect_right(sums, start + i * step), last) for i in range(_TRIED)]
        if tried[0] == tried[-1]:
            return self.words[tried[0]]
        scores = score(tried)
        most = max(scores)
        shares = tuple(accumulate([math.exp(one - most) for one in scores]))
        at = bisect_right(shares, uniform(draw) * shares[-1])
        return self.words[tried[min(at, _TRIED - 1)]]

    def gains(self, tried: Sequence[int], around: Around) -> list[float]:
        """Return how much less surprising some words are between their neighbours than alone."""
        words, alone = self.words, self.alone
        ticks = trigram().surprises([words[i] for i in tried], *around)
        return [alone[i] - one * NAT for i, one in zip(tried, ticks, strict=True)]


def usualness(count: int) -> float:
    """Return how usual two words in a row are that were seen some times."""
    return math.log1p(_SEEN * count)


class Usage:
    """How usual two words in a row are for a recogniser.

    Args:
        bigrams: how often the hypotheses have two words in a row.
    """

    def __init__(self, bigrams: Counts) -> None:
        self._logs = {pair: usualness(count) for pair, count in bigrams.items()}

    def of(self, others: Iterable[str], around: Around) -> list[float]:
        """Return how usual each of some words is between its neighbours."""
        get, before, after = self._logs.get, around[0][-1], around[1][0]
        return [get(f"{before} {one}", 0.0) + get(f"{one} {after}", 0.0) for one in others]

    def of_several(self, others: Iterable[Words], around: Around) -> list[float]:
        """Return how usual several words are between their neighbours."""
        get, before, after = self._logs.get, around[0][-1], around[1][0]
        return [
            get(f"{before} {words[0]}", 0.0) + get(f"{words[-1]} {after}", 0.0) for words in others
        ]

    def within(self, words: Words) -> float:
        """Return how usual the least usual two words in a row are; 0 for a single word."""
        return min((self._logs.get(" ".join(two), 0.0) for two in pairwise(words)), default=0.0)


@lru_cache(maxsize=1 << 17)
def surprisal(words: str) -> float:
    """Return the surprisal of words without those around them, in nats."""
    ticks: int = trigram().surprises([words], [], [])[0]
    return ticks * NAT


def uniform(draw: Draw) -> float:
    """Return a number from 0 up to 1."""
    return draw.below(UNIT) / UNIT
