"""Collisions of the names in a file: of tools, of the values of each slot, or one per line."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from mondegreen.data.answers.conversations import functions_of
from mondegreen.data.files.lines import read_lines
from mondegreen.data.formats.jsonl import decode_json
from mondegreen.errors import DataError
from mondegreen.language.sounds.collisions import Collision, collisions

NAMES, TOOLS = "names", "tools"


def collide(
    source: Path | str | Iterable[str] | Mapping[str, Iterable[str]], *, most: int = 20
) -> dict[str, list[Collision]]:
    """Return which names sound alike, by group, the nearest pairs first.

    Args:
        source: a file of tools, of cases of tool calls, of the values of each slot, or with one
            name per line; or names, or the names of each group.
        most: how many pairs of each group to return.

    Raises:
        DataError: if the file cannot be read, or is JSON of another form.

    >>> [(one.first, one.second) for one in collide(["Austin", "Boston", "Kyoto"], most=1)["names"]]
    [('Austin', 'Boston')]
    """
    if isinstance(source, Path | str):
        groups = dict(_groups(Path(source)))
    elif isinstance(source, Mapping):
        groups = {name: list(names) for name, names in source.items()}
    else:
        groups = {NAMES: list(source)}
    return {title: collisions(names, most) for title, names in groups.items()}


def _groups(path: Path) -> Iterator[tuple[str, list[str]]]:
    """Yield groups of names that must not be confused, each with a title.

    Raises:
        DataError: if the file is JSON of another form.
    """
    lines = [line for _, line in read_lines(path) if line.strip()]
    if not lines or lines[0].lstrip()[0] not in "[{":
        yield NAMES, [line.strip() for line in lines]
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
    yield TOOLS, names
