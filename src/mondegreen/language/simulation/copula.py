"""How errors go together: within an utterance, and between neighbouring words.

Each site of an utterance has a normal variable; there is an error where it is low enough for the
site's chance. The variables of an utterance have a common part, and neighbours are correlated, so
that single chances stay what they are.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cache
from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

_COMMON = tuple(np.arange(0, 0.85, 0.1).round(2).tolist())
_NEIGHBOUR = tuple(np.arange(0, 0.95, 0.1).round(2).tolist())
_MOST = 4000  # utterances
_MOST_ERRORS = 4

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]
Numbers = TypeVar("Numbers", float, NDArray[np.float64])


def log_odds(x: Numbers) -> Numbers:
    """Return the log odds that a standard normal variable is below ``x``, to three digits."""
    return x * (1.5976 + 0.07056 * x * x)


def correlated(noise: Sequence[Numbers], near: float, beside: float) -> list[Numbers]:
    """Return normal variables of the sites of an utterance: gap, word, gap, …, gap.

    Args:
        noise: independent normal variables: of one utterance, or arrays of many.
        near: the correlation of a word and the next one.
        beside: the correlation of a gap and the words beside it.
    """
    found = list(noise)
    last = len(found) - 1
    fresh = math.sqrt(1 - near * near)
    for word in range(3, last, 2):
        found[word] = near * found[word - 2] + fresh * found[word]
    apart, both = math.sqrt(1 - beside * beside), beside / math.sqrt(2 + 2 * near)
    for gap in range(2, last, 2):
        found[gap] = both * (found[gap - 1] + found[gap + 1]) + apart * found[gap]
    found[0] = beside * found[1] + apart * found[0]
    found[last] = beside * found[last - 1] + apart * found[last]
    return found


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
    noise = list(rng.standard_normal(y.shape).T)
    shared = rng.standard_normal((len(y), 1))

    def made(common: float, near: float, beside: float) -> Bools:
        own = fields(near, beside)
        return np.asarray(log_odds(np.sqrt(common) * shared + np.sqrt(1 - common) * own) < limits)

    @cache
    def fields(near: float, beside: float) -> Floats:
        return np.column_stack(correlated(noise, near, beside))

    def miss(common: float, near: float) -> float:
        return float((np.log(_patterns(made(common, near, 0.0)) / wanted) ** 2).sum())

    wanted, gaps = _patterns(y), _beside(y)
    tried = ((common, near) for near in _NEIGHBOUR for common in _COMMON)
    common, near = min(tried, key=lambda one: miss(*one))
    beside = min(_NEIGHBOUR, key=lambda one: abs(_beside(made(common, near, one)) - gaps))
    return Dependence(common, near, beside)


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
