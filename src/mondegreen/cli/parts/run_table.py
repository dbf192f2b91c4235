"""Print the tables of a run: its sets from the original to the worst operator, and curves."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path

import click
import msgspec

from mondegreen.metrics.statistics.estimate import Estimate, small_sample
from mondegreen.metrics.statistics.repeats import repeated_names
from mondegreen.perturbation.suite_recipe import HARD, ORIGINAL, RANDOM
from mondegreen.runs.averages import averages, common_rates
from mondegreen.runs.reading import Run, open_run
from mondegreen.runs.results import ResultLine, curves, edit_kinds, shown, table, worst
from mondegreen.runs.unanswered import KEY as UNANSWERED
from mondegreen.runs.unanswered import note_on
from mondegreen.runs.unknown_labels import UnknownLabel, slot_types

_NAMES = {ORIGINAL: "Orig", RANDOM: "Rand", HARD: "Hard"}
_CELL = 22


def print_table(run: Run) -> None:
    """Print the rates of each set with their intervals; the worst operator is underlined."""
    lines, columns = table(run), shown(run)
    lower = {rate.name: rate.lower_is_better for rate in run.metric.rates}
    lowest = {rate: worst(lines, rate, lower_is_better=lower[rate]) for rate in columns}
    width = max(len(_NAMES.get(line.name, line.name)) for line in lines)
    click.echo(run.signature)
    heads = "  ".join(f"{title:>{_CELL}}" for title in columns.values())
    click.echo(click.style(f"{'':{width}}  {heads}  {'changed':>8}", bold=True))
    for line in lines:
        cells = "  ".join(
            _cell(line.rates[rate], lowest=line.name == lowest[rate]) for rate in columns
        )
        name = _NAMES.get(line.name, line.name)
        click.echo(f"{name:{width}}  {cells}  {_changed(line)}{_kinds(run, line)}")
    draws = sum(one.kind == RANDOM for one in run.sets)
    if draws:
        click.echo(f"Rand: mean ± standard deviation of {draws} draws.")
    click.echo("In brackets: 95 % confidence intervals over utterances.")
    note = small_sample(_roughest(lines, columns))
    if note:
        click.echo(note)
    _print_repeats(run, lines)


def print_averages(paths: Sequence[Path]) -> None:
    """Print the rates of each set in several runs, and their unweighted means."""
    with ExitStack() as stack:
        runs = [stack.enter_context(open_run(path)) for path in paths]
        names = [path.stem for path in paths]
        for rate, title in common_rates(runs).items():
            found = averages(runs, rate)
            width = max(len(_NAMES.get(one.name, one.name)) for one in found)
            heads = "".join(f"{name:>14}" for name in (*names, "mean"))
            click.echo(click.style(f"\n{title}\n{'':{width}}{heads}", bold=True))
            for one in found:
                cells = "".join(f"{_percent(value):>14}" for value in (*one.values, one.mean))
                click.echo(f"{_NAMES.get(one.name, one.name):{width}}{cells}")
    click.echo("mean: of the runs, each with the same weight.")


def _percent(value: float | None) -> str:
    return "-" if value is None else f"{100 * value:.1f}"


def _roughest(lines: list[ResultLine], columns: dict[str, str]) -> list[Estimate]:
    """Return each rate once; too few if that is so in any set."""
    return [
        next((line.rates[rate] for line in lines if line.rates[rate].few), lines[0].rates[rate])
        for rate in columns
    ]


def _print_repeats(run: Run, lines: list[ResultLine]) -> None:
    """Print pass^k and the flip rate of each set, if every text was asked several times."""
    names = repeated_names(run.repeat)
    if not names:
        return
    width = max(len(_NAMES.get(line.name, line.name)) for line in lines)
    heads = "  ".join(f"{name.replace('_', ' '):>{_CELL}}" for name in names)
    click.echo(click.style(f"\n{'':{width}}  {heads}", bold=True))
    for line in lines:
        if all(name in line.rates for name in names):
            cells = "  ".join(_cell(line.rates[name], lowest=False) for name in names)
            click.echo(f"{_NAMES.get(line.name, line.name):{width}}  {cells}")
    click.echo(f"Each text was asked {run.repeat} times; intervals are over texts.")


def _cell(rate: Estimate, *, lowest: bool) -> str:
    if rate.value is None:
        return f"{'-':>{_CELL}}"
    value = f"{100 * (rate.value if rate.mean is None else rate.mean):.1f}"
    if rate.spread is not None:
        tail = f" ± {100 * rate.spread:.1f}"
    elif rate.low is not None and rate.high is not None:
        tail = f" [{100 * rate.low:.1f}, {100 * rate.high:.1f}]"
    else:
        tail = ""
    padding = " " * (_CELL - len(value) - len(tail))
    return padding + (click.style(value, underline=True) if lowest else value) + tail


def _changed(line: ResultLine) -> str:
    return f"{'-':>8}" if line.kind == ORIGINAL else f"{100 * line.changed / line.n:6.1f} %"


def _kinds(run: Run, line: ResultLine) -> str:
    """Return what the edits of an operator really are, if its name promises something else."""
    text = edit_kinds(run, line)
    return f"  {text}" if text else ""


def print_curves(run: Run) -> None:
    """Print the rate of each operator at each severity, if the suite has severity sets."""
    for rate, title in shown(run).items():
        lines = curves(run, rate)
        if not lines:
            return
        severities = [point.severity for point in next(iter(lines.values()))]
        width = max(map(len, lines))
        click.echo(click.style(f"\n{title} by severity", bold=True))
        click.echo(f"{'':{width}}" + "".join(f"{severity:>8g}" for severity in severities))
        for operator, points in lines.items():
            values = (
                "-" if p.estimate.value is None else f"{100 * p.estimate.value:.1f}" for p in points
            )
            click.echo(f"{operator:{width}}" + "".join(f"{value:>8}" for value in values))


def print_notes(run: Run) -> None:
    """Print notes on the results to standard error."""
    meta = run.meta
    if meta["hard_model"] and meta["hard_model"] != meta["model"]:
        _note(f"the hard set was chosen for another model, {meta['hard_model']}")
    if unanswered := note_on(meta.get(UNANSWERED)):
        _note(unanswered)
    _note_unread(run, meta)
    tokens = msgspec.json.decode(meta.get("tokens", "{}"), type=dict[str, int])
    if tokens:
        _note("tokens: " + ", ".join(f"{n:,} {name}" for name, n in tokens.items()))
    for one in msgspec.json.decode(meta.get("strangers", "[]"), type=list[UnknownLabel]):
        _note(
            f"the model answers the {one.part} {one.label!r}, which is not in the suite; first for "
            f"{one.id!r} of {one.set_name}"
        )


def _note_unread(run: Run, meta: dict[str, str]) -> None:
    """Print the unknown keys of the answers, if the answers have no slots or no labels."""
    keys = msgspec.json.decode(meta.get("unread", "[]"), type=list[str])
    if not keys:
        return
    gold = {"label": run.labels(), "slots": slot_types(run)}
    missing = [part for part, known in gold.items() if known and part not in meta["answers"]]
    if missing:
        _note(
            f"the answers have no {' and no '.join(missing)}, unlike the suite; unknown keys: "
            f"{', '.join(keys)} (use label or intent, tags or slots, and scores)"
        )


def _note(text: str) -> None:
    click.echo(f"mondegreen: note: {text}", err=True)
