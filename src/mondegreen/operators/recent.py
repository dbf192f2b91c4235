"""What was computed for the utterance at hand, found again without a look at its words."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from operator import is_
from threading import local
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")


def recent(function: Callable[P, R]) -> Callable[P, R]:
    """Keep the last result per thread, for the very same arguments.

    An operator is asked about each site of an utterance in turn. To look the utterance up in a
    dictionary takes as long as to read it, once per site.

    >>> calls = []
    >>> length = recent(lambda words: calls.append(words) or len(words))
    >>> words = ("play", "jazz")
    >>> length(words), length(words), len(calls)
    (2, 2, 1)
    """
    kept = local()

    @wraps(function)
    def call(*args: P.args, **kwargs: P.kwargs) -> R:
        last: tuple[tuple[object, ...], R] | None = getattr(kept, "last", None)
        if last is not None and all(map(is_, last[0], args)):
            return last[1]
        result = function(*args, **kwargs)
        kept.last = (args, result)
        return result

    return call
