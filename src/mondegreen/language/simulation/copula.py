"""How errors go together: within an utterance, and between neighbouring words.

Each site of an utterance has a normal variable; there is an error where it is low enough for the
site's chance. The variables of an utterance have a common part, and neighbours are correlated, so
that single chances stay what they are.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

_COMMON = tuple(np.arange(0, 0.85, 0.1).round(2).tolist())
_NEIGHBOUR = tuple(np.arange(0, 0.95, 0.1).round(2).tolist())
_BESIDE = _NEIGHBOUR
_MOST = 4000  # utterances
_MOST_ERRORS = 4

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]


def log_odds(x: float) -> float:
    """Return the log odds that a standard normal variable is below ``x``, to three digits."""
    return x * (1.5976 + 0.07056 * x * x)


class Dependence(NamedTuple):
    """How errors go together: in an utterance, in neighbouring words, in a gap and beside it."""

    common: float = 0.0
    neighbour: float = 0.0
    beside: float = 0.0


def dependence(odds: Sequence[Floats], happened: Sequence[Floats]) -> Dependence:
    """Return the correlations that give errors as they happened.

    What is matched is how many utterances have how many words in error, how many neighbouring
    words are both in error, and how many words are added beside a word in error.

    Args:
        odds: per utterance, the log odds of an error at each site: gap, word, gap, …, gap.
        happened: per utterance, 1 where there was an error.
    """
    step = max(1, len(odds) // _MOST)
    odds, happened = odds[::step], happened[::step]
    longest = max(map(len, odds))
    limits, y = np.full((len(odds), longest), -np.inf), np.zeros((len(odds), longest), bool)
    for row, (one, other) in enumerate(zip(odds, happened, strict=True)):
        limits[row, : len(one)] = one
        y[row, : len(other)] = other
    rng = np.random.default_rng(0)
    noise = rng.standard_normal(y.shape)
    shared = rng.standard_normal((len(y), 1))

    def made(found: Dependence) -> Bools:
        x = np.sqrt(found.common) * shared + np.sqrt(1 - found.common) * _field(noise, found)
        return np.asarray(x * (1.5976 + 0.07056 * x * x) < limits)

    wanted, gaps = _patterns(y), _beside(y)
    tried = (Dependence(common, near) for near in _NEIGHBOUR for common in _COMMON)
    best = min(tried, key=lambda one: float((np.log(_patterns(made(one)) / wanted) ** 2).sum()))
    of_gaps = (best._replace(beside=beside) for beside in _BESIDE)
    return min(of_gaps, key=lambda one: abs(_beside(made(one)) - gaps))


def _field(noise: Floats, found: Dependence) -> Floats:
    """Return normal variables of which neighbouring words, and gaps and words, are correlated."""
    near, beside = found.neighbour, found.beside
    field = noise.copy()
    for i in range(3, noise.shape[1], 2):
        field[:, i] = near * field[:, i - 2] + np.sqrt(1 - near**2) * noise[:, i]
    words = field[:, 1::2]
    apart = np.sqrt(1 - beside**2)
    field[:, ::2] *= apart
    field[:, 0] += beside * words[:, 0]
    field[:, -1] += beside * words[:, -1]
    field[:, 2:-1:2] += beside / np.sqrt(2 + 2 * near) * (words[:, :-1] + words[:, 1:])
    return field


def _beside(y: Bools) -> float:
    """Return the share of the gaps with added words that are beside a word in error."""
    words = y[:, 1::2]
    edge = np.zeros((len(y), 1), bool)
    near = np.hstack([edge, words]) | np.hstack([words, edge])
    return float((y[:, ::2] & near).sum() / max(1, y[:, ::2].sum()))


def _patterns(y: Bools) -> Floats:
    """Count the utterances with no, one, two, … words in error, and the runs of words in error."""
    words = y[:, 1::2]
    wrong = np.minimum(words.sum(1), _MOST_ERRORS)
    edge = np.zeros((len(y), 1), bool)
    begins = words & ~np.hstack([edge, words[:, :-1]])
    longer = words & np.hstack([words[:, 1:], edge])
    two = begins & longer
    three = two & np.hstack([longer[:, 1:], edge])
    runs = [begins.sum() - two.sum(), two.sum() - three.sum(), three.sum()]
    return np.array([*np.bincount(wrong, minlength=_MOST_ERRORS + 1), *runs]) + 1.0
