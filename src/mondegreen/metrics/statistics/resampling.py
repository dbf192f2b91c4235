"""Statistics, once for every metric: bootstrap intervals and tests over per-utterance counts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import comb, sqrt
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from mondegreen.kernel import cores, key, resample
from mondegreen.metrics.scores.tally import FEW, Table, Tally, distinct
from mondegreen.metrics.statistics.quantiles import normal_p

LEVEL = 0.95
REPLICATES = 1_000
_EXACT = 1 << 10  # distinct rows that are drawn exactly, if there are many
_MANY = 1_000
_PART = 1_000  # permutations at once
_ROUNDING = 1e-12
Sums = npt.NDArray[np.int64] | npt.NDArray[np.float64]


class Interval(NamedTuple):
    """Where the rate lies, at a level of confidence."""

    low: float
    high: float

    def points(self, places: int = 2) -> str:
        """Return the interval of a difference, in points.

        >>> Interval(-0.1, 0.25).points()
        '[-10.00, +25.00]'
        """
        return f"[{100 * self.low:+.{places}f}, {100 * self.high:+.{places}f}]"


def resampled(rows: Table | Tally, replicates: int, seed: int) -> Sums:
    """Return the column sums of bootstrap samples; the same seed draws the same rows.

    Few rows are drawn one by one. Of many, how often each distinct row is drawn is a multinomial
    variable, so that the time does not depend on the number of rows.
    """
    table, times = rows if isinstance(rows, Tally) else (rows, None)
    if times is None and len(table) <= FEW:
        packed = np.ascontiguousarray(table, np.int64)
        return resample(packed, key(b"bootstrap", str(seed)), replicates, cores())
    return _multinomial(distinct(table, times), replicates, np.random.RandomState(seed % 2**32))


def _multinomial(found: Tally, replicates: int, draws: np.random.RandomState) -> Sums:
    """Draw how often each row occurs in a sample.

    With many distinct rows, those that skew the sums most are drawn exactly. The sum of the others
    is normal, with their mean and covariance: they are many, and none of them stands out.
    """
    rows, times, n = found.rows, found.often, found.n
    order = np.argsort(-_skewness(rows, times), kind="stable")
    head, tail = order[:_EXACT], order[_EXACT:]
    shares = np.append(times[head], times[tail].sum()) / n
    drawn = draws.multinomial(n, shares, size=replicates)
    sums: Sums = drawn[:, :-1] @ rows[head]
    if len(tail):
        sums = sums + _normal_sums(rows[tail], times[tail], drawn[:, -1], draws)
    return sums


def _skewness(rows: Table, times: Table) -> npt.NDArray[np.float64]:
    """Return how much each distinct row adds to the third moments of the columns."""
    mean = np.average(rows, axis=0, weights=times)
    deviations = np.abs(rows - mean)
    scale = np.sqrt(np.average(deviations**2, axis=0, weights=times))
    scale[scale == 0] = 1
    found: npt.NDArray[np.float64] = times * ((deviations / scale) ** 3).sum(axis=1)
    return found


def _normal_sums(
    rows: Table, times: Table, numbers: Table, draws: np.random.RandomState
) -> npt.NDArray[np.float64]:
    """Return normal sums of ``numbers`` rows each, with the mean and covariance of the rows."""
    mean = np.average(rows, axis=0, weights=times)
    covariance = np.atleast_2d(np.cov(rows, rowvar=False, fweights=times, bias=True))
    values, vectors = np.linalg.eigh(covariance)
    spread = vectors * np.sqrt(values.clip(min=0))
    noise = draws.standard_normal((len(numbers), rows.shape[1])) @ spread.T
    found: npt.NDArray[np.float64] = numbers[:, None] * mean + np.sqrt(numbers)[:, None] * noise
    return found


def interval_of(numerators: Any, denominators: Any, level: float) -> Interval | None:
    """Return the percentile interval of ratios; ``None`` where too few have a denominator."""
    ratios = ratios_of(numerators, denominators)
    known = ratios[~np.isnan(ratios)]
    if 2 * len(known) < len(ratios):
        return None
    edge = (1 - level) / 2
    return Interval(*quantiles(known, (edge, 1 - edge)))


def quantiles(values: npt.NDArray[np.float64], shares: Sequence[float]) -> list[float]:
    """Return quantiles by linear interpolation, bit for bit those of NumPy.

    When ``numpy.quantile`` is first called it imports masked arrays, which takes longer than a
    small score.

    >>> quantiles(np.array([3.0, 1.0, 2.0, 4.0]), [0.5])
    [2.5]
    """
    ordered = np.sort(values)
    found = []
    for share in shares:
        place = (len(ordered) - 1) * share
        at = min(int(place), len(ordered) - 1)
        low, high = float(ordered[at]), float(ordered[min(at + 1, len(ordered) - 1)])
        part, gap = place - at, high - low
        found.append(high - gap * (1 - part) if part >= 0.5 else low + gap * part)  # noqa: PLR2004
    return found


def ratios_of(numerators: Any, denominators: Any) -> npt.NDArray[np.float64]:
    """Return ratios, not a number where the denominator is 0."""
    over, under = np.asarray(numerators, np.float64), np.asarray(denominators, np.float64)
    ratios: npt.NDArray[np.float64] = np.divide(
        over, under, out=np.full(over.shape, np.nan), where=under != 0
    )
    return ratios


def permuted(
    first: Table,
    second: Table,
    rate: Callable[[Table], npt.NDArray[np.float64]],
    permutations: int,
    seed: int,
    times: Table | None = None,
) -> float:
    """Return the two-sided p value of the paired permutation test.

    If the systems were alike, each utterance's rows could as well be swapped. The rate is computed
    for many random swaps; p is the share of them that differ as much as the systems do. Utterances
    with the same difference are swapped together, by a binomial draw, so that the time depends on
    the number of distinct differences only.

    Args:
        first: the counts of the first system, one row per utterance.
        second: the counts of the second system.
        rate: the rate of each row of sums.
        permutations: how many swaps to draw.
        seed: random seed.
        times: how often each pair of rows occurs; by default once.
    """
    totals = Tally(first, times).sums(), Tally(second, times).sums()
    found = distinct(second - first, times)
    moved = found.rows.any(axis=1)
    gaps, often = found.rows[moved], found.often[moved]
    observed = abs(float(rate(totals[1][None])[0] - rate(totals[0][None])[0]))
    if not len(gaps) or not observed:
        return 1.0
    draws = np.random.RandomState(seed % 2**32)
    beyond = 0
    for start in range(0, permutations, _PART):
        size = min(_PART, permutations - start)
        swapped = draws.binomial(often, 0.5, size=(size, len(often))) @ gaps
        apart = rate(totals[1] - swapped) - rate(totals[0] + swapped)
        beyond += int(np.count_nonzero(np.abs(apart) >= observed - _ROUNDING))
    return (beyond + 1) / (permutations + 1)


def mcnemar(only_first: int, only_second: int) -> float:
    """Return the exact two-sided probability of McNemar's test.

    Args:
        only_first: items that only the first system has right.
        only_second: items that only the second has right.

    >>> mcnemar(1, 9), mcnemar(5, 5), mcnemar(0, 0)
    (0.021484375, 1.0, 1.0)
    """
    n = only_first + only_second
    if n == 0:
        return 1.0
    if n > _MANY:  # the exact sum and the normal approximation agree to four places here
        return normal_p(max(0.0, abs(only_first - only_second) - 1) / sqrt(n))
    tail: int = sum(comb(n, k) for k in range(min(only_first, only_second) + 1))
    return min(1.0, float(2 * tail / 2**n))
