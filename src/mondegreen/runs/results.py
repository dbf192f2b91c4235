"""The results of a run: for each set, for all random sets together, and by severity."""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import msgspec

from mondegreen.metrics.metric import Ratio
from mondegreen.metrics.scores.score import Score
from mondegreen.metrics.statistics.estimate import Estimate, records
from mondegreen.metrics.statistics.repeats import repeated_names, repeated_rates
from mondegreen.perturbation.suite_recipe import HARD, OPERATOR, ORIGINAL, RANDOM, SEVERITY
from mondegreen.runs.reading import Run

_SAMPLED = 20_000  # items of a set whose edits are counted
_KINDS = 3  # kinds of edits that are named
Rates = dict[str, Estimate]
"""The rates of a set, by name."""


def compute_scores(run: Run) -> dict[str, Rates]:
    """Return the rates of each set that has answers, with intervals."""
    found: dict[str, Rates] = {}
    draws: list[Score] = []
    for one in run.sets:
        if not one.done:
            continue
        score = run.score(one.name)
        found[one.name] = _rates(score, repeat=run.repeat)
        if one.kind == RANDOM and one.done == one.n:
            draws.append(score)
    if draws:
        found[RANDOM] = _rates(pooled(draws), draws, repeat=run.repeat)
    return found


def pooled(draws: list[Score]) -> Score:
    """Return the scores of random sets as one score with one row per utterance.

    Intervals are then over utterances, not variants: those of one utterance are not independent.
    """
    table = sum((draw.counts for draw in draws[1:]), start=draws[0].counts.copy())
    return replace(draws[0], counts=table)


def _rates(score: Score, draws: Iterable[Score] = (), *, repeat: int = 1) -> Rates:
    """Return the rates; intervals are over texts, as answers to one are not independent."""
    found = {}
    if repeat > 1 and not draws:
        found = {rate.name: rate for rate in repeated_rates(score, repeat)}
    for rate in score.estimates():
        values = [value for draw in draws if (value := draw[rate.name].value) is not None]
        mean = statistics.fmean(values) if values else None
        spread = statistics.stdev(values) if len(values) > 1 else None
        found[rate.name] = msgspec.structs.replace(rate, mean=mean, spread=spread)
    return found


class ResultLine(NamedTuple):
    """One line of the table: a set, and its rates by name."""

    name: str
    kind: str
    n: int
    changed: int
    rates: Rates


def table(run: Run) -> list[ResultLine]:
    """Return the lines of the table: original, random, hard, then operators from best to worst."""
    rates = by_set(run)
    lines = {
        one.name: ResultLine(one.name, one.kind, one.n, one.changed, rates[one.name])
        for one in run.sets
        if one.name in rates
    }
    draws = [line for line in lines.values() if line.kind == RANDOM]
    top = [line for line in lines.values() if line.kind == ORIGINAL]
    if draws:
        n, changed = sum(line.n for line in draws), sum(line.changed for line in draws)
        top.append(ResultLine(RANDOM, RANDOM, n, changed, rates[RANDOM]))
    top += [line for line in lines.values() if line.kind == HARD]
    operators = [line for line in lines.values() if line.kind == OPERATOR]
    main = run.metric.main
    return top + sorted(
        operators, key=lambda line: [line.rates[name].value or 0.0 for name in main], reverse=True
    )


def edit_kinds(run: Run, line: ResultLine) -> str:
    """Return what the edits of an operator's set are, where its name does not say it.

    An operator such as ``synonyms.adjective`` edits another word where an utterance has no
    adjective: ``adjective 37 %, noun 54 %, verb 5 % and 2 more``; what it is named after is first.
    """
    kinds = run.kinds(line.name, _SAMPLED) if line.kind == OPERATOR else {}
    total = sum(kinds.values())
    if all(kind.partition("+")[0] in line.name for kind in kinds):
        return ""
    named = sorted(kinds.items(), key=lambda pair: pair[0].partition("+")[0] not in line.name)
    parts = [f"{kind} {100 * n / total:.0f} %" for kind, n in named[:_KINDS]]
    more = len(kinds) - len(parts)
    return ", ".join(parts) + (f" and {more} more" if more else "")


def by_set(run: Run) -> dict[str, Rates]:
    """Return the rates of a run by set and name.

    A finished run has its rates stored. Those of an unfinished run are computed from its items.
    """
    rates = run.scores() or compute_scores(run)
    names = [*(one.name for one in run.sets), RANDOM]
    order = [rate.name for rate in run.metric.rates] + repeated_names(run.repeat)
    return {
        name: {rate: rates[name][rate] for rate in order if rate in rates[name]}
        for name in names
        if name in rates
    }


def worst(lines: list[ResultLine], rate: str, *, lower_is_better: bool = False) -> str | None:
    """Return the operator with the worst rate; ``None`` without operators."""
    known = [
        (value, line.name)
        for line in lines
        if line.kind == OPERATOR and (value := line.rates[rate].value) is not None
    ]
    if not known:
        return None
    return max(known)[1] if lower_is_better else min(known)[1]


def shown(run: Run) -> dict[str, str]:
    """Return the names and titles of the rates to show in tables: those that the run has.

    For a model that only classifies, this is its accuracy.
    """
    titled = [rate for rate in run.metric.present(_denominators(run)) if rate.title]
    titled = [rate for rate in titled if not rate.beside or _differs(run, rate)]
    if len(titled) == 1:
        return {titled[0].name: titled[0].title_alone or titled[0].title}
    return {rate.name: rate.title for rate in titled}


def _differs(run: Run, rate: Ratio) -> bool:
    """Return whether a rate differs from the one that it stands beside, in any set."""
    return any(
        rates[rate.name].value != rates[rate.beside].value
        for rates in by_set(run).values()
        if rate.name in rates and rate.beside in rates
    )


def main_rate(run: Run) -> str:
    """Return the rate to sort and plot by."""
    return run.metric.main_of(_denominators(run))


def _denominators(run: Run) -> dict[str, float]:
    """Return the largest denominator of each rate: of some, the original set has nothing."""
    found: dict[str, float] = {}
    for rates in by_set(run).values():
        for name, rate in rates.items():
            found[name] = max(found.get(name, 0), rate.denominator)
    return found


def headline(run: Run) -> str:
    """Return the results in one sentence: as written, with one change, in the worst of all.

    Without a random set or a hard set, the worst operator stands for them.
    """
    rate = main_rate(run)
    of = run.metric.by_name[rate]
    lines = table(run)
    shares = {line.kind: line.rates[rate].value for line in lines if line.kind != OPERATOR}
    parts = [(shares.get(ORIGINAL), "as written"), (shares.get(RANDOM), "with one natural change")]
    operators = [line for line in lines if line.kind == OPERATOR]
    if HARD in shares:
        parts.append((shares[HARD], f"in the worst of {counted(len(operators))}"))
    elif operators and RANDOM not in shares:
        name = worst(lines, rate)
        parts += [
            (line.rates[rate].value, f"with “{name}”") for line in operators if line.name == name
        ]
    known = [(100 * value, text) for value, text in parts if value is not None]
    if not known:
        return "No utterance has an answer yet."
    if run.metric.units != "utterances":
        callers = (f"{value:.0f} % with the {name} caller" for value, name in _callers(lines, rate))
        return f"Of the tasks, the agent does {', '.join(callers)}."
    verb = of.verb or f"{of.title or rate}:"
    (first, text), *others = known
    rest = "".join(f", {value:.0f} % {text}" for value, text in others)
    return f"{verb} {first:.0f} % {text}{rest}."


def _callers(lines: Sequence[ResultLine], rate: str) -> Iterator[tuple[float, str]]:
    """Yield the share of each caller of a run of conversations."""
    for line in lines:
        value = line.rates[rate].value
        if value is not None:
            yield 100 * value, line.name


_WORDS = ("none", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def counted(n: int) -> str:
    """Return a number as a sentence writes it.

    >>> counted(10), counted(11)
    ('ten', '11')
    """
    return _WORDS[n] if n < len(_WORDS) else str(n)


class Point(NamedTuple):
    """One point of a curve."""

    severity: float
    estimate: Estimate


def curves(run: Run, rate: str) -> dict[str, list[Point]]:
    """Return the rate of each operator by severity; severity 0 is the original set."""
    rates = by_set(run)
    found: dict[str, list[Point]] = {}
    for one in run.sets:
        if one.kind == SEVERITY and one.name in rates:
            operator = one.name.partition("/")[2]
            severity = float(one.amount.partition(":")[2])
            points = found.setdefault(operator, [Point(0.0, rates[ORIGINAL][rate])])
            points.append(Point(severity, rates[one.name][rate]))
    return {
        name: sorted(points, key=lambda point: point.severity) for name, points in found.items()
    }


def record(run: Run) -> dict[str, Any]:
    """Return the results of a finished run as plain values: the JSON that the command prints."""
    meta = run.meta
    sizes = {one.name: one.n for one in run.sets}
    sizes[RANDOM] = sum(one.n for one in run.sets if one.kind == RANDOM)
    found: dict[str, Any] = {
        "suite": meta["suite_folder"],
        "model": meta["model_spec"],
        "signature": run.signature,
        "sets": {
            name: {"n": sizes[name] // run.repeat, **records(rates.values())}
            for name, rates in by_set(run).items()
        },
    }
    if run.repeat > 1:
        found["repeat"] = run.repeat
    if "tokens" in meta:
        found["tokens"] = msgspec.json.decode(meta["tokens"])
    lines = {rate: curves(run, rate) for rate in shown(run)}
    if any(lines.values()):
        found["curves"] = {
            rate: {name: list(map(_point, points)) for name, points in by_operator.items()}
            for rate, by_operator in lines.items()
        }
    return found


def _point(point: Point) -> dict[str, float | None]:
    estimate = point.estimate
    return {
        "severity": point.severity,
        "value": estimate.value,
        "low": estimate.low,
        "high": estimate.high,
    }
