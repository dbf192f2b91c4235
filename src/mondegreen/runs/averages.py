"""Several runs in one table: each set by suite, and the unweighted mean over the suites."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from typing import NamedTuple

from mondegreen.errors import DataError
from mondegreen.perturbation.suite_recipe import OPERATOR
from mondegreen.runs.reading import Run
from mondegreen.runs.results import ResultLine, shown, table


class Average(NamedTuple):
    """One set of several suites: a rate in each of them, and their mean without weights."""

    name: str
    kind: str
    values: tuple[float | None, ...]
    mean: float | None


def averages(runs: Sequence[Run], rate: str) -> list[Average]:
    """Return the sets that all runs have, with a rate of each run and the mean.

    The original, random and hard sets come first, then the operators from the best mean to the
    worst.

    Raises:
        DataError: if the runs have no set in common.
    """
    tables = [{line.name: line for line in table(run)} for run in runs]
    common = [name for name in tables[0] if all(name in other for other in tables)]
    if not common:
        raise DataError("the runs have no set in common, so no table can have them all")
    found = [_average([own[name] for own in tables], rate) for name in common]
    top = [one for one in found if one.kind != OPERATOR]
    lower = {one.name: one.lower_is_better for one in runs[0].metric.rates}[rate]
    rest = sorted(
        (one for one in found if one.kind == OPERATOR),
        key=lambda one: one.mean or 0.0,
        reverse=not lower,
    )
    return top + rest


def _average(lines: Sequence[ResultLine], rate: str) -> Average:
    estimates = [line.rates[rate] for line in lines]
    values = tuple(one.value if one.mean is None else one.mean for one in estimates)
    known = [value for value in values if value is not None]
    mean = statistics.fmean(known) if len(known) == len(values) else None
    return Average(lines[0].name, lines[0].kind, values, mean)


def common_rates(runs: Sequence[Run]) -> dict[str, str]:
    """Return the names and titles of the rates that all runs show.

    Raises:
        DataError: if there is none.
    """
    first, *others = map(shown, runs)
    found = {name: title for name, title in first.items() if all(name in own for own in others)}
    if not found:
        raise DataError("the runs have no rate in common, so no table can have them all")
    return found
