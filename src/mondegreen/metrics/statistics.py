"""Statistics, once for every metric: bootstrap intervals and tests over per-utterance counts."""

from __future__ import annotations

import os
from math import comb, erfc, sqrt
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from mondegreen.kernel import key, resample

LEVEL = 0.95
REPLICATES = 1_000
_MANY = 1_000


class Interval(NamedTuple):
    """Where the rate lies, at a level of confidence."""

    low: float
    high: float


def resampled(table: npt.NDArray[np.int64], replicates: int, seed: int) -> npt.NDArray[np.int64]:
    """Return the column sums of bootstrap samples; the same seed draws the same rows."""
    rows = np.ascontiguousarray(table, np.int64)
    return resample(rows, key(b"bootstrap", str(seed)), replicates, os.cpu_count() or 1)


def interval_of(numerators: Any, denominators: Any, level: float) -> Interval | None:
    """Return the percentile interval of ratios; ``None`` where too few have a denominator."""
    ratios = ratios_of(numerators, denominators)
    known = ratios[~np.isnan(ratios)]
    if 2 * len(known) < len(ratios):
        return None
    edge = (1 - level) / 2
    low, high = np.quantile(known, [edge, 1 - edge])
    return Interval(float(low), float(high))


def ratios_of(numerators: Any, denominators: Any) -> npt.NDArray[np.float64]:
    """Return ratios, not a number where the denominator is 0."""
    over, under = np.asarray(numerators, np.float64), np.asarray(denominators, np.float64)
    ratios: npt.NDArray[np.float64] = np.divide(
        over, under, out=np.full(over.shape, np.nan), where=under != 0
    )
    return ratios


def two_sided(differences: npt.NDArray[np.float64]) -> float:
    """Return how often a bootstrap difference is on the other side of 0, both sides counted."""
    n = len(differences)
    below = np.count_nonzero(differences <= 0)
    above = np.count_nonzero(differences >= 0)
    return float(min(1.0, 2 * (min(below, above) + 1) / (n + 1)))


def normal_p(z: float) -> float:
    """Return the two-sided probability of a standard normal beyond ``z``.

    >>> round(normal_p(1.959964), 4)
    0.05
    """
    return erfc(abs(z) / sqrt(2))


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
