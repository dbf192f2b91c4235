"""Keyed randomness: a draw depends on seed, operator, text and site, and on nothing else."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import inf, log1p

from mondegreen.errors import UtteranceError
from mondegreen.kernel import Draw, key, walk
from mondegreen.kernel.draws import UNIT, value
from mondegreen.types import Utterance

__all__ = ["UNIT", "Draw", "key_of", "prefix_of", "walk", "weighted_walk"]


@lru_cache(maxsize=4096)
def prefix_of(seed: int, operator: str, variant: int = 0, attempt: int = 0) -> bytes:
    r"""Return the part of a key that comes before the text; it is computed once for many texts.

    >>> prefix_of(7, "fillers")
    b'7\x1ffillers\x1f0\x1f0\x1f'
    """
    return f"{seed}\x1f{operator}\x1f{variant}\x1f{attempt}\x1f".encode()


def key_of(prefix: bytes, utterance: Utterance) -> int:
    """Return the key of an utterance, which depends on its text but not on its id or position.

    Raises:
        UtteranceError: if the text contains a lone surrogate, half of a character.
    """
    try:
        return key(prefix, utterance.text)
    except UnicodeEncodeError as error:
        raise UtteranceError(
            f"utterance {utterance.id!r}: character {error.start} is a lone surrogate, half of a "
            "character; decode the text as UTF-8 or UTF-16 first"
        ) from None


def weighted_walk(
    key: int, sites: range, weights: Sequence[float], threshold: int
) -> tuple[int, list[int]]:
    """Return all sites in random order, and how many of them are below the threshold.

    It is :func:`~mondegreen.kernel.walk` for sites that are not equally likely. A site of weight w
    is below a threshold p with the probability 1 - (1 - p)^w: about w times as often as a site of
    weight 1, and always if p is 1. So a higher threshold still selects every site of a lower one.

    >>> weighted_walk(7, range(3), [1.0, 5.0, 0.0], UNIT // 2)
    (2, [1, 0, 2])
    """
    order = sorted(
        (-log1p(-((value(key, site, 0) >> 11) / UNIT)) / weight if weight else inf, site)
        for site, weight in zip(sites, weights, strict=True)
    )
    limit = -log1p(-threshold / UNIT) if threshold < UNIT else inf
    return sum(time < limit for time, _ in order), [site for _, site in order]
