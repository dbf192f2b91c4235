"""Rates over repeats: pass^k, and how often the answers to one text differ in their verdict."""

from __future__ import annotations

from collections.abc import Iterator
from math import comb

import numpy as np
import numpy.typing as npt

from mondegreen.metrics.scores.score import Score
from mondegreen.metrics.scores.tally import Tally
from mondegreen.metrics.statistics.estimate import Estimate
from mondegreen.metrics.statistics.intervals import rate_interval

FLIP_RATE = "flip_rate"
_UNIT = 10**9  # parts of a case, so that counts are whole numbers


def repeated_names(repeat: int) -> list[str]:
    """Return the names of the rates of so many repeats.

    >>> repeated_names(3)
    ['pass^1', 'pass^2', 'pass^3', 'flip_rate']
    """
    return [*(f"pass^{k}" for k in range(1, repeat + 1)), FLIP_RATE] if repeat > 1 else []


def repeated_rates(score: Score, repeat: int) -> Iterator[Estimate]:
    """Yield pass^k for each k, and the flip rate, with intervals over cases.

    pass^k is the probability that k answers to the same text, drawn from those that were given,
    are all right. The flip rate is the share of cases whose answers are neither all right nor all
    wrong. The answers to a case follow each other.
    """
    wrong = score.counts[:, score.columns.index("wrong")]
    cases = len(wrong) // repeat
    right = repeat - wrong[: cases * repeat].reshape(cases, repeat).sum(axis=1)
    passes = {
        f"pass^{k}": _UNIT * np.array([comb(int(n), k) for n in right]) // comb(repeat, k)
        for k in range(1, repeat + 1)
    }
    flips = _UNIT * ((right > 0) & (right < repeat)).astype(np.int64)
    for name, parts in {**passes, FLIP_RATE: flips}.items():
        yield _estimate(name, parts)


def _estimate(name: str, parts: npt.NDArray[np.int64]) -> Estimate:
    cases = len(parts)
    total = float(parts.sum()) / _UNIT
    if not cases:
        return Estimate(name, None)
    units = Tally(np.column_stack([parts, np.ones(cases, np.int64)]))
    interval, few = rate_interval(
        lambda s: (s["passed"] / _UNIT, s["cases"]), ("passed", "cases"), units
    )
    low, high = interval or (None, None)
    return Estimate(name, total / cases, low, high, total, cases, few=few)
