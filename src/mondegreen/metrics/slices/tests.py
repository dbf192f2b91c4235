"""Tests of slices: the exact tail of the hypergeometric distribution, and a test in strata."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import erfc, exp, lgamma, sqrt
from typing import Any

import numpy as np
import numpy.typing as npt

_NEGLIGIBLE = 1e-18  # a term of a sum that no longer counts, relative to the sum
_FEW = 5  # clusters with a failure: fewer say nothing about the spread between clusters

Flags = npt.NDArray[np.bool_]


def count(flags: npt.NDArray[Any]) -> int:
    """Return how many values are not zero."""
    return int(np.count_nonzero(flags))


def _log_choose(n: int, k: int) -> float:
    return lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1)


def at_least(failed: int, n: int, all_failed: int, size: int) -> float:
    """Return the probability that ``n`` of ``size`` units, drawn blindly, have as many failures.

    Args:
        failed: the failures among the ``n`` units.
        n: how many units are drawn.
        all_failed: the failures among all units.
        size: how many units there are.

    >>> round(at_least(3, 3, 3, 6), 4)  # 1 of the 20 ways to draw three of six
    0.05
    """
    first, last = max(failed, n + all_failed - size), min(n, all_failed)
    if first > last:
        return 0.0
    total = 0.0
    whole = _log_choose(size, n)
    for k in range(first, last + 1):
        term = exp(_log_choose(all_failed, k) + _log_choose(size - all_failed, n - k) - whole)
        total += term
        if term < total * _NEGLIGIBLE:
            break
    return min(1.0, total)


@dataclass(frozen=True)
class Strata:
    """Units, divided by the slices that are known already.

    Args:
        failed: which units failed.
        clusters: the cluster of each unit, numbered from 0.
        strata: the stratum of each unit, numbered from 0; by default there is one.
    """

    failed: Flags
    clusters: npt.NDArray[np.int64]
    strata: npt.NDArray[np.int64] | None = None

    @cached_property
    def _parts(self) -> list[npt.NDArray[np.int64]]:
        if self.strata is None:
            return [np.arange(len(self.failed))]
        return [np.flatnonzero(self.strata == number) for number in range(self.strata.max() + 1)]

    def split(self, inside: Flags) -> Strata:
        """Divide the strata by one more slice."""
        strata = np.zeros(len(self.failed), np.int64) if self.strata is None else self.strata
        _, numbers = np.unique(2 * strata + inside, return_inverse=True)
        return Strata(self.failed, self.clusters, numbers.reshape(-1))

    def most_certain(self, slices: Sequence[Flags], tried: Sequence[int]) -> tuple[int, float]:
        """Return the slice with the smallest corrected p, and this p.

        The p of independent units is computed for all slices, the one that allows for clusters
        only where the first is small enough to win.

        Args:
            slices: the units of each slice.
            tried: for each slice, how many like it were tried; its p is multiplied by as much.
        """
        firsts = [
            self._independent(inside) * times for inside, times in zip(slices, tried, strict=True)
        ]
        best, least = 0, 2.0
        for at in np.argsort(firsts, kind="stable").tolist():
            if firsts[at] >= least:
                break
            p = max(firsts[at], self._clustered(slices[at]) * tried[at])
            if p < least:
                best, least = at, p
        return best, least

    def _independent(self, inside: Flags) -> float:
        if self.strata is None:
            return at_least(
                count(inside & self.failed),
                count(inside),
                count(self.failed),
                len(self.failed),
            )
        excess = spread = 0.0
        for part in self._parts:
            size = len(part)
            n, f = count(inside[part]), count(self.failed[part])
            both = count(inside[part] & self.failed[part])
            excess += both - n * f / size
            if size > 1:
                spread += n * (size - n) * f * (size - f) / (size * size * (size - 1))
        return _upper_tail((excess - 0.5) / sqrt(spread)) if spread > 0 else 1.0

    def _clustered(self, inside: Flags) -> float:
        scores = np.zeros(len(self.failed))
        for part in self._parts:
            share, rate = np.mean(inside[part]), np.mean(self.failed[part])
            scores[part] = (inside[part] - share) * (self.failed[part] - rate)
        sums = np.bincount(self.clusters, weights=scores)
        if count(np.bincount(self.clusters[inside & self.failed])) < _FEW:
            return 1.0
        spread = float(np.sum(sums * sums))
        return _upper_tail(float(np.sum(sums)) / sqrt(spread)) if spread > 0 else 1.0


def _upper_tail(z: float) -> float:
    """Return the probability of a standard normal above ``z``."""
    return erfc(z / sqrt(2)) / 2
