"""The tree of exceptions: every message says what was found, where, and what to do.

MondegreenError
├── DataError          a file, a line or an utterance is not what it should be
│   └── UtteranceError     one utterance cannot be worked on; the others can
├── EditError          edits overlap, or would break a slot
├── OperatorError      an operator's name, signature or parameter is wrong
├── ModelError         a model does not answer, or not as it should
├── OutputError        the result cannot be written
└── MissingExtraError  an optional package is not installed
"""

from __future__ import annotations

from collections.abc import Iterable


class MondegreenError(Exception):
    """Base of everything that Mondegreen raises on purpose; the command line exits with 1."""


class DataError(MondegreenError):
    """A file, a line or an utterance is not what it should be."""

    @classmethod
    def at(cls, place: object, line: int | None, message: str) -> DataError:
        """Say where: the file and, where there is one, the line.

        >>> print(DataError.at("words.txt", 3, "a NUL byte"))
        words.txt, line 3: a NUL byte
        """
        where = f"{place}, line {line}" if line is not None else str(place)
        return cls(f"{where}: {message}")


class UtteranceError(DataError):
    """One utterance cannot be worked on, whatever the operator; the others can."""


class EditError(MondegreenError):
    """Edits overlap, lie outside the utterance, or would break a slot."""


class OperatorError(MondegreenError):
    """An operator's name, signature or parameter is wrong."""


class ModelError(MondegreenError):
    """A model cannot be reached, does not answer in time, or answers what is no answer."""


class OutputError(MondegreenError):
    """The result cannot be written."""


class MissingExtraError(MondegreenError):
    """An optional package is not installed."""

    @classmethod
    def of(cls, extra: str, what: str) -> MissingExtraError:
        """Name the extra that brings what is missing.

        >>> print(MissingExtraError.of("datasets", "Parquet files"))
        Parquet files need an optional package. Install it with: pip install 'mondegreen[datasets]'
        """
        return cls(
            f"{what} need an optional package. Install it with: pip install 'mondegreen[{extra}]'"
        )


def unknown(kind: str, name: str, known: Iterable[str]) -> str:
    """Say that a name is unknown, which known one is near, and which there are.

    >>> unknown("operator", "filers", ["fillers", "typo"])
    "No operator named 'filers'. Did you mean 'fillers'? Known: fillers, typo."
    """
    import difflib

    names = sorted(known)
    near = difflib.get_close_matches(name, names, n=1, cutoff=0.5)
    hint = f" Did you mean {near[0]!r}?" if near else ""
    return f"No {kind} named {name!r}.{hint} Known: {', '.join(names)}."
