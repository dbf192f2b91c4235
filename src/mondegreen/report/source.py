"""The source of the utterances of pages: queries, pages of rows, single utterances."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from threading import Lock, Thread
from typing import Any, NamedTuple

import msgspec

from mondegreen.errors import DataError, unknown
from mondegreen.metrics.metric import Table
from mondegreen.metrics.statistics.comparison import Flip
from mondegreen.report.content import Causes, ListLine, Overview
from mondegreen.report.marked import MarkedLine
from mondegreen.runs.items import RunItem
from mondegreen.runs.reading import Run
from mondegreen.runs.schema import COLUMN
from mondegreen.runs.selection import Filter

PAGE = 50
_MOST_PER_PAGE = 1000  # maximum number of rows on a page
OFFERED = 200  # maximum number of values of a filter
_COUNTED = 20_000  # more utterances than that are not counted again for every filter
_MOST_ROWS = 2**62  # close to the largest integer of SQLite


class ShownColumn(NamedTuple):
    """A column of the list of utterances: a ``number``, a ``rate``, a ``name``, or ``text``.

    The list cannot be sorted by text: an index would be as large as the text itself. A column that
    is not ``shown`` is part of downloads, and of the list only if that is sorted by it.
    """

    key: str
    label: str
    kind: str = "number"
    shown: bool = True

    @property
    def sorts(self) -> bool:
        """Whether the list can be sorted by this column."""
        return self.kind != "text"

    @property
    def worst_first(self) -> bool:
        """Whether a list that is sorted by this column begins with its largest values."""
        return self.kind in ("number", "rate")


class Query(msgspec.Struct, frozen=True):
    """Which utterances to show and in which order; by default, the worst first."""

    text: str = ""
    filters: Mapping[str, str] = {}
    wrong: bool = False
    flipped: bool = False
    slice: str = ""
    """The number of a slice."""
    sort: str = ""
    descending: bool | None = None
    """``None`` has the worst utterances first."""
    page: int = 1
    size: int = PAGE


class ListPage(NamedTuple):
    """One page of the rows that a query finds, each also marked, and the number of all rows."""

    rows: list[dict[str, Any]]
    marked: list[MarkedLine]
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


class Facet(NamedTuple):
    """The values of a column, most frequent first, with their counts where they are known."""

    column: ShownColumn
    values: list[tuple[str, int | None]]


class ShownRun:
    """The utterances of a run with their scores, to list, open and compare; it never writes."""

    columns: tuple[ShownColumn, ...]
    """The columns to show and to sort by."""
    facets: tuple[ShownColumn, ...]
    """The columns to filter by."""
    flips = False
    """Whether there are variants that can be wrong while their source is right."""
    key = ("number",)
    """The fields that identify an utterance: its id, or its number."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._sets = run.sets
        self.path = run.path
        self.name = run.path.stem
        self.metric = run.metric
        self._lock, self._causes_lock = Lock(), Lock()
        self._overview: Overview | None = None
        self._causes: Causes | None = None
        self._facets: dict[str, list[tuple[str, int | None]]] = {}

    def close(self) -> None:
        """Close the run."""
        self._run.close()

    @property
    def finished(self) -> bool:
        """Whether the run is finished, and no longer changes."""
        return self._run.finished

    @property
    def suite(self) -> str:
        """The hash of what was answered: a suite, or the utterances of a score."""
        return self._run.meta["suite_sha"]

    @property
    def what(self) -> str:
        """What this is, for a list of choices."""
        raise NotImplementedError

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

    def causes(self) -> Causes:
        """Return why the model or system fails; computed once, if the source is finished."""
        with self._causes_lock:
            if self._causes is not None:
                return self._causes
            found = self.compute_causes()
            if self.finished:
                self._causes = found
            return found

    def known_causes(self, wait: float) -> Causes | None:
        """Return the causes if they are known within some seconds."""
        if self._causes is None:
            thread = Thread(target=self.causes, daemon=True)
            thread.start()
            thread.join(wait)
        return self._causes

    def compute_causes(self) -> Causes:
        """Find the slices."""
        raise NotImplementedError

    def members(self, slice: str) -> Sequence[int]:
        """Return the utterances of a slice, by the slice's number.

        Raises:
            DataError: if there is no such slice.
        """
        self.causes()
        if not slice.isdecimal() or int(slice[:9]) >= len(self._members):
            raise DataError(f"there is no slice {slice!r}; there are {len(self._members)}, from 0")
        return self._members[int(slice)]

    _members: Sequence[Sequence[int]] = ()

    def utterance(self, key: Mapping[str, str]) -> dict[str, Any]:
        """Return one utterance in full: the blocks that its page shows.

        Raises:
            DataError: if there is no such utterance.
        """
        raise NotImplementedError

    def line(self, item: RunItem) -> ListLine:
        """Return an utterance as a line of a list."""
        raise NotImplementedError

    def line_at(self, number: int) -> ListLine:
        """Return an utterance as a line of a list, by its number."""
        return self.line(self._run.item(number))

    def lines_of(self, set: str, parents: Sequence[str]) -> Iterator[ListLine]:
        """Yield the variants of some source utterances in a set; without a name, in the first."""
        chosen = set or self._sets[0].name
        for parent in parents:
            yield from map(self.line, self._run.items(Filter(set=chosen, parent=parent), limit=1))

    def moved(self, other: ShownRun, flips: Sequence[Flip]) -> Table:
        """Return what moved between this source and another one, given what flipped."""
        raise NotImplementedError

    def groupings(self) -> Sequence[str]:
        """Return the columns that divide the utterances into a few groups."""
        return ()

    def reopened(self) -> Run:
        """Return the run with a connection of its own, for another thread."""
        return self._run.reopened()

    def sets(self) -> Sequence[str]:
        """Return the names of the sets."""
        return [one.name for one in self._sets]

    def page(self, query: Query) -> ListPage:
        """Return a page of the utterances that a query finds.

        Raises:
            DataError: if a column or a value is unknown.
        """
        size, offset = _span(query)
        found = self._run.page(self._filter(query), **self._order(query), limit=size, offset=offset)
        return ListPage(
            [self._row(one) for one in found.items], self._marked(found.items), found.total
        )

    def rows(self, query: Query) -> Rows:
        """Return all utterances that a query finds; different threads may continue the iteration.

        Raises:
            DataError: if a column or a value is unknown.
        """
        run = self._run.reopened()
        try:
            items = run.items(self._filter(query), **self._order(query))
        except BaseException:
            run.close()
            raise
        return Rows(map(self._row, items), run.close)

    def _filter(self, query: Query) -> Filter:
        """Return which items a query selects."""
        numbers = self.members(query.slice) if query.slice else None
        named = {key: v for key, v in self.filters(query).items() if not key.startswith(COLUMN)}
        further = {
            key.removeprefix(COLUMN): value
            for key, value in self.filters(query).items()
            if key.startswith(COLUMN)
        }
        return Filter(
            **named,
            columns=further,
            wrong=query.wrong,
            flip=-1 if query.flipped else None,
            search=query.text,
            numbers=numbers,
        )

    def _order(self, query: Query) -> dict[str, Any]:
        return {"order": self.sorted_by(query), "descending": self.descends(query)}

    def _row(self, item: RunItem) -> dict[str, Any]:
        """Return an item as a row of the list."""
        raise NotImplementedError

    def _marked(self, items: Sequence[RunItem]) -> list[MarkedLine]:
        """Return items with what is wrong marked."""
        raise NotImplementedError

    def tally(self, key: str, query: Query) -> list[tuple[str, int]]:
        """Return how many of the utterances that a query finds have each value, most first."""
        return self._run.tally(key, self._filter(query), OFFERED + 1)

    def default_sort(self) -> str:
        """Return the column that has the worst utterances at one end."""
        raise NotImplementedError

    def offered(self, query: Query, total: int) -> list[Facet]:
        """Return the values that each filter offers; a column with too many is left out.

        The counts are those within the other filters. Where a query finds too many utterances to
        count them again, the values have no counts.
        """
        found = []
        for column in self.facets:
            chosen = query.filters.get(column.key)
            others = {key: value for key, value in query.filters.items() if key != column.key}
            plain = Query(filters={})
            if msgspec.structs.replace(query, filters=others, sort="", page=1) == plain:
                values = self._all_values(column.key)
            elif total <= _COUNTED:
                within = msgspec.structs.replace(query, filters=others)
                values = list(self.tally(column.key, within))
            else:
                values = [(value, None) for value, _ in self._all_values(column.key)]
            if len(values) <= OFFERED and (len(values) > 1 or chosen is not None):
                found.append(Facet(column, values))
        return found

    def _all_values(self, key: str) -> list[tuple[str, int | None]]:
        if key not in self._facets:
            values: list[tuple[str, int | None]] = list(self.tally(key, Query()))
            if not self.finished:
                return values
            self._facets[key] = values
        return self._facets[key]

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


def _span(query: Query) -> tuple[int, int]:
    """Return the number of rows of a page, and the number of rows before it."""
    size = min(max(query.size, 1), _MOST_PER_PAGE)
    return size, min((max(query.page, 1) - 1) * size, _MOST_ROWS)
