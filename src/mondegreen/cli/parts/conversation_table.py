"""Print the rates of a run of conversations: clean and perturbed side by side."""

from __future__ import annotations

import click

from mondegreen.conversations.results import causes_of, paired_with
from mondegreen.conversations.running import CLEAN, PERTURBED
from mondegreen.metrics.metric import PLAIN_NUMBERS
from mondegreen.metrics.statistics.comparison import Difference
from mondegreen.metrics.statistics.estimate import Estimate
from mondegreen.runs.reading import Run
from mondegreen.runs.results import by_set

_CELL = 22
_DIFFERENCE = "difference"


def print_conversations(run: Run) -> None:
    """Print a line per rate, a column per set, and what went wrong."""
    rates = by_set(run)
    names = list(rates)
    shown = [
        name
        for name in next(iter(rates.values()))
        if any(rates[one][name].denominator for one in names if name in rates[one])
    ]
    width = max(map(len, shown))
    click.echo(run.signature)
    paired = paired_with(run, CLEAN, PERTURBED) if PERTURBED in names else {}
    heads = [*names, _DIFFERENCE] if paired else names
    click.echo(click.style(f"{'':{width}}  {_heads(heads)}", bold=True))
    for name in shown:
        cells = "  ".join(_cell(name, rates[one].get(name)) for one in names)
        cells += _difference(name, paired.get(name))
        click.echo(f"{name:{width}}  {cells}")
    counted = ", ".join(f"{one.name} {one.done // run.repeat:,}" for one in run.sets)
    click.echo(f"Conversations: {counted}. In brackets: 95 % confidence intervals by bootstrap.")
    if paired:
        click.echo("The difference is paired: each case with the same case of the clean caller.")
    _print_causes(run, names)


def _heads(names: list[str]) -> str:
    return "  ".join(f"{name:>{_CELL}}" for name in names)


def _cell(name: str, rate: Estimate | None) -> str:
    if rate is None or rate.value is None:
        return f"{'-':>{_CELL}}"
    scale = 1 if name in PLAIN_NUMBERS else 100
    value = f"{scale * rate.value:.2f}" if scale == 1 else f"{scale * rate.value:.1f}"
    if rate.low is not None and rate.high is not None:
        value += f" [{scale * rate.low:.1f}, {scale * rate.high:.1f}]"
    return f"{value:>{_CELL}}"


def _difference(name: str, one: Difference | None) -> str:
    if one is None or one.interval is None or one.difference is None:
        return ""
    scale = 1 if name in PLAIN_NUMBERS else 100
    places = 2 if name in PLAIN_NUMBERS else 1
    value = f"{scale * one.difference:+.{places}f}"
    ends = ", ".join(f"{scale * end:+.1f}" for end in one.interval)
    return f"  {f'{value} [{ends}]':>{_CELL}}"


def _print_causes(run: Run, names: list[str]) -> None:
    found = {name: causes_of(run, name) for name in names}
    causes = dict.fromkeys(cause for name in names for cause in found[name])
    if not causes:
        return
    width = max(map(len, causes))
    click.echo(click.style(f"\n{'what went wrong':{width}}  {_heads(names)}", bold=True))
    for cause in causes:
        cells = "  ".join(f"{found[name].get(cause, 0):>{_CELL},}" for name in names)
        click.echo(f"{cause:{width}}  {cells}")
