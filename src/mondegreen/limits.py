"""Limits of work: who asks for something says how long it may take, and loops deep inside look.

A thread cannot be ended from outside, so work that may take long looks itself whether it is still
wanted. Without a limit, looking costs next to nothing.
"""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import NoReturn

from mondegreen.errors import TimeLimitError


class Limit:
    """How long some work may take, from when it begins.

    Args:
        seconds: the time.
        advice: what to do if that is too short, for the message.
    """

    def __init__(self, seconds: float, advice: str) -> None:
        self.seconds, self.advice = seconds, advice
        self._end: float | None = None
        self._cancelled = False

    def cancel(self) -> None:
        """End the work at its next look; any thread may call this."""
        self._cancelled = True

    def look(self) -> None:
        """Check the time.

        Raises:
            TimeLimitError: if the work has to end.
        """
        if self._cancelled:
            raise TimeLimitError("nobody waits for the result any more")
        if self._end is not None and time.monotonic() > self._end:
            raise TimeLimitError(f"this takes longer than {self.seconds:g} s; {self.advice}")

    @contextmanager
    def begun(self) -> Iterator[None]:
        """Limit the work inside the block."""
        self._end = time.monotonic() + self.seconds
        token = _LIMIT.set(self)
        try:
            yield
        finally:
            _LIMIT.reset(token)


_LIMIT: ContextVar[Limit | None] = ContextVar("limit", default=None)


def look() -> None:
    """Check the limit of the work that is under way, if it has one.

    Raises:
        TimeLimitError: if the work has to end.
    """
    limit = _LIMIT.get()
    if limit is not None:
        limit.look()


@contextmanager
def alarm(seconds: float) -> Iterator[None]:
    """Limit what looks at nothing, such as a regular expression, by a signal.

    Only the main thread gets signals, and not on Windows; elsewhere, and where somebody else waits
    for the same signal, there is no limit.

    Raises:
        TimeLimitError: if the block takes longer.
    """
    usable = threading.current_thread() is threading.main_thread() and hasattr(signal, "setitimer")
    if not usable or signal.getitimer(signal.ITIMER_REAL)[0]:
        yield
        return
    before = signal.signal(signal.SIGALRM, _ring)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def _ring(*_: object) -> NoReturn:
    raise TimeLimitError("the time is over")
