"""Keyed randomness in plain Python.

Randomness is keyed, not streamed (docs/design/0003-draws.md). A key is made of the seed, the
operator, the variant and the text; a value of a key, a site and a lane. Lane 0 decides in which
order an operator's sites are taken; the other lanes decide what is done at a site.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b
from typing import TypeVar

T = TypeVar("T")

MASK = 2**64 - 1
LANES = 256
UNIT = 2**53
"""A chance p is the whole number p * UNIT: exact, and the same on every platform."""


def key(prefix: bytes, text: str) -> int:
    """Return the 64-bit key of a text: the BLAKE2b hash of the prefix and the text."""
    return int.from_bytes(blake2b(prefix + text.encode(), digest_size=8).digest(), "little")


def value(key: int, site: int, lane: int) -> int:
    """Return 64 random bits: the SplitMix64 generator of this key, at this place of its stream."""
    z = (key + (site * LANES + lane + 1) * 0x9E3779B97F4A7C15) & MASK
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
    return z ^ (z >> 31)


def walk(key: int, start: int, stop: int, threshold: int, least: int) -> tuple[int, list[int]]:
    """Order the sites ``start`` to ``stop`` by their lane 0; return the ones to be taken.

    These are the sites whose value is below ``threshold`` (out of :data:`UNIT`), of which the
    first result is the number, and further ones in order until there are ``least``.
    """
    order = sorted((value(key, site, 0) >> 11, site) for site in range(start, stop))
    below = sum(drawn < threshold for drawn, _ in order)
    return below, [site for _, site in order[: max(below, least)]]


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

    def below(self, n: int) -> int:
        """Return a whole number from 0 to n - 1."""
        self._lane += 1
        if self._lane == LANES:
            raise OverflowError(f"more than {LANES - 1} draws at one site")
        return (value(self._key, self._site, self._lane) * n) >> 64

    def choice(self, items: Sequence[T]) -> T:
        """Return one of the items."""
        return items[self.below(len(items))]

    def weighted(self, weights: Sequence[int]) -> int:
        """Return a position, each with a chance in proportion to its weight."""
        left = self.below(sum(weights))
        for i, weight in enumerate(weights):
            if left < weight:
                return i
            left -= weight
        raise AssertionError("unreachable: the draw is below the sum of the weights")
