"""A model that is a Python function: ``python:package.module:function``."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from queue import Empty, SimpleQueue
from threading import Thread
from typing import Any, NamedTuple

from mondegreen.data.answers.predictions import predictions_of, unread
from mondegreen.errors import ModelError, PluginError
from mondegreen.models.code import hash_of_code
from mondegreen.models.protocol import Model
from mondegreen.models.wire import question
from mondegreen.plugins import load_python, one_line
from mondegreen.types import Prediction, Utterance

Function = Callable[[Any], object]


class TimedFunction:
    """Calls a function of the user, in a thread of its own if there is a time limit.

    Args:
        function: the function.
        timeout: seconds that a call may take.
    """

    def __init__(self, function: Function, timeout: float | None = None) -> None:
        self.function = function
        self.timeout = timeout
        self._worker: _CallingThread | None = None

    def call(self, argument: Any) -> object:
        """Call the function.

        Raises:
            ModelError: if it fails, ends the process, or takes too long.
        """
        if self.timeout is not None:
            return self._timed(argument)
        try:
            return self.function(argument)
        except ModelError:
            raise
        except (Exception, SystemExit) as error:
            raise ModelError(f"the function failed: {one_line(error)}") from error

    def _timed(self, argument: Any) -> object:
        """Call the function in a worker thread; the thread is used again if it answers in time."""
        worker = self._worker or _CallingThread(self.function)
        self._worker = None
        worker.questions.put(argument)
        try:
            answer = worker.answers.get(timeout=self.timeout)
        except Empty:
            raise ModelError(
                f"no answer within {self.timeout:g} s; allow more time with --timeout"
            ) from None
        self._worker = worker
        if isinstance(answer, _Raised):  # Ctrl+C would reach this thread, not the worker
            raise ModelError(f"the function failed: {one_line(answer.error)}") from answer.error
        return answer


def load_function(name: str) -> Function:
    """Import a function; modules of the working directory are found as well.

    Raises:
        ModelError: if there is no function with that name.
    """
    try:
        function = load_python(name, "function")
    except PluginError as error:
        raise ModelError(str(error)) from error.__cause__
    if not callable(function):
        raise ModelError(f"python:{name} is not a function")
    found: Function = function
    return found


class CallableModel(Model):
    """Calls a function with a list of ``{"id", "text", "tokens"}``; it returns a list of answers.

    >>> def answer(batch):
    ...     return [{"label": "play" if "play" in item["tokens"] else "other"} for item in batch]
    >>> CallableModel(answer, "mine").predict([Utterance.of("u1", "play jazz")])[0].label
    'play'
    """

    def __init__(self, function: Function, signature: str, timeout: float | None = None) -> None:
        self.signature = signature
        self._caller = TimedFunction(function, timeout)

    @classmethod
    def named(cls, name: str, timeout: float | None = None) -> CallableModel:
        """Import a function; modules of the working directory are found as well.

        Raises:
            ModelError: if there is no function with that name.
        """
        function = load_function(name)
        sha = hash_of_code(name.partition(":")[0])
        return cls(function, f"python:{name}{sha}", timeout)

    def predict(self, batch: Sequence[Utterance]) -> list[Prediction]:
        """Call the function.

        Raises:
            ModelError: if the function fails, times out, or returns an invalid answer.
        """
        answers = self._caller.call([question(utterance) for utterance in batch])
        try:
            plain = _plain(answers)
        except Exception as error:
            raise ModelError(f"the answer cannot be stored: {one_line(error)}") from error
        if isinstance(plain, list) and plain:
            self.unread = unread(plain[0])
        return predictions_of(plain, batch)


class _Raised(NamedTuple):
    """What a function raised; a function may also return an exception."""

    error: BaseException


class _CallingThread:
    """A thread that calls a function; if the function hangs, the thread ends with the process."""

    def __init__(self, function: Function) -> None:
        self.function = function
        self.questions: SimpleQueue[Any] = SimpleQueue()
        self.answers: SimpleQueue[object] = SimpleQueue()
        Thread(target=self._run, daemon=True).start()

    def _run(self) -> None:
        while True:
            questions = self.questions.get()
            try:
                self.answers.put(self.function(questions))
            except BaseException as error:  # noqa: BLE001 (raised in the calling thread)
                self.answers.put(_Raised(error))


def _plain(value: Any) -> Any:
    """Convert numpy and torch values anywhere in an answer to plain Python values."""
    if type(value) in (str, int, float, bool, type(None)):
        return value
    if isinstance(value, dict):
        return {_plain(key): _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    return value.tolist() if hasattr(value, "tolist") else value
