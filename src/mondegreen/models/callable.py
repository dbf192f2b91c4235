"""A model that is a Python function: ``python:package.module:function``."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Thread
from typing import Any

from mondegreen.data.answers.predictions import predictions_of, unread
from mondegreen.data.files.hashing import hash_of
from mondegreen.errors import ModelError, PluginError
from mondegreen.models.protocol import Model
from mondegreen.models.wire import question
from mondegreen.plugins import load_python, one_line
from mondegreen.types import Prediction, Utterance

Function = Callable[[list[dict[str, Any]]], object]


class CallableModel(Model):
    """Calls a function with a list of ``{"id", "text", "tokens"}``; it returns a list of answers.

    >>> def answer(batch):
    ...     return [{"label": "play" if "play" in item["tokens"] else "other"} for item in batch]
    >>> CallableModel(answer, "mine").predict([Utterance.of("u1", "play jazz")])[0].label
    'play'
    """

    def __init__(self, function: Function, signature: str, timeout: float | None = None) -> None:
        self.function = function
        self.signature = signature
        self.timeout = timeout
        self._worker: _Worker | None = None

    @classmethod
    def named(cls, name: str, timeout: float | None = None) -> CallableModel:
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
        module = sys.modules[name.partition(":")[0]]
        source = getattr(module, "__file__", None)
        sha = f"|sha:{hash_of(Path(source))[:16]}" if source else ""
        return cls(function, f"python:{name}{sha}", timeout)

    def predict(self, batch: Sequence[Utterance]) -> list[Prediction]:
        """Call the function.

        Raises:
            ModelError: if the function fails, times out, or returns an invalid answer.
        """
        questions = [question(utterance) for utterance in batch]
        plain = _plain(self._called(questions) if self.timeout is None else self._timed(questions))
        if isinstance(plain, list) and plain:
            self.unread = unread(plain[0])
        return predictions_of(plain, batch)

    def _called(self, questions: list[dict[str, Any]]) -> object:
        try:
            return self.function(questions)
        except ModelError:
            raise
        except (Exception, SystemExit) as error:
            raise ModelError(f"the function failed: {one_line(error)}") from error

    def _timed(self, questions: list[dict[str, Any]]) -> object:
        """Call the function in a worker thread; the thread is used again if it answers in time."""
        worker = self._worker or _Worker(self.function)
        self._worker = None
        worker.questions.put(questions)
        try:
            answers = worker.answers.get(timeout=self.timeout)
        except Empty:
            raise ModelError(
                f"no answer within {self.timeout:g} s; allow more time with --timeout"
            ) from None
        self._worker = worker
        if isinstance(answers, BaseException):  # Ctrl+C would reach this thread, not the worker
            raise ModelError(f"the function failed: {one_line(answers)}") from answers
        return answers


class _Worker:
    """A thread that calls a function; if the function hangs, the thread ends with the process."""

    def __init__(self, function: Function) -> None:
        self.function = function
        self.questions: SimpleQueue[list[dict[str, Any]]] = SimpleQueue()
        self.answers: SimpleQueue[object] = SimpleQueue()
        Thread(target=self._run, daemon=True).start()

    def _run(self) -> None:
        while True:
            questions = self.questions.get()
            try:
                self.answers.put(self.function(questions))
            except BaseException as error:  # noqa: BLE001 (raised in the calling thread)
                self.answers.put(error)


def _plain(value: Any) -> Any:
    """Convert numpy and torch values anywhere in an answer to plain Python values."""
    if type(value) in (str, int, float, bool, type(None)):
        return value
    if isinstance(value, dict):
        return {_plain(key): _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    return value.tolist() if hasattr(value, "tolist") else value
