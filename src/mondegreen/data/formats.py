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
    read: Callable[[Path, Meter | None], Iterator[Utterance]]
    open: Callable[[Target], AbstractContextManager[Sink]]


def said_of(item: Item) -> Utterance:
    """Return the utterance of a variant, or the utterance itself."""
    return item.utterance if isinstance(item, Variant) else item


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

    def read(path: Path, meter: Meter | None) -> Iterator[Utterance]:
        ids = Ids() if has_ids else None
        for number, line in read_lines(path, meter):
            try:
                said = parse(number, line)
            except MondegreenError as error:
                raise DataError.at(path, number, str(error)) from None
            if ids is not None and not ids.add(said.id):
                raise _double(path, number, said.id, parse)
            yield said

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
                file.write((line + newline).encode())

            yield write

    return Format(name, holds, suffixes, read, open_)


def _double(path: Path, number: int, id: str, parse: Callable[[int, str], Utterance]) -> DataError:
    first = ""
    if path != STANDARD_STREAM:
        first = next(
            f" (first on line {n})" for n, line in read_lines(path) if parse(n, line).id == id
        )
    return DataError.at(
        path, number, f"the id {id!r} stands twice{first}; give every utterance its own"
    )
