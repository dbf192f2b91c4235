"""A call in a worker: its result, and the warnings that it gave."""

from __future__ import annotations

import os
import pickle
import traceback
import warnings
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple, NoReturn, TypeVar

from mondegreen.errors import EngineError, MondegreenError
from mondegreen.kernel import CORES
from mondegreen.plugins import one_line

A = TypeVar("A")
B = TypeVar("B")
Map = Callable[[Iterable[A]], Iterator[B]]
"""Applies the function of started workers to parts; yields the results in order."""
_AHEAD = 2  # parts per worker that wait for it: enough to keep it busy, few enough for the memory


def in_order(
    parts: Iterable[Any],
    workers: int,
    send: Callable[[Any], Any],
    receive: Callable[[Any, int], Any],
) -> Iterator[Any]:
    """Send parts to workers, and yield the results in the order of the parts.

    Parts are read only as fast as they are worked on.

    Args:
        parts: the parts.
        workers: how many workers there are.
        send: sends a part, and returns a claim to its result.
        receive: waits for the result of a claim, given the number of its part.
    """
    waiting: deque[Any] = deque()
    number = 0
    for part in parts:
        waiting.append(send(part))
        if len(waiting) > _AHEAD * workers:
            number += 1
            yield receive(waiting.popleft(), number)
    while waiting:
        number += 1
        yield receive(waiting.popleft(), number)


class Portable:
    """Travels between processes without what it has worked out: names that begin with ``_``."""

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in vars(self).items() if name[0] != "_"}


class Done(NamedTuple):
    """The result of a call, and the warnings to give where the user sees them."""

    value: Any
    warned: tuple[str, ...]

    def open(self) -> Any:
        """Give the warnings, and return the result."""
        for message in self.warned:
            warnings.warn(message, stacklevel=3)
        return self.value


class Failed(NamedTuple):
    """The error of a call, to raise where the user sees it."""

    error: Exception

    @classmethod
    def of(cls, error: Exception | SystemExit) -> Failed:
        """Return an error that says where it was raised, and that can travel."""
        if isinstance(error, MondegreenError):
            return cls(error)
        if isinstance(error, SystemExit):
            return cls(EngineError(f"the work ended its process: {one_line(error)}"))
        trace = "".join(traceback.format_exception(error))
        error.add_note(trace)
        try:
            pickle.loads(pickle.dumps(error))  # noqa: S301 (our own)
        except Exception:  # noqa: BLE001 (whatever its class raises)
            return cls(EngineError(trace))
        return cls(error)

    def open(self) -> NoReturn:
        """Raise the error."""
        raise self.error


def call(function: Callable[[Any], Any], part: Any) -> Done:
    """Call a function, and keep its warnings."""
    with warnings.catch_warnings(record=True) as given:
        warnings.simplefilter("default")
        value = function(part)
    messages = dict.fromkeys(str(one.message) for one in given)
    return Done(value, tuple(messages))


def use_one_core() -> None:
    """Let this process use one core: the others have workers of their own."""
    os.environ[CORES] = "1"
