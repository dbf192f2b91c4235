"""The source of the utterances of pages: queries, pages of rows, single utterances."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from threading import Lock
from typing import Any, NamedTuple

import msgspec

from mondegreen.errors import DataError, unknown
from mondegreen.metrics.metric import Metric
from mondegreen.metrics.score import Score
from mondegreen.report.content import Overview

PAGE = 50
_MOST_PER_PAGE = 1000  # maximum number of rows on a page
OFFERED = 200  # maximum number of values of a filter
_MOST_ROWS = 2**62  # close to the largest integer of SQLite


class Column(NamedTuple):
    """A column of the list of utterances: a ``number``, a ``name``, or ``text``.

    The list cannot be sorted by text: an index would be as large as the text itself.
    """

    key: str
    label: str
    kind: str = "number"

    @property
    def sorts(self) -> bool:
        """Whether the list can be sorted by this column."""
        return self.kind != "text"


class Query(msgspec.Struct, frozen=True):
    """Which utterances to show and in which order; by default, the worst first."""

    text: str = ""
    filters: Mapping[str, str] = {}
    wrong: bool = False
    flipped: bool = False
    sort: str = ""
    descending: bool | None = None
    """``None`` has the worst utterances first."""
    page: int = 1
    size: int = PAGE


class Page(NamedTuple):
    """One page of the rows that a query finds, and the number of all rows."""

    rows: list[dict[str, Any]]
    total: int


class Rows(Iterator[dict[str, Any]]):
    """Rows that hold a connection: closed after the last one, or when the rest is not wanted."""

    def __init__(self, rows: Iterator[dict[str, Any]], close: Callable[[], None]) -> None:
        self._rows = rows
        self._close: Callable[[], None] | None = close
        self._lock = Lock()  # a server may close them while another thread reads one

    def __next__(self) -> dict[str, Any]:
        with self._lock:
            if self._close is None:
                raise StopIteration
            try:
                return next(self._rows)
            except BaseException:
                self._end()
                raise

    def close(self) -> None:
        """Close the connection; there are no further rows."""
        with self._lock:
            self._end()

    def _end(self) -> None:
        if self._close is not None:
            self._close()
            self._close = None


class Source:
    """Utterances with their scores, to list, open and compare."""

    name: str
    metric: Metric
    columns: tuple[Column, ...]
    """The columns to show and to sort by."""
    facets: tuple[Column, ...]
    """The columns to filter by."""
    flips = False
    """Whether there are variants that can be wrong while their source is right."""
    key = ("id",)
    """The fields that identify an utterance: its id, or its number."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._overview: Overview | None = None

    def overview(self) -> Overview:
        """Return the content of the report; computed once, if the source is finished."""
        with self._lock:
            if self._overview is not None:
                return self._overview
            found = self.compute_overview()
            if not found.unfinished:
                self._overview = found
            return found

    def compute_overview(self) -> Overview:
        """Compute the content of the report."""
        raise NotImplementedError

    def utterance(self, key: Mapping[str, str]) -> dict[str, Any]:
        """Return one utterance in full: the blocks that its page shows.

        Raises:
            DataError: if there is no such utterance.
        """
        raise NotImplementedError

    def brief(self, key: Mapping[str, str]) -> tuple[str, str]:
        """Return the reference and the output of the system, one line each."""
        raise NotImplementedError

    def key_at(self, set: str, position: int) -> dict[str, str]:
        """Return the key of an utterance by its position in its set."""
        raise NotImplementedError

    def scores(self, set: str) -> Score:
        """Return the score of a set, with the counts of its utterances."""
        raise NotImplementedError

    def sets(self) -> Sequence[str]:
        """Return the names of the sets; a source without sets has one with an empty name."""
        return ("",)

    def close(self) -> None:
        """Close the database."""

    def page(self, query: Query) -> Page:
        """Return a page of the utterances that a query finds.

        Raises:
            DataError: if a column or a value is unknown.
        """
        raise NotImplementedError

    def rows(self, query: Query) -> Rows:
        """Return all utterances that a query finds; different threads may continue the iteration.

        Raises:
            DataError: if a column or a value is unknown.
        """
        raise NotImplementedError

    def values(self, key: str) -> list[str]:
        """Return the sorted values of a column: at most one more than a filter offers."""
        raise NotImplementedError

    def default_sort(self) -> str:
        """Return the column that has the worst utterances at one end."""
        raise NotImplementedError

    def choices(self) -> dict[Column, list[str]]:
        """Return the values that each filter offers; a column with too many is left out."""
        found = {}
        for column in self.facets:
            values = self.values(column.key)
            if 1 < len(values) <= OFFERED:
                found[column] = values
        return found

    def sorted_by(self, query: Query) -> str:
        """Return the column that a query sorts by.

        Raises:
            DataError: if there is no such column.
        """
        known = [column.key for column in self.columns if column.sorts]
        sort = query.sort or self.default_sort()
        if sort not in known:
            raise DataError(unknown("column", sort, known))
        return sort

    def descends(self, query: Query) -> bool:
        """Return whether a query sorts in descending order."""
        return True if query.descending is None else query.descending

    def filters(self, query: Query) -> Mapping[str, str]:
        """Return the filters of a query.

        Raises:
            DataError: if there is no such column.
        """
        known = [column.key for column in self.facets]
        for key in query.filters:
            if key not in known:
                raise DataError(unknown("filter", key, known))
        return query.filters


def span(query: Query) -> tuple[int, int]:
    """Return the number of rows of a page, and the number of rows before it."""
    size = min(max(query.size, 1), _MOST_PER_PAGE)
    return size, min((max(query.page, 1) - 1) * size, _MOST_ROWS)
