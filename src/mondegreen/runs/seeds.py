"""Models trained with several seeds, with and without augmentation: means over the seeds."""

from __future__ import annotations

import statistics
from collections.abc import Iterator
from math import sqrt
from pathlib import Path
from typing import Any, NamedTuple

from mondegreen.metrics.statistics.comparison import Comparison
from mondegreen.metrics.statistics.quantiles import student_quantile
from mondegreen.metrics.statistics.resampling import Interval
from mondegreen.runs.comparison import compare

_LEVEL = 0.95


class SeedRow(NamedTuple):
    """A rate on a set: its values for each seed, without and with augmentation."""

    set: str
    rate: str
    plain: tuple[float, ...]
    augmented: tuple[float, ...]

    @property
    def differences(self) -> tuple[float, ...]:
        """What augmentation changed, for each seed."""
        return tuple(b - a for a, b in zip(self.plain, self.augmented, strict=True))

    @property
    def difference(self) -> float:
        """What augmentation changed on average."""
        return statistics.fmean(self.differences)

    @property
    def interval(self) -> Interval | None:
        """Where the mean of many seeds is, by Student's distribution; ``None`` for one seed."""
        n = len(self.differences)
        if n == 1:
            return None
        width = statistics.stdev(self.differences) / sqrt(n) * student_quantile(_LEVEL, n - 1)
        return Interval(self.difference - width, self.difference + width)

    def record(self) -> dict[str, Any]:
        """Return the row as plain values, for JSON."""
        interval = self.interval
        return {
            "plain": self.plain,
            "augmented": self.augmented,
            "difference": self.difference,
            "low": interval.low if interval else None,
            "high": interval.high if interval else None,
        }


class Seeds(NamedTuple):
    """The comparisons of all seeds, by name."""

    found: dict[str, Comparison]

    def rows(self) -> Iterator[SeedRow]:
        """Yield each rate on each set that every seed has."""
        first = next(iter(self.found.values()))
        for rate in first.shown:
            for one in first.sets:
                pairs = [
                    (each.set(one.name).rates[rate].first, each.set(one.name).rates[rate].second)
                    for each in self.found.values()
                ]
                known = [(a, b) for a, b in pairs if a is not None and b is not None]
                if len(known) == len(pairs):
                    yield SeedRow(one.name, rate, *zip(*known, strict=True))

    def record(self) -> dict[str, Any]:
        """Return everything as plain values, for JSON."""
        sets: dict[str, Any] = {}
        for row in self.rows():
            sets.setdefault(row.set, {})[row.rate] = row.record()
        return {
            "seeds": len(self.found),
            "sets": sets,
            "comparisons": {name: one.record() for name, one in self.found.items()},
        }


def over_seeds(plain: dict[str, Path], augmented: dict[str, Path]) -> Seeds:
    """Compare the runs of each seed."""
    return Seeds({name: compare(plain[name], augmented[name]) for name in plain})
