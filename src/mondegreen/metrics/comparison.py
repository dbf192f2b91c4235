"""Two systems on the same utterances: which is better, and would that happen by chance?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import sqrt
from typing import Any

import numpy as np
import numpy.typing as npt

from mondegreen.align import INSERTION, MATCH, Alignment
from mondegreen.errors import DataError
from mondegreen.metrics.score import Score
from mondegreen.metrics.statistics import (
    LEVEL,
    Interval,
    mcnemar,
    normal_p,
    ratios_of,
    two_sided,
)


@dataclass(frozen=True)
class Difference:
    """One rate of two systems; ``p`` by the paired bootstrap, or by McNemar's exact test."""

    first: float | None
    second: float | None
    difference: float | None
    interval: Interval | None
    p: float | None


@dataclass(frozen=True)
class Mapsswe:
    """Matched pairs of sentence segments (NIST): errors of both systems between stretches that
    both have right.
    """

    segments: int
    mean: float
    deviation: float
    z: float
    p: float


@dataclass(frozen=True)
class Comparison:
    """The second system against the first, on the same utterances."""

    rates: dict[str, Difference]
    only_first_right: int
    only_second_right: int
    mcnemar: float
    mapsswe: Mapsswe | None

    def record(self) -> dict[str, Any]:
        """Return all as plain values, for JSON."""
        return {
            "rates": {
                name: {
                    "first": rate.first,
                    "second": rate.second,
                    "difference": rate.difference,
                    "low": rate.interval.low if rate.interval else None,
                    "high": rate.interval.high if rate.interval else None,
                    "p": rate.p,
                }
                for name, rate in self.rates.items()
            },
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
) -> Comparison:
    """Compare two scores of one metric on the same utterances.

    Args:
        first: the score of the first system.
        second: the score of the second system.
        seed: random seed for the bootstrap.
        blocks: the block of each utterance, such as its speaker; whole blocks are drawn.
        exact: compare rates that are shares of the utterances by McNemar's exact test.

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
    rates = _differences(first, second, seed, blocks)
    if exact:
        rates = {name: _with_exact_p(name, rate, first, second) for name, rate in rates.items()}
    return Comparison(
        rates,
        only_first,
        only_second,
        mcnemar(only_first, only_second),
        _mapsswe(first.detail, second.detail),
    )


def _differences(
    first: Score, second: Score, seed: int, blocks: Sequence[str] | None
) -> dict[str, Difference]:
    """The same utterances are drawn for both: the bootstrap is paired."""
    one = first.replicates(seed=seed, blocks=blocks)
    two = second.replicates(seed=seed, blocks=blocks)
    found = {}
    for name, rate in first.rates.items():
        a, b = first[name].value, second[name].value
        gaps = ratios_of(*rate.ratio(two)) - ratios_of(*rate.ratio(one))
        gaps = gaps[~np.isnan(gaps)]  # a sample may have nothing to divide by
        if a is None or b is None or not len(gaps):
            found[name] = Difference(a, b, None, None, None)
            continue
        edge = (1 - LEVEL) / 2
        low, high = np.quantile(gaps, [edge, 1 - edge])
        found[name] = Difference(a, b, b - a, Interval(float(low), float(high)), two_sided(gaps))
    return found


def _with_exact_p(name: str, rate: Difference, first: Score, second: Score) -> Difference:
    column = first.rates[name].exact
    if not column or rate.p is None:
        return rate
    at = first.columns.index(column)
    gap = second.counts[:, at] - first.counts[:, at]
    worse, better = int(np.count_nonzero(gap < 0)), int(np.count_nonzero(gap > 0))
    return replace(rate, p=mcnemar(worse, better))


def _mapsswe(first: Any, second: Any) -> Mapsswe | None:
    if not (hasattr(first, "ends") and hasattr(second, "ends")):
        return None  # nothing was aligned
    gaps = [gap for i in range(len(first.ends)) for gap in segment_gaps(first, second, i)]
    return mapsswe(gaps)


def mapsswe(gaps: Sequence[int]) -> Mapsswe | None:
    """Return the matched-pair test over the segments' differences in errors.

    Raises nothing: ``None`` where there are fewer than two segments or none differs.
    """
    n = len(gaps)
    if n < 2 or not any(gaps):  # noqa: PLR2004 (a deviation needs two)
        return None
    mean = sum(gaps) / n
    deviation = sqrt(sum((gap - mean) ** 2 for gap in gaps) / (n - 1))
    z = mean / (deviation / sqrt(n)) if deviation else float("inf") * (1 if mean > 0 else -1)
    return Mapsswe(n, mean, deviation, z, normal_p(z))


_GOOD = 2  # words that both systems have right end a segment


def segment_gaps(first: Alignment, second: Alignment, item: int) -> list[int]:
    """Return for each segment with errors: the second system's errors less the first's.

    Segments lie between stretches of two or more words that both systems have right.
    """
    one, two = _errors(first.of(item)), _errors(second.of(item))
    gaps, good = [], _GOOD
    total = wrong = 0
    for (a, good_a), (b, good_b) in zip(one, two, strict=True):
        if a == b == 0 and good_a and good_b:
            good += 1
        elif a or b or not (good_a and good_b):
            good = 0
            wrong += a + b
            total += b - a
        if good == _GOOD and wrong:
            gaps.append(total)
            total = wrong = 0
    if wrong:
        gaps.append(total)
    return gaps


def _errors(steps: npt.NDArray[np.uint8]) -> list[tuple[int, bool]]:
    """For each reference word, and for the end: errors on it and on what is inserted before it."""
    found = []
    inserted = 0
    for step in steps.tolist():
        if step == INSERTION:
            inserted += 1
        else:
            found.append((inserted + (step != MATCH), step == MATCH and not inserted))
            inserted = 0
    return [*found, (inserted, not inserted)]
