"""Read a run: its sets, its scores, and its items by page, filtered, sorted and searched."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from mondegreen.errors import DataError, unknown
from mondegreen.metrics.scores.score import Score
from mondegreen.runs.items import RunItem, item_of
from mondegreen.runs.queries import Where, count, select
from mondegreen.runs.run_file import RunFile
from mondegreen.runs.schema import counts_of
from mondegreen.runs.selection import ORDERS, Filter, where_of
from mondegreen.runs.store import check_header, connect, translate_errors


class Page(NamedTuple):
    """Some of the selected items, and how many are selected in all."""

    total: int
    items: list[RunItem]


class Run(RunFile):
    """A run to be read, finished or not. A finished run and its file never change."""

    def score(self, name: str) -> Score:
        """Return the score of a set, from the counts of each stored item."""
        one, metric = self.set(name), self.metric
        counts = [name for name in counts_of(metric) if name in self.item_columns]
        rows = self._rows(
            f"SELECT id, {', '.join(counts)} FROM items WHERE number >= ? AND number < ? "
            "ORDER BY number",
            (one.first, one.first + one.n),
        )
        table = np.zeros((len(rows), len(metric.columns)), np.int64)
        table[:, -1] = 1
        signature = f"mondegreen|{metric.name}|v:{self.meta['version']}"
        with self._reading():
            if rows:
                indices = [metric.columns.index(column) for column in counts]
                table[:, indices] = np.array([tuple(row)[1:] for row in rows], np.int64)
            if (table < 0).any():
                raise ValueError("a count is below 0")
            ids = tuple(str(row["id"]) for row in rows)
            return Score(metric, signature, table, ids, units=self._units(len(rows)))

    def _units(self, n: int) -> tuple[int, ...] | None:
        """Return the text of each answer, if texts were asked several times; answers follow it."""
        return None if self.repeat == 1 else tuple(row // self.repeat for row in range(n))

    @property
    def orders(self) -> dict[str, str]:
        """The orders in which items can be sorted, and the column of each."""
        orders = ORDERS | {name: name for name in self.metric.totals}
        return {name: column for name, column in orders.items() if column in self.item_columns}

    def page(
        self,
        which: Filter | None = None,
        *,
        order: str = "position",
        descending: bool = False,
        limit: int = 50,
        offset: int = 0,
    ) -> Page:
        """Return a page of the selected items, in an order, ``limit`` items from ``offset``.

        Raises:
            DataError: if there is no such set or order.
        """
        total = self._rows(*count(self._where(which or Filter())))[0][0]
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
    ) -> Iterator[RunItem]:
        """Return an iterator over the selected items, in an order.

        Raises:
            DataError: if there is no such set or order.
        """
        if order not in self.orders:
            raise DataError(unknown("order", order, self.orders))
        statement = select(
            "*",
            self._where(which or Filter()),
            order=(self.orders[order], "number"),
            descending=descending,
            limit=limit,
            offset=offset,
        )
        return self._items(*statement)

    def _items(self, query: str, values: Sequence[Any]) -> Iterator[RunItem]:
        with self._reading():
            yield from map(item_of, self.connection.execute(query, values))

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
        name = "set_number" if column == "set" else self.orders[column]
        where = self._where(which).also(f"{name} IS NOT NULL AND {name} != ''")
        rows = self._rows(
            f"SELECT {name}, COUNT(*) AS n FROM items{where.clause} GROUP BY 1 "
            "ORDER BY n DESC, 1 LIMIT ?",
            (*where.values, most),
        )
        names = {one.number: one.name for one in self.sets}
        return [(names[key] if column == "set" else str(key), n) for key, n in rows]

    def flips(self, name: str) -> Iterator[RunItem]:
        """Return the items of a set that are right though the original is wrong, or the reverse."""
        rows = self.rows(
            "SELECT * FROM items WHERE set_number = ? AND flip != 0 ORDER BY position",
            (self.set(name).number,),
        )
        return map(item_of, rows)

    def _where(self, which: Filter) -> Where:
        one = None if which.set is None else self.set(which.set)
        return where_of(which, one, searchable=bool(which.search) and self._searchable)

    @cached_property
    def _searchable(self) -> bool:
        return bool(self._rows("SELECT 1 FROM sqlite_master WHERE name = 'search'"))


def open_run(path: Path | str) -> Run:
    """Open a run to read it; a run that is still being written can be read as well.

    Raises:
        DataError: if there is no such file, or if it is not a run that this version can read.
    """
    place = Path(path)
    if not place.is_file():
        raise DataError(f"{place}: there is no such run; make one with: mondegreen evaluate")
    with translate_errors(place):
        connection = connect(place, "ro")
        try:
            check_header(connection, place)
        except BaseException:
            connection.close()
            raise
    return Run(place, connection)
