"""Write the rows of a score into a database, to page and sort them."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from mondegreen.metrics.metric import Rate
from mondegreen.report.score_rows import Keys, RowFile
from mondegreen.runs.queries import quoted

_SETTINGS = (
    "page_size = 16384",
    "journal_mode = OFF",
    "synchronous = OFF",
    "locking_mode = EXCLUSIVE",
)
"""Fast, and safe only for a database that is thrown away if it is not written to the end."""


class _Term:
    """A term of SQL that can be calculated with, like a number."""

    def __init__(self, text: str) -> None:
        self.text = text

    def __add__(self, other: _Term | float) -> _Term:
        return self._with("+", other)

    def __sub__(self, other: _Term | float) -> _Term:
        return self._with("-", other)

    def __mul__(self, other: _Term | float) -> _Term:
        return self._with("*", other)

    def __truediv__(self, other: _Term | float) -> _Term:
        return self._with("* 1.0 /", other)

    def __gt__(self, other: _Term | float) -> _Term:
        return self._with(">", other)

    def __and__(self, other: _Term | float) -> _Term:
        return self._with("AND", other)

    def __eq__(self, other: object) -> _Term:  # type: ignore[override]  # as numpy's arrays do
        return self._with("=", other)  # type: ignore[arg-type]  # another type is not implemented

    __radd__, __rmul__ = __add__, __mul__
    __hash__ = None  # type: ignore[assignment]  # it has no truth value

    def _with(self, sign: str, other: _Term | float) -> _Term:
        if not isinstance(other, _Term | int | float):
            return NotImplemented
        return _Term(f"({self.text} {sign} {other.text if isinstance(other, _Term) else other})")


def quotient_of(rate: Rate, row: Mapping[str, Any]) -> str:
    """Return the SQL that computes a rate from the counts of a row; empty if it cannot be had.

    Args:
        rate: the rate.
        row: a row, in which the rate must be what its counts say.

    >>> rate = Rate("precision", lambda row: (2 * row["right"], row["found"]))
    >>> quotient_of(rate, {"right": 1, "found": 4, "precision": 0.5})
    'CAST(("right" * 2) AS REAL) / NULLIF("found", 0)'
    """
    counts = {name: value for name, value in row.items() if type(value) is int}
    try:
        above, below = rate.ratio({name: _Term(quoted(name)) for name in counts})
        number, of = rate.ratio(counts)
        agrees = row[rate.name] == (number / of if of else None)
    except (TypeError, KeyError, ValueError, ZeroDivisionError, AttributeError):
        return ""
    if not (agrees and isinstance(above, _Term) and isinstance(below, _Term)):
        return ""
    return f"CAST({above.text} AS REAL) / NULLIF({below.text}, 0)"


class Layout(NamedTuple):
    """The columns of the table ``items``: what is read of the rows, and further columns.

    Each further column has a name in the rows and one in the table.
    """

    keys: Keys
    extra: tuple[tuple[str, str], ...]

    @property
    def kinds(self) -> dict[str, str]:
        """The columns and their types."""
        return {
            "id": "TEXT",
            **dict.fromkeys(self.keys.texts, "TEXT"),
            **dict.fromkeys(self.keys.rates, "REAL"),
            **dict.fromkeys(self.keys.counts, "INTEGER"),
            **{name: "TEXT" for _, name in self.extra},
        }

    @property
    def names(self) -> str:
        """The columns, quoted for SQL."""
        return ", ".join(map(quoted, self.kinds))


def create(path: Path, layout: Layout) -> sqlite3.Connection:
    """Create a database with the empty table ``items``.

    There are no indices: they would take longer to make than all queries that they help.
    """
    columns = (f"{quoted(name)} {kind}" for name, kind in layout.kinds.items())
    connection = sqlite3.connect(path)
    for setting in _SETTINGS:
        connection.execute(f"PRAGMA {setting}")
    connection.execute(f"CREATE TABLE items (position INTEGER PRIMARY KEY, {', '.join(columns)})")
    return connection


def insert(
    connection: sqlite3.Connection,
    layout: Layout,
    file: RowFile,
    on_progress: Callable[[int], object],
    start: int = 0,
    end: int | None = None,
) -> None:
    """Insert the rows of a file, or of a part of it.

    Raises:
        DataError: if a line is not a row.
    """
    marks = ", ".join("?" * len(layout.kinds))
    statement = f"INSERT INTO items ({layout.names}) VALUES ({marks})"
    for rows in file.tuples(layout.keys, [name for name, _ in layout.extra], start, end):
        on_progress(connection.executemany(statement, rows).rowcount)


def add_quotients(connection: sqlite3.Connection, quotients: Mapping[str, str]) -> None:
    """Add the rates that SQL computes; before the rows, they would be computed for every row."""
    for name, formula in quotients.items():
        connection.execute(
            f"ALTER TABLE items ADD COLUMN {quoted(name)} REAL AS ({formula}) VIRTUAL"
        )
