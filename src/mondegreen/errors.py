"""The tree of exceptions. Every message says where, what is wrong, and what to do.

MondegreenError
├── DataError          a file, a line or an utterance is wrong
│   └── UtteranceError     one utterance cannot be perturbed; the others can
├── EditError          edits overlap, or would break a slot
├── OperatorError      an operator's name, signature or parameter is wrong
├── ModelError         a model does not answer, or its answer is wrong
│   ├── AnswerError        an answer came, but cannot be read
│   ├── PartlyError        a part of a batch has no answer; the others are kept
│   └── ShiftedError       answers may belong to other utterances; all of them are worthless
├── OutputError        the result cannot be written
│   └── OutputNameError    the names of outputs do not fit what is written
├── EngineError        a worker died, or a cluster cannot be reached
├── PluginError        a plugin is unknown or cannot be loaded
├── TimeLimitError     work took longer than it may
└── MissingExtraError  an optional package is not installed
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Sequence
from functools import wraps
from typing import Any, ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")


class MondegreenError(Exception):
    """Base of every error that Mondegreen raises on purpose; the command line exits with 1."""


class DataError(MondegreenError):
    """A file, a line or an utterance is wrong."""

    @classmethod
    def at(cls, place: object, line: int | None, message: str) -> DataError:
        """Return an error that names the file and, if there is one, the line.

        >>> print(DataError.at("words.txt", 3, "a NUL byte"))
        words.txt, line 3: a NUL byte
        """
        where = f"{place}, line {line}" if line is not None else str(place)
        return cls(f"{where}: {message}")


class UtteranceError(DataError):
    """One utterance cannot be perturbed, whatever the operator; the others can."""


class EditError(MondegreenError):
    """Edits overlap, lie outside the utterance, or would break a slot."""


class OperatorError(MondegreenError):
    """An operator's name, signature or parameter is wrong."""


class ModelError(MondegreenError):
    """A model cannot be reached, does not answer in time, or its answer is wrong."""


class AnswerError(ModelError):
    """An answer came, but cannot be read: its body may have been cut off."""


class PartlyError(ModelError):
    """A part of a batch has no answer; ``answers`` has those of the others, and ``None``."""

    def __init__(self, message: str, answers: Sequence[Any]) -> None:
        super().__init__(message)
        self.answers = answers


class ShiftedError(ModelError):
    """A model gave more answers than it was asked for, so that they may have shifted."""


class OutputError(MondegreenError):
    """The result cannot be written."""


class OutputNameError(OutputError):
    """The names of outputs do not fit what is written: there are too few, or two are the same."""


class EngineError(MondegreenError):
    """A worker died, or a cluster cannot be reached."""


class PluginError(MondegreenError):
    """A plugin is unknown, cannot be loaded, or is not what it should be."""


class TimeLimitError(MondegreenError):
    """Work took longer than it may, or nobody waits for it any more."""


class MissingExtraError(MondegreenError):
    """An optional package is not installed."""

    @classmethod
    def of(cls, extra: str, what: str) -> MissingExtraError:
        """Return an error that names the extra to install.

        >>> print(MissingExtraError.of("datasets", "Parquet files"))
        Parquet files need an optional package. Install it with: pip install 'mondegreen[datasets]'
        """
        return cls(
            f"{what} need an optional package. Install it with: pip install 'mondegreen[{extra}]'"
        )


def unknown(kind: str, name: str, known: Iterable[str]) -> str:
    """Return a message that names the nearest known name and all known names.

    >>> unknown("operator", "filers", ["fillers", "typo"])
    "No operator named 'filers'. Did you mean 'fillers'? Known: fillers, typo."
    """
    import difflib

    names = sorted(known)
    near = difflib.get_close_matches(name, names, n=1, cutoff=0.5)
    hint = f" Did you mean {near[0]!r}?" if near else ""
    return f"No {kind} named {name!r}.{hint} Known: {', '.join(names)}."


def renamed(**names: str) -> Callable[[Callable[P, T]], Callable[P, T]]:
    """Let a function take parameters by their old names for one release, with a warning.

    Args:
        names: the old names, and the new name of each.

    Raises:
        TypeError: if a call gives a parameter by both names.
    """

    def of(function: Callable[P, T]) -> Callable[P, T]:
        @wraps(function)
        def call(*values: P.args, **named: P.kwargs) -> T:
            for old in names.keys() & named.keys():
                new = names[old]
                if new in named:
                    raise TypeError(f"{function.__name__}() got both {old} and {new}; give {new}")
                warnings.warn(
                    f"{function.__name__}: the parameter {old} is called {new} now; the old name "
                    "goes with the next release",
                    DeprecationWarning,
                    stacklevel=2,
                )
                named[new] = named.pop(old)
            return function(*values, **named)

        return call

    return of
