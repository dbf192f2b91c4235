"""Where a page's utterances come from: a query, a page of rows, one utterance in full."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar, NamedTuple

import msgspec

from mondegreen.errors import DataError, unknown
from mondegreen.metrics.score import Score
from mondegreen.report.content import Overview

PAGE = 50
_MOST = 1000  # rows on a page
_VALUES = 200  # that a filter offers
_FAR = 2**62  # rows: SQLite's integers end not far from here


class Column(NamedTuple):
    """A column of the list of utterances: a ``number``, a ``name``, or ``text``.

    Text is not sorted by: an index of it would be as large as the text itself.
    """

    key: str
    label: str
    kind: str = "number"

    @property
    def sorts(self) -> bool:
        """Whether the list can be sorted by it."""
        return self.kind != "text"


class Query(msgspec.Struct, frozen=True):
    """Which utterances, in which order. Worst first where nothing is said."""

    text: str = ""
    filters: Mapping[str, str] = {}
    wrong: bool = False
    flipped: bool = False
    sort: str = ""
    descending: bool = True
    page: int = 1
    size: int = PAGE


class Page(NamedTuple):
    """Some rows of those that a query finds."""

    rows: list[dict[str, Any]]
    total: int


class Source:
    """Utterances and their scores in an SQLite table, one row each.

    Subclasses say what the columns are; all that is asked of the database is put together here,
    from names that the subclass gave and values that are always bound.
    """

    name: str
    metric: str
    columns: tuple[Column, ...]
    """Columns to show and to sort by; the first number sorts by default."""
    facets: tuple[Column, ...]
    """Columns to filter by."""
    searched: tuple[str, ...]
    """Columns that hold the text to search."""
    wrong = "wrong"
    flipped: str | None = None
    """The column that is below 0 for what is wrong where the source is right."""
    key = ("id",)
    """What tells an utterance: its id, or its number."""
    expressions: ClassVar[Mapping[str, str]] = {}
    """How a column is worked out, where it is not one of the table's."""
    order = "position"

    def open(self) -> sqlite3.Connection:
        """Return a new connection, which can only read."""
        raise NotImplementedError

    def connect(self) -> sqlite3.Connection:
        """Return this thread's connection."""
        kept = self.__dict__.setdefault("_connections", threading.local())
        found: sqlite3.Connection | None = getattr(kept, "one", None)
        if found is None:
            found = kept.one = self.open()
        return found

    def overview(self) -> Overview:
        """Return what the report tells."""
        raise NotImplementedError

    def utterance(self, key: Mapping[str, str]) -> dict[str, Any]:
        """Return one utterance in full: the blocks that its page shows.

        Raises:
            DataError: if there is no such utterance.
        """
        raise NotImplementedError

    def brief(self, key: Mapping[str, str]) -> tuple[str, str]:
        """Return what was said and what the system made of it, in a line each."""
        raise NotImplementedError

    def key_at(self, set: str, place: int) -> dict[str, str]:
        """Return the key of an utterance by its place in its set."""
        raise NotImplementedError

    def scores(self, set: str) -> Score:
        """Return the score of a set's utterances, to be compared."""
        raise NotImplementedError

    def sets(self) -> Sequence[str]:
        """Return the names of the sets; one that is empty where there are none."""
        return ("",)

    def close(self) -> None:
        """Let go of the database."""

    def page(self, query: Query) -> Page:
        """Return a page of the utterances that a query finds.

        Raises:
            DataError: if a column is unknown.
        """
        size = min(max(query.size, 1), _MOST)
        offset = (max(query.page, 1) - 1) * size
        rows = list(self._select(self.connect(), query, size, offset))
        return Page(rows, self.count(query))

    def count(self, query: Query) -> int:
        """Return how many utterances a query finds."""
        where, values = self._where(query)
        row = self.connect().execute(f"SELECT COUNT(*) FROM items{where}", values).fetchone()
        return int(row[0])

    def rows(self, query: Query) -> Iterator[dict[str, Any]]:
        """Yield all utterances that a query finds; may be read on from another thread.

        Raises:
            DataError: if a column is unknown.
        """
        return self._select(self.open(), query, -1, 0)

    def _select(
        self, connection: sqlite3.Connection, query: Query, size: int, offset: int
    ) -> Iterator[dict[str, Any]]:
        where, values = self._where(query)
        names = tuple(dict.fromkeys((*self.key, *(column.key for column in self.columns))))
        cursor = connection.execute(
            f"SELECT {', '.join(map(self._expression, names))} FROM items{where} "
            f"ORDER BY {self._order(query)} LIMIT ? OFFSET ?",
            [*values, size, min(offset, _FAR)],
        )
        return (dict(zip(names, row, strict=True)) for row in cursor)

    def _where(self, query: Query) -> tuple[str, list[Any]]:
        terms: list[str] = []
        values: list[Any] = []
        known = [column.key for column in self.facets]
        for key, value in query.filters.items():
            if key not in known:
                raise DataError(unknown("filter", key, known))
            terms.append(self.filter_term(key))
            values.append(value)
        if query.text:
            term, patterns = self.search_term(query.text)
            terms.append(term)
            values += patterns
        if query.wrong:
            terms.append(f"{quoted(self.wrong)} > 0")
        if query.flipped and self.flipped is not None:
            terms.append(f"{quoted(self.flipped)} < 0")
        return (f" WHERE {' AND '.join(terms)}" if terms else ""), values

    def _expression(self, key: str) -> str:
        return self.expressions.get(key) or quoted(key)

    def filter_term(self, key: str) -> str:
        """Return the condition that a column has a value."""
        return f"{self._expression(key)} = ?"

    def search_term(self, text: str) -> tuple[str, list[str]]:
        """Return the condition that a text is found by, and its values."""
        found = " OR ".join(f"{quoted(column)} LIKE ? ESCAPE '!'" for column in self.searched)
        return f"({found})", [f"%{text.translate(_LITERAL)}%"] * len(self.searched)

    def _order(self, query: Query) -> str:
        known = [column.key for column in self.columns if column.sorts]
        sort = query.sort or self.default_sort()
        if sort not in known:
            raise DataError(unknown("column", sort, known))
        direction = "DESC" if query.descending else "ASC"
        return f"{quoted(sort)} {direction}, {self.order} {direction}"

    def default_sort(self) -> str:
        """Return the column that has the worst first."""
        return next(column.key for column in self.columns if column.kind == "number")

    def choices(self) -> dict[Column, list[str]]:
        """Return the values that each filter offers; a column with too many is left out."""
        found = {}
        for column in self.facets:
            values = self.values(column.key)
            if 1 < len(values) <= _VALUES:
                found[column] = values
        return found

    def values(self, key: str) -> list[str]:
        """Return the values of a column, in order: as many as a filter offers, and one more.

        Leaps from each value to the next by the column's index, so that a million rows take no
        longer than the values do.
        """
        name = quoted(key)
        rows = self.connect().execute(
            f"WITH RECURSIVE leap (value) AS (SELECT MIN({name}) FROM items UNION ALL "
            f"SELECT (SELECT MIN({name}) FROM items WHERE {name} > value) FROM leap "
            "WHERE value IS NOT NULL) SELECT value FROM leap WHERE value IS NOT NULL LIMIT ?",
            [_VALUES + 1],
        )
        return [str(row[0]) for row in rows]


_LITERAL = str.maketrans({"%": "!%", "_": "!_", "!": "!!"})


def quoted(name: str) -> str:
    """Return a column as SQL names it."""
    return '"' + name.replace('"', '""') + '"'
