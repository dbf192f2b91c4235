"""A Ray cluster: one actor per worker, on any node; results in order."""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from itertools import cycle
from typing import Any, TypeVar

from mondegreen.engines.calls import Done, Map, call, in_order, use_one_core
from mondegreen.errors import EngineError, MissingExtraError, MondegreenError

A = TypeVar("A")
B = TypeVar("B")
_PATIENCE = 5.0  # seconds until a cluster answers


class RayCluster:
    """Workers on a Ray cluster; without an address, on one that is started on this machine.

    Raises:
        MissingExtraError: if Ray is not installed.
        EngineError: if there is no cluster at the address.
    """

    def __init__(self, workers: int | None, address: str | None) -> None:
        try:
            import ray
            import ray.exceptions
        except ImportError:
            raise MissingExtraError.of("ray", "Ray clusters") from None
        self._ray: Any = ray
        if not self._ray.is_initialized():
            try:
                _check_reachable(address)
                self._ray.init(
                    address=address,
                    num_cpus=None if address else workers,
                    log_to_driver=False,
                    include_dashboard=None if address else False,
                    logging_level="ERROR",
                )
            except (OSError, RuntimeError, ValueError) as error:
                raise EngineError(
                    f"there is no Ray cluster at {address} ({_first_line(error)}); start one with: "
                    "ray start --head"
                ) from None
        self.workers = workers or max(1, int(self._ray.cluster_resources().get("CPU", 1)))

    def map(self, function: Callable[[A], B], parts: Iterable[A]) -> Iterator[B]:
        """Yield the result of each part, in order.

        Raises:
            EngineError: if a worker died, or the cluster went away.
        """
        with self.start(function) as apply:
            yield from apply(parts)

    @contextmanager
    def start(self, function: Callable[[A], B]) -> Iterator[Map[A, B]]:
        """Start workers on the cluster that apply a function; they end with the block."""
        ray = self._ray
        shared = ray.put(function)
        kind = ray.remote(num_cpus=1, scheduling_strategy="SPREAD")(_Worker)
        actors = [kind.remote(shared) for _ in range(self.workers)]
        turns = cycle(actors)

        def send(part: A) -> Any:
            return next(turns).work.remote(part)

        try:
            yield lambda parts: in_order(parts, len(actors), send, self._result)
        finally:
            for actor in actors:
                ray.kill(actor)

    def _result(self, reference: Any, number: int) -> Any:
        exceptions = self._ray.exceptions
        try:
            done: Done = self._ray.get(reference)
        except exceptions.RayTaskError as error:
            if isinstance(error.cause, MondegreenError):
                raise error.cause from None
            raise
        except (exceptions.RayError, ConnectionError) as error:
            raise EngineError(
                f"a Ray worker died while it worked on part {number:,} or a later one "
                f"({_first_line(error)}); run the command again, or with fewer --workers"
            ) from None
        return done.open()


def _check_reachable(address: str | None) -> None:
    """Raise an error if nobody listens at an address; Ray itself would try for minutes."""
    host, colon, port = (address or "").removeprefix("ray://").rpartition(":")
    if colon and port.isdecimal():
        socket.create_connection((host, int(port)), _PATIENCE).close()


class _Worker:
    """A worker; it takes over the function once."""

    def __init__(self, function: Callable[[Any], Any]) -> None:
        use_one_core()
        self._function = function

    def work(self, part: Any) -> Done:
        """Work on a part."""
        return call(self._function, part)


def _first_line(error: Exception) -> str:
    return (str(error).strip().splitlines() or [type(error).__name__])[0]
