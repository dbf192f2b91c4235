"""``mondegreen collide``: which names of tools or values sound alike."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click
import msgspec

from mondegreen.cli.parts import typed
from mondegreen.cli.parts.typed import FILE, argument, option
from mondegreen.data.answers.conversations import functions_of
from mondegreen.data.files.lines import read_lines
from mondegreen.data.formats.jsonl import decode_json
from mondegreen.errors import DataError
from mondegreen.language.sounds.collisions import collisions


@dataclass(frozen=True, kw_only=True)
class Options:
    """The options of ``mondegreen collide``."""

    file: Path = argument(type=FILE)
    most: int = option(
        default=20, help="Number of pairs to print for each group.", type=click.IntRange(min=1)
    )
    as_json: bool = option("--json", default=False, help="Print one JSON object.")


@typed.command(
    Options,
    examples=(
        "collide tools.json",
        "collide cases.jsonl --most 5",
        "collide values.json --json",
        "collide cities.txt",
    ),
)
def command(options: Options) -> None:
    """Print which names sound alike, the nearest pairs first.

    FILE holds tools (a list, or cases of tool calls), the values of each slot (as mondegreen fit
    values writes them), or one name per line.
    """
    groups = {title: collisions(names, options.most) for title, names in _groups(options.file)}
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


def _groups(path: Path) -> Iterator[tuple[str, list[str]]]:
    """Yield groups of names that must not be confused, each with a title.

    Raises:
        DataError: if the file is JSON of another form.
    """
    lines = [line for _, line in read_lines(path) if line.strip()]
    if not lines or lines[0].lstrip()[0] not in "[{":
        yield "names", [line.strip() for line in lines]
        return
    try:
        whole = decode_json("\n".join(lines))
    except DataError:
        whole = None
    records = [decode_json(line) for line in lines] if whole is None else [whole]
    yield from _of_json(path, records)


def _of_json(path: Path, records: list[Any]) -> Iterator[tuple[str, list[str]]]:
    first = records[0]
    if len(records) == 1 and isinstance(first, Mapping) and "tools" not in first:
        values = {k: v for k, v in first.items() if isinstance(v, list | dict) and v}
        if values and all(isinstance(one, str) for v in values.values() for one in v):
            yield from ((label, list(names)) for label, names in values.items())
            return
    tools: list[Any] = []
    for record in records:
        found = record
        if isinstance(record, Mapping):
            found = record.get("tools", record.get("function", [record]))
        tools += found if isinstance(found, list) else [found]
    try:
        names = list(functions_of(tools))
    except (KeyError, TypeError, AttributeError):
        raise DataError(
            f"{path}: neither tools with names nor values of slots; give a list of tools, cases, "
            '{"city": ["orlando", …]}, or one name per line'
        ) from None
    yield "tools", names
