"""Several systems on the same references: one table, and tests of all pairs with a correction."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from mondegreen.metrics.scores.score import Score


@dataclass(frozen=True)
class PairTest:
    """Two systems by one rate; ``corrected`` is p after Holm's correction over all pairs."""

    first: str
    second: str
    difference: float | None
    p: float | None
    corrected: float | None


@dataclass(frozen=True)
class Systems:
    """The scores of several systems, by name, and the tests of all pairs by the main rate."""

    scores: Mapping[str, Score]
    rate: str
    tests: tuple[PairTest, ...]

    def best(self, rate: str) -> set[str]:
        """Return the systems with the best value of a rate."""
        values = {name: score[rate].value for name, score in self.scores.items()}
        known = [value for value in values.values() if value is not None]
        if not known:
            return set()
        first = next(iter(self.scores.values()))
        best = min(known) if first.rates[rate].lower_is_better else max(known)
        return {name for name, value in values.items() if value == best}

    def record(self) -> dict[str, Any]:
        """Return everything as plain values, for JSON."""
        return {
            "systems": {name: score.asdict() for name, score in self.scores.items()},
            "best": {rate: sorted(self.best(rate)) for rate in next(iter(self.scores.values()))},
            "rate": self.rate,
            "tests": [vars(test) for test in self.tests],
        }


def compare_systems(scores: Mapping[str, Score], *, seed: int = 0) -> Systems:
    """Compare all pairs of systems by the main rate, with Holm's correction.

    >>> from mondegreen.score import words
    >>> refs = ["play jazz", "stop it", "turn it off"]
    >>> found = compare_systems({"a": words(refs, refs), "b": words(refs, ["jazz", "it", "on"])})
    >>> found.best("wer"), found.tests[0].first, found.tests[0].second
    ({'a'}, 'a', 'b')
    """
    rate = next(iter(scores.values())).main
    pairs = list(combinations(scores, 2))
    found = [scores[a].compare(scores[b], seed=seed).rates[rate] for a, b in pairs]
    corrected = holm([one.p for one in found])
    return Systems(
        scores,
        rate,
        tuple(
            PairTest(a, b, one.difference, one.p, p)
            for (a, b), one, p in zip(pairs, found, corrected, strict=True)
        ),
    )


def holm(ps: list[float | None]) -> list[float | None]:
    """Return p-values after Holm's correction; ``None`` stays, and does not count.

    >>> holm([0.01, None, 0.04, 0.03])
    [0.03, None, 0.06, 0.06]
    """
    order = sorted((p, i) for i, p in enumerate(ps) if p is not None)
    found: list[float | None] = [None] * len(ps)
    worst = 0.0
    for rank, (p, i) in enumerate(order):
        worst = max(worst, min(1.0, p * (len(order) - rank)))
        found[i] = worst
    return found
