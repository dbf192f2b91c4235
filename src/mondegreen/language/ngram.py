"""How much words surprise after the words before them: a trigram model of English."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cache

from mondegreen.kernel import Trigram

START = "<s>"
END = "</s>"
NAT = math.log(1.0001)
"""The model's unit of surprise in nats."""
UNKNOWN = 220_000 * NAT
"""The surprise of a word that the model does not know: about that of its rarest word."""
_NEVER = -1_000_000  # the model's answer for a word it does not know lies far below


@cache
def trigram() -> Trigram:
    """Return the model inside pocketsphinx: 72,547 words, with pairs and triples of them."""
    from pocketsphinx import get_model_path

    return Trigram(get_model_path("en-us/en-us.lm.bin"))


def surprise(word: str, before: Sequence[str] = (START,)) -> float:
    """Return how much a word surprises, in nats: minus the logarithm of its chance.

    ``before`` are the words before it, the oldest first; ``START`` and ``END`` stand for the ends
    of a sentence. Only the last two are looked at, and case is not.

    >>> [round(surprise(word, ("play", "some")), 1) for word in ("music", "musicals", "zzz")]
    [4.2, 14.7, 22.0]
    """
    score = trigram().score(word.lower(), [other.lower() for other in before[-2:]])
    return min(UNKNOWN, -score * NAT)


def surprises(
    candidates: Sequence[str], before: Sequence[str] = (START,), after: Sequence[str] = (END,)
) -> list[float]:
    """Return how much each candidate surprises between words, together with the two after it.

    A candidate may be of several words. The least surprising fits best.

    >>> found = surprises(["music", "muse ache"], ["play", "some"], ["from", "the", "sixties"])
    >>> [round(nats, 1) for nats in found]
    [10.1, 33.8]
    """
    words = [candidate.lower() for candidate in candidates]
    left = [word.lower() for word in before[-2:]]
    right = [word.lower() for word in after[:2]]
    return [ticks * NAT for ticks in trigram().surprises(words, left, right)]


def known(word: str) -> bool:
    """Tell whether the model knows a word.

    >>> known("playlist"), known("sxsw")
    (True, False)
    """
    return trigram().score(word.lower(), []) > _NEVER
