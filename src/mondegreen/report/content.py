"""What a page shows, as plain values: the same for a report, a live page and a download."""

from __future__ import annotations

from typing import Any

import msgspec

from mondegreen.metrics.score import Score
from mondegreen.report.svg import Curve, Estimate


class Rate(msgspec.Struct, frozen=True):
    """A rate with its interval; ``value`` is ``None`` where there is nothing to divide by."""

    name: str
    value: float | None
    low: float | None = None
    high: float | None = None
    numerator: float = 0
    denominator: float = 0

    @property
    def estimate(self) -> Estimate:
        """What a plot draws."""
        return Estimate(self.value, self.low, self.high)


class Measured(msgspec.Struct, frozen=True):
    """The rates of one set of utterances; ``note`` says what is special about it."""

    name: str
    n: int
    rates: tuple[Rate, ...]
    note: str = ""

    def rate(self, name: str) -> Rate:
        """Return a rate by its name."""
        return next(rate for rate in self.rates if rate.name == name)


class Line(msgspec.Struct, frozen=True):
    """An utterance in a list: where it is found, what is shown of it, what is to be said."""

    set: str
    id: str
    texts: tuple[tuple[str, str], ...]
    note: str = ""
    key: dict[str, str] = {}


class Table(msgspec.Struct, frozen=True):
    """Figures in rows."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]


class Overview(msgspec.Struct, frozen=True, kw_only=True):
    """All that a report tells; ``unfinished`` says how far a run is that still goes on."""

    title: str
    signature: str
    n: int
    sets: tuple[Measured, ...]
    higher_is_better: bool
    main: str
    """The rate that sorts and plots."""
    unfinished: str = ""
    curves: tuple[Curve, ...] = ()
    worst: tuple[Line, ...] = ()
    flipped: tuple[Line, ...] = ()
    tables: tuple[Table, ...] = ()
    methods: tuple[tuple[str, str], ...] = ()


def rates_of(score: Score) -> tuple[Rate, ...]:
    """Return all rates of a score with their intervals.

    >>> from mondegreen.score import correctness
    >>> rates_of(correctness([True, False], [True, True]))[0].name
    'f1'
    """
    return tuple(Rate(*estimate) for estimate in score.estimates())
