"""Reading and writing utterances in any format, chosen by name or by content."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import AbstractContextManager
from pathlib import Path

from mondegreen.data.dataframes import read_table
from mondegreen.data.files.lines import Meter
from mondegreen.data.formats.detection import format_of, target_format
from mondegreen.data.formats.format import Item, Like, Sink, Target
from mondegreen.data.layout import ReadOptions
from mondegreen.data.utterances import FileUtterances
from mondegreen.types import Utterance


def read(
    source: Path | str | object,
    format: str | None = None,
    *,
    map: str | Mapping[str, str] = "",
    meter: Meter | None = None,
) -> Iterator[Utterance]:
    """Yield the utterances of a file, a folder or a data frame, in order.

    Args:
        source: a path (``-`` is standard input), a data frame of pandas or polars, an Arrow table,
            or a Hugging Face dataset.
        format: the format of a file; by default known from its name and content.
        map: the columns that have other names than ours, such as ``{"text": "query"}`` or
            ``"text=query,label=Intent"``.
        meter: called with the number of bytes that each step has read.

    Raises:
        DataError: naming the file, the line, what is wrong and what to do.
    """
    reading = ReadOptions.parse(map)
    if not isinstance(source, str | Path):
        return read_table(source, reading)
    path = Path(source)
    found = format_of(path, format, reading)
    return FileUtterances(path, found.read(path, meter), found, format, reading)


def write(
    items: Iterable[Item], path: Path | str, format: str | None = None, *, force: bool = False
) -> None:
    """Write utterances or variants, all of them or nothing.

    Raises:
        OutputError: if the target exists and ``force`` is not set, or if it cannot be written.
    """
    with open_sink(Path(path), format, force=force) as sink:
        for item in items:
            sink(item)


def open_sink(
    path: Path,
    format: str | None = None,
    *,
    force: bool = False,
    newline: str = "\n",
    like: Like | None = None,
) -> AbstractContextManager[Sink]:
    """Open a target to write one item after the other; it appears when the block ends well."""
    return target_format(path, format).open(Target(path, force, newline, like))
