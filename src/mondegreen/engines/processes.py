"""All cores of this machine: one process per worker, results in order."""

from __future__ import annotations

import multiprocessing
import os
import pickle
import signal
import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from multiprocessing.context import BaseContext
from typing import Any, TypeVar

from mondegreen.engines.calls import Done, Map, call, in_order, use_one_core
from mondegreen.errors import EngineError

A = TypeVar("A")
B = TypeVar("B")


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
        pool = ProcessPoolExecutor(self.workers, _context(), _start, (packed,))
        try:
            yield lambda parts: in_order(
                parts, self.workers, lambda part: _send(pool, part), _receive
            )
        finally:
            pool.shutdown(wait=True, cancel_futures=True)


def _context() -> BaseContext:
    """Return how workers start: not forked from this process, which may have threads."""
    if "forkserver" not in multiprocessing.get_all_start_methods():  # on Windows
        return multiprocessing.get_context("spawn")
    from multiprocessing import forkserver

    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload([__name__])
    try:
        forkserver.ensure_running()
    except ChildProcessError:  # it is that of a process from which this one was forked
        return multiprocessing.get_context("spawn")
    return context


def _send(pool: ProcessPoolExecutor, part: Any) -> Future[Done]:
    try:
        return pool.submit(_work, part)
    except BrokenProcessPool:
        raise _dead("a part") from None


def _receive(claim: Future[Done], number: int) -> Any:
    try:
        return claim.result().open()
    except BrokenProcessPool:
        raise _dead(f"part {number:,} or a later one") from None


def _dead(part: str) -> EngineError:
    return EngineError(
        f"a worker process died while it worked on {part} (was it killed, or out of memory?); try "
        "fewer --workers"
    )


_function: Callable[[Any], Any] | None = None


def _start(packed: bytes) -> None:
    """Take over the function, once per worker."""
    global _function  # noqa: PLW0603 (a worker has one function for its whole life)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the main process ends the work
    use_one_core()
    threading.Thread(target=_end_with_parent, daemon=True).start()
    _function = pickle.loads(packed)  # noqa: S301 (our own)


def _end_with_parent() -> None:
    """End this worker if the main process is killed; it would wait for work for ever."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _work(part: Any) -> Done:
    if _function is None:
        raise AssertionError("unreachable: a worker starts with its function")
    return call(_function, part)
