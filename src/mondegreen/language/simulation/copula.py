"""How errors go together: within an utterance, and between neighbouring words.

Each site of an utterance has a normal variable; there is an error where it is low enough for the
site's chance. The variables of an utterance have a common part, and neighbours are correlated, so
that single chances stay what they are. In some utterances, neighbours are correlated closely, and
errors come in long runs.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cache
from itertools import pairwise, product
from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

CLOSE = 0.9
"""The correlation of neighbouring words in the utterances whose errors come in long runs."""
_COMMON = (0.0, 0.1, 0.2, 0.3, 0.4, 0.6, 0.8)
_NEIGHBOUR = tuple(np.arange(0, 0.75, 0.1).round(2).tolist())
_RUNS = (0.0, 0.1, 0.2, 0.3)
_SHORTER = (0.0, 0.1, 0.2, 0.3, 0.4)
_CLOSEST = 0.95
_SHORT, _LONG = 3, 5  # letters: at most, and more than
_WORDS = slice(1, None, 2)  # of the sites of an utterance
_DRAWS = 3  # of each utterance
_MOST = 1_500_000  # sites, with those that fill up shorter utterances
_MOST_OF_ONE = 201  # sites of an utterance; a longer one is cut off
_MOST_ERRORS, _LONGEST = 6, 6
_CERTAIN = 1000.0  # counts far above this weigh alike: there the model errs more than chance

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]
Numbers = TypeVar("Numbers", float, NDArray[np.float64])


def log_odds(x: Numbers) -> Numbers:
    """Return the log odds that a standard normal variable is below ``x``, to three digits."""
    return x * (1.5976 + 0.07056 * x * x)


def correlated(noise: Sequence[Numbers], near: Sequence[Numbers], beside: float) -> list[Numbers]:
    """Return normal variables of the sites of an utterance: gap, word, gap, …, gap.

    Args:
        noise: independent normal variables: of one utterance, or arrays of many.
        near: the correlation of each word and the next one.
        beside: the correlation of a gap and the words beside it.
    """
    found = list(noise)
    last = len(found) - 1
    apart = math.sqrt(1 - beside * beside)
    for gap, rho in zip(range(2, last, 2), near, strict=True):
        before, after = found[gap - 1], found[gap + 1]
        after = found[gap + 1] = rho * before + (1 - rho * rho) ** 0.5 * after
        found[gap] = beside / (2 + 2 * rho) ** 0.5 * (before + after) + apart * found[gap]
    found[0] = beside * found[1] + apart * found[0]
    found[last] = beside * found[last - 1] + apart * found[last]
    return found


def shortness(words: Sequence[str]) -> list[int]:
    """Return 1 for each two words in a row that are short, -1 if both are long, else 0.

    >>> shortness(["what", "is", "in", "jamaica", "tomorrow"])
    [0, 1, 0, -1]
    """
    sizes = [(len(word) <= _SHORT) - (len(word) > _LONG) for word in words]
    return [a if a == b else 0 for a, b in pairwise(sizes)]


class Dependence(NamedTuple):
    """How errors go together: in an utterance, in neighbouring words, in a gap and beside it.

    ``shorter`` is how much more two short words in a row are correlated than others, and two long
    ones less. ``runs`` is the share of the utterances in which all are correlated closely.
    """

    common: float = 0.0
    neighbour: float = 0.0
    shorter: float = 0.0
    runs: float = 0.0
    beside: float = 0.0

    def near(self, short: float | Floats) -> Floats:
        """Return the correlation of two words in a row by their :func:`shortness`."""
        return np.clip(self.neighbour + self.shorter * short, 0.0, _CLOSEST)


_USUAL = Dependence(common=0.1, neighbour=0.5, runs=0.1)


def dependence(
    refs: Sequence[Sequence[str]], odds: Sequence[Floats], happened: Sequence[Floats]
) -> Dependence:
    """Return the correlations that give errors as they happened.

    What is matched is how many utterances have how many words in error, how long the runs of words
    in error are, how many are short words in a row, and how many words are added beside a word in
    error.

    Args:
        refs: the words of the utterances.
        odds: per utterance, the log odds of an error at each site: gap, word, gap, …, gap.
        happened: per utterance, 1 where there was an error.
    """
    longest = min(max(map(len, odds)), _MOST_OF_ONE)
    rows = min(_DRAWS * len(odds), _MOST // longest)
    limits, y = np.full((rows, longest), -np.inf), np.zeros((rows, longest), bool)
    short = np.zeros((rows, longest // 2 - 1))
    for row in range(rows):
        i = row * len(odds) // rows
        one, words = odds[i][:longest], refs[i][: longest // 2]
        limits[row, : len(one)] = one
        y[row, : len(one)] = happened[i][:longest]
        short[row, : len(words) - 1] = shortness(words)
    rng = np.random.default_rng(0)
    noise = list(rng.standard_normal(y.shape).T)
    shared, chance = rng.standard_normal((len(y), 1)), rng.random((len(y), 1))

    @cache
    def fields(near: float, shorter: float, beside: float) -> Floats:
        rho = Dependence(neighbour=near, shorter=shorter).near(short)
        return np.column_stack(correlated(noise, list(rho.T), beside))

    def made(one: Dependence, at: slice = _WORDS) -> Bools:
        close, usual = (CLOSE, 0.0, one.beside), (one.neighbour, one.shorter, one.beside)
        own = np.where(chance < one.runs, fields(*close)[:, at], fields(*usual)[:, at])
        common = np.sqrt(one.common) * shared + np.sqrt(1 - one.common) * own
        return np.asarray(log_odds(common) < limits[:, at])

    def miss(one: Dependence) -> float:
        ratios = np.log(_patterns(made(one)) / wanted)
        return float((ratios**2 * wanted / (_CERTAIN + wanted)).sum())

    wanted, both = _patterns(y[:, _WORDS]), _both(y[:, _WORDS], short)
    shorter = min(
        _SHORTER,
        key=lambda one: abs(math.log(_both(made(_USUAL._replace(shorter=one)), short) / both)),
    )
    tried = product(_COMMON, _NEIGHBOUR, _RUNS)
    found = min((Dependence(a, b, shorter, runs) for a, b, runs in tried), key=miss)
    gaps = _beside(y)
    return min(
        (found._replace(beside=beside) for beside in _NEIGHBOUR),
        key=lambda one: abs(_beside(made(one, slice(None))) - gaps),
    )


def _both(words: Bools, short: Floats) -> float:
    """Return how many more pairs of short words are both in error than pairs of long ones."""
    both = words[:, :-1] & words[:, 1:]
    return float(((both & (short > 0)).sum() + 1) / ((both & (short < 0)).sum() + 1))


def _beside(y: Bools) -> float:
    """Return the share of the gaps with added words that are beside a word in error."""
    words = y[:, _WORDS]
    edge = np.zeros((len(y), 1), bool)
    near = np.hstack([edge, words]) | np.hstack([words, edge])
    return float((y[:, ::2] & near).sum() / max(1, y[:, ::2].sum()))


def _patterns(words: Bools) -> Floats:
    """Count the utterances with no, one, two, … words in error, and the runs by their length."""
    wrong = np.minimum(words.sum(1), _MOST_ERRORS)
    edge = np.zeros((len(words), 1), bool)
    goes_on = words & ~np.hstack([edge, words[:, :-1]])
    longer = []
    for length in range(_LONGEST):
        longer.append(int(goes_on.sum()))
        goes_on = goes_on[:, :-1] & words[:, length + 1 :]
    runs = [more - most for more, most in pairwise([*longer, 0])]
    return np.array([*np.bincount(wrong, minlength=_MOST_ERRORS + 1), *runs]) + 1.0
