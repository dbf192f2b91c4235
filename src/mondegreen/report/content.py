"""The content of pages as plain values, for reports, live pages and downloads."""

from __future__ import annotations

import msgspec

from mondegreen.metrics.estimate import Estimate
from mondegreen.metrics.metric import Table
from mondegreen.report.svg import Curve


class Measured(msgspec.Struct, frozen=True):
    """The rates of one set of utterances; ``note`` is a remark on the set."""

    name: str
    n: int
    rates: tuple[Estimate, ...]
    note: str = ""

    def rate(self, name: str) -> Estimate:
        """Return a rate by its name."""
        return next(rate for rate in self.rates if rate.name == name)


class Line(msgspec.Struct, frozen=True):
    """An utterance in a list: its set and id, its texts with their titles, and its key."""

    set: str
    id: str
    texts: tuple[tuple[str, str], ...]
    note: str = ""
    key: dict[str, str] = {}


class Overview(msgspec.Struct, frozen=True, kw_only=True):
    """The content of a report; ``unfinished`` is the progress of a run that is not finished."""

    title: str
    signature: str
    n: int
    sets: tuple[Measured, ...]
    higher_is_better: bool
    main: str
    """The rate to sort and plot by."""
    unfinished: str = ""
    curves: tuple[Curve, ...] = ()
    worst: tuple[Line, ...] = ()
    flipped: tuple[Line, ...] = ()
    tables: tuple[Table, ...] = ()
    methods: tuple[tuple[str, str], ...] = ()
