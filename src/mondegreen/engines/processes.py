"""All cores of this machine: one process per worker, results in order.

Each worker has a connection of its own. So a worker that dies in the middle of a message closes
its connection, and whoever waits for the rest of the message notices; on a connection that all
share, the others would keep it open.
"""

from __future__ import annotations

import multiprocessing
import os
import pickle
import signal
import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from multiprocessing.connection import Connection
from multiprocessing.context import BaseContext
from queue import SimpleQueue
from typing import Any, TypeVar

from mondegreen.engines.calls import Done, Failed, Map, call, in_order, use_one_core
from mondegreen.errors import EngineError

A = TypeVar("A")
B = TypeVar("B")
_GRACE = 5.0  # seconds for a worker to exit after its last part


class Processes:
    """Worker processes of this machine."""

    def __init__(self, workers: int) -> None:
        self.workers = workers

    def map(self, function: Callable[[A], B], parts: Iterable[A]) -> Iterator[B]:
        """Yield the result of each part, in order.

        Raises:
            EngineError: if a worker died.
        """
        with self.start(function) as apply:
            yield from apply(parts)

    @contextmanager
    def start(self, function: Callable[[A], B]) -> Iterator[Map[A, B]]:
        """Start workers that apply a function; they end with the block.

        Raises:
            EngineError: if the function cannot be sent to them.
        """
        try:
            packed = pickle.dumps(function)
        except (pickle.PicklingError, AttributeError, TypeError) as error:
            raise EngineError(
                f"the work cannot be sent to other processes ({error}); use --engine local"
            ) from None
        pool = _Pool(self.workers, packed)
        try:
            yield lambda parts: in_order(parts, self.workers, pool.send, _receive)
        except BaseException:
            pool.kill()
            raise
        finally:
            pool.end()


class _Pool:
    """Workers, and a thread for each that sends it parts and waits for their results.

    Workers start with the first part, all of them.
    """

    def __init__(self, workers: int, packed: bytes) -> None:
        self._packed = packed
        self._workers: list[_Worker] = []
        self._free: SimpleQueue[_Worker] = SimpleQueue()
        self._number = workers
        self._threads = ThreadPoolExecutor(workers)

    def send(self, part: Any) -> Future[Done | Failed]:
        """Send a part to the next worker that is free."""
        if not self._workers:
            context = _context()
            for _ in range(self._number):
                worker = _Worker(context, self._packed)
                self._workers.append(worker)
                self._free.put(worker)
        return self._threads.submit(self._ask, part)

    def _ask(self, part: Any) -> Done | Failed:
        worker = self._free.get()
        try:
            return worker.ask(part)
        finally:
            self._free.put(worker)

    def kill(self) -> None:
        """End the workers, whatever they do."""
        self._threads.shutdown(wait=False, cancel_futures=True)
        for worker in self._workers:
            worker.process.kill()

    def end(self) -> None:
        """Wait until the workers have ended."""
        self._threads.shutdown(wait=True, cancel_futures=True)
        for worker in self._workers:
            worker.connection.close()
        for worker in self._workers:
            worker.process.join(_GRACE)
            if worker.process.is_alive():
                worker.process.kill()
                worker.process.join()


class _Worker:
    """A process that applies a function to one part after the other."""

    def __init__(self, context: BaseContext, packed: bytes) -> None:
        self.connection, theirs = context.Pipe()
        self.process = context.Process(target=_serve, args=(theirs, packed))  # type: ignore[attr-defined]  # every context has it
        try:
            self.process.start()
        except (OSError, EOFError) as error:
            raise EngineError(f"a worker process cannot be started: {error}") from None
        theirs.close()  # so that the connection ends with the process

    def ask(self, part: Any) -> Done | Failed:
        """Send a part, and wait for the result.

        Raises:
            _DeadError: if the process has died, perhaps while it was sending the result.
        """
        try:
            self.connection.send(part)
            done: Done | Failed = self.connection.recv()
        except (EOFError, OSError, pickle.UnpicklingError):
            raise _DeadError from None
        return done


class _DeadError(Exception):
    """A worker process has died."""


def _context() -> BaseContext:
    """Return how workers start: not forked from this process, which may have threads."""
    if "forkserver" not in multiprocessing.get_all_start_methods():  # on Windows
        return multiprocessing.get_context("spawn")
    from multiprocessing import forkserver

    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload([__name__])
    try:
        forkserver.ensure_running()
    except OSError:  # it is that of a process from which this one was forked, or TMPDIR is too long
        return multiprocessing.get_context("spawn")
    return context


def _receive(claim: Future[Done | Failed], number: int) -> Any:
    try:
        return claim.result().open()
    except _DeadError:
        raise EngineError(
            f"a worker process died while it worked on part {number:,} or a later one (was it "
            "killed, or out of memory?); try fewer --workers"
        ) from None


def _serve(connection: Connection, packed: bytes) -> None:
    """Work on the parts that come through a connection, until it ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the main process ends the work
    use_one_core()
    threading.Thread(target=_end_with_parent, daemon=True).start()
    function: Callable[[Any], Any] | None = None
    while True:
        try:
            part = connection.recv()
        except (EOFError, OSError):
            return
        try:
            function = function or pickle.loads(packed)  # noqa: S301 (our own)
            done: Done | Failed = call(function, part)
        except (Exception, SystemExit) as error:  # noqa: BLE001 (raised where the user sees it)
            done = Failed.of(error)
        try:
            connection.send(done)
        except (pickle.PicklingError, AttributeError, TypeError) as error:
            connection.send(Failed.of(error))


def _end_with_parent() -> None:
    """End this worker if the main process is killed; it would wait for work for ever."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
