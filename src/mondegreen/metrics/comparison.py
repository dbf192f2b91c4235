"""Two systems on the same utterances: which is better, and would that happen by chance?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil
from typing import Any

import numpy as np

from mondegreen.errors import DataError
from mondegreen.metrics.mapsswe import Mapsswe, mapsswe, segment_gaps
from mondegreen.metrics.metric import Ratio
from mondegreen.metrics.score import Counts, Score, by_block
from mondegreen.metrics.statistics import LEVEL, Interval, mcnemar, permuted, ratios_of
from mondegreen.notebook import ShownInNotebooks

PERMUTATIONS = 10_000
PERMUTATION, EXACT = "permutation", "mcnemar"
"""The tests that a p value comes from."""


@dataclass(frozen=True)
class Difference:
    """One rate of two systems: the difference, its interval, and how likely it is by chance.

    ``p`` is two-sided, by a paired permutation test or by McNemar's exact test, as ``test`` says;
    ``least_p`` is the least that the test could give on these utterances.
    """

    first: float | None
    second: float | None
    difference: float | None = None
    interval: Interval | None = None
    p: float | None = None
    test: str = PERMUTATION
    least_p: float | None = None

    def record(self) -> dict[str, Any]:
        """Return the difference as plain values, for JSON."""
        return {
            "first": self.first,
            "second": self.second,
            "difference": self.difference,
            "low": self.interval.low if self.interval else None,
            "high": self.interval.high if self.interval else None,
            "p": self.p,
            "test": self.test,
        }


@dataclass(frozen=True)
class Comparison(ShownInNotebooks):
    """The second system against the first, on the same utterances."""

    rates: dict[str, Difference]
    only_first_right: int
    only_second_right: int
    mcnemar: float
    mapsswe: Mapsswe | None

    def record(self) -> dict[str, Any]:
        """Return the comparison as plain values, for JSON."""
        return {
            "rates": {name: rate.record() for name, rate in self.rates.items()},
            "flips": {"worse": self.only_first_right, "better": self.only_second_right},
            "mcnemar_p": self.mcnemar,
            "mapsswe": vars(self.mapsswe) if self.mapsswe else None,
        }


def compare(
    first: Score,
    second: Score,
    *,
    seed: int = 0,
    blocks: Sequence[str] | None = None,
    exact: bool = False,
    permutations: int = PERMUTATIONS,
) -> Comparison:
    """Compare two scores of one metric on the same utterances.

    Args:
        first: the score of the first system.
        second: the score of the second system.
        seed: random seed for the bootstrap and the permutations.
        blocks: the block of each utterance, such as its speaker; whole blocks are drawn.
        exact: compare rates that are shares of the utterances by McNemar's exact test.
        permutations: how many permutations to draw; no p value is below 1 in as many.

    Raises:
        DataError: if the scores are of different recipes or utterances.
    """
    if first.signature != second.signature:
        raise DataError(
            f"scores of different recipes cannot be compared: {first.signature} and "
            f"{second.signature}"
        )
    if first.ids != second.ids:
        raise DataError("scores of different utterances cannot be compared; use one reference file")
    right = first.counts[:, first.columns.index("wrong")] == 0
    right_too = second.counts[:, second.columns.index("wrong")] == 0
    only_first = int(np.count_nonzero(right & ~right_too))
    only_second = int(np.count_nonzero(~right & right_too))
    pair = _Pair(first, second, seed, blocks, permutations)
    return Comparison(
        {name: pair.difference(name, exact=exact) for name in first.rates},
        only_first,
        only_second,
        mcnemar(only_first, only_second),
        _mapsswe(first.detail, second.detail),
    )


class _Pair:
    """Two scores, resampled together."""

    def __init__(
        self,
        first: Score,
        second: Score,
        seed: int,
        blocks: Sequence[str] | None,
        permutations: int,
    ) -> None:
        self.first, self.second, self.seed = first, second, seed
        self.permutations = permutations
        self.samples = [one.replicates(seed=seed, blocks=blocks) for one in (first, second)]
        self.columns = first.all_columns()
        tables = [one.table() for one in (first, second)]
        if blocks is not None:
            tables = [by_block(table, blocks) for table in tables]
        self.tables = tables

    def difference(self, name: str, *, exact: bool) -> Difference:
        """Compare one rate."""
        a, b = self.first[name].value, self.second[name].value
        rate = self.first.rates[name]
        one, two = (ratios_of(*rate.ratio(sums)) for sums in self.samples)
        gaps = two - one  # the same utterances are drawn for both: the bootstrap is paired
        gaps = gaps[~np.isnan(gaps)]  # a sample may have nothing to divide by
        if a is None or b is None or not len(gaps):
            return Difference(a, b)
        edge = (1 - LEVEL) / 2
        low, high = np.quantile(gaps, [edge, 1 - edge])
        interval = Interval(float(low), float(high))
        if exact and rate.exact:
            p, least = self._exact(rate.exact)
            return Difference(a, b, b - a, interval, p, EXACT, least)
        p, least = self._permuted(rate.ratio)
        return Difference(a, b, b - a, interval, p, PERMUTATION, least)

    def _exact(self, column: str) -> tuple[float, float]:
        at = self.columns.index(column)
        gap = self.tables[1][:, at] - self.tables[0][:, at]
        worse, better = int(np.count_nonzero(gap < 0)), int(np.count_nonzero(gap > 0))
        return mcnemar(worse, better), mcnemar(0, len(gap))

    def _permuted(self, ratio: Ratio) -> tuple[float, float]:
        used = [self.columns.index(name) for name in columns_of(ratio, self.columns)]
        names = [self.columns[at] for at in used]
        one, two = (table[:, used] for table in self.tables)

        def rate(sums: Counts) -> Any:
            return ratios_of(*ratio(dict(zip(names, sums.T, strict=True))))

        p = permuted(one, two, rate, self.permutations, self.seed)
        return p, max(2.0 ** (1 - len(one)), 1 / (self.permutations + 1))


def columns_of(ratio: Ratio, columns: Sequence[str]) -> list[str]:
    """Return the columns that a ratio depends on."""
    used: dict[str, None] = {}

    class Watched(dict[str, int]):
        def __missing__(self, name: str) -> int:
            used[name] = None
            return 1

    ratio(Watched())
    return [name for name in columns if name in used]


def enough_permutations(tests: int, alpha: float) -> int:
    """Return how many permutations many tests need, so that each can be significant.

    >>> enough_permutations(1, 0.05), enough_permutations(100, 0.05)
    (10000, 40000)
    """
    return max(PERMUTATIONS, ceil(20 * tests / alpha))


def _mapsswe(first: Any, second: Any) -> Mapsswe | None:
    if not (hasattr(first, "nist_steps") and hasattr(second, "nist_steps")):
        return None  # nothing was aligned
    pairs = zip(first.nist_steps(), second.nist_steps(), strict=True)
    return mapsswe([gap for steps, others in pairs for gap in segment_gaps(steps, others)])
