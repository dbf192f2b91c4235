"""``mondegreen experiment``: does augmentation help?"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click
import msgspec

from mondegreen.cli.options import learning, settings_of
from mondegreen.cli.progress import staged

_EXAMPLES = """\b
Examples:
  mondegreen experiment snips/train --test snips/test -o snips-experiment
  mondegreen experiment train.jsonl --test test.jsonl --dev dev.jsonl -o bert --model joint-bert
"""


@click.command(epilog=_EXAMPLES)
@click.argument("data", type=click.Path(path_type=Path))
@click.option(
    "--test",
    type=click.Path(path_type=Path),
    required=True,
    metavar="DATA",
    help="Labelled utterances that the suite is made of.",
)
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    required=True,
    metavar="DIR",
    help="Folder for models, suite and runs; an interrupted experiment goes on in it.",
)
@click.option(
    "--model",
    "kind",
    default="crf",
    show_default=True,
    metavar="NAME",
    help="A reference model; see mondegreen train --help.",
)
@learning
@click.option(
    "--op",
    "operators",
    multiple=True,
    default=("nature",),
    show_default=True,
    metavar="NAME",
    help="What the suite's sets are made by. Repeatable.",
)
@click.option(
    "--augment",
    "augmenters",
    multiple=True,
    default=("augment",),
    show_default=True,
    metavar="NAME",
    help="What the training data are augmented by. Repeatable.",
)
@click.option(
    "--random", type=click.IntRange(0), default=10, show_default=True, help="Random sets."
)
@click.option("--hard/--no-hard", default=True, help="The hard set, chosen by the plain model.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.option("-q", "--quiet", is_flag=True, help="Do not tell what is being done.")
def command(data: Path, test: Path, output: Path, **options: Any) -> None:
    """Train on DATA with and without augmentation, and evaluate both on one suite of --test.

    Prints the end-to-end accuracy (or what comes nearest) of both on each set, and the difference
    with its interval. compare, report and view tell more of the two runs.
    """
    from mondegreen.experiment import experiment

    def told(what: str) -> None:
        if not options["quiet"]:
            click.echo(what, err=True)

    with staged(quiet=options["quiet"]) as progress:
        outcome = experiment(
            data,
            test,
            output,
            kind=options["kind"],
            dev=options["dev"],
            operators=options["operators"],
            augmenters=options["augmenters"],
            random=options["random"],
            hard=options["hard"],
            seed=options["seed"],
            told=told,
            progress=progress,
            **settings_of(options["settings"]),
        )
    _print(*outcome, as_json=options["as_json"])


def _print(plain: Path, augmented: Path, *, as_json: bool) -> None:
    """The paper's table 5: each set without and with augmentation."""
    from mondegreen.runs.comparison import compare

    found = compare(plain, augmented)
    if as_json:
        click.echo(msgspec.json.encode(found.record()).decode())
        return
    width = max(len(one.set_name) for one in found.sets)
    for rate in found.rates:
        click.echo(click.style(f"\n{rate:{width}}   plain  augmented  difference", bold=True))
        for one in found.sets:
            found_rate = one.comparison.rates[rate]
            if found_rate.difference is None or found_rate.interval is None:
                continue
            numbers = (found_rate.first, found_rate.second, found_rate.difference)
            first, second, difference = (100 * (number or 0) for number in numbers)
            low, high = (100 * edge for edge in found_rate.interval)
            values = f"{first:6.1f}     {second:6.1f}      {difference:+6.1f}"
            click.echo(f"{one.set_name:{width}}  {values} [{low:+.1f}, {high:+.1f}]")
    click.echo(
        f"\nmore: mondegreen compare {plain} {augmented}, mondegreen view {plain} {augmented}"
    )
