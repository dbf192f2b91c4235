"""The comparison of two systems: one value that gates, tables, sentences, pages and JSON read.

It carries the test, the p value, the p value after Holm's correction, and the verdict. The level of
a verdict is here and nowhere else (docs/design/0066-comparisons.md).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePath
from typing import Any, NamedTuple

from mondegreen.errors import DataError, unknown
from mondegreen.metrics.statistics.estimate import spaced
from mondegreen.metrics.statistics.mapsswe import Mapsswe
from mondegreen.metrics.statistics.resampling import Interval
from mondegreen.notebook import ShownInNotebooks

ALPHA = 0.05
"""The level of every verdict: how probable any false alarm may be, over all sets together."""
PERMUTATION, EXACT = "permutation", "mcnemar"
"""The tests that a p value comes from."""
BETTER, WORSE, UNDECIDED, TOO_FEW = "better", "worse", "undecided", "too few"
"""The verdicts on the second system. ``too few``: even a total loss would not be significant."""
ALL = "all utterances"
"""The name of the set of a score that is not divided."""
_NAMED = 3  # sets that a sentence names
_LEAST = 0.001


def shown_p(p: float) -> str:
    """Return a p value for display; it is never 0.

    >>> shown_p(0.0314), shown_p(0.00049)
    ('0.031', '< 0.001')
    """
    return f"{p:.3f}" if p >= _LEAST else f"< {_LEAST:g}"


@dataclass(frozen=True)
class Difference:
    """One rate of two systems: the difference, its interval, its p value and the verdict.

    ``p`` is two-sided, by a paired permutation test or by McNemar's exact test, as ``test`` says;
    ``least_p`` is the least that the test could give on these utterances. ``corrected`` is p after
    Holm's correction over all sets that are compared; ``verdict`` is about the second system.
    """

    first: float | None
    second: float | None
    difference: float | None = None
    interval: Interval | None = None
    p: float | None = None
    test: str = PERMUTATION
    least_p: float | None = None
    lower_is_better: bool = False
    corrected: float | None = None
    verdict: str = ""

    def judged(self, corrected: float | None, of: int) -> Difference:
        """Return the difference with its verdict, given its corrected p value of so many tests."""
        return replace(self, corrected=corrected, verdict=self._verdict(corrected, of))

    def _verdict(self, corrected: float | None, of: int) -> str:
        if corrected is None or self.difference is None:
            return ""
        if corrected < ALPHA:
            return BETTER if (self.difference < 0) == self.lower_is_better else WORSE
        return TOO_FEW if (self.least_p or 0) * of >= ALPHA else UNDECIDED

    @property
    def p_text(self) -> str:
        """The p value for display, with the corrected one where that is another."""
        if self.p is None:
            return ""
        if self.corrected is None or self.corrected == self.p:
            return f"p {shown_p(self.p)}"
        return f"p {shown_p(self.p)}, Holm {shown_p(self.corrected)}"

    def record(self) -> dict[str, Any]:
        """Return the difference as plain values, for JSON."""
        return {
            "first": self.first,
            "second": self.second,
            "difference": self.difference,
            "low": self.interval.low if self.interval else None,
            "high": self.interval.high if self.interval else None,
            "p": self.p,
            "test": self.test,
            "corrected": self.corrected,
            "verdict": self.verdict or None,
        }


def judged(found: Sequence[Difference]) -> list[Difference]:
    """Return differences with their verdicts, by Holm's correction over all of them.

    >>> [one.verdict for one in judged([Difference(0.9, 0.8, -0.1, p=p) for p in (0.001, 0.04)])]
    ['worse', 'worse']
    """
    corrected = holm([one.p for one in found])
    tests = sum(p is not None for p in corrected)
    return [one.judged(p, tests) for one, p in zip(found, corrected, strict=True)]


def holm(ps: Sequence[float | None]) -> list[float | None]:
    """Return p values after Holm's correction; ``None`` stays, and does not count.

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


@dataclass(frozen=True)
class SetComparison:
    """Two systems on one set of ``n`` utterances.

    If a text was asked several times, it counts once: as right only in the system that has it
    right more often.
    """

    name: str
    n: int
    rates: dict[str, Difference]
    only_first_right: int
    only_second_right: int
    mcnemar: float
    mapsswe: Mapsswe | None = None

    @property
    def p(self) -> dict[str, float]:
        """The p values of the rates that can be compared."""
        return {name: rate.p for name, rate in self.rates.items() if rate.p is not None}

    def record(self) -> dict[str, Any]:
        """Return the comparison as plain values, for JSON."""
        return {
            "n": self.n,
            "rates": {name: rate.record() for name, rate in self.rates.items()},
            "flips": {"worse": self.only_first_right, "better": self.only_second_right},
            "mcnemar_p": self.mcnemar,
            "mapsswe": vars(self.mapsswe) if self.mapsswe else None,
            "p": self.p,
        }


class Flip(NamedTuple):
    """An utterance that is right in one system and wrong in the other; ``number`` is its place."""

    set_name: str
    id: str
    text: str
    better: bool
    number: int


@dataclass(frozen=True)
class Comparison(ShownInNotebooks):
    """The second system against the first, on the same utterances, in one set or in several.

    The p values of each rate are corrected over all sets, when the comparison is made.

    Args:
        first: the name or file of the first system.
        second: the name or file of the second system.
        sets: the sets; the first one is that of all utterances, or as they are written.
        main: the rate by which a gate judges, if the user names none.
        shown: the rates that tables show.
        flips: the utterances that one system has right and the other wrong.
        of: what both answered: the signature of a suite or of a score.
    """

    first: str
    second: str
    sets: tuple[SetComparison, ...]
    main: str
    shown: tuple[str, ...]
    flips: Sequence[Flip] = ()
    of: str = ""

    def __post_init__(self) -> None:
        rates = {
            name: iter(judged([one.rates[name] for one in self.sets if name in one.rates]))
            for name in dict.fromkeys(name for one in self.sets for name in one.rates)
        }
        sets = tuple(
            replace(one, rates={name: next(rates[name]) for name in one.rates}) for one in self.sets
        )
        object.__setattr__(self, "sets", sets)

    @property
    def rates(self) -> dict[str, Difference]:
        """The rates of the first set."""
        return self.sets[0].rates

    @property
    def only_first_right(self) -> int:
        """How many utterances of the first set only the first system has right."""
        return self.sets[0].only_first_right

    @property
    def only_second_right(self) -> int:
        """How many utterances of the first set only the second system has right."""
        return self.sets[0].only_second_right

    @property
    def mcnemar(self) -> float:
        """The p value of McNemar's test on the utterances of the first set."""
        return self.sets[0].mcnemar

    @property
    def mapsswe(self) -> Mapsswe | None:
        """The matched-pair test over segments of the first set, where it can be made."""
        return self.sets[0].mapsswe

    @property
    def names(self) -> tuple[str, str]:
        """The names of both systems for display."""
        first, second = (PurePath(name).stem for name in (self.first, self.second))
        return (self.first, self.second) if first == second else (first, second)

    def set(self, name: str) -> SetComparison:
        """Return a set by its name.

        Raises:
            DataError: if there is no such set.
        """
        found = {one.name: one for one in reversed(self.sets)}
        if name not in found:
            raise DataError(unknown("set", name, found))
        return found[name]

    def with_verdict(self, verdict: str, rate: str | None = None) -> list[str]:
        """Return the sets with a verdict, by a rate or by the main one.

        Raises:
            DataError: if no set has such a rate.
        """
        name = rate or self.main
        known = dict.fromkeys(one for part in self.sets for one in part.rates)
        if name not in known:
            raise DataError(unknown("rate", name, known))
        return [
            one.name
            for one in self.sets
            if name in one.rates and one.rates[name].verdict == verdict
        ]

    def losses(self, rate: str | None = None) -> list[str]:
        """Return the sets on which the second system is significantly worse."""
        return self.with_verdict(WORSE, rate)

    def gains(self, rate: str | None = None) -> list[str]:
        """Return the sets on which the second system is significantly better."""
        return self.with_verdict(BETTER, rate)

    def undecidable(self, rate: str | None = None) -> list[str]:
        """Return the sets that are too small for any loss to be significant."""
        return self.with_verdict(TOO_FEW, rate)

    @property
    def became(self) -> tuple[int, int]:
        """How many utterances became right, and how many wrong."""
        if not self.flips:
            return self.only_second_right, self.only_first_right
        right = sum(flip.better for flip in self.flips)
        return right, len(self.flips) - right

    @property
    def sentence(self) -> str:
        """What became better and worse by the main rate, in one sentence."""
        right, wrong = self.became
        counts = f"{right:,} utterances became right, {wrong:,} wrong"
        name = spaced(self.main)
        parts = [
            f"{verdict} on {_listed(found)}" if len(self.sets) > 1 else f"{verdict} in {name}"
            for verdict in (BETTER, WORSE)
            if (found := self.with_verdict(verdict))
        ]
        if not parts:
            return f"No significant difference in {name} on any set: {counts}."
        rate, where = self.rates[self.main], " as written" if len(self.sets) > 1 else ""
        values = (
            "" if rate.first is None or rate.second is None
            else f"{100 * rate.second:.1f} % against {100 * rate.first:.1f} %{where}, "
        )  # fmt: skip
        return f"{self.names[1]} is significantly {' and '.join(parts)}: {values}{counts}."

    def rows(self) -> Iterator[tuple[Any, ...]]:
        """Yield the figures, with a row of headings; for CSV."""
        yield (
            "set", "utterances", "rate", *self.names, "difference", "low", "high", "p", "corrected",
            "verdict",
        )  # fmt: skip
        for one in self.sets:
            for name, rate in one.rates.items():
                if rate.difference is not None:
                    edges = rate.interval or (None, None)
                    yield (
                        one.name, one.n, name, rate.first, rate.second, rate.difference, *edges,
                        rate.p, rate.corrected, rate.verdict,
                    )  # fmt: skip

    def table(self) -> Iterator[tuple[str, ...]]:
        """Yield the main rate of each set as texts, with a row of headings."""
        yield "", "utterances", *self.names, "difference", "95 %", "p", "p, Holm", "verdict"
        for one in self.sets:
            rate = one.rates[self.main]
            if rate.first is None or rate.second is None or rate.difference is None:
                continue
            yield (
                one.name,
                f"{one.n:,}",
                *(f"{100 * value:.2f} %" for value in (rate.first, rate.second)),
                f"{100 * rate.difference:+.2f}",
                rate.interval.points() if rate.interval else "",
                *("" if p is None else shown_p(p) for p in (rate.p, rate.corrected)),
                rate.verdict,
            )

    def record(self) -> dict[str, Any]:
        """Return the comparison as plain values, for JSON."""
        return {
            "first": self.first,
            "second": self.second,
            "suite": self.of,
            "main": self.main,
            "alpha": ALPHA,
            "correction": "holm",
            "sentence": self.sentence,
            "sets": {one.name: one.record() for one in self.sets},
            "flips": [flip._asdict() for flip in self.flips],
        }


def _listed(names: Sequence[str]) -> str:
    more = len(names) - _NAMED
    return ", ".join(names[:_NAMED]) + (f" and {more} more" if more > 0 else "")
