"""The numbers of a run: of each set, of the random draws together, by severity."""

from __future__ import annotations

import statistics
from collections.abc import Iterable
from dataclasses import replace
from typing import Any, NamedTuple

from mondegreen.metrics.score import Score
from mondegreen.metrics.slu import RATES
from mondegreen.runs.reading import Run, ScoreRow
from mondegreen.suites.manifest import HARD, OPERATOR, ORIGINAL, RANDOM, SEVERITY

F1, INTENT, FRAME = "slot_f1", "intent_accuracy", "e2e_accuracy"
SHOWN = {F1: "slot F1", INTENT: "intent accuracy", FRAME: "end-to-end"}


def score_rows(run: Run) -> list[ScoreRow]:
    """Work out the rates of all sets that a run has begun, with bootstrap intervals."""
    rows: list[ScoreRow] = []
    draws: list[Score] = []
    for one in run.sets:
        if not one.done:
            continue
        score = run.score(one.name)
        rows += _rates(one.name, score)
        if one.kind == RANDOM and one.done == one.n:
            draws.append(score)
    return rows + (_rates(RANDOM, pooled(draws), draws) if draws else [])


def pooled(draws: list[Score]) -> Score:
    """Return draws over the same utterances as one score, an utterance a row.

    The bootstrap draws utterances then, not variants, which hang together.
    """
    table = sum((draw.counts for draw in draws[1:]), start=draws[0].counts.copy())
    return replace(draws[0], counts=table)


def _rates(name: str, score: Score, draws: Iterable[Score] = ()) -> list[ScoreRow]:
    rows = []
    for rate in score.estimates():
        values = [value for draw in draws if (value := draw[rate.name].value) is not None]
        mean = statistics.fmean(values) if values else None
        spread = statistics.stdev(values) if len(values) > 1 else None
        rows.append(ScoreRow(name, *rate, mean, spread))
    return rows


class Line(NamedTuple):
    """One line of the table: a set, and its rates by name."""

    name: str
    kind: str
    n: int
    changed: int
    rates: dict[str, ScoreRow]


def table(run: Run) -> list[Line]:
    """Return the lines of the table: original, random, hard, then operators from best to worst."""
    rates = by_set(run)
    lines = {
        one.name: Line(one.name, one.kind, one.n, one.changed, rates[one.name])
        for one in run.sets
        if one.name in rates
    }
    draws = [line for line in lines.values() if line.kind == RANDOM]
    top = [line for line in lines.values() if line.kind == ORIGINAL]
    if draws:
        n, changed = sum(line.n for line in draws), sum(line.changed for line in draws)
        top.append(Line(RANDOM, RANDOM, n, changed, rates[RANDOM]))
    top += [line for line in lines.values() if line.kind == HARD]
    operators = [line for line in lines.values() if line.kind == OPERATOR]
    return top + sorted(operators, key=_goodness, reverse=True)


def by_set(run: Run) -> dict[str, dict[str, ScoreRow]]:
    """Return the rates of a run by the names of set and rate.

    Those of a finished run are kept in it; of one that is still going on, they are worked out from
    what is there.
    """
    kept = {(row.set_name, row.name): row for row in run.scores() or score_rows(run)}
    names = [one.name for one in run.sets]
    return {
        name: {rate: kept[name, rate] for rate in RATES}
        for name in (*names, RANDOM)
        if (name, FRAME) in kept
    }


def _goodness(line: Line) -> tuple[float, ...]:
    return tuple(line.rates[name].value or 0.0 for name in (FRAME, INTENT, F1))


def worst(lines: list[Line], rate: str) -> str | None:
    """Return the operator that hurts a rate most."""
    known = [
        (value, line.name)
        for line in lines
        if line.kind == OPERATOR and (value := line.rates[rate].value) is not None
    ]
    return min(known)[1] if known else None


def shown(run: Run) -> dict[str, str]:
    """Return the rates worth a column: all that the run has; in classification, accuracy alone."""
    rates = by_set(run).get(ORIGINAL)
    if rates is None:
        return {}
    if rates[F1].denominator == 0 and rates[INTENT].denominator:
        return {INTENT: "accuracy"}
    return {name: title for name, title in SHOWN.items() if rates[name].denominator}


class Point(NamedTuple):
    """One point of a curve."""

    severity: float
    value: float | None
    low: float | None
    high: float | None


def curves(run: Run, rate: str) -> dict[str, list[Point]]:
    """Return the rate of each operator by severity, from the original at 0 on, as far as done."""
    rates = by_set(run)
    found: dict[str, list[Point]] = {}
    for one in run.sets:
        if one.kind == SEVERITY and one.name in rates:
            operator = one.name.partition("/")[2]
            start = _point(0.0, rates[ORIGINAL][rate])
            severity = float(one.amount.partition(":")[2])
            found.setdefault(operator, [start]).append(_point(severity, rates[one.name][rate]))
    return {name: sorted(points) for name, points in found.items()}


def _point(severity: float, row: ScoreRow) -> Point:
    return Point(severity, row.value, row.low, row.high)


def record(run: Run) -> dict[str, Any]:
    """Return the results of a finished run as plain values: the JSON that the command prints."""
    meta = run.meta
    sizes = {one.name: one.n for one in run.sets}
    sizes[RANDOM] = sum(one.n for one in run.sets if one.kind == RANDOM)
    found = {
        "suite": meta["suite_folder"],
        "model": meta["model_spec"],
        "signature": run.signature,
        "sets": {
            name: {"n": sizes[name], "scores": {rate: _plain(row) for rate, row in rates.items()}}
            for name, rates in by_set(run).items()
        },
    }
    lines = {rate: curves(run, rate) for rate in shown(run)}
    if any(lines.values()):
        found["curves"] = {
            rate: {name: [p._asdict() for p in points] for name, points in by_operator.items()}
            for rate, by_operator in lines.items()
        }
    return found


def _plain(row: ScoreRow) -> dict[str, float | None]:
    plain = {
        "value": row.value,
        "low": row.low,
        "high": row.high,
        "numerator": row.numerator,
        "denominator": row.denominator,
    }
    if row.mean is not None:
        plain |= {"mean": row.mean, "spread": row.spread}
    return plain
