"""Read a run: its sets, its scores, and its items by page, filtered, sorted and searched."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from types import TracebackType
from typing import Any, NamedTuple, Self

import msgspec
import numpy as np

from mondegreen.errors import DataError, MondegreenError, unknown
from mondegreen.metrics import METRICS
from mondegreen.metrics.estimate import Estimate
from mondegreen.metrics.metric import Metric
from mondegreen.metrics.score import Score
from mondegreen.notebook import ShownInNotebooks
from mondegreen.runs.items import RunItem, item_of
from mondegreen.runs.queries import Where, count, select
from mondegreen.runs.schema import counts_of
from mondegreen.runs.store import check_header, connect, translate_errors

_META = frozenset(("suite", "suite_sha", "model", "model_spec", "version", "state"))
_DAMAGED = (
    sqlite3.Error, msgspec.MsgspecError, MondegreenError, ValueError, TypeError, LookupError,
    OverflowError, RecursionError,
)  # fmt: skip
"""What reading a damaged run may raise."""
_ORDERS = {
    "position": "number",
    **{
        name: name
        for name in (
            "label", "predicted", "text", "operator", "speaker", "loss", "wrong", "flip",
        )
    },
}  # fmt: skip


class RunSet(NamedTuple):
    """One set of a run; its items are numbered from ``first``, and ``done`` of them are stored."""

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


@dataclass(frozen=True)
class Filter:
    """Which items to select; a field that is not set selects all.

    Args:
        set: the name of a set.
        label: the gold intent or class.
        predicted: the predicted intent or class.
        operator: the operator that made the variant.
        speaker: the speaker, if the data has a column ``speaker``.
        wrong: only items whose frame is wrong.
        flip: -1 for items that are wrong though the original is right, 1 for the reverse.
        parent: the id of the source utterance.
        search: words that the text contains; the last one may be incomplete.
        numbers: the numbers of the items.
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
    numbers: Sequence[int] | None = None


class Page(NamedTuple):
    """Some of the selected items, and how many are selected in all."""

    total: int
    items: list[RunItem]


class _Head(NamedTuple):
    """The metadata, sets and scores of a run, read together."""

    meta: dict[str, str]
    sets: list[RunSet]
    scores: dict[str, dict[str, Estimate]]


class Run(ShownInNotebooks):
    """A run to be read, finished or not. A finished run and its file never change."""

    def __init__(self, path: Path, connection: sqlite3.Connection) -> None:
        self.path = path
        self.connection = connection
        connection.row_factory = sqlite3.Row
        self._cached: _Head | None = None

    def close(self) -> None:
        """Close the file."""
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
    def _head(self) -> _Head:
        """Metadata, sets and scores; read once if the run is finished, each time otherwise."""
        if self._cached is not None:
            return self._cached
        head = self._read_head()
        if head.meta.get("state") == "done":
            self._cached = head
        return head

    def _read_head(self) -> _Head:
        with self._reading():
            return self._parsed_head()

    def _parsed_head(self) -> _Head:
        meta = {row["key"]: row["value"] for row in self._rows("SELECT key, value FROM meta")}
        done = self._rows("SELECT COALESCE(MAX(number) + 1, 0) AS done FROM items")[0]["done"]
        sets = [
            RunSet(**dict(row), done=max(0, min(row["n"], done - row["first"])))
            for row in self._rows("SELECT * FROM sets ORDER BY number")
        ]
        scores: dict[str, dict[str, Estimate]] = {}
        for set_name, *values in self._rows("SELECT * FROM scores"):
            estimate = Estimate(*values)
            scores.setdefault(set_name, {})[estimate.name] = estimate
        missing = _META - {key for key, value in meta.items() if isinstance(value, str)}
        if missing or not all(isinstance(one.name, str) for one in sets):
            raise ValueError(f"{min(missing, default='the name of a set')} is missing")
        return _Head(meta, sets, scores)

    @property
    def meta(self) -> dict[str, str]:
        """The metadata of the run: suite, model, state, version and so on."""
        return self._head.meta

    @cached_property
    def metric(self) -> Metric:
        """The metric of the run."""
        return METRICS.named(self.meta.get("metric", "slu"))

    @property
    def finished(self) -> bool:
        """Whether every item is stored and scored."""
        return self.meta.get("state") == "done"

    @property
    def signature(self) -> str:
        """The recipe of the run's numbers, in one line."""
        meta = self.meta
        return (
            f"mondegreen|{self.metric.name}|suite:{meta['suite_sha'][:16]}"
            f"|model:{meta['model'].replace('|', ',')}|v:{meta['version']}"
        )

    @property
    def sets(self) -> list[RunSet]:
        """The sets in their order."""
        return self._head.sets

    def set(self, name: str) -> RunSet:
        """Return a set by its name.

        Raises:
            DataError: if there is no such set.
        """
        found = {one.name: one for one in self.sets}
        if name not in found:
            raise DataError(f"{self.path}: {unknown('set', name, found)}")
        return found[name]

    def scores(self) -> dict[str, dict[str, Estimate]]:
        """Return the stored rates by set and name; empty if the run is not finished."""
        return self._head.scores

    def score(self, name: str) -> Score:
        """Return the score of a set, from the counts of each stored item."""
        one, metric = self.set(name), self.metric
        counts = counts_of(metric)
        rows = self._rows(
            f"SELECT id, {', '.join(counts)} FROM items WHERE number >= ? AND number < ? "
            "ORDER BY number",
            (one.first, one.first + one.n),
        )
        table = np.ones((len(rows), len(metric.columns)), np.int64)
        signature = f"mondegreen|{metric.name}|v:{self.meta['version']}"
        with self._reading():
            if rows:
                indices = [metric.columns.index(column) for column in counts]
                table[:, indices] = np.array([tuple(row)[1:] for row in rows], np.int64)
            if (table < 0).any():
                raise ValueError("a count is below 0")
            return Score(metric, signature, table, tuple(str(row["id"]) for row in rows))

    @property
    def orders(self) -> dict[str, str]:
        """The orders in which items can be sorted, and the column of each."""
        return _ORDERS | {name: name for name in self.metric.totals}

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

    @contextmanager
    def _reading(self) -> Iterator[None]:
        """Translate whatever a damaged run makes of reading it.

        Raises:
            DataError: if the run is damaged.
        """
        try:
            yield
        except DataError:
            raise
        except _DAMAGED as error:
            raise DataError(
                f"{self.path}: the run is damaged ({error}); make it again: mondegreen evaluate"
            ) from None

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
        where = Where()
        if which.set is not None:
            one = self.set(which.set)
            where = where.also(
                "set_number = ? AND number >= ? AND number < ?",
                one.number,
                one.first,
                one.first + one.n,
            )
        for column in ("label", "predicted", "operator", "speaker", "flip", "parent"):
            if (value := getattr(which, column)) is not None:
                where = where.equals(column, value)
        if which.wrong:
            where = where.also("wrong = 1")
        if which.numbers is not None:
            where = where.among("number", which.numbers)
        words = which.search.split()
        if words and self._searchable:
            phrase = " ".join('"' + word.replace('"', '""') + '"' for word in words) + "*"
            return where.also("number IN (SELECT rowid FROM search WHERE search MATCH ?)", phrase)
        for word in words:
            where = where.contains(["text"], word)
        return where

    @cached_property
    def _searchable(self) -> bool:
        return bool(self._rows("SELECT 1 FROM sqlite_master WHERE name = 'search'"))

    def rows(self, query: str, values: Sequence[Any] = ()) -> Iterator[sqlite3.Row]:
        """Yield the rows that a query finds.

        Raises:
            DataError: if the run is damaged.
        """
        with self._reading():
            yield from self.connection.execute(query, values)

    def _rows(self, query: str, values: Sequence[Any] = ()) -> list[sqlite3.Row]:
        return list(self.rows(query, values))


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
