"""Paired tests of two systems on the same utterances, over their counts side by side."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import ceil
from typing import Any

import numpy as np

from mondegreen.errors import DataError
from mondegreen.metrics.metric import Quotient, Ratio
from mondegreen.metrics.scores.score import Counts, Score
from mondegreen.metrics.scores.tally import Tally
from mondegreen.metrics.statistics.comparison import (
    ALL,
    ALPHA,
    EXACT,
    PERMUTATION,
    Difference,
    Flip,
    SetComparison,
)
from mondegreen.metrics.statistics.groups import by_block
from mondegreen.metrics.statistics.intervals import Flips, paired_interval
from mondegreen.metrics.statistics.mapsswe import mapsswe, segment_gaps
from mondegreen.metrics.statistics.resampling import mcnemar, permuted, ratios_of

PERMUTATIONS = 10_000


def compare_scores(
    first: Score,
    second: Score,
    *,
    name: str = ALL,
    seed: int = 0,
    blocks: Sequence[str] | None = None,
    exact: bool = True,
    permutations: int = PERMUTATIONS,
) -> SetComparison:
    """Compare two scores of one metric on the same utterances, as one set of a comparison.

    Args:
        first: the score of the first system.
        second: the score of the second system.
        name: the name of the set.
        seed: random seed for the permutations.
        blocks: the block of each utterance, such as its speaker; whole blocks are independent.
        exact: compare rates that are shares of the utterances by McNemar's exact test.
        permutations: how many permutations to draw; no p value is below 1 in as many.

    Raises:
        DataError: if the scores are of different recipes or utterances.
    """
    rows = side_by_side(first, second)
    texts = rows if first.units is None else by_block(rows, first.units)
    pairs = PairedCounts(first.all_columns(), first.rates, Tally(texts))
    blocked = None if blocks is None else replace(pairs, tally=Tally(by_block(rows, blocks)))
    gaps = mapsswe_gaps(first.detail, second.detail)
    draws: dict[str, Any] = {"seed": seed, "exact": exact, "permutations": permutations}
    return compare_pairs(name, pairs, blocked, gaps, **draws)


def score_flips(name: str, first: Score, second: Score) -> Iterator[Flip]:
    """Yield the utterances of a set that only one of the scores has right."""
    if first.units is not None or len(first.ids) != len(first):
        return
    was, now = (score.counts[:, score.columns.index("wrong")] > 0 for score in (first, second))
    for row in (was != now).nonzero()[0].tolist():
        shown = second if now[row] else first
        text = "" if shown.detail is None else " → ".join(shown.detail.sides(row))
        yield Flip(name, first.ids[row], text, bool(was[row]), row)


def side_by_side(first: Score, second: Score) -> Counts:
    """Return the counts of two systems, one row per utterance.

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
    return np.hstack([first.table(), second.table()])


@dataclass(frozen=True)
class PairedCounts:
    """The counts of two systems side by side.

    Args:
        columns: the columns of one system; those of the other follow in the same order.
        rates: the rates to compare.
        tally: the counts of both, one row per utterance or distinct rows.
    """

    columns: tuple[str, ...]
    rates: Mapping[str, Ratio]
    tally: Tally

    def sides(self) -> tuple[Counts, Counts]:
        """Return the counts of each system."""
        width = len(self.columns)
        return self.tally.rows[:, :width], self.tally.rows[:, width:]


def compare_pairs(
    name: str,
    pairs: PairedCounts,
    blocked: PairedCounts | None = None,
    gaps: Counter[int] | None = None,
    *,
    seed: int = 0,
    exact: bool = True,
    permutations: int = PERMUTATIONS,
) -> SetComparison:
    """Compare two systems on one set by their counts side by side.

    Args:
        name: the name of the set.
        pairs: the counts of each utterance.
        blocked: the sums of each block, where whole blocks are independent.
        gaps: the differences in errors of the segments of MAPSSWE; ``None`` without alignments.
        seed: random seed for the permutations.
        exact: compare rates that are shares of the utterances by McNemar's exact test.
        permutations: how many permutations to draw.
    """
    wrong = pairs.columns.index("wrong")
    only_second, only_first = _flips(pairs, wrong)  # wrong in the first: right only in the second
    tests = _Tests(blocked or pairs, seed, permutations)
    return SetComparison(
        name,
        pairs.tally.n,
        {name: tests.difference(name, exact=exact) for name in pairs.rates},
        only_first,
        only_second,
        mcnemar(only_first, only_second),
        None if gaps is None else mapsswe(gaps),
    )


def _flips(pairs: PairedCounts, at: int) -> tuple[int, int]:
    """Return in how many rows a column is greater in the first, and in the second system."""
    one, two = (side[:, at] for side in pairs.sides())
    often = pairs.tally.often
    return int(often[one > two].sum()), int(often[two > one].sum())


class _Tests:
    """The tests of two systems on the same utterances or blocks."""

    def __init__(self, pairs: PairedCounts, seed: int, permutations: int) -> None:
        self.pairs, self.seed, self.permutations = pairs, seed, permutations
        width = len(pairs.columns)
        sums = pairs.tally.sums().tolist()
        parts = (slice(width), slice(width, None))
        self.sums = [dict(zip(pairs.columns, sums[p], strict=True)) for p in parts]

    def difference(self, name: str, *, exact: bool) -> Difference:
        """Compare one rate."""
        rate = self.pairs.rates[name]
        a, b = (_value(rate.ratio(sums)) for sums in self.sums)
        if a is None or b is None:
            return Difference(a, b, lower_is_better=rate.lower_is_better)
        interval = paired_interval(rate.ratio, self.pairs.columns, self.pairs.tally).interval
        lower = rate.lower_is_better
        flips = Flips.of(rate.ratio, self.pairs.columns, self.pairs.tally) if exact else None
        if flips is not None:
            p, least = mcnemar(int(flips.worse), int(flips.better)), mcnemar(0, int(flips.n))
            return Difference(a, b, b - a, interval, p, EXACT, least, lower)
        p, least = self._permuted(rate.ratio)
        return Difference(a, b, b - a, interval, p, PERMUTATION, least, lower)

    def _permuted(self, ratio: Quotient) -> tuple[float, float]:
        columns = self.pairs.columns
        names = columns_of(ratio, columns)
        used = [columns.index(name) for name in names]
        one, two = (side[:, used] for side in self.pairs.sides())

        def rate(sums: Counts) -> Any:
            return ratios_of(*ratio(dict(zip(names, sums.T, strict=True))))

        p = permuted(one, two, rate, self.permutations, self.seed, self.pairs.tally.times)
        return p, max(2.0 ** (1 - self.pairs.tally.n), 1 / (self.permutations + 1))


def _value(ratio: tuple[Any, Any]) -> float | None:
    numerator, denominator = ratio
    return numerator / denominator if denominator else None


def columns_of(ratio: Quotient, columns: Sequence[str]) -> list[str]:
    """Return the columns that a ratio depends on."""
    used: dict[str, None] = {}

    class Watched(dict[str, int]):
        def __missing__(self, name: str) -> int:
            used[name] = None
            return 1

    ratio(Watched())
    return [name for name in columns if name in used]


def enough_permutations(tests: int) -> int:
    """Return how many permutations many tests need, so that each can be significant.

    >>> enough_permutations(1), enough_permutations(100)
    (10000, 40000)
    """
    return max(PERMUTATIONS, ceil(20 * tests / ALPHA))


def mapsswe_gaps(first: Any, second: Any) -> Counter[int] | None:
    """Return the differences in errors of all segments; ``None`` if nothing was aligned."""
    if not (hasattr(first, "nist_steps") and hasattr(second, "nist_steps")):
        return None
    pairs = zip(first.nist_steps(), second.nist_steps(), strict=True)
    return Counter(gap for steps, others in pairs for gap in segment_gaps(steps, others))
