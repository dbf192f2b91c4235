"""Reading a run: scores, sets, and items by the page, filtered, sorted and searched in SQL."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from types import TracebackType
from typing import Any, NamedTuple, Self

import msgspec
import numpy as np

from mondegreen.errors import DataError, unknown
from mondegreen.metrics.score import Score
from mondegreen.metrics.slu import COLUMNS, RATES
from mondegreen.runs.schema import COUNTS
from mondegreen.runs.store import check_header, connect, told

ORDERS = {
    "position": "number",
    "label": "label",
    "predicted": "predicted",
    "text": "text",
    "operator": "operator",
    "speaker": "speaker",
    "loss": "loss",
    "slot_errors": "slot_errors",
    "wrong": "wrong",
    "flip": "flip",
}
"""What items can be sorted by."""


class RunSet(NamedTuple):
    """One set of a run; its items are numbered from ``first``, and ``done`` of them are there."""

    number: int
    name: str
    kind: str
    operator: str
    amount: str
    draw: int
    n: int
    changed: int
    first: int
    done: int


class ScoreRow(NamedTuple):
    """One rate of one set; ``mean`` and ``spread`` are those of the random draws."""

    set_name: str
    name: str
    value: float | None
    low: float | None
    high: float | None
    numerator: float
    denominator: float
    mean: float | None
    spread: float | None


@dataclass(frozen=True)
class Filter:
    """Which items are meant; what is not said, is not asked.

    Args:
        set: the name of a set.
        label: the gold intent or class.
        predicted: the predicted one.
        operator: what made the variant.
        speaker: who said it, where the data have a column speaker.
        wrong: only those whose frame is wrong.
        flip: -1 for those that the original has right and this has wrong, 1 the other way round.
        parent: the id of the source utterance.
        search: words that the text has, the last one perhaps begun.
    """

    set: str | None = None
    label: str | None = None
    predicted: str | None = None
    operator: str | None = None
    speaker: str | None = None
    wrong: bool = False
    flip: int | None = None
    parent: str | None = None
    search: str = ""


class Page(NamedTuple):
    """Some of the items that are meant, and how many there are in all."""

    total: int
    items: list[dict[str, Any]]


class Run:
    """A run that is there to be read, finished or not."""

    def __init__(self, path: Path, connection: sqlite3.Connection) -> None:
        self.path = path
        self.connection = connection
        connection.row_factory = sqlite3.Row

    def close(self) -> None:
        """Let go of the file."""
        self.connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    @property
    def meta(self) -> dict[str, str]:
        """What the run says of itself: suite, model, state, version and so on."""
        return {row["key"]: row["value"] for row in self._rows("SELECT key, value FROM meta")}

    @property
    def finished(self) -> bool:
        """Whether every item has its answer."""
        return self.meta.get("state") == "done"

    @property
    def signature(self) -> str:
        """The recipe of the run's numbers, in one line."""
        meta = self.meta
        return (
            f"mondegreen|slu|suite:{meta['suite_sha'][:16]}"
            f"|model:{meta['model'].replace('|', ',')}|v:{meta['version']}"
        )

    @property
    def sets(self) -> list[RunSet]:
        """The sets in their order."""
        count = self._rows("SELECT COALESCE(MAX(number) + 1, 0) AS done FROM items")[0]["done"]
        return [
            RunSet(**dict(row), done=max(0, min(row["n"], count - row["first"])))
            for row in self._rows("SELECT * FROM sets ORDER BY number")
        ]

    def set(self, name: str) -> RunSet:
        """Return a set by its name.

        Raises:
            DataError: if there is none.
        """
        found = {one.name: one for one in self.sets}
        if name not in found:
            raise DataError(f"{self.path}: {unknown('set', name, found)}")
        return found[name]

    def scores(self) -> list[ScoreRow]:
        """Return the rates of all sets, as they were worked out when the run was finished."""
        return [ScoreRow(*row) for row in self._rows("SELECT * FROM scores")]

    def score(self, name: str) -> Score:
        """Return the score of a set, with the counts of each item that is done."""
        one = self.set(name)
        rows = self.connection.execute(
            f"SELECT id, {', '.join(COUNTS)} FROM items WHERE number >= ? AND number < ? "  # noqa: S608
            "ORDER BY number",
            (one.first, one.first + one.n),
        ).fetchall()
        table = np.ones((len(rows), len(COLUMNS)), np.int64)
        if rows:
            kept = [COLUMNS.index(column) for column in COUNTS]
            table[:, kept] = np.array([tuple(row)[1:] for row in rows], np.int64)
        signature = f"mondegreen|slu|v:{self.meta['version']}"
        return Score("slu", signature, COLUMNS, table, RATES, tuple(row["id"] for row in rows))

    def page(
        self,
        which: Filter | None = None,
        *,
        order: str = "position",
        descending: bool = False,
        limit: int = 50,
        offset: int = 0,
    ) -> Page:
        """Return some items: those that are meant, in an order, ``limit`` from ``offset`` on.

        Raises:
            DataError: if there is no such set or order.
        """
        where, values = self._where(which or Filter())
        total = self.connection.execute(
            f"SELECT COUNT(*) FROM items{where}",  # noqa: S608 (columns of our own)
            values,
        ).fetchone()[0]
        items = self.items(which, order=order, descending=descending, limit=limit, offset=offset)
        return Page(total, list(items))

    def items(
        self,
        which: Filter | None = None,
        *,
        order: str = "position",
        descending: bool = False,
        limit: int = -1,
        offset: int = 0,
    ) -> Iterator[dict[str, Any]]:
        """Return items one after the other: those that are meant, in an order.

        Raises:
            DataError: if there is no such set or order.
        """
        if order not in ORDERS:
            raise DataError(unknown("order", order, ORDERS))
        where, values = self._where(which or Filter())
        down = " DESC" if descending else ""
        by = ", ".join(f"{column}{down}" for column in dict.fromkeys((ORDERS[order], "number")))
        rows = self.connection.execute(
            f"SELECT * FROM items{where} ORDER BY {by} LIMIT ? OFFSET ?",  # noqa: S608
            (*values, limit, offset),
        )
        return map(_item, rows)

    def values(self, column: str, most: int) -> list[str]:
        """Return the first values of an order that items have, for a list to choose from.

        Leaps from each value to the next by the column's index, so that a million items take no
        longer than their values do.
        """
        name = ORDERS[column]
        rows = self._rows(
            f"WITH RECURSIVE leap (value) AS (SELECT MIN({name}) FROM items UNION ALL "  # noqa: S608
            f"SELECT (SELECT MIN({name}) FROM items WHERE {name} > value) FROM leap "
            "WHERE value IS NOT NULL) SELECT value FROM leap WHERE value IS NOT NULL LIMIT ?",
            (most,),
        )
        return [str(row[0]) for row in rows]

    def item(self, number: int) -> dict[str, Any]:
        """Return one item.

        Raises:
            DataError: if there is none of that number.
        """
        rows = self._rows("SELECT * FROM items WHERE number = ?", (number,))
        if not rows:
            raise DataError(f"{self.path}: there is no item {number}")
        return _item(rows[0])

    def labels(self) -> list[str]:
        """Return the gold labels of the original set, for a list to choose from."""
        first = self.sets[0]
        rows = self._rows(
            "SELECT DISTINCT label FROM items WHERE set_number = ? AND label IS NOT NULL "
            "ORDER BY label",
            (first.number,),
        )
        return [row["label"] for row in rows]

    def confused(self, most: int) -> list[tuple[str, str, int]]:
        """Return which label was taken for which over all sets, and how often; the most first."""
        rows = self._rows(
            "SELECT label, predicted, COUNT(*) AS n FROM items WHERE label != predicted "
            "GROUP BY label, predicted ORDER BY n DESC, label, predicted LIMIT ?",
            (most,),
        )
        return [tuple(row) for row in rows]

    def flips(self, name: str) -> Iterator[dict[str, Any]]:
        """Yield the items of a set that are right where the original is not, or the other way."""
        rows = self.connection.execute(
            "SELECT * FROM items WHERE set_number = ? AND flip != 0 ORDER BY position",
            (self.set(name).number,),
        )
        return map(_item, rows)

    def _where(self, which: Filter) -> tuple[str, list[Any]]:
        conditions: list[str] = []
        values: list[Any] = []
        if which.set is not None:
            one = self.set(which.set)
            conditions.append("set_number = ? AND number >= ? AND number < ?")
            values += (one.number, one.first, one.first + one.n)
        for column in ("label", "predicted", "operator", "speaker", "flip", "parent"):
            if getattr(which, column) is not None:
                conditions.append(f"{column} = ?")
                values.append(getattr(which, column))
        if which.wrong:
            conditions.append("wrong = 1")
        words = which.search.split()
        if words and self._searchable:
            conditions.append("number IN (SELECT rowid FROM search WHERE search MATCH ?)")
            values.append(" ".join(_quoted(word) for word in words) + "*")
        else:
            for word in words:
                conditions.append("text LIKE ? ESCAPE '\\'")
                values.append(f"%{_escaped(word)}%")
        return (f" WHERE {' AND '.join(conditions)}" if conditions else ""), values

    @cached_property
    def _searchable(self) -> bool:
        return bool(self._rows("SELECT 1 FROM sqlite_master WHERE name = 'search'"))

    def _rows(self, query: str, values: Sequence[Any] = ()) -> list[sqlite3.Row]:
        return self.connection.execute(query, values).fetchall()


def _quoted(word: str) -> str:
    return '"' + word.replace('"', '""') + '"'


def _escaped(word: str) -> str:
    return word.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")


def _item(row: sqlite3.Row) -> dict[str, Any]:
    """An item as plain values, with what is kept as JSON read."""
    item = dict(zip(row.keys(), row, strict=True))
    for column in ("utterance", "edits", "prediction"):
        item[column] = msgspec.json.decode(item[column])
    return item


def open_run(path: Path | str) -> Run:
    """Open a run to read it; one that is still being written may be read as well.

    Raises:
        DataError: if there is no such file, or if it is no run, or one of a newer version.
    """
    place = Path(path)
    if not place.is_file():
        raise DataError(f"{place}: there is no such run; make one with: mondegreen evaluate")
    with told(place):
        connection = connect(place, "ro")
        try:
            check_header(connection, place)
        except BaseException:
            connection.close()
            raise
    return Run(place, connection)
