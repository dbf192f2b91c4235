"""How much a word surprises after the words before it: a trigram model of English."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pocketsphinx import LogMath, NGramModel

START = "<s>"
END = "</s>"
UNKNOWN = 22.0
"""The surprise of a word that the model does not know: more than that of its rarest word."""


@cache
def _model() -> tuple[NGramModel, LogMath]:
    """The model inside pocketsphinx: 72,547 words, two million pairs, 1.7 million triples."""
    from pocketsphinx import LogMath, NGramModel, get_model_path

    log = LogMath()
    return NGramModel(None, log, get_model_path("en-us/en-us.lm.bin")), log


def surprise(word: str, before: Sequence[str] = (START,)) -> float:
    """Return how much a word surprises, in nats: minus the logarithm of its chance.

    ``before`` are the words before it, the oldest first; ``START`` and ``END`` stand for the ends
    of a sentence. Only the last two are looked at, and case is not.

    >>> [round(surprise(word, ("play", "some")), 1) for word in ("music", "musicals", "zzz")]
    [4.2, 14.7, 22.0]

    """
    model, log = _model()
    words = [word.lower(), *(other.lower() for other in reversed(before[-2:]))]
    return min(UNKNOWN, -float(log.log_to_ln(model.prob(words))))


def known(word: str) -> bool:
    """Tell whether the model knows a word.

    >>> known("playlist"), known("sxsw")
    (True, False)
    """
    model, log = _model()
    return bool(log.log_to_ln(model.prob([word.lower()])) > -_NEVER)


_NEVER = 1000.0  # nats; the model answers some 50,000 for what it does not know
