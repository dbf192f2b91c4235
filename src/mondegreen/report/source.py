"""Where a page's utterances come from: a query, a page of rows, one utterance in full."""

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
_MOST = 1000  # rows on a page
OFFERED = 200  # values of a filter
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
    """Utterances with their scores, to be listed, opened and compared."""

    name: str
    metric: Metric
    columns: tuple[Column, ...]
    """Columns to show and to sort by."""
    facets: tuple[Column, ...]
    """Columns to filter by."""
    flips = False
    """Whether utterances can be wrong where their source is right."""
    key = ("id",)
    """What tells an utterance: its id, or its number."""

    def __init__(self) -> None:
        self._working = Lock()
        self._kept: Overview | None = None

    def overview(self) -> Overview:
        """Return what the report tells: worked out once, whoever asks, when all is there."""
        with self._working:
            if self._kept is not None:
                return self._kept
            found = self.look()
            if not found.unfinished:
                self._kept = found
            return found

    def look(self) -> Overview:
        """Work out what the report tells."""
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
            DataError: if a column or a value of it is unknown.
        """
        raise NotImplementedError

    def rows(self, query: Query) -> Iterator[dict[str, Any]]:
        """Return all utterances that a query finds; one thread after the other may read on.

        Raises:
            DataError: if a column or a value of it is unknown.
        """
        raise NotImplementedError

    def values(self, key: str) -> list[str]:
        """Return the values of a column, in order: as many as a filter offers, and one more."""
        raise NotImplementedError

    def default_sort(self) -> str:
        """Return the column that has the worst first."""
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

    def filters(self, query: Query) -> Mapping[str, str]:
        """Return what a query filters by.

        Raises:
            DataError: if there is no such column.
        """
        known = [column.key for column in self.facets]
        for key in query.filters:
            if key not in known:
                raise DataError(unknown("filter", key, known))
        return query.filters


def until_done(
    rows: Iterator[dict[str, Any]], done: Callable[[], None]
) -> Iterator[dict[str, Any]]:
    """Yield rows, and let go of what they come from after the last one."""
    try:
        yield from rows
    finally:
        done()


def span(query: Query) -> tuple[int, int]:
    """Return how many rows a page has, and how many come before it."""
    size = min(max(query.size, 1), _MOST)
    return size, min((max(query.page, 1) - 1) * size, _FAR)
