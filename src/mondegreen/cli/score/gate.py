"""Gates of a score for continuous integration: limits, and losses against another system."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

import click

from mondegreen.errors import unknown
from mondegreen.metrics.scores.score import Score
from mondegreen.metrics.statistics.comparison import ALPHA, Comparison

FAILED = 3
"""The exit code of a gate that fails."""
MAIN = "main"


class GateOptions(Protocol):
    """The options of a gate."""

    @property
    def fail_if_worse(self) -> str | None:
        """The rate to compare, or ``main``."""

    @property
    def fail_over(self) -> tuple[str, ...]:
        """Rates with the most that they may be."""

    @property
    def fail_under(self) -> tuple[str, ...]:
        """Rates with the least that they may be."""


@dataclass(frozen=True)
class Gate:
    """What a score must not do.

    Args:
        worse: the rate by which the system must not be worse than another one.
        over: the most that rates may be.
        under: the least that rates may be.
    """

    worse: str | None
    over: Mapping[str, float]
    under: Mapping[str, float]

    @classmethod
    def of(cls, options: GateOptions, score: Score, *, compared: bool) -> Gate | None:
        """Return the gate of the options; ``None`` if they have none.

        Raises:
            UsageError: if a rate or a limit is wrong, or if there is no system to compare with.
        """
        if options.fail_if_worse is not None and not compared:
            raise click.UsageError("--fail-if-worse needs --against, the system to compare with")
        worse = score.main if options.fail_if_worse == MAIN else options.fail_if_worse
        over, under = (limits_of(texts) for texts in (options.fail_over, options.fail_under))
        for name in (*over, *under, *([worse] if worse else ())):
            if name not in score.rates:
                raise click.UsageError(unknown("rate", name, score.rates))
        return cls(worse, over, under) if worse or over or under else None

    def check(self, score: Score, comparison: Comparison | None) -> None:
        """Exit with 3 if the score fails, after saying why.

        Args:
            score: the score of the system.
            comparison: the other system against this one.
        """
        failures = [*self._beyond(score), *self._losses(comparison)]
        for failure in failures:
            click.echo(f"failed: {failure}", err=True)
        if failures:
            click.get_current_context().exit(FAILED)
        click.echo("passed", err=True)

    def _beyond(self, score: Score) -> Iterator[str]:
        for limits, sign, word in ((self.over, 1, "over"), (self.under, -1, "under")):
            for name, limit in limits.items():
                value = score[name].value
                if value is None:
                    yield f"{name} cannot be computed: its denominator is 0"
                elif sign * (value - limit) > 0:
                    yield f"{name} is {100 * value:.2f} %, {word} {100 * limit:g} %"

    def _losses(self, found: Comparison | None) -> Iterator[str]:
        """Yield where this system is significantly worse: where the other one is better."""
        if self.worse is None or found is None:
            return
        for name in found.gains(self.worse):
            one = found.set(name).rates[self.worse]
            yield (
                f"{self.worse} is significantly worse on {name}: {100 * (one.first or 0):.2f} % "
                f"against {100 * (one.second or 0):.2f} % (p < {ALPHA:g}, Holm)"
            )


def limits_of(texts: Sequence[str]) -> dict[str, float]:
    """Read limits: ``RATE=NUMBER``, where a number above 1 needs a per cent sign.

    Raises:
        UsageError: if a limit is written otherwise.
    """
    limits = {}
    for text in texts:
        name, _, limit = text.partition("=")
        per_cent = limit.strip().endswith("%")
        try:
            value = float(limit.strip().removesuffix("%")) / (100 if per_cent else 1)
        except ValueError:
            value = math.nan
        if math.isnan(value):
            raise click.UsageError(
                f"a limit has the form RATE=NUMBER, such as wer=0.12 or wer=12%, got {text!r}"
            )
        if value > 1 and not per_cent:
            raise click.UsageError(
                f"the limit {text!r} is {100 * value:g} %; write {name}={value / 100:g} or "
                f"{name}={value:g}% for {value:g} %, and {name}={100 * value:g}% if you mean it"
            )
        limits[name] = value
    return limits
