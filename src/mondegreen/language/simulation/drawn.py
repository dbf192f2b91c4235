"""Words to draw from, by their weights and by how well they suit the words around them."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import accumulate
from typing import NamedTuple

from mondegreen.draw import UNIT, Draw
from mondegreen.language.ngram import NAT, trigram

_TRIED = 16  # words that are drawn before the context decides

Around = tuple[list[str], list[str]]
"""Two words before a place and one after it."""


class Drawn(NamedTuple):
    """Words to draw from, with the sums of their weights and how surprising each is by itself.

    ``steps`` is how unlike each word is to the one that it replaces.
    """

    words: Sequence[str]
    sums: Sequence[float]
    alone: Sequence[float]
    steps: bytes = b""

    @classmethod
    def of(cls, words: Sequence[str], weights: Iterable[float]) -> Drawn:
        """Sum up the weights."""
        return cls(words, tuple(accumulate(weights)), tuple(map(surprisal, words)))

    def draw(self, draw: Draw) -> str:
        """Return one of the words."""
        at = bisect_right(self.sums, uniform(draw) * self.sums[-1])
        return self.words[min(at, len(self.words) - 1)]

    def draw_in(
        self, around: Around, weight: float, draw: Draw, nearness: Sequence[float] = ()
    ) -> str:
        """Return one of the words, by its weight and by how well it suits its neighbours.

        Some words are taken at equal steps through all weights; of these, the neighbours decide,
        and ``nearness``, which favours each step of unlikeness.
        """
        sums, words, alone = self.sums, self.words, self.alone
        step = sums[-1] / _TRIED
        start, last = uniform(draw) * step, len(words) - 1
        tried = [min(bisect_right(sums, start + i * step), last) for i in range(_TRIED)]
        if tried[0] == tried[-1]:
            return words[tried[0]]
        ticks = trigram().surprises([words[i] for i in tried], *around)
        gains = [weight * (alone[i] - one * NAT) for i, one in zip(tried, ticks, strict=True)]
        if nearness:
            steps = self.steps
            gains = [gain + nearness[steps[i]] for i, gain in zip(tried, gains, strict=True)]
        most = max(gains)
        shares = tuple(accumulate([math.exp(gain - most) for gain in gains]))
        at = bisect_right(shares, uniform(draw) * shares[-1])
        return words[tried[min(at, _TRIED - 1)]]


@lru_cache(maxsize=1 << 17)
def surprisal(words: str) -> float:
    """Return the surprisal of words without those around them, in nats."""
    ticks: int = trigram().surprises([words], [], [])[0]
    return ticks * NAT


def uniform(draw: Draw) -> float:
    """Return a number from 0 up to 1."""
    return draw.below(UNIT) / UNIT
