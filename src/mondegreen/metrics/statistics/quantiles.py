"""Quantiles of the normal and of Student's distribution, without a statistics package."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from math import atan, cos, erfc, pi, sin, sqrt

_MANY = 60  # degrees of freedom, above which the expansion around the normal is exact enough
_STEPS = 200


def normal_p(z: float) -> float:
    """Return the two-sided probability of a standard normal beyond ``z``.

    >>> round(normal_p(1.959964), 4)
    0.05
    """
    return erfc(abs(z) / sqrt(2))


@lru_cache(64)
def normal_quantile(level: float) -> float:
    """Return how many deviations hold a share of the normal distribution, on both sides.

    >>> round(normal_quantile(0.95), 6)
    1.959964
    """
    return _where(lambda z: 1 - normal_p(z), level)


@lru_cache(256)
def student_quantile(level: float, freedom: int) -> float:
    """Return how many deviations hold a share of Student's distribution, on both sides.

    >>> [round(student_quantile(0.95, n), 4) for n in (1, 4, 60, 61, 10_000)]
    [12.7062, 2.7764, 2.0003, 1.9996, 1.9602]
    """
    if freedom <= _MANY:
        return _where(lambda t: _student(t, freedom), level)
    z = normal_quantile(level)  # Abramowitz and Stegun 26.7.5
    first = (z**3 + z) / 4
    second = (5 * z**5 + 16 * z**3 + 3 * z) / 96
    third = (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384
    return z + first / freedom + second / freedom**2 + third / freedom**3


def _student(t: float, freedom: int) -> float:
    """Return the probability within ``t`` deviations (Abramowitz and Stegun 26.7.3 and 26.7.4)."""
    angle = atan(t / sqrt(freedom))
    odd = freedom % 2
    term = cos(angle) if odd else 1.0
    total = term if freedom > 1 else 0.0
    for k in range(2 + odd, freedom - 1, 2):
        term *= cos(angle) ** 2 * (k - 1) / k
        total += term
    return 2 / pi * (angle + sin(angle) * total) if odd else sin(angle) * total


def _where(probability: Callable[[float], float], level: float) -> float:
    low, high = 0.0, 1.0
    while probability(high) < level:
        low, high = high, 2 * high
    for _ in range(_STEPS):
        middle = (low + high) / 2
        if middle in (low, high):
            break
        low, high = (middle, high) if probability(middle) < level else (low, middle)
    return high
