"""``mondegreen describe``: how many utterances, words, slots and intents data has."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import click
import msgspec

from mondegreen.cli.parts import typed
from mondegreen.cli.parts.formats import FORMAT_HELP, MAP_HELP
from mondegreen.cli.parts.typed import argument, option
from mondegreen.data.description import Description, describe

_COLUMNS = ("utterances", "words", "vocabulary", "slots", "slot_labels", "intents")


@dataclass(frozen=True, kw_only=True)
class DescribeOptions:
    """The options of ``mondegreen describe``."""

    paths: tuple[Path, ...] = argument(nargs=-1, required=True)
    format: str | None = option(default=None, help=f"{FORMAT_HELP}.", metavar="NAME")
    map: str = option(default="", help=MAP_HELP, metavar="PART=COLUMN,…")
    as_json: bool = option("--json", default=False, help="Print one JSON object.")


@typed.command(
    DescribeOptions,
    examples=("describe atis/train atis/valid atis/test", "describe test.jsonl --json"),
)
def command(options: DescribeOptions) -> None:
    """Print the size of each of PATHS: utterances, words, vocabulary, slots and intents.

    The vocabulary is the number of different words as they are written. PATHS are files or folders
    of utterances in any format.
    """
    found = {
        str(path): describe(path, format=options.format, map=options.map) for path in options.paths
    }
    if options.as_json:
        click.echo(msgspec.json.encode({"data": found}).decode())
        return
    width = max(map(len, found))
    heads = "".join(f"{name.replace('_', ' '):>13}" for name in (*_COLUMNS, "words each"))
    click.echo(click.style(f"{'':{width}}{heads}", bold=True))
    for name, one in found.items():
        click.echo(f"{name:{width}}{_figures(one)}")


def _figures(one: Description) -> str:
    figures = "".join(f"{getattr(one, name):>13,}" for name in _COLUMNS)
    mean = one.words_per_utterance
    return f"{figures}{'-' if mean is None else f'{mean:.1f}':>13}"
