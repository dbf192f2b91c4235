"""Several systems on the same references: one table, and tests of all pairs with a correction."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Any, NamedTuple

from mondegreen.metrics.scores.score import Score
from mondegreen.metrics.statistics.comparison import Difference, judged
from mondegreen.metrics.statistics.paired import compare_scores, enough_permutations


class PairTest(NamedTuple):
    """Two systems by one rate, corrected over all pairs."""

    first: str
    second: str
    found: Difference

    def record(self) -> dict[str, Any]:
        """Return the test as plain values, for JSON."""
        one = self.found
        return {
            "first": self.first,
            "second": self.second,
            "difference": one.difference,
            "p": one.p,
            "corrected": one.corrected,
            "verdict": one.verdict or None,
        }


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
            "tests": [test.record() for test in self.tests],
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
    enough = enough_permutations(len(pairs))
    tests = [compare_scores(scores[a], scores[b], seed=seed, permutations=enough) for a, b in pairs]
    found = judged([test.rates[rate] for test in tests])
    return Systems(
        scores, rate, tuple(PairTest(a, b, one) for (a, b), one in zip(pairs, found, strict=True))
    )
