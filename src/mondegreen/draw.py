"""Keyed randomness: a draw depends on seed, operator, text and site, and on nothing else."""

from __future__ import annotations

from functools import lru_cache

from mondegreen.errors import UtteranceError
from mondegreen.kernel import Draw, gap_weights, key, walk, weighted_walk
from mondegreen.kernel.draws import MOST_CHANCE, UNIT
from mondegreen.types import Utterance

__all__ = [
    "MOST_CHANCE",
    "UNIT",
    "Draw",
    "gap_weights",
    "key_of",
    "prefix_of",
    "walk",
    "weighted_walk",
]


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
