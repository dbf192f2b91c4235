"""``mondegreen realism``: how well simulated recogniser errors can be told from real ones."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import click
import msgspec

from mondegreen.cli.parts import typed
from mondegreen.cli.parts.formats import FORMAT_HELP, MAP_HELP
from mondegreen.cli.parts.typed import FILE, argument, option
from mondegreen.metrics.realism import Realism
from mondegreen.metrics.realism_files import realism

_VERDICTS = ((0.6, "hard to tell apart"), (0.75, "can often be told apart"), (1.1, "easy to tell"))


@dataclass(frozen=True, kw_only=True)
class RealismOptions:
    """The options of ``mondegreen realism``."""

    real: Path = argument(type=FILE)
    made: Path = argument(type=FILE)
    source_format: str | None = option(
        "--format", default=None, help=f"{FORMAT_HELP}.", metavar="NAME"
    )
    map: str = option(default="", help=f"For REAL and MADE: {MAP_HELP}", metavar="PART=COLUMN,…")
    as_json: bool = option("--json", default=False, help="Print one JSON object.")


@typed.command(
    RealismOptions,
    examples=(
        "realism pairs.tsv simulated.tsv",
        "perturb ref.txt -o made.txt --op \"recogniser(profile='mine.json', wer=0.2)\"",
        "realism pairs.tsv made.txt --json",
    ),
)
def command(options: RealismOptions) -> None:
    """Judge simulated recogniser errors: can a classifier tell them from real ones?

    REAL is a table with the columns ref and hyp. MADE is such a table with the same ids, or the
    simulated texts: a file of perturb, or lines in the order of REAL. Utterances without errors on
    one side are left out. An AUC of 0.5 is perfect; 1 means that every error is recognised as
    simulated. Judge references to which the profile was not fitted.
    """
    found = realism(options.real, options.made, format=options.source_format, map=options.map)
    if options.as_json:
        click.echo(msgspec.json.encode(found.record()).decode())
    else:
        _print(found)


def _print(found: Realism) -> None:
    verdict = next(text for limit, text in _VERDICTS if found.auc < limit)
    click.echo(f"AUC {found.auc:.3f} on {found.n:,} utterances with errors: {verdict}\n")
    click.echo(click.style(f"{'':24}{'real':>8}{'made':>8}", bold=True))
    for name, value in found.real.items():
        click.echo(f"{name:24}{value:8.3f}{found.made[name]:8.3f}")
    click.echo(click.style(f"\n{'what gives it away':44}{'real %':>8}{'made %':>8}", bold=True))
    for tell in found.tells:
        click.echo(f"{tell.feature:44}{tell.real:8.1f}{tell.made:8.1f}")
