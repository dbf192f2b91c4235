"""Read a run: its sets, its scores, and its items by page, filtered, sorted and searched."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import msgspec
import numpy as np

from mondegreen.errors import DataError, unknown
from mondegreen.metrics.metric import Ratio
from mondegreen.metrics.scores.score import Score
from mondegreen.metrics.scores.tally import Gathering, Tally
from mondegreen.runs.items import RunItem, item_of
from mondegreen.runs.queries import Where, count, quoted, select
from mondegreen.runs.rate_sql import rate_sql
from mondegreen.runs.run_file import RunFile
from mondegreen.runs.schema import COLUMN, ENDINGS
from mondegreen.runs.scored import read_rows
from mondegreen.runs.selection import ORDERS, Filter, where_of
from mondegreen.runs.store import check_header, connect, translate_errors

_CHUNK = 10_000  # rows that are gathered at once
_START = 1_000  # bytes of a file that say what it is


class ItemPage(NamedTuple):
    """Some of the selected items, and how many are selected in all."""

    total: int
    items: list[RunItem]


class Run(RunFile):
    """A run to be read, finished or not. A finished run and its file never change."""

    def reopened(self) -> Run:
        """Return the same run with a connection of its own, for another thread."""
        return _opened(self.path, self.database)

    def score(self, name: str) -> Score:
        """Return the score of a set, from the counts of each stored item."""
        one = self.set(name)
        rows = self._rows(
            f"SELECT id, {', '.join(map(quoted, self.counts))} FROM items "
            "WHERE number >= ? AND number < ? ORDER BY number",
            (one.first, one.first + one.n),
        )
        with self._reading():
            ids, *columns = zip(*rows, strict=True) if rows else [()]
            table, ids = np.array(columns, np.int64).T, tuple(map(str, ids))
            return self._scored(Tally(table.reshape(-1, len(self.counts))), ids)

    def score_by(self, column: str = "NULL") -> dict[str | None, Score]:
        """Return the score of each value of a column; of many items, distinct counts are kept."""
        counts = ", ".join(map(quoted, self.counts))
        cursor = self.rows(f"SELECT {column}, {counts} FROM items ORDER BY number")
        found: dict[str | None, Gathering] = {}
        while rows := list(islice(cursor, _CHUNK)):
            groups: dict[str | None, list[tuple[int, ...]]] = {}
            for value, *row in rows:
                groups.setdefault(value or None, []).append(tuple(row))
            for value, group in groups.items():
                found.setdefault(value, Gathering()).add(Tally(np.array(group, np.int64)))
        return {value: self._scored(one.total()) for value, one in found.items()}

    def totals(self) -> dict[str, float]:
        """Return the sums of all counts over all items."""
        sums = ", ".join(f"TOTAL({quoted(name)})" for name in self.counts)
        row = self._rows(f"SELECT {sums}, COUNT(*) FROM items")[0]
        return dict(zip((*self.counts, "utterances"), row, strict=True))

    def _scored(self, stored: Tally, ids: Sequence[str] = ()) -> Score:
        """Return the score of stored counts; columns that an earlier version lacks are 0."""
        metric, rows = self.metric, stored.rows
        columns = (*self.counts, "utterances") if self.is_score else metric.columns
        table = np.zeros((len(rows), len(columns)), np.int64)
        table[:, columns.index("utterances")] = 1
        table[:, [columns.index(name) for name in self.counts]] = rows
        if (table < 0).any():
            raise ValueError("a count is below 0")
        own = f"mondegreen|{metric.name}|v:{self.meta['version']}"
        return Score(
            metric,
            self.signature if self.is_score else own,
            table,
            tuple(ids),
            columns=columns,
            rates=self.rates if self.is_score else {},
            times=stored.times,
            units=self._units(len(rows)) if ids else None,
        )

    @cached_property
    def rates(self) -> dict[str, Ratio]:
        """The rates that the run has, by name."""
        known = self.metric.by_name
        if not self.is_score:
            return known
        names = msgspec.json.decode(self.meta["rates"], type=list[str])
        return {name: known[name] for name in names}

    def rates_of(self, item: RunItem) -> dict[str, float | None]:
        """Return the rates of one item."""
        counts = item.counts | {"utterances": 1}
        ratios = {name: rate.ratio(counts) for name, rate in self.rates.items()}
        return {name: above / below if below else None for name, (above, below) in ratios.items()}

    def _units(self, n: int) -> tuple[int, ...] | None:
        """Return the text of each answer, if texts were asked several times; answers follow it."""
        return None if self.repeat == 1 else tuple(row // self.repeat for row in range(n))

    @cached_property
    def orders(self) -> dict[str, str]:
        """The orders in which items can be sorted, and the term of SQL of each."""
        orders = ORDERS | {name: name for name in self.metric.totals}
        known = {name: column for name, column in orders.items() if column in self.item_columns}
        if not self.is_score:
            return known
        counts = self.counts
        return (
            known
            | {"id": "id"}
            | {name: rate_sql(self.connection, rate, counts) for name, rate in self.rates.items()}
        )

    def page(
        self,
        which: Filter | None = None,
        *,
        order: str = "position",
        descending: bool = False,
        limit: int = 50,
        offset: int = 0,
    ) -> ItemPage:
        """Return a page of the selected items, in an order, ``limit`` items from ``offset``.

        Raises:
            DataError: if there is no such set or order.
        """
        total = self._rows(*count(self._where(which or Filter())))[0][0]
        items = self.items(which, order=order, descending=descending, limit=limit, offset=offset)
        return ItemPage(total, list(items))

    def items(
        self,
        which: Filter | None = None,
        *,
        order: str = "position",
        descending: bool = False,
        limit: int = -1,
        offset: int = 0,
    ) -> Iterator[RunItem]:
        """Return an iterator over the selected items, in an order.

        Raises:
            DataError: if there is no such set or order.
        """
        page: dict[str, Any] = {"descending": descending, "limit": limit, "offset": offset}
        return self._decoded(self.select(["*"], which, order=order, **page))

    def select(
        self,
        terms: Sequence[str],
        which: Filter | None = None,
        *,
        order: str = "position",
        descending: bool = False,
        limit: int = -1,
        offset: int = 0,
    ) -> Iterator[sqlite3.Row]:
        """Return an iterator over some terms of SQL of the selected items, in an order.

        Raises:
            DataError: if there is no such set or order.
        """
        if order not in self.orders:
            raise DataError(unknown("order", order, self.orders))
        statement = select(
            ", ".join(terms),
            self._where(which or Filter()),
            order=(self.orders[order], "number"),
            descending=descending,
            limit=limit,
            offset=offset,
        )
        return self.rows(*statement)

    def _decoded(self, rows: Iterator[sqlite3.Row]) -> Iterator[RunItem]:
        with self._reading():
            yield from map(item_of, rows)

    def values(self, column: str, most: int) -> list[str]:
        """Return the first values of a column that items can be sorted by, for a list of choices.

        Jumps from each value to the next by the column's index, so that the time depends on the
        number of values, not of items.
        """
        name = self.orders[column]
        rows = self._rows(
            f"WITH RECURSIVE leap (value) AS (SELECT MIN({name}) FROM items UNION ALL "
            f"SELECT (SELECT MIN({name}) FROM items WHERE {name} > value) FROM leap "
            "WHERE value IS NOT NULL) SELECT value FROM leap WHERE value IS NOT NULL LIMIT ?",
            (most,),
        )
        return [str(row[0]) for row in rows]

    def item(self, number: int) -> RunItem:
        """Return an item by its number.

        Raises:
            DataError: if there is no such item.
        """
        rows = self._rows("SELECT * FROM items WHERE number = ?", (number,))
        if not rows:
            raise DataError(f"{self.path}: there is no item {number}")
        return item_of(rows[0])

    def labels(self) -> list[str]:
        """Return the gold labels of the original set, for a list of choices."""
        first = self.sets[0]
        rows = self._rows(
            "SELECT DISTINCT label FROM items WHERE set_number = ? AND label IS NOT NULL "
            "ORDER BY label",
            (first.number,),
        )
        return [row["label"] for row in rows]

    def confused(self, most: int) -> list[tuple[str, str, int]]:
        """Return the most frequent confusions over all sets: gold label, predicted label, count."""
        rows = self._rows(
            "SELECT label, predicted, COUNT(*) AS n FROM items WHERE label != predicted "
            "GROUP BY label, predicted ORDER BY n DESC, label, predicted LIMIT ?",
            (most,),
        )
        return [tuple(row) for row in rows]

    def wrong_by_label(self) -> dict[tuple[str, int], tuple[int, int]]:
        """Return by gold label and number of set: how many items there are, and how many wrong."""
        rows = self._rows(
            "SELECT label, set_number, COUNT(*), SUM(wrong) FROM items WHERE label IS NOT NULL "
            "GROUP BY set_number, label"
        )
        return {(label, number): (n, wrong) for label, number, n, wrong in rows}

    def kinds(self, name: str, sample: int) -> dict[str, int]:
        """Return what the edits of a set really are: how many there are of each kind.

        Args:
            name: a set.
            sample: how many items to look at.
        """
        one = self.set(name)
        rows = self._rows(
            "SELECT json_extract(value, '$.kind') AS kind, COUNT(*) AS n "
            "FROM items, json_each(items.edits) WHERE number >= ? AND number < ? "
            "GROUP BY kind ORDER BY n DESC, kind",
            (one.first, one.first + min(one.n, sample)),
        )
        return {row["kind"]: row["n"] for row in rows}

    def tally(self, column: str, which: Filter, most: int) -> list[tuple[str, int]]:
        """Return how many of the selected items have each value of a column, most first."""
        name = "set_number" if column == "set" else self._column(column)
        where = self._where(which).also(f"{name} IS NOT NULL AND {name} != ''")
        rows = self._rows(
            f"SELECT {name}, COUNT(*) AS n FROM items{where.clause} GROUP BY 1 "
            "ORDER BY n DESC, 1 LIMIT ?",
            (*where.values, most),
        )
        names = {one.number: one.name for one in self.sets}
        return [(names[key] if column == "set" else str(key), n) for key, n in rows]

    def _column(self, name: str) -> str:
        return quoted(name) if name.startswith(COLUMN) else self.orders[name]

    def flips(self, name: str) -> Iterator[RunItem]:
        """Return the items of a set that are right though the original is wrong, or the reverse."""
        rows = self.rows(
            "SELECT * FROM items WHERE set_number = ? AND flip != 0 ORDER BY position",
            (self.set(name).number,),
        )
        return map(item_of, rows)

    def _where(self, which: Filter) -> Where:
        one = None if which.set is None else self.set(which.set)
        searched = ("id", "text", "hyp") if self.is_score else ("text",)
        indexed = bool(which.search) and self._searchable
        return where_of(which, one, searchable=indexed, searched=searched)

    @cached_property
    def _searchable(self) -> bool:
        return bool(self._rows("SELECT 1 FROM sqlite_master WHERE name = 'search'"))


def open_run(path: Path | str, on_progress: Callable[[int], object] | None = None) -> Run:
    """Open a run to read it; a run that is still being written can be read as well.

    The rows of a score (``score … --items FILE.jsonl``) are read into a run first.

    Args:
        path: the file.
        on_progress: called with the number of rows read since the last call.

    Raises:
        DataError: if there is no such file, or if it is not a run that this version can read.
    """
    place = Path(path)
    if not place.is_file():
        raise DataError(
            f"{place}: there is no such file; give a run (evaluate … -o RUN, score … --items RUN) "
            "or the rows of a score (score … --items FILE.jsonl)"
        )
    if not _has_rows(place):
        return _opened(place, place)
    folder = TemporaryDirectory(prefix="mondegreen-")
    try:
        database = Path(folder.name) / "rows.run"
        read_rows(place, database, on_progress or (lambda _: None))
        return _opened(place, database, folder)
    except BaseException:
        folder.cleanup()
        raise


def _has_rows(path: Path) -> bool:
    """Return whether a file has JSON lines, or is neither that nor a run, nor called one."""
    with path.open("rb") as file:
        start = file.read(_START)
    return start.lstrip().startswith(b"{") or not (
        start.startswith(b"SQLite format 3\0") or path.suffix in ENDINGS
    )


def _opened(path: Path, database: Path, folder: TemporaryDirectory[str] | None = None) -> Run:
    with translate_errors(path):
        connection = connect(database, "ro")
        try:
            check_header(connection, path)
        except BaseException:
            connection.close()
            raise
    return Run(path, connection, database, folder)
