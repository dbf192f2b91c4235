"""``mondegreen experiment``: test whether augmentation helps."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import click
import msgspec

from mondegreen.cli.parts import typed
from mondegreen.cli.parts.options import TrainingOptions
from mondegreen.cli.parts.progress import stage_progress
from mondegreen.cli.parts.typed import argument, option


@dataclass(frozen=True, kw_only=True)
class Options(TrainingOptions):
    """The options of ``mondegreen experiment``."""

    data: Path = argument()
    test: Path = option(help="Labelled utterances from which to make the suite.", metavar="DATA")
    output: Path = option(
        "-o",
        "--output",
        help="Folder for models, suite and runs; an interrupted experiment continues in it.",
        metavar="DIR",
    )
    kind: str = option(
        "--model",
        default="crf",
        help="Reference model; see mondegreen train --help.",
        metavar="NAME",
    )
    operators: tuple[str, ...] = option(
        "--op",
        default=("nature",),
        help="Operator of the suite. Repeatable.",
        metavar="NAME",
    )
    augmenters: tuple[str, ...] = option(
        "--augment",
        default=("augment",),
        help="Operator that augments the training data. Repeatable.",
        metavar="NAME",
    )
    random: int = option(default=10, help="Number of random sets.", type=click.IntRange(0))
    hard: bool = option(
        "--hard/--no-hard",
        default=True,
        help="Whether to add the hard set, chosen by the model without augmentation.",
    )
    as_json: bool = option("--json", default=False, help="Print one JSON object.")
    quiet: bool = option("-q", "--quiet", default=False, help="Print no progress.")


@typed.command(
    Options,
    examples=(
        "experiment snips/train --test snips/test -o snips-experiment",
        "experiment train.jsonl --test test.jsonl --dev dev.jsonl -o bert --model joint-bert",
    ),
)
def command(options: Options) -> None:
    """Train on DATA with and without augmentation, and evaluate both on one suite of --test.

    Prints the rates of both models on each set, and the differences with their intervals. Use
    compare, report and view to examine the two runs.
    """
    from mondegreen.runs.experiment import experiment

    def on_stage(name: str) -> None:
        if not options.quiet:
            click.echo(name, err=True)

    with stage_progress(quiet=options.quiet) as progress:
        outcome = experiment(
            options.data,
            options.test,
            options.output,
            kind=options.kind,
            dev=options.dev,
            operators=options.operators,
            augmenters=options.augmenters,
            random=options.random,
            hard=options.hard,
            seed=options.seed,
            on_stage=on_stage,
            on_progress=progress,
            **options.model_settings,
        )
    _print(*outcome, as_json=options.as_json)


def _print(plain: Path, augmented: Path, *, as_json: bool) -> None:
    """Print the rates of each set without and with augmentation, as in table 5 of NATURE."""
    from mondegreen.runs.comparison import compare

    found = compare(plain, augmented)
    if as_json:
        click.echo(msgspec.json.encode(found.record()).decode())
        return
    width = max(len(one.name) for one in found.sets)
    for rate in found.shown:
        click.echo(click.style(f"\n{rate:{width}}   plain  augmented  difference", bold=True))
        for one in found.sets:
            compared = one.rates[rate]
            if compared.difference is None:
                continue
            numbers = (compared.first, compared.second, compared.difference)
            first, second, difference = (100 * (number or 0) for number in numbers)
            interval = f" {compared.interval.points(1)}" if compared.interval else ""
            values = f"{first:6.1f}     {second:6.1f}      {difference:+6.1f}"
            click.echo(f"{one.name:{width}}  {values}{interval}")
    click.echo(
        f"\nTake a closer look:\n  mondegreen compare {plain} {augmented}\n"
        f"  mondegreen view {plain} {augmented}"
    )
