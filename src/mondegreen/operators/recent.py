"""What was computed for the utterance at hand, found again without a look at its words."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar

F = TypeVar("F", bound=Callable[..., Any])


def recent(function: F) -> F:
    """Keep the last result of a function of one or two arguments, for the very same arguments.

    An operator is asked about each site of an utterance in turn. To look the utterance up in a
    dictionary takes as long as to read it, once per site.

    >>> calls = []
    >>> length = recent(lambda words: calls.append(words) or len(words))
    >>> words = ("play", "jazz")
    >>> length(words), length(words), len(calls)
    (2, 2, 1)
    """
    last: tuple[tuple[Any, ...], Any] = ((function,), None)

    @wraps(function)
    def call(*args: Any) -> Any:
        nonlocal last
        known, result = last  # both at once: another thread may be at work
        if args[-1] is known[-1] and args[0] is known[0]:
            return result
        result = function(*args)
        last = args, result
        return result

    return call  # type: ignore[return-value]  # it takes the same arguments
