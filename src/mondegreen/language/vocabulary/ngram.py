"""A trigram model of English: how surprising a word is after the words before it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cache

from mondegreen.kernel import Trigram

START = "<s>"
END = "</s>"
NAT = math.log(1.0001)
"""The unit of the model's scores, in nats."""
UNKNOWN = 220_000 * NAT
"""The surprisal of a word that the model does not know: about that of its rarest word."""
_NEVER = -1_000_000  # the score of an unknown word is far lower


@cache
def trigram() -> Trigram:
    """Return the trigram model that comes with pocketsphinx; it knows 72,547 words."""
    from pocketsphinx import get_model_path

    return Trigram(get_model_path("en-us/en-us.lm.bin"))


def surprise(word: str, before: Sequence[str] = (START,)) -> float:
    """Return the surprisal of a word in nats: minus the logarithm of its probability.

    ``before`` are the words before it, in order; ``START`` and ``END`` are the boundaries of a
    sentence. Only the last two words count. Case is ignored.

    >>> [round(surprise(word, ("play", "some")), 1) for word in ("music", "musicals", "zzz")]
    [4.2, 14.7, 22.0]
    """
    score = trigram().score(word.lower(), [other.lower() for other in before[-2:]])
    return min(UNKNOWN, -score * NAT)


def surprises(
    candidates: Sequence[str], before: Sequence[str] = (START,), after: Sequence[str] = (END,)
) -> list[float]:
    """Return the surprisal of each candidate, together with the first two words after it.

    A candidate may have several words. The candidate with the lowest surprisal fits best.

    >>> found = surprises(["music", "muse ache"], ["play", "some"], ["from", "the", "sixties"])
    >>> [round(nats, 1) for nats in found]
    [10.1, 33.8]
    """
    words = [candidate.lower() for candidate in candidates]
    left = [word.lower() for word in before[-2:]]
    right = [word.lower() for word in after[:2]]
    return [ticks * NAT for ticks in trigram().surprises(words, left, right)]


def known(word: str) -> bool:
    """Return whether the model knows a word.

    >>> known("playlist"), known("sxsw")
    (True, False)
    """
    return trigram().score(word.lower(), []) > _NEVER
