"""``mondegreen experiment``: test whether augmentation helps."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from statistics import fmean

import click
import msgspec

from mondegreen.cli.parts import typed
from mondegreen.cli.parts.options import TrainingOptions
from mondegreen.cli.parts.progress import stage_progress
from mondegreen.cli.parts.typed import argument, option
from mondegreen.cli.score.groups import aligned


@dataclass(frozen=True, kw_only=True)
class ExperimentOptions(TrainingOptions):
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
        help="Reference model; see mondegreen train --help. With --train, the model that it has "
        "made, such as 'command:python answer.py {folder}' (default: the folder itself).",
        metavar="NAME",
    )
    trainer: str | None = option(
        "--train",
        default=None,
        help="Your own trainer: 'command:python train.py {data} {folder} {seed}' ({dev} is there, "
        "too), or python:package.module:function.",
        metavar="TRAINER",
    )
    seeds: int = option(
        default=1,
        help="Train so many pairs of models, with --seed and the seeds after it, and print means.",
        type=click.IntRange(1),
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
    ExperimentOptions,
    examples=(
        "experiment snips/train --test snips/test -o snips-experiment",
        "experiment train.jsonl --test test.jsonl --dev dev.jsonl -o bert --model joint-bert",
        "experiment train.jsonl --test test.jsonl -o own --seeds 5 --train python:mine:train",
    ),
)
def command(options: ExperimentOptions) -> None:
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
            seeds=options.seeds,
            trainer=options.trainer,
            on_stage=on_stage,
            on_progress=progress,
            **options.model_settings,
        )
    if isinstance(outcome.plain, dict) and isinstance(outcome.augmented, dict):
        _print_seeds(outcome.plain, outcome.augmented, as_json=options.as_json)
    elif isinstance(outcome.plain, Path) and isinstance(outcome.augmented, Path):
        _print(outcome.plain, outcome.augmented, as_json=options.as_json)


def _print_seeds(plain: dict[str, Path], augmented: dict[str, Path], *, as_json: bool) -> None:
    """Print the means over the seeds, and what augmentation changed on average."""
    from mondegreen.runs.seeds import over_seeds

    found = over_seeds(plain, augmented)
    if as_json:
        click.echo(msgspec.json.encode(found.record()).decode())
        return
    rows = list(found.rows())
    for rate in dict.fromkeys(row.rate for row in rows):
        click.echo()
        table: list[tuple[str, ...]] = [
            (rate, "plain", "augmented", "difference", "95 %", "from", "to")
        ]
        for row in rows:
            if row.rate == rate:
                means = (100 * fmean(values) for values in (row.plain, row.augmented))
                ends = (100 * end(row.differences) for end in (min, max))
                interval = row.interval.points(1) if row.interval else ""
                cells = [*(f"{one:.1f}" for one in means), f"{100 * row.difference:+.1f}", interval]
                table.append((row.set, *cells, *(f"{one:+.1f}" for one in ends)))
        for line in aligned(table):
            click.echo(line)
    first, second = next(iter(plain.values())), next(iter(augmented.values()))
    click.echo(
        f"\nMeans over {len(plain)} seeds; the interval is that of the mean over many seeds, on "
        f"these texts.\nTake a closer look:\n  mondegreen compare {first} {second}"
    )


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
