"""How errors go together: within an utterance, and between neighbouring words.

Each site of an utterance has a normal variable; there is an error where it is low enough for the
site's chance. The variables of an utterance have a common part, and neighbours are correlated, so
that single chances stay what they are.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

_COMMON = tuple(np.arange(0, 0.85, 0.1).round(2).tolist())
_NEIGHBOUR = tuple(np.arange(0, 0.95, 0.1).round(2).tolist())
_RUNS = (0.0, 0.2, 0.4, 0.6, 0.7, 0.8, 0.9, 0.95)
_MOST = 4000  # utterances
_DRAWS = 20_000
_MOST_ERRORS = 4

Floats = NDArray[np.float64]


def log_odds(x: float) -> float:
    """Return the log odds that a standard normal variable is below ``x``, to three digits."""
    return x * (1.5976 + 0.07056 * x * x)


def dependence(odds: Sequence[Floats], happened: Sequence[Floats]) -> tuple[float, float]:
    """Return the common and the neighbouring correlation that give errors as they happened.

    What is matched is how many utterances have how many errors, and how many neighbouring words
    are both in error.

    Args:
        odds: per utterance, the log odds of an error at each site: gap, word, gap, …, gap.
        happened: per utterance, 1 where there was an error.
    """
    step = max(1, len(odds) // _MOST)
    odds, happened = odds[::step], happened[::step]
    longest = max(map(len, odds))
    limits, y = np.full((len(odds), longest), -np.inf), np.zeros((len(odds), longest))
    for row, (one, other) in enumerate(zip(odds, happened, strict=True)):
        limits[row, : len(one)] = one
        y[row, : len(other)] = other
    rng = np.random.default_rng(0)
    noise = rng.standard_normal(y.shape)
    shared = rng.standard_normal((len(y), 1))
    wanted = _patterns(y)
    best = (np.inf, 0.0, 0.0)
    for near in _NEIGHBOUR:
        field = np.empty_like(noise)
        field[:, 0] = noise[:, 0]
        for i in range(1, longest):
            field[:, i] = near * field[:, i - 1] + np.sqrt(1 - near**2) * noise[:, i]
        for common in _COMMON:
            x = np.sqrt(common) * shared + np.sqrt(1 - common) * field
            made = _patterns(x * (1.5976 + 0.07056 * x * x) < limits)
            miss = float((np.log(made / wanted) ** 2).sum())
            best = min(best, (miss, common, near))
    return best[1], best[2]


def _patterns(y: NDArray[np.bool_] | Floats) -> Floats:
    """Count the utterances with no, one, two, … errors, and the runs of words in error."""
    y = np.asarray(y, bool)
    wrong = np.minimum(y.sum(1), _MOST_ERRORS)
    words = y[:, 1::2]
    edge = np.zeros((len(y), 1), bool)
    begins = words & ~np.hstack([edge, words[:, :-1]])
    longer = words & np.hstack([words[:, 1:], edge])
    two = begins & longer
    three = two & np.hstack([longer[:, 1:], edge])
    runs = [begins.sum() - two.sum(), two.sum() - three.sum(), three.sum()]
    return np.array([*np.bincount(wrong, minlength=_MOST_ERRORS + 1), *runs]) + 1.0


def kind_dependence(neighbours: Sequence[tuple[float, float, bool, bool]]) -> float:
    """Return the correlation of neighbouring errors that loses as many words together as wanted.

    Args:
        neighbours: per two words in error, the chance that each is lost, and whether it is.
    """
    both = sum(first and second for *_, first, second in neighbours)
    if not both:
        return 0.0
    chances = np.array([row[:2] for row in neighbours])
    repeats = max(1, _DRAWS // len(chances))
    rng = np.random.default_rng(0)
    first, noise = rng.standard_normal((2, repeats, len(chances)))
    limits = _normal_quantile(chances)
    made = [
        (
            (first < limits[:, 0]) & (near * first + np.sqrt(1 - near**2) * noise < limits[:, 1])
        ).sum()
        / repeats
        for near in _RUNS
    ]
    return _RUNS[int(np.argmin(np.abs(np.array(made) - both)))]


def _normal_quantile(p: Floats) -> Floats:
    """Return the standard normal variable below which a share ``p`` lies, by a table."""
    from statistics import NormalDist

    grid = np.linspace(1e-5, 1 - 1e-5, 20_001)
    normal = NormalDist()
    table = np.array([normal.inv_cdf(share) for share in grid.tolist()])
    found = np.interp(p, grid, table)
    return np.where(p <= 0, -np.inf, found)
