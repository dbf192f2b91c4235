"""The content of pages as plain values, for reports, live pages, notebooks and downloads."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import msgspec

from mondegreen.metrics.metric import Table
from mondegreen.metrics.slices.finding import Slice
from mondegreen.metrics.statistics.comparison import ALPHA
from mondegreen.metrics.statistics.estimate import FEW, Estimate
from mondegreen.report.conversations import Conversation
from mondegreen.report.dialogues import Dialogue
from mondegreen.report.marked import MarkedLine
from mondegreen.report.svg import Curve

Filters = dict[str, str]
"""Which utterances are behind a figure: values of columns that the list can be filtered by."""
Rows = Iterator[tuple[Any, ...]]
_MOVED = 12  # rows of the table of what moved


class Measured(msgspec.Struct, frozen=True):
    """The rates of one set of utterances.

    ``note`` is a remark on the set, ``group`` a heading that it belongs under, ``filters`` find its
    utterances.
    """

    name: str
    n: int
    rates: tuple[Estimate, ...]
    note: str = ""
    group: str = ""
    filters: Filters = {}

    def rate(self, name: str) -> Estimate:
        """Return a rate by its name."""
        return next(rate for rate in self.rates if rate.name == name)

    def judged(self, name: str) -> bool:
        """Return whether there are enough utterances to judge a rate."""
        return self.n >= FEW and self.rate(name).low is not None


class ListLine(msgspec.Struct, frozen=True):
    """An utterance in a list: its set and id, its words and frame, a remark, and its key.

    ``conversation`` has the calls of an utterance that calls are expected of; ``dialogues`` are
    those of a caller with an agent, the clean one first.
    """

    set: str
    id: str
    marked: MarkedLine
    note: str = ""
    key: dict[str, str] = {}
    conversation: Conversation | None = None
    dialogues: tuple[Dialogue, ...] = ()


class Cell(msgspec.Struct, frozen=True):
    """A cell of a heat map: utterances, and how many of them are wrong."""

    n: int
    wrong: int
    change: float | None
    """How many points more are right than in the first column; ``None`` in that column itself."""
    filters: Filters = {}

    @property
    def right(self) -> float:
        """The share that is right."""
        return 1 - self.wrong / self.n


class HeatMap(msgspec.Struct, frozen=True):
    """Shares of right utterances by row and column; ``None`` where there is no utterance."""

    title: str
    row: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, tuple[Cell | None, ...]], ...]


class Cause(msgspec.Struct, frozen=True):
    """A slice with examples; ``filters`` find its utterances."""

    slice: Slice
    examples: tuple[ListLine, ...] = ()
    filters: Filters = {}


SLICES = f"p < {ALPHA:g}, corrected for the number of slices tried."
"""By what slices are found, for the note on them."""


class Causes(msgspec.Struct, frozen=True):
    """Why a model fails: ``of`` units were looked at, ``note`` says how."""

    found: tuple[Cause, ...]
    note: str


class Overview(msgspec.Struct, frozen=True, kw_only=True):
    """The content of a report; ``unfinished`` is the progress of a run that is not finished."""

    title: str
    sentence: str
    """The result in one sentence."""
    signature: str
    n: int
    sets: tuple[Measured, ...]
    higher_is_better: bool
    main: str
    """The rate to sort and plot by."""
    units: str = "utterances"
    """What is counted, such as utterances."""
    unfinished: str = ""
    repeat: int = 1
    """How often a model was asked about each utterance."""
    curves: tuple[Curve, ...] = ()
    heat: HeatMap | None = None
    worst: tuple[ListLine, ...] = ()
    flipped: tuple[ListLine, ...] = ()
    tables: tuple[Table, ...] = ()
    methods: tuple[tuple[str, str], ...] = ()

    def figures(self) -> dict[str, Rows]:
        """Return the rows of each figure by its name, with a row of headings; for CSV."""
        found = {"sets": self._set_rows()}
        if self.heat is not None:
            found["heat-map"] = self._heat_rows(self.heat)
        if self.curves:
            found["severity"] = self._curve_rows()
        for table in self.tables:
            found[table.title] = iter([table.columns, *table.rows])
        return found

    def _set_rows(self) -> Rows:
        yield "group", "set", "utterances", "rate", "value", "low", "high"
        for one in self.sets:
            for rate in one.rates:
                if rate.value is not None:
                    yield one.group, one.name, one.n, rate.name, rate.value, rate.low, rate.high

    def _heat_rows(self, heat: HeatMap) -> Rows:
        yield heat.row, "set", "utterances", "wrong", "change in points"
        for name, cells in heat.rows:
            for column, cell in zip(heat.columns, cells, strict=True):
                if cell is not None:
                    yield name, column, cell.n, cell.wrong, cell.change

    def _curve_rows(self) -> Rows:
        yield "operator", "severity", "value", "low", "high"
        for curve in self.curves:
            for x, rate in curve.points:
                yield curve.name, x, rate.value, rate.low, rate.high


def cause_rows(causes: Causes) -> Rows:
    """Yield the rows of slices, with a row of headings; for CSV."""
    yield "slice", "units", "failed", "elsewhere", "p", "sentence"
    for cause in causes.found:
        one = cause.slice
        yield one.text, one.n, one.failed, one.elsewhere, one.p, one.sentence


def moved_table(
    what: str, one: Mapping[str, int], other: Mapping[str, int], names: tuple[str, str]
) -> Table:
    """Return what has another count in two sources, the greatest difference first."""
    first, second = Counter(one), Counter(other)
    ranked: Iterable[str] = sorted(
        first | second, key=lambda key: (-abs(first[key] - second[key]), key)
    )
    rows = tuple((key, first[key], second[key]) for key in ranked if first[key] != second[key])
    return Table(f"{what.capitalize()}s that moved most", (what, *names), rows[:_MOVED])
