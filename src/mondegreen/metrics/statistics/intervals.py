"""Confidence intervals that hold: of shares, of any ratio of sums, and of paired differences.

Which interval is used where, and how often it covers the truth: docs/design/0072-intervals.md.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import cbrt, sqrt
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from mondegreen.metrics.metric import Quotient
from mondegreen.metrics.scores.tally import Tally
from mondegreen.metrics.statistics.estimate import FEW
from mondegreen.metrics.statistics.quantiles import normal_quantile, student_quantile
from mondegreen.metrics.statistics.resampling import LEVEL, Interval, ratios_of

_LEAST = 5  # units, below which their spread says nothing
Values = npt.NDArray[np.float64]


class Judged(NamedTuple):
    """An interval, and whether the sample is too small to rely on it."""

    interval: Interval | None
    few: bool


NOTHING = Judged(None, few=True)


def wilson(yes: float, n: float, deviations: float | None = None) -> Interval:
    """Return Wilson's interval of a share; it is not empty where the share is 0 or 1.

    Args:
        yes: how many have the property.
        n: of how many; the number that are worth as much as independent ones.
        deviations: how many deviations it reaches; by default those of 95 %.

    >>> [round(end, 2) for end in wilson(30, 30)]
    [0.89, 1.0]
    """
    z = normal_quantile(LEVEL) if deviations is None else deviations
    centre, half = yes + z**2 / 2, z * sqrt(max(0.0, yes * (n - yes) / n) + z**2 / 4)
    low, high = (centre - half) / (n + z**2), (centre + half) / (n + z**2)
    return Interval(max(0.0, min(low, yes / n)), min(1.0, max(high, yes / n)))


def rate_interval(
    ratio: Quotient, columns: Sequence[str], units: Tally, level: float = LEVEL
) -> Judged:
    """Return the interval of a rate over utterances, or over blocks of them.

    A share of utterances has Wilson's interval. Any other rate has the mean of two: Wilson's with
    as many independent units as explain the variance, and Hall's, which corrects Student's for
    skewness and counts twice; never narrower than the first. The variance is the jackknife's; of
    fewer than five units, each counts as one that is right or wrong.

    Args:
        ratio: numerator and denominator from column sums.
        columns: the names of the columns.
        units: the counts of each utterance or block.
        level: how often the interval should hold the true rate.
    """
    sums = units.sums()
    rows = dict(zip(columns, units.rows.T, strict=True))
    own = _arrays(ratio(rows), len(units.rows))
    value = ratios_of(*_arrays(ratio(dict(zip(columns, sums, strict=True))), 1))[0]
    if np.isnan(value):
        return NOTHING
    often = units.often
    few = min(int(often[own[0] > 0].sum()), int(often[own[0] < own[1]].sum())) < FEW
    if _is_share(*own) and _adds_up(own, often, value):
        yes, n = (float(often @ part) for part in own)
        return Judged(wilson(yes, n, normal_quantile(level)), few)
    rest = {name: sums[at] - rows[name] for at, name in enumerate(columns)}
    without = ratios_of(*_arrays(ratio(rest), len(units.rows)))
    counted = (own[0] != 0) | (own[1] != 0) | (without != value)
    spread = _Spread.of(without[counted], often[counted])
    bounded = bool((own[0] <= own[1]).all() and (own[0] >= 0).all())
    return Judged(_interval(float(value), spread, level, bounded=bounded), few)


def _arrays(ratio: tuple[Any, Any], n: int) -> tuple[Values, Values]:
    numerators, denominators = (np.asarray(part, np.float64) for part in ratio)
    return np.broadcast_to(numerators, (n,)), np.broadcast_to(denominators, (n,))


def _is_share(numerators: Values, denominators: Values) -> bool:
    """Return whether each unit has the property, has not, or does not count."""
    return bool(
        ((denominators == 0) | (denominators == 1)).all()
        and ((numerators == 0) | (numerators == denominators)).all()
    )


def _adds_up(own: tuple[Values, Values], often: npt.NDArray[np.int64], value: float) -> bool:
    """Return whether a rate is a ratio of sums over its units: word information lost is not."""
    yes, n = (float(often @ part) for part in own)
    return abs(yes - value * n) < 1e-6  # noqa: PLR2004 (what rounding leaves)


class Flips(NamedTuple):
    """A property of units in two systems: how many only one of them has right, and of how many."""

    worse: float
    better: float
    n: float

    @classmethod
    def of(cls, ratio: Quotient, columns: Sequence[str], units: Tally) -> Flips | None:
        """Return the flips of a rate; ``None`` if it is not a share of the units in both systems.

        Args:
            ratio: numerator and denominator from column sums.
            columns: the columns of one system; those of the other follow in the same order.
            units: the counts of both systems, side by side.
        """
        often, sums = units.often, units.sums()
        found = []
        for side in (slice(len(columns)), slice(len(columns), None)):
            rows = dict(zip(columns, units.rows[:, side].T, strict=True))
            own = _arrays(ratio(rows), len(units.rows))
            value = _value(ratio, columns, sums[side])
            if value is None or not _is_share(*own) or not _adds_up(own, often, value):
                return None
            found.append(own)
        if not np.array_equal(found[0][1], found[1][1]):
            return None
        gaps = found[1][0] - found[0][0]
        down, up = float(often[gaps < 0].sum()), float(often[gaps > 0].sum())
        return cls(down, up, float(often @ found[0][1]))


@dataclass(frozen=True)
class _Spread:
    """How a statistic varies, by the jackknife: variance, and skewness over the root of n."""

    n: int
    variance: float
    skewness: float

    @classmethod
    def of(cls, without: Values, often: npt.NDArray[np.int64]) -> _Spread:
        """Return the spread, given the statistic without each unit; 0 if too few have one."""
        n = int(often.sum())
        if n < _LEAST or np.isnan(without).any():
            return cls(n, 0.0, 0.0)
        gaps = float(often @ without) / n - without
        squares = float(often @ gaps**2)
        if squares < 1e-24:  # noqa: PLR2004 (what rounding leaves)
            return cls(n, 0.0, 0.0)
        return cls(n, (n - 1) / n * squares, float(often @ gaps**3) / squares**1.5)

    def deviations(self, level: float) -> float:
        """Return how many deviations hold the level."""
        return student_quantile(level, self.n - 1) if self.variance else normal_quantile(level)


def _interval(value: float, spread: _Spread, level: float, *, bounded: bool) -> Interval:
    t = spread.deviations(level)
    first = _score(value, spread, t, bounded=bounded)
    if not spread.variance:
        return first
    second = _hall(value, spread, t)
    low = min(first.low, (first.low + 2 * second.low) / 3)
    high = max(first.high, (first.high + 2 * second.high) / 3)
    return Interval(max(0.0, low), min(1.0, high) if bounded else high)


def _score(value: float, spread: _Spread, t: float, *, bounded: bool) -> Interval:
    """Return the score interval of as many independent units as explain the variance.

    The variance is taken to change with the rate as that of a share, or, where a rate can be above
    1, as that of a number of events. Without variance, each unit counts as one.
    """
    if bounded:
        n = value * (1 - value) / spread.variance if spread.variance else spread.n
        return wilson(value * n, n, t) if n > 0 else wilson(value * spread.n, spread.n, t)
    n = value / spread.variance if spread.variance else spread.n
    centre, half = value + t**2 / (2 * n), t * sqrt(value / n + t**2 / (4 * n**2))
    return Interval(max(0.0, centre - half), centre + half)


def _hall(value: float, spread: _Spread, t: float) -> Interval:
    """Return Student's interval after Hall's transformation, which takes the skewness out."""
    deviation = sqrt(spread.variance)
    return Interval(
        value - deviation * _unskewed(t, spread.skewness),
        value - deviation * _unskewed(-t, spread.skewness),
    )


def _unskewed(t: float, skewness: float) -> float:
    if abs(skewness) < 1e-9:  # noqa: PLR2004 (the limit is t)
        return t
    return 3 / skewness * (cbrt(1 + skewness * (t - skewness / 6)) - 1)


def paired_shares(worse: float, better: float, n: float, level: float = LEVEL) -> Interval:
    """Return the interval of the difference of two shares of the same units.

    It is that of Bonett and Price (2012), which is not empty where no unit differs.

    Args:
        worse: units that only the first has.
        better: units that only the second has.
        n: all units.
        level: how often the interval should hold the true difference.

    >>> [round(end, 3) for end in paired_shares(0, 0, 100)]
    [-0.027, 0.027]
    """
    z = normal_quantile(level)
    down, up = (worse + 1) / (n + 2), (better + 1) / (n + 2)
    half = z * sqrt((up + down - (up - down) ** 2) / (n + 2))
    return Interval(max(-1.0, up - down - half), min(1.0, up - down + half))


def paired_interval(
    ratio: Quotient,
    columns: Sequence[str],
    units: Tally,
    level: float = LEVEL,
) -> Judged:
    """Return the interval of the second system's rate less the first's, on the same units.

    Args:
        ratio: numerator and denominator from column sums.
        columns: the columns of one system; those of the other follow in the same order.
        units: the counts of both systems, side by side.
        level: how often the interval should hold the true difference.
    """
    width, often, sums = len(columns), units.often, units.sums()
    sides = [slice(width), slice(width, None)]
    rows = [dict(zip(columns, units.rows[:, side].T, strict=True)) for side in sides]
    own = [_arrays(ratio(part), len(units.rows)) for part in rows]
    whole = [_value(ratio, columns, sums[side]) for side in sides]
    if None in whole:
        return NOTHING
    differs = (own[0][0] != own[1][0]) | (own[0][1] != own[1][1])
    few = int(often[differs].sum()) < FEW
    flips = Flips.of(ratio, columns, units)
    if flips is not None:
        return Judged(paired_shares(*flips, level), few)
    left = [
        ratios_of(*_arrays(ratio(_less(part, columns, sums[side])), len(units.rows)))
        for part, side in zip(rows, sides, strict=True)
    ]
    counted = (own[0][1] != 0) | (own[1][1] != 0) | differs
    spread = _Spread.of((left[1] - left[0])[counted], often[counted])
    gap = float(whole[1]) - float(whole[0])  # type: ignore[arg-type] # neither is None
    if spread.n < _LEAST:
        share = paired_shares(0, float(often[differs].sum()), spread.n, level)
        half = (share.high - share.low) / 2
        return Judged(Interval(gap - half, gap + half), few)
    return Judged(_paired(gap, spread, level), few)


def _value(ratio: Quotient, columns: Sequence[str], sums: npt.NDArray[np.int64]) -> float | None:
    value = ratios_of(*_arrays(ratio(dict(zip(columns, sums, strict=True))), 1))[0]
    return None if np.isnan(value) else float(value)


def _less(
    rows: Mapping[str, npt.NDArray[np.int64]],
    columns: Sequence[str],
    sums: npt.NDArray[np.int64],
) -> dict[str, npt.NDArray[np.int64]]:
    return {name: sums[at] - rows[name] for at, name in enumerate(columns)}


def _paired(gap: float, spread: _Spread, level: float) -> Interval:
    """Return Student's interval, wider on the side to which the differences are skewed."""
    t = spread.deviations(level)
    half = t * sqrt(spread.variance)
    hall = _hall(gap, spread, t) if spread.variance else Interval(gap, gap)
    return Interval(
        min(gap - half, (gap - half + hall.low) / 2), max(gap + half, (gap + half + hall.high) / 2)
    )
