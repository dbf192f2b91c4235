"""A Ray cluster: one worker per core, on any node; results in order."""

from __future__ import annotations

import os
import pickle
import socket
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any, TypeVar, cast

from mondegreen.engines.actors import Actors, dead, no_cluster
from mondegreen.engines.calls import Done, Failed, Map, in_order
from mondegreen.engines.driver import GoneError, ObjectLine
from mondegreen.errors import EngineError, MissingExtraError

A = TypeVar("A")
B = TypeVar("B")
_PATIENCE = 5.0  # seconds until a cluster answers
_FAREWELL = 15.0  # seconds until a process has taken leave of a cluster


class RayCluster:
    """Workers on a Ray cluster; without an address, on one that is started on this machine.

    Another process speaks with the cluster, unless this one has called ``ray.init`` itself.

    Raises:
        MissingExtraError: if Ray is not installed.
        EngineError: if there is no cluster at the address.
    """

    def __init__(self, workers: int | None, address: str | None) -> None:
        try:
            import ray
        except ImportError:
            raise MissingExtraError.of("ray", "Ray clusters") from None
        self._ray: Any = ray
        self._workers = workers
        self._address = address
        if not self._ray.is_initialized():
            _check_reachable(address)

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
        pack: Callable[[object], bytes] = self._ray.cloudpickle.dumps
        if self._ray.is_initialized():
            started = Actors(self._workers).start(pack(function))
        else:
            started = _elsewhere(self._address, self._workers, pack(function))
        with started as apply:
            yield lambda parts: map(_open, apply(map(pack, parts)))


def _open(packed: bytes) -> Any:
    done: Done | Failed = pickle.loads(packed)  # noqa: S301 (our own)
    return done.open()


def _check_reachable(address: str | None) -> None:
    """Raise an error if nobody listens at an address; Ray itself would try for minutes."""
    host, colon, port = (address or "").removeprefix("ray://").rpartition(":")
    if colon and port.isdecimal():
        try:
            socket.create_connection((host, int(port)), _PATIENCE).close()
        except OSError as error:
            raise no_cluster(address, error) from None


@contextmanager
def _elsewhere(
    address: str | None, workers: int | None, function: bytes
) -> Iterator[Map[bytes, bytes]]:
    """Start workers through another process, which ends with the block."""
    with _driver() as line:

        def send(what: object) -> None:
            with suppress(GoneError):  # that nothing comes back says it, and of which part
                line.send(what)

        def receive(_: None, number: int) -> Any:
            try:
                found = line.receive()
            except GoneError:
                raise dead(number, "the cluster cannot be reached any more") from None
            if isinstance(found, EngineError):
                raise found
            return found

        def series(parts: Iterable[bytes]) -> Iterator[bytes]:
            yield from parts
            send(None)

        send((address, workers, function))
        started: int = receive(None, 1)
        yield lambda parts: in_order(series(parts), started, send, receive)


@contextmanager
def _driver() -> Iterator[ObjectLine]:
    """Start a process that speaks with a cluster; it ends with the block."""
    command = [sys.executable, "-P", "-m", "mondegreen.engines.driver"]
    modules = os.pathsep.join(path or str(Path.cwd()) for path in sys.path)
    with subprocess.Popen(  # noqa: S603 (our own)
        command,
        env=os.environ | {"PYTHONPATH": modules},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as process:
        outgoing = cast("IO[bytes]", process.stdin)
        try:
            yield ObjectLine(cast("IO[bytes]", process.stdout), outgoing)
        except BaseException:
            process.terminate()  # it may be waiting for the cluster
            raise
        finally:
            with suppress(BrokenPipeError):
                outgoing.close()
            try:
                process.wait(_FAREWELL)
            except subprocess.TimeoutExpired:
                process.kill()
