"""Compare two runs of one suite: paired tests per set, flipped utterances, regressions."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from mondegreen.errors import DataError, unknown
from mondegreen.metrics.scores.score import Score
from mondegreen.metrics.statistics.comparison import Comparison, enough_permutations
from mondegreen.notebook import html_of
from mondegreen.perturbation.suite_recipe import RANDOM
from mondegreen.runs.reading import Run, open_run
from mondegreen.runs.results import pooled, shown

ALPHA = 0.05


class Flip(NamedTuple):
    """An utterance that is right in one run and wrong in the other."""

    set_name: str
    id: str
    text: str
    better: bool


class Verdict(NamedTuple):
    """The comparison of one set; ``p`` has the p-value of each rate."""

    set_name: str
    n: int
    comparison: Comparison

    @property
    def p(self) -> dict[str, float]:
        """The p values of the rates that can be compared."""
        rates = self.comparison.rates.items()
        return {name: rate.p for name, rate in rates if rate.p is not None}


class RunComparison(NamedTuple):
    """The comparison of the second run with the first."""

    first: str
    second: str
    suite: str
    rates: tuple[str, ...]
    sets: list[Verdict]
    flips: list[Flip]
    error_rates: frozenset[str] = frozenset()
    """The rates of which lower is better."""
    main: str = ""
    """The rate by which a gate judges, if the user names none."""

    def _repr_html_(self) -> str:
        return html_of(self)

    def losses(self, rate: str, alpha: float = ALPHA) -> list[str]:
        """Return the sets on which the second run is significantly worse.

        The p-values are corrected for the number of sets by Holm's method, so that the probability
        of any false alarm stays below ``alpha``.

        Raises:
            DataError: if the runs have no such rate.
        """
        if rate not in self.rates:
            raise DataError(unknown("rate", rate, self.rates))
        known = sorted((one.p[rate], one.set_name, one) for one in self.sets if rate in one.p)
        found = []
        for left, (p, name, verdict) in zip(range(len(known), 0, -1), known, strict=True):
            if p * left >= alpha:
                break
            gain = verdict.comparison.rates[rate].difference or 0
            if (-gain if rate in self.error_rates else gain) < 0:
                found.append(name)
        return found

    def undecidable(self, rate: str, alpha: float = ALPHA) -> list[str]:
        """Return the sets that are too small for any loss to be significant.

        Even if every utterance became wrong, the p value of the test, corrected for the number of
        sets, would not be below ``alpha``.
        """
        least = {one.set_name: one.comparison.rates[rate].least_p for one in self.sets}
        known = {name: p for name, p in least.items() if p is not None}
        return [name for name, p in known.items() if p * len(known) >= alpha]

    def record(self) -> dict[str, Any]:
        """Return the comparison as plain values, for JSON."""
        return {
            "first": self.first,
            "second": self.second,
            "suite": self.suite,
            "sets": {
                one.set_name: {"n": one.n, **one.comparison.record(), "p": one.p}
                for one in self.sets
            },
            "flips": [flip._asdict() for flip in self.flips],
        }


def compare(first: Path | str | Run, second: Path | str | Run) -> RunComparison:
    """Compare two finished runs of one suite, the second with the first.

    Raises:
        DataError: if a run is not finished, or if the runs are of different suites.
    """
    one, two = (run if isinstance(run, Run) else open_run(run) for run in (first, second))
    try:
        _check(one, two)
        return RunComparison(
            str(one.path),
            str(two.path),
            one.meta["suite"],
            tuple(shown(one)),
            list(_verdicts(one, two)),
            list(_flips(one, two)),
            frozenset(rate.name for rate in one.metric.rates if rate.lower_is_better),
            next(name for name in (*one.metric.main, *shown(one)) if name in shown(one)),
        )
    finally:
        for run, given in ((one, first), (two, second)):
            if run is not given:
                run.close()


def _check(one: Run, two: Run) -> None:
    for run in (one, two):
        if not run.finished:
            raise DataError(f"{run.path}: is not finished; continue it with: mondegreen evaluate")
    if one.meta["suite_sha"] != two.meta["suite_sha"]:
        raise DataError(
            f"{one.path} and {two.path} are runs of different suites: {one.meta['suite']} and "
            f"{two.meta['suite']}; evaluate both models on one suite"
        )
    if one.meta["answers"] != two.meta["answers"]:
        raise DataError(
            f"{one.path} has answers with {one.meta['answers']}, {two.path} with "
            f"{two.meta['answers']}; compare models that answer the same parts"
        )


def _verdicts(one: Run, two: Run) -> Iterator[Verdict]:
    """Compare each set, and the random sets together: their unit of sampling is the utterance."""
    draws: list[tuple[Score, Score]] = []
    permutations = enough_permutations(len(one.sets), ALPHA)
    for entry in one.sets:
        pair = one.score(entry.name), two.score(entry.name)
        if entry.kind == RANDOM:
            draws.append(pair)
        else:
            found = pair[0].compare(pair[1], exact=True, permutations=permutations)
            yield Verdict(entry.name, len(pair[0]), found)
    if draws:
        first, second = (pooled(list(side)) for side in zip(*draws, strict=True))
        yield Verdict(RANDOM, len(first), first.compare(second, permutations=permutations))


def _flips(one: Run, two: Run) -> Iterator[Flip]:
    """Yield the utterances that flipped; items of both runs have the same numbers."""
    names = {entry.number: entry.name for entry in one.sets}
    query = "SELECT set_number, id, text, wrong FROM items ORDER BY number"
    pairs = zip(one.rows(query), two.rows(query), strict=True)
    for (set_number, id, text, wrong), other in pairs:
        if wrong != other["wrong"]:
            yield Flip(names[set_number], id, text, bool(wrong))
