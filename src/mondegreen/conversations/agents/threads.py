"""Calls with a time limit, in a thread that is left behind if it hangs."""

from __future__ import annotations

from collections.abc import Callable
from threading import local
from typing import Any

from mondegreen.errors import ModelError
from mondegreen.models.callable import TimedFunction


class TimedCalls:
    """Makes calls that may take so many seconds; each of our threads has one thread for them."""

    def __init__(self, timeout: float) -> None:
        self._timeout = timeout
        self._mine = local()

    def call(self, function: Callable[[], Any]) -> Any:
        """Call a function.

        Raises:
            ModelError: if it fails, or does not return in time.
        """
        caller: TimedFunction | None = getattr(self._mine, "caller", None)
        if caller is None:
            caller = self._mine.caller = TimedFunction(lambda one: one(), self._timeout)
        found = caller.call(lambda: _or_error(function))
        if isinstance(found, ModelError):
            raise found
        return found


def _or_error(function: Callable[[], Any]) -> Any:
    """Call a function; return an error that says all that there is to say."""
    try:
        return function()
    except ModelError as error:
        return error
