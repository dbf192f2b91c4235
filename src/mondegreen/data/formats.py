"""What a format is: how to read it, how to write it, and how to tell it from others."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path

from mondegreen.data.lines import STANDARD_STREAM, Meter, read_lines
from mondegreen.data.output import whole_file
from mondegreen.errors import DataError, MondegreenError, OutputError
from mondegreen.kernel import Ids
from mondegreen.types import Utterance, Variant

Item = Utterance | Variant
Sink = Callable[[Item], object]
"""Takes one utterance or variant after the other."""

Row = tuple[int, Utterance]
Rows = Callable[[Path, Meter | None], Iterator[Row]]
Read = Callable[[Path, Meter | None], Iterator[Utterance]]


@dataclass(frozen=True)
class Target:
    """Where and how to write."""

    path: Path
    force: bool = False
    newline: str = "\n"


@dataclass(frozen=True)
class Format:
    """A way to keep utterances in files."""

    name: str
    holds: str
    suffixes: tuple[str, ...]
    read: Read
    open: Callable[[Target], AbstractContextManager[Sink]]


def said_of(item: Item) -> Utterance:
    """Return the utterance of a variant, or the utterance itself."""
    return item.utterance if isinstance(item, Variant) else item


def unchecked(rows: Rows) -> Read:
    """Make a reader of rows whose ids are their numbers."""

    def read(path: Path, meter: Meter | None) -> Iterator[Utterance]:
        return (said for _, said in rows(path, meter))

    return read


def unique(rows: Rows, unit: str = "line") -> Read:
    """Make a reader of rows with ids, which refuses one that stands twice.

    Only a fingerprint of each id is kept; what looks like a double is looked up in the file.
    """

    def read(path: Path, meter: Meter | None) -> Iterator[Utterance]:
        ids = Ids()
        for number, said in rows(path, meter):
            if not ids.add(said.id) and (first := _first(rows, path, said.id)) != number:
                place = f" (first on {unit} {first})" if first else ""
                raise DataError(
                    f"{path}, {unit} {number}: the id {said.id!r} stands twice{place}; give every "
                    "utterance its own"
                )
            yield said

    return read


def _first(rows: Rows, path: Path, id: str) -> int:
    """Where an id stands first; 0 where the source cannot be read again."""
    if path == STANDARD_STREAM:
        return 0
    return next(number for number, said in rows(path, None) if said.id == id)


def line_format(
    name: str,
    holds: str,
    suffixes: tuple[str, ...],
    parse: Callable[[int, str], Utterance],
    render: Callable[[Item], str],
    *,
    has_ids: bool,
) -> Format:
    """Make a format of one utterance a line."""

    def rows(path: Path, meter: Meter | None) -> Iterator[Row]:
        for number, line in read_lines(path, meter):
            try:
                yield number, parse(number, line)
            except MondegreenError as error:
                raise DataError.at(path, number, str(error)) from None

    read = unique(rows) if has_ids else unchecked(rows)

    @contextmanager
    def open_(target: Target) -> Iterator[Sink]:
        with whole_file(target.path, force=target.force) as file:
            newline = target.newline

            def write(item: Item) -> None:
                line = render(item)
                if "\n" in line:
                    raise OutputError(
                        f"{target.path}: utterance {said_of(item).id!r} holds a line break, which "
                        f"the format {name} cannot keep; write .jsonl"
                    )
                try:
                    file.write((line + newline).encode())
                except UnicodeEncodeError:
                    raise OutputError(
                        f"{target.path}: utterance {said_of(item).id!r} holds a lone surrogate, "
                        "half of a character, which no UTF-8 file can keep"
                    ) from None

            yield write

    return Format(name, holds, suffixes, read, open_)
