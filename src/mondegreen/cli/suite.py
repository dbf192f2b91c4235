"""``mondegreen suite``: one test set as it is, by each operator, at random, at its hardest."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from mondegreen.cli.progress import counted
from mondegreen.suites.build import suite
from mondegreen.suites.manifest import HARD, RANDOM, SEVERITY, SuiteManifest

_EXAMPLES = """\b
Examples:
  mondegreen suite snips/test -o snips-suite --seed 7
  mondegreen suite snips/test -o snips-suite --hard my-crf
  mondegreen suite test.jsonl -o suite --op speako --op "fillers(language=de)" --random 3
  mondegreen suite reviews.jsonl -o curve --op typing --random 0 --severity 0.1,0.3,0.5
"""


@click.command(epilog=_EXAMPLES)
@click.argument("data", type=click.Path(path_type=Path))
@click.option(
    "-o", "--output", type=click.Path(path_type=Path), required=True, help="Folder to write."
)
@click.option(
    "--op",
    "operators",
    multiple=True,
    default=("nature",),
    show_default=True,
    metavar="OPERATOR",
    help="Operator or group, by name or with parameters. Repeatable.",
)
@click.option(
    "--random",
    type=click.IntRange(min=0),
    default=10,
    show_default=True,
    metavar="N",
    help="Random sets: each utterance changed by one operator drawn for it.",
)
@click.option(
    "--hard",
    metavar="MODEL",
    help="Add the set of the variants that this model does worst on; see: mondegreen evaluate.",
)
@click.option(
    "--severity",
    "severities",
    default="",
    metavar="S,S,…",
    help="Add sets for curves: each operator at each share of the words; 0 is the original.",
)
@click.option("--seed", type=int, default=0, show_default=True, help="Another seed, other edits.")
@click.option("--format", metavar="NAME", help="The data's format, if its look does not tell.")
@click.option("--force", is_flag=True, help="Replace a suite that exists.")
@click.option("-q", "--quiet", is_flag=True, help="No progress bar, no summary.")
def command(data: Path, output: Path, **options: Any) -> None:
    """Make a suite of DATA: labelled utterances in any format.

    A suite is a folder: one file of JSON lines for the original, one for each operator, one for
    each random draw, the hard one; line for line they have the same sources. The manifest says how
    each was made (see: mondegreen verify). An utterance that an operator cannot change stands
    in its set as it was.
    """
    with counted("utterances", quiet=options["quiet"]) as told:
        made = suite(
            data,
            output,
            options["operators"],
            random=options["random"],
            hard=options["hard"],
            severities=_numbers(options["severities"]),
            seed=options["seed"],
            format=options["format"],
            force=options["force"],
            told=told,
        )
    if not options["quiet"]:
        _summary(made.manifest, output)


def _numbers(text: str) -> list[float]:
    try:
        return [float(part) for part in text.split(",") if part.strip()]
    except ValueError:
        raise click.BadParameter(
            f"{text!r} is not a list of numbers such as 0.1,0.3,0.5", param_hint="--severity"
        ) from None


def _summary(manifest: SuiteManifest, output: Path) -> None:
    click.echo(manifest.signature, err=True)
    width = max(len(entry.name) for entry in manifest.sets)
    for entry in manifest.sets:
        if entry.kind in (RANDOM, SEVERITY):
            continue
        rest = entry.n - entry.changed
        left = f", {rest:,} could not be changed" if rest and entry.changed else ""
        click.echo(f"{entry.name:{width}}  {entry.n:,} utterances{left}", err=True)
    for kind in (RANDOM, SEVERITY):
        entries = [entry for entry in manifest.sets if entry.kind == kind]
        if entries:
            rest = sum(entry.n - entry.changed for entry in entries)
            left = f", {rest:,} could not be changed" if rest else ""
            total = sum(entry.n for entry in entries)
            click.echo(f"{kind:{width}}  {len(entries)} sets, {total:,} utterances{left}", err=True)
    _chosen(manifest)
    click.echo(f"→ {output}", err=True)


def _chosen(manifest: SuiteManifest) -> None:
    """Print which operators the hard set is made of."""
    for entry in manifest.sets:
        if entry.kind == HARD:
            click.echo(f"\nhard: chosen for {manifest.hard}", err=True)
            for operator, times in sorted(entry.operators.items(), key=lambda pair: -pair[1]):
                click.echo(f"  {operator:20} {100 * times / entry.n:5.1f} %", err=True)
