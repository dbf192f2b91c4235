"""Where the work runs: in this process, on all of its cores, or on a Ray cluster.

An engine applies a function to parts of the data and yields the results in order, whichever part
is done first. The function and the parts travel by pickle, so that results are the same wherever
they are made.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Protocol, TypeVar

from mondegreen.engines.calls import Map
from mondegreen.errors import EngineError, unknown
from mondegreen.kernel import cores

LOCAL, PROCESSES, RAY = ENGINES = ("local", "processes", "ray")
A = TypeVar("A")
B = TypeVar("B")


class Workers(Protocol):
    """Where parts are worked on."""

    def start(self, function: Callable[[A], B]) -> AbstractContextManager[Map[A, B]]:
        """Start workers that apply a function; they end with the block."""

    def map(self, function: Callable[[A], B], parts: Iterable[A]) -> Iterator[B]:
        """Yield the result of each part, in order.

        Raises:
            EngineError: if a worker died, or cannot be reached.
        """


class Local:
    """The work runs in this process."""

    @contextmanager
    def start(self, function: Callable[[A], B]) -> Iterator[Map[A, B]]:
        """Yield a function that applies the function here."""
        yield lambda parts: map(function, parts)

    def map(self, function: Callable[[A], B], parts: Iterable[A]) -> Iterator[B]:
        """Yield the result of each part, in order."""
        return map(function, parts)


def open_workers(
    name: str = LOCAL, workers: int | None = None, address: str | None = None
) -> Workers:
    """Return the workers of an engine.

    Args:
        name: the engine: ``local``, ``processes`` or ``ray``.
        workers: how many workers; by default, as many as there are cores.
        address: the address of a Ray cluster; by default, one is started on this machine.

    >>> list(open_workers().map(len, ["a", "bc"]))
    [1, 2]

    Raises:
        EngineError: if there is no such engine, or no such cluster.
    """
    if workers is not None and workers < 1:
        raise EngineError(f"at least one worker is needed, got {workers}")
    if name == PROCESSES:  # imported where it is used: it takes as long as a small score
        from mondegreen.engines.processes import Processes

        return Processes(workers or cores())
    if name == RAY:
        from mondegreen.engines.cluster import RayCluster

        return RayCluster(workers, address)
    if name != LOCAL:
        raise EngineError(unknown("engine", name, ENGINES))
    return Local()
