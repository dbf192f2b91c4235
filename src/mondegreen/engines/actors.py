"""Workers on the Ray cluster with which this process is connected; results in order.

Functions, parts and results travel packed, so that only those who need them open them.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cached_property
from itertools import cycle
from typing import Any

from mondegreen.engines.calls import Failed, Map, call, in_order, use_one_core
from mondegreen.errors import EngineError


def connect(address: str | None, workers: int | None) -> None:
    """Connect this process with a Ray cluster; without an address, start one on this machine.

    Raises:
        EngineError: if there is no cluster at the address.
    """
    import ray

    start: Any = ray.init
    try:
        start(
            address=address,
            num_cpus=None if address else workers,
            log_to_driver=False,
            include_dashboard=None if address else False,
            logging_level="ERROR",
        )
    except (OSError, RuntimeError, ValueError) as error:
        raise no_cluster(address, error) from None


def leave() -> None:
    """Take leave of the cluster; one that was started for this process ends."""
    import ray

    ray.shutdown()


class Actors:
    """Workers, one actor each, on any node of the cluster.

    Args:
        workers: how many; by default, as many as the cluster has cores.
    """

    def __init__(self, workers: int | None) -> None:
        import ray
        import ray.exceptions

        self._ray: Any = ray
        self.workers = workers or max(1, int(self._ray.cluster_resources().get("CPU", 1)))

    @contextmanager
    def start(self, function: bytes) -> Iterator[Map[bytes, bytes]]:
        """Start workers that apply a packed function; they end with the block."""
        ray = self._ray
        shared = ray.put(function)
        kind = ray.remote(num_cpus=1, scheduling_strategy="SPREAD")(_Actor)
        actors = [kind.remote(shared) for _ in range(self.workers)]
        turns = cycle(actors)

        def send(part: bytes) -> Any:
            return next(turns).work.remote(part)

        try:
            yield lambda parts: in_order(parts, len(actors), send, self._result)
        finally:
            for actor in actors:
                ray.kill(actor)

    def _result(self, reference: Any, number: int) -> bytes:
        exceptions = self._ray.exceptions
        try:
            done: bytes = self._ray.get(reference)
        except (exceptions.RayError, ConnectionError) as error:
            raise dead(number, _first_line(error)) from None
        return done


class _Actor:
    """A worker; it opens the function once."""

    def __init__(self, function: bytes) -> None:
        use_one_core()
        self._packed = function

    @cached_property
    def _function(self) -> Callable[[Any], Any]:
        function: Callable[[Any], Any] = pickle.loads(self._packed)  # noqa: S301 (our own)
        return function

    def work(self, part: bytes) -> bytes:
        """Work on a part; return the result, or the error, packed."""
        try:
            return pickle.dumps(call(self._function, pickle.loads(part)))  # noqa: S301 (our own)
        except Exception as error:  # noqa: BLE001 (it is raised where the user sees it)
            return pickle.dumps(Failed.of(error))


def dead(number: int, why: str) -> EngineError:
    """Return the error that a part got no result."""
    return EngineError(
        f"a Ray worker died while it worked on part {number:,} or a later one ({why}); run the "
        "command again, or with fewer --workers"
    )


def no_cluster(address: str | None, error: Exception) -> EngineError:
    """Return the error that there is no cluster."""
    return EngineError(
        f"there is no Ray cluster at {address} ({_first_line(error)}); start one with: "
        "ray start --head"
    )


def _first_line(error: Exception) -> str:
    return (str(error).strip().splitlines() or [type(error).__name__])[0]
