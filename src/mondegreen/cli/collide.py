"""``mondegreen collide``: which names of tools or values sound alike."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import click
import msgspec

from mondegreen.cli.parts import typed
from mondegreen.cli.parts.typed import FILE, argument, option
from mondegreen.language.sounds.colliding import collide


@dataclass(frozen=True, kw_only=True)
class CollideOptions:
    """The options of ``mondegreen collide``."""

    file: Path = argument(type=FILE)
    most: int = option(
        default=20, help="Number of pairs to print for each group.", type=click.IntRange(min=1)
    )
    as_json: bool = option("--json", default=False, help="Print one JSON object.")


@typed.command(
    CollideOptions,
    examples=(
        "collide tools.json",
        "collide cases.jsonl --most 5",
        "collide values.json --json",
        "collide cities.txt",
    ),
)
def command(options: CollideOptions) -> None:
    """Print which names sound alike, the nearest pairs first.

    FILE holds tools (a list, or cases of tool calls), the values of each slot (as mondegreen fit
    values writes them), or one name per line.
    """
    groups = collide(options.file, most=options.most)
    if options.as_json:
        record = {title: [one._asdict() for one in found] for title, found in groups.items()}
        click.echo(msgspec.json.encode({"file": str(options.file), "groups": record}).decode())
        return
    for title, found in groups.items():
        click.echo(click.style(title, bold=True))
        for one in found:
            click.echo(
                f"{one.phonemes:5g} phonemes {100 * one.share:5.0f} %  {one.first} / {one.second}"
            )
        if not found:
            click.echo("  only one name that can be pronounced")
