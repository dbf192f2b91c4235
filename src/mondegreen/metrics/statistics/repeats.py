"""Rates over repeats: pass^k, and how often the answers to one text differ in their verdict."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from math import comb

import numpy as np
import numpy.typing as npt

from mondegreen.metrics.metric import Ratio
from mondegreen.metrics.scores.score import Score
from mondegreen.metrics.scores.tally import Tally
from mondegreen.metrics.statistics.estimate import Estimate
from mondegreen.metrics.statistics.intervals import rate_interval

FLIP_RATE = "flip_rate"
_CASES = "cases"
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
    for name, parts in _parts(score, repeat).items():
        yield _estimate(name, parts)


def _parts(score: Score, repeat: int) -> dict[str, npt.NDArray[np.int64]]:
    """Return what each case adds to each of the rates, in parts of a case."""
    wrong = score.counts[:, score.columns.index("wrong")]
    cases = len(wrong) // repeat
    right = repeat - wrong[: cases * repeat].reshape(cases, repeat).sum(axis=1)
    passes = {
        f"pass^{k}": _UNIT * np.array([comb(int(n), k) for n in right], np.int64) // comb(repeat, k)
        for k in range(1, repeat + 1)
    }
    flips = _UNIT * ((right > 0) & (right < repeat)).astype(np.int64)
    return {**passes, FLIP_RATE: flips}


def with_repeats(score: Score, repeat: int) -> Score:
    """Return a score that also has the rates over repeats, so that two can be compared by them.

    What a case adds is on the row of its first answer; the answers to a case follow each other.
    """
    if repeat == 1:
        return score
    parts = _parts(score, repeat)
    cases = len(next(iter(parts.values())))
    parts[_CASES] = np.full(cases, _UNIT)
    table = np.zeros((len(score.counts), len(parts)), np.int64)
    for at, column in enumerate(parts.values()):
        table[: cases * repeat : repeat, at] = column
    rates = {name: _rate(name) for name in repeated_names(repeat)}
    return replace(
        score,
        columns=(*parts, *score.columns),
        counts=np.hstack([table, score.counts]),
        rates={**score.rates, **rates},
    )


def _rate(name: str) -> Ratio:
    lower = name == FLIP_RATE
    return Ratio(name, lambda s: (s[name] / _UNIT, s[_CASES] / _UNIT), lower_is_better=lower)


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
