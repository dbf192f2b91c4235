"""Print several systems in one table, the best marked, with tests of all pairs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import click
import msgspec

from mondegreen.errors import DataError
from mondegreen.metrics.metric import Files, Metric
from mondegreen.metrics.scores.totals import whole
from mondegreen.metrics.statistics.comparison import shown_p
from mondegreen.metrics.statistics.systems import Systems, compare_systems

_WIDTH = 10  # of a column


def show_systems(metric: Metric, files: Files, settings: Any, *, seed: int, as_json: bool) -> None:
    """Score all systems on the same references, and print one table."""
    part = whole(metric, files, settings)
    names = _names(files.hyps)
    scores = {
        name: metric.score(part.refs, hyps, settings)
        for name, hyps in zip(names, part.hyps, strict=True)
    }
    found = compare_systems(scores, seed=seed)
    if as_json:
        record = {"metric": metric.name, **found.record()}
        click.echo(msgspec.json.encode(record).decode())
        return
    for line in lines(found):
        click.echo(line)


def _names(paths: Sequence[Path]) -> list[str]:
    """Return the names of the files, without what they have in common."""
    for names in ([path.stem for path in paths], [str(path) for path in paths]):
        if len(set(names)) == len(names):
            return names
    raise DataError("a system is named twice; give each file of hypotheses once")


def lines(found: Systems) -> Iterator[str]:
    """Yield a table with one row per system, and one line per pair."""
    first = next(iter(found.scores.values()))
    rates = [name for name in first if first[name].denominator]
    width = max(map(len, (*found.scores, "system")))
    yield first.signature
    yield f"{len(first):,} utterances; * marks the best"
    yield "  ".join([f"{'system':{width}}", *(f"{rate:>{_WIDTH}}" for rate in rates)])
    for name, score in found.scores.items():
        cells = [
            _cell(score[rate].value, name in found.best(rate)).rjust(max(_WIDTH, len(rate)))
            for rate in rates
        ]
        yield "  ".join([f"{name:{width}}", *cells])
    yield f"\n{found.rate} of pairs, with Holm's correction for {len(found.tests)}"
    for test in found.tests:
        one = test.found
        if one.difference is not None and one.corrected is not None:
            points = f"{100 * one.difference:+.2f} points"
            yield f"{test.second} against {test.first}: {points}, p {shown_p(one.corrected)}"


def _cell(value: float | None, best: bool) -> str:  # noqa: FBT001 (whether it is marked)
    return "" if value is None else f"{100 * value:.2f} %{'*' if best else ' '}"
