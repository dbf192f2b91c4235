"""A model that is a Python function: ``python:package.module:function``."""

from __future__ import annotations

import sys
import traceback
from collections.abc import Callable, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

from mondegreen.errors import ModelError
from mondegreen.manifest import hash_of
from mondegreen.models.answers import predictions_of
from mondegreen.models.protocol import Model
from mondegreen.models.wire import question
from mondegreen.types import Prediction, Utterance

Function = Callable[[list[dict[str, Any]]], object]


class CallableModel(Model):
    """Gives a function lists of ``{"id", "text", "tokens"}``; takes a list of answers.

    >>> def answer(batch):
    ...     return [{"label": "play" if "play" in said["tokens"] else "other"} for said in batch]
    >>> CallableModel(answer, "mine").predict([Utterance.of("u1", "play jazz")])[0].label
    'play'
    """

    def __init__(self, function: Function, signature: str) -> None:
        self.function = function
        self.signature = signature

    @classmethod
    def named(cls, name: str) -> CallableModel:
        """Import a function; modules of the working directory are found as well.

        Raises:
            ModelError: if there is none of that name.
        """
        module_name, _, attribute = name.partition(":")
        if not module_name or not attribute:
            raise ModelError(
                f"python:{name} names no function; write python:package.module:function"
            )
        if "" not in sys.path and str(Path.cwd()) not in sys.path:
            sys.path.insert(0, str(Path.cwd()))
        try:
            module = import_module(module_name)
        except Exception as error:
            raise ModelError(f"python:{name} cannot be imported: {_told(error)}") from error
        function = getattr(module, attribute, None)
        if not callable(function):
            raise ModelError(f"python:{name}: {module_name} has no function {attribute!r}")
        source = getattr(module, "__file__", None)
        sha = f"|sha:{hash_of(Path(source))[:16]}" if source else ""
        return cls(function, f"python:{name}{sha}")

    def predict(self, batch: Sequence[Utterance]) -> list[Prediction]:
        """Call the function.

        Raises:
            ModelError: if it fails, or answers what is no answer.
        """
        try:
            answers = self.function([question(said) for said in batch])
        except Exception as error:
            raise ModelError(f"the function failed: {_told(error)}") from error
        return predictions_of(answers, batch)


def _told(error: Exception) -> str:
    """What happened and where, in one line."""
    place = traceback.extract_tb(error.__traceback__)[-1]
    return f"{type(error).__name__}: {error} ({Path(place.filename).name}, line {place.lineno})"
