"""Keyed randomness in plain Python.

Randomness is keyed, not streamed (docs/design/0003-draws.md). A key depends on the seed, the
operator, the variant and the text; a random value depends on a key, a site and a lane. Lane 0
decides the order in which an operator edits its sites; the other lanes decide the edit at a site.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import reduce
from hashlib import blake2b
from math import inf, log1p
from operator import add
from typing import TypeVar

T = TypeVar("T")

MASK = 2**64 - 1
LANES = 256
UNIT = 2**53
"""A probability p is stored as the integer p * UNIT: exact, and the same on every platform."""
MOST_CHANCE = 0.9
"""The highest chance of a disfluency at one place."""
LEAST_FACTOR, GREATEST_FACTOR = 0.2, 5.0


def key(prefix: bytes, text: str) -> int:
    """Return the 64-bit key of a text: the BLAKE2b hash of the prefix and the text."""
    return int.from_bytes(blake2b(prefix + text.encode(), digest_size=8).digest(), "little")


def value(key: int, site: int, lane: int) -> int:
    """Return 64 random bits: the value of SplitMix64 with this key, at this site and lane."""
    z = (key + (site * LANES + lane + 1) * 0x9E3779B97F4A7C15) & MASK
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
    return z ^ (z >> 31)


def walk(key: int, start: int, stop: int, threshold: int, least: int) -> tuple[int, list[int]]:
    """Return which of the sites from ``start`` to ``stop`` to edit, in random order.

    Sites are ordered by their value in lane 0. All sites whose value is below ``threshold`` (out
    of :data:`UNIT`) are selected, and the next ones until there are ``least``.

    Returns:
        The number of sites below the threshold, and all sites selected.
    """
    order = sorted((value(key, site, 0) >> 11, site) for site in range(start, stop))
    below = sum(drawn < threshold for drawn, _ in order)
    return below, [site for _, site in order[: max(below, least)]]


def weighted_walk(
    key: int, start: int, weights: Sequence[float], threshold: int
) -> tuple[int, list[int]]:
    """Return all sites from ``start`` in random order, and how many are below the threshold.

    It is :func:`walk` for sites that are not equally likely. A site of weight w is below a
    threshold p with the probability 1 - (1 - p)^w: about w times as often as a site of weight 1,
    and always if p is 1. So a higher threshold still selects every site of a lower one.

    >>> weighted_walk(7, 0, [1.0, 5.0, 0.0], UNIT // 2)
    (2, [1, 0, 2])
    """
    order = sorted(
        (-log1p(-((value(key, site, 0) >> 11) / UNIT)) / weight if weight else inf, site)
        for site, weight in enumerate(weights, start)
    )
    limit = -log1p(-threshold / UNIT) if threshold < UNIT else inf
    return sum(time < limit for time, _ in order), [site for _, site in order]


def gap_weights(
    places: Sequence[tuple[float, ...]],
    allowed: Sequence[int],
    expected: Sequence[float],
    average: float,
) -> tuple[tuple[float, ...], list[float]]:
    """Return a factor for each kind of event, and the weight of each place for `weighted_walk`.

    Args:
        places: for each place, the chance of each kind.
        allowed: for each place, the kinds that may be there, as bits.
        expected: how many events of each kind are to be expected over all places.
        average: the logarithm of the chance that nothing happens at an average place.
    """
    kinds = range(len(expected))
    chances = [
        [chance if kinds_here >> kind & 1 else 0.0 for kind, chance in enumerate(place)]
        for place, kinds_here in zip(places, allowed, strict=True)
    ]
    factors = []
    for kind in kinds:
        found = _added(row[kind] for row in chances)
        factor = expected[kind] / found if found else 1.0
        factors.append(min(GREATEST_FACTOR, max(LEAST_FACTOR, factor)))
    weights = []
    for row in chances:
        chance = _added(row[kind] * factors[kind] for kind in kinds)
        weights.append(log1p(-min(MOST_CHANCE, chance)) / average)
    return tuple(factors), weights


def _added(numbers: Iterable[float]) -> float:
    """Return a sum as the kernel adds it: ``sum`` is more exact in newer versions of Python."""
    return reduce(add, numbers, 0.0)


class Draw:
    """The random choices at one site of one text.

    >>> draw = Draw(key(b"", "play jazz"), 1)
    >>> draw.choice(["um", "uh", "er"]), draw.below(10), draw.weighted([1, 2, 3])
    ('um', 4, 1)
    """

    __slots__ = ("_key", "_lane", "_site")

    def __init__(self, key: int, site: int) -> None:
        self._key = key
        self._site = site
        self._lane = 0

    @property
    def key(self) -> int:
        """The key of the text, which all its sites share."""
        return self._key

    def below(self, n: int) -> int:
        """Return an integer from 0 to n - 1."""
        self._lane += 1
        if self._lane >= LANES:
            raise OverflowError(f"more than {LANES - 1} draws at one site")
        return (value(self._key, self._site, self._lane) * n) >> 64

    def choice(self, items: Sequence[T]) -> T:
        """Return one of the items."""
        return items[self.below(len(items))]

    def weighted(self, weights: Sequence[int]) -> int:
        """Return a position; the probability of each is proportional to its weight."""
        total = sum(weights)
        if total <= 0:
            raise ValueError("there is nothing to draw from: no weight is above 0")
        left = self.below(total)
        for i, weight in enumerate(weights):
            if left < weight:
                return i
            left -= weight
        raise AssertionError("unreachable: the draw is below the sum of the weights")
