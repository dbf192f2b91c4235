"""Where errors fall: fits the log odds of words and gaps, with offsets of words and bigrams."""

from __future__ import annotations

import math
from array import array
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mondegreen.language.simulation.odds import bigrams, places, word_features
from mondegreen.language.simulation.profile import Offsets
from mondegreen.language.simulation.units import Pair, Words

_RIDGE = 1.0
_ROUNDS, _STEPS, _INNER = 6, 12, 4
_SETTLED = 1e-5
_MOST = 50_000  # bigrams to store, the most frequent ones
_OF_WORDS = (1.0, 0.4, 0.4)  # variances of offsets: of a word, with the one before, with the next
_OF_GAPS = (0.5, 0.5, 0.4)  # of the words before and after a gap, and of both

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


class FittedOdds(NamedTuple):
    """The weights of the log odds, and the offsets of words and bigrams."""

    words: tuple[float, ...]
    gaps: tuple[float, ...]
    offsets: dict[str, Offsets]
    bigrams: dict[str, Offsets]


class _Seen:
    """How often something is in the pairs, and in those with other references than one."""

    def __init__(self) -> None:
        self.all = Counter[str]()
        self._own: dict[Words, Counter[str]] = defaultdict(Counter)

    def add(self, ref: Words, found: Sequence[str]) -> None:
        """Count what is in a pair with a reference."""
        self.all.update(found)
        self._own[ref].update(found)

    def beside(self, ref: Words, one: str) -> int:
        """Return how often something is in pairs with other references."""
        return self.all[one] - self._own[ref][one]


def fit_odds(pairs: Sequence[Pair]) -> FittedOdds:
    """Fit where errors begin, and where words are added.

    What was seen and written of a word leaves out all pairs with the same reference.
    """
    seen, written, joined = _Seen(), _Seen(), _Seen()
    for ref, hyp, units in pairs:
        seen.add(ref, [*ref, *bigrams(ref)])
        written.add(ref, hyp)
        joined.add(ref, [" ".join(ref[start:end]) for start, end, _ in units if end - start > 1])
    numbers: dict[Words, int] = {}
    words, gaps = _Sites(_OF_WORDS), _Sites(_OF_GAPS)
    for ref, _, units in pairs:
        number = numbers.setdefault(ref, len(numbers))
        place, both = places(ref), bigrams(ref)
        counts = [(seen.beside(ref, pair), joined.beside(ref, pair)) for pair in both]
        often = [_often(count) for count, _ in counts]
        begins = {start for start, end, _ in units if start < end}
        seconds = {i for start, end, _ in units for i in range(start + 1, end)}
        added = {start for start, end, _ in units if start == end}
        for i, word in enumerate(ref):
            if i not in seconds:  # of two words that were heard as one
                alone = word_features(word, seen.beside(ref, word), written.beside(ref, word))
                row = (*alone, *place.words[i], *often[i : i + 2], _share(*counts[i + 1]))
                words.add(number, row, (word, both[i], both[i + 1]), wrong=i in begins)
        for i, pair in enumerate(both):
            before, after = pair.split(" ")
            row = (*place.gaps[i], often[i])
            gaps.add(number, row, (before, after, pair), wrong=i in added)
    (*of_words, by_first, by_next, by_joined), (own, with_first, with_next) = words.fitted()
    (*of_gaps, by_both), (behind, ahead, between) = gaps.fitted()

    def of_pair(offsets: Mapping[str, float], by_count: float, pair: str) -> float:
        return offsets.get(pair, 0.0) + by_count * _often(seen.all[pair])

    return FittedOdds(
        tuple(of_words),
        tuple(of_gaps),
        {
            word: _rounded(ahead.get(word, 0.0), own.get(word, 0.0), behind.get(word, 0.0))
            for word in sorted(ahead.keys() | behind.keys())
        },
        {
            pair: _rounded(
                of_pair(with_next, by_next, pair)
                + by_joined * _share(seen.all[pair], joined.all[pair]),
                of_pair(between, by_both, pair),
                of_pair(with_first, by_first, pair),
            )
            for pair in sorted(between, key=lambda pair: (-seen.all[pair], pair))[:_MOST]
        },
    )


def _often(count: int) -> float:
    return math.log1p(count) / 3


def _share(count: int, joined: int) -> float:
    """Return how often two words in a row were heard as one; less if they were seen seldom."""
    return joined / (count + 0.5)


def _rounded(*offsets: float) -> Offsets:
    first, second, third = (round(offset, 3) for offset in offsets)
    return first, second, third


class Group:
    """Names that have an offset each, and which of them each site has."""

    def __init__(self, names: Sequence[str], variance: float) -> None:
        self._names = sorted(set(names))
        index = {name: i for i, name in enumerate(self._names)}
        self._of = np.array([index[name] for name in names])
        self._variance = variance
        self._offsets: Floats = np.zeros(len(index))

    def of_sites(self) -> Floats:
        """Return the offset of each site."""
        found: Floats = self._offsets[self._of]
        return found

    def settle(self, base: Floats, y: Floats) -> None:
        """Fit the offsets by Newton's method, given all else of the log odds."""
        for _ in range(_INNER):
            p = sigmoid(base + self.of_sites())
            gradient = self._sum(y - p) - self._offsets / self._variance
            curvature = self._sum(p * (1 - p)) + 1 / self._variance
            self._offsets = self._offsets + np.clip(gradient / curvature, -1, 1)

    def _sum(self, values: Floats) -> Floats:
        return np.bincount(self._of, values, len(self._names)).astype(float)

    def left_out(self, refs: Integers, gradient: Floats, curvature: Floats) -> Floats:
        """Return the offset of each site as it would be without the site's reference.

        By one step of Newton's method from the fitted offsets.
        """
        _, both = np.unique(self._of * (refs.max() + 1) + refs, return_inverse=True)
        without = self._sum(curvature)[self._of] - np.bincount(both, curvature)[both]
        found: Floats = self.of_sites() - np.bincount(both, gradient)[both] / (
            np.maximum(without, 0) + 1 / self._variance
        )
        return found

    def scaled(self, scale: float) -> dict[str, float]:
        """Return the offset of each name."""
        return dict(zip(self._names, (scale * self._offsets).tolist(), strict=True))


class _Sites:
    """The words or the gaps of all references: their features, their names, and their errors.

    Args:
        variances: how much the offsets of each group of names vary.
    """

    def __init__(self, variances: Sequence[float]) -> None:
        self._variances = variances
        self._rows = array("d")
        self._names: list[tuple[str, ...]] = []
        self._wrong: list[bool] = []
        self._refs: list[int] = []

    def add(self, ref: int, row: tuple[float, ...], names: tuple[str, ...], *, wrong: bool) -> None:
        """Add a site of a reference, which has a number."""
        self._rows.extend(row)
        self._names.append(names)
        self._wrong.append(wrong)
        self._refs.append(ref)

    def fitted(self) -> tuple[list[float], list[dict[str, float]]]:
        """Return the weights of the features, and the offsets of the names of each group.

        Weights and offsets are fitted together. Then the weights are fitted again, and with them
        how much each group counts, by offsets that know nothing of the reference at hand: several
        people may have said it, so that it would seem to know itself.
        """
        y, refs = np.array(self._wrong, float), np.array(self._refs)
        x = np.array(self._rows).reshape(len(y), -1)
        groups = [
            Group(names, variance)
            for names, variance in zip(zip(*self._names, strict=True), self._variances, strict=True)
        ]
        beta: Floats = np.zeros(x.shape[1])
        base: Floats = np.zeros(len(y))
        for _ in range(_ROUNDS):
            beta = logistic(x, y, _total(groups), beta)
            base = x @ beta
            for group in groups:
                group.settle(base + _total(other for other in groups if other is not group), y)
        p = sigmoid(base + _total(groups))
        known = [group.left_out(refs, y - p, p * (1 - p)) for group in groups]
        start = np.array([*beta, *(1.0 for _ in groups)])
        weights = logistic(np.column_stack([x, *known]), y, np.zeros(len(y)), start).tolist()
        scales = weights[len(beta) :]
        found = [group.scaled(scale) for group, scale in zip(groups, scales, strict=True)]
        return weights[: len(beta)], found


def _total(groups: Iterable[Group]) -> Floats:
    found: Floats = np.sum([group.of_sites() for group in groups], axis=0)
    return found


def sigmoid(x: Floats) -> Floats:
    """Return the chances of log odds."""
    return 1 / (1 + np.exp(-np.clip(x, -40, 40)))


def logistic(x: Floats, y: Floats, offset: Floats, beta: Floats) -> Floats:
    """Fit logistic regression by Newton's method from a start, with a small ridge penalty."""
    for _ in range(_STEPS):
        p = sigmoid(x @ beta + offset)
        gradient = x.T @ (y - p) - _RIDGE * beta
        curvature = (x * np.maximum(p * (1 - p), 1e-6)[:, None]).T @ x
        step = np.linalg.solve(curvature + _RIDGE * np.eye(len(beta)), gradient)
        beta = beta + step
        if np.abs(step).max() < _SETTLED:
            break
    return beta
