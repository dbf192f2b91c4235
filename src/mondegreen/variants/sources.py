"""Sources of utterances: a file, many shards, a stream, or utterances in memory."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice
from pathlib import Path

from mondegreen.data import FORMATS, Format, format_of
from mondegreen.data.dataframes import is_table, read_table
from mondegreen.data.files.lines import STANDARD_STREAM, Meter, can_be_read_again, newline_of
from mondegreen.data.files.shards import is_pattern, numbered_on, shards_of
from mondegreen.data.layout import PLAIN, ReadOptions
from mondegreen.data.pairs.parts import Lines, line_parts, parted
from mondegreen.data.utterances import FileUtterances
from mondegreen.errors import DataError
from mondegreen.perturbation.numbering import numbered
from mondegreen.types import Utterance

PART = 1 << 13
"""Utterances of a part."""
SourcePart = Lines | Collection[Utterance]
Data = Path | str | Iterable[Utterance | str]
"""What can be perturbed: a file, utterances, texts, or a data frame."""


@dataclass
class MemorySource:
    """Utterances in memory, or an iterator that can be read only once."""

    data: Iterable[Utterance | str]
    reading: ReadOptions = PLAIN

    @property
    def is_stream(self) -> bool:
        """Whether it can be read only once."""
        return isinstance(self.data, Iterator)

    @property
    def is_sharded(self) -> bool:
        """Whether it is worked on shard by shard."""
        return False

    @property
    def newline(self) -> str:
        """How lines end."""
        return "\n"

    @property
    def format_name(self) -> str:
        """The name of its format; empty for utterances in memory."""
        return ""

    def read(self) -> Iterator[Utterance]:
        """Yield the utterances."""
        if is_table(self.data) or isinstance(self.data, Mapping):
            return read_table(self.data, self.reading)
        return numbered(self.data)

    def parts(self, meter: Meter | None) -> Iterator[SourcePart]:  # noqa: ARG002 (nothing is read)
        """Yield the utterances in parts."""
        return parted(self.read(), PART)

    def __str__(self) -> str:
        return "the data"


@dataclass
class FileSource(MemorySource):
    """A file, a folder, a pattern of shards, or standard input.

    Args:
        path: the path.
        named: the name of the format; by default known from the file's name and content.
        reading: the columns that the user has named.
        limit: read only so many utterances.
    """

    data: Iterable[Utterance | str] = field(default=(), init=False)
    path: Path = STANDARD_STREAM
    named: str | None = None
    limit: int | None = None

    @cached_property
    def format(self) -> Format:
        """The format, with the columns that the user has named."""
        return self.format_at(self.path)

    def format_at(self, path: Path) -> Format:
        """Return the format of the source, or of one of its shards."""
        return format_of(path, self.named, self.reading)

    @property
    def is_stream(self) -> bool:
        """Whether it can be read only once."""
        again = is_pattern(self.path) or can_be_read_again(self.path)
        return self.path == STANDARD_STREAM or not again

    @property
    def is_sharded(self) -> bool:
        """Whether it is worked on shard by shard."""
        return is_pattern(self.path) and self.limit is None

    @property
    def newline(self) -> str:
        """How its lines end."""
        return newline_of(self.path)

    @property
    def format_name(self) -> str:
        """The name of the format."""
        return FORMATS.name_of(self.format)

    def read(self) -> Iterator[Utterance]:
        """Yield the utterances; may be called again, unless it is a stream."""
        return self.format.read(self.path, None)

    def parts(self, meter: Meter | None) -> Iterator[SourcePart]:
        """Yield the source in parts: as lines if it is a file of lines, else as utterances."""
        if self.format.parse is not None and self.limit is None:
            return line_parts(self.path, meter, PART)
        again = self.limit is None and not self.is_stream
        if self.format.row_parts is not None and again:
            return self.format.row_parts(self.path, meter, PART)
        return parted(islice(self.format.read(self.path, meter), self.limit), PART)

    def shard_parts(self, shard: Path, before: int, meter: Meter | None) -> Iterator[SourcePart]:
        """Yield a shard in parts; utterances without ids are numbered on from ``before``."""
        format = self.format_at(shard)
        if format.parse is not None:
            return line_parts(shard, meter, PART, before=before)
        if format.row_parts is not None and format.has_ids:
            return format.row_parts(shard, meter, PART)
        found = format.read(shard, meter)
        return parted(found if format.has_ids else numbered_on(found, before), PART)

    def __str__(self) -> str:
        return str(self.path)


def source_of(data: Data, named: str | None = None, reading: ReadOptions = PLAIN) -> MemorySource:
    """Return the source of data; a text is the name of a file only if there is such a file.

    Raises:
        DataError: if the data is a single text, or not a collection.
    """
    if isinstance(data, FileUtterances) and not data.is_begun and _is_file(data.path):
        return FileSource(data.reading, path=data.path, named=data.named)
    if isinstance(data, Path) or (isinstance(data, str) and _is_file(Path(data))):
        return FileSource(reading, path=Path(data), named=named)
    found = MemorySource(data, reading)
    if not found.is_stream:
        found.read()  # refuses what is not a collection
    return found


def _is_file(path: Path) -> bool:
    """Return whether a path is one of files that can be read again."""
    try:
        return can_be_read_again(path) or (is_pattern(path) and bool(shards_of(path)))
    except (OSError, ValueError, DataError):  # too long for a name, or nothing has it
        return False
