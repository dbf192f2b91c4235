"""Limits of a run for continuous integration: ``evaluate --fail-under``, ``--fail-over``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import click

from mondegreen.cli.score.gate import FAILED, limits_of
from mondegreen.errors import unknown
from mondegreen.metrics.statistics.estimate import Estimate
from mondegreen.runs.reading import Run
from mondegreen.runs.results import by_set

_SET = ":"  # between a set and a rate


def check_limits(run: Run, over: Sequence[str], under: Sequence[str]) -> None:
    """Exit with 3 if a rate of any set is beyond its limit; ``SET:RATE=LIMIT`` names one set.

    Raises:
        UsageError: if there is no such set or rate.
    """
    if not over and not under:
        return
    sets = by_set(run)
    failures = [
        *_beyond(sets, limits_of(over), 1, "over"),
        *_beyond(sets, limits_of(under), -1, "under"),
    ]
    for failure in failures:
        click.echo(f"failed: {failure}", err=True)
    if failures:
        click.get_current_context().exit(FAILED)
    click.echo("passed", err=True)


def _beyond(
    sets: Mapping[str, Mapping[str, Estimate]], limits: Mapping[str, float], sign: int, word: str
) -> Iterator[str]:
    for text, limit in limits.items():
        place, colon, rate = text.rpartition(_SET)
        if colon and place not in sets:
            raise click.UsageError(unknown("set", place, sets))
        known = {name: None for rates in sets.values() for name in rates}
        if rate not in known:
            raise click.UsageError(unknown("rate", rate, known))
        for name in [place] if colon else sets:
            found = sets[name].get(rate)
            value = None if found is None else found.value
            if value is None and colon:
                yield f"{rate} of {name} cannot be computed: its denominator is 0"
            elif value is not None and sign * (value - limit) > 0:
                yield f"{rate} of {name} is {100 * value:.2f} %, {word} {100 * limit:g} %"
