"""What a format is: how to read and write it, how to recognise it, and what it keeps."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from copy import copy
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Self

from mondegreen.data.files.lines import Meter, can_be_read_again, read_lines
from mondegreen.data.files.output import whole_file
from mondegreen.data.layout import PLAIN, ReadOptions
from mondegreen.errors import DataError, MondegreenError, OutputError
from mondegreen.kernel import Ids
from mondegreen.types import Utterance, Variant

Item = Utterance | Variant
Sink = Callable[[Item], object]
"""Writes one utterance or variant after the other."""

Row = tuple[int, Utterance]
"""An utterance with its line or row number."""
Rows = Callable[[Path, Meter | None], Iterator[Row]]
Record = dict[str, Any]
Records = Callable[[Path], Iterator[tuple[int, Record]]]
"""Yields the rows of a file with named columns, each with its number."""
RowParts = Callable[[Path, Meter | None, int], Iterator[Collection[Utterance]]]
"""Yields the rows of a file in parts of at most so many."""
Parse = Callable[[int, str], Utterance | None]
"""Reads the utterance of a line; ``None`` if the line is a comment."""
Render = Callable[[Item], str]


Like = tuple[Path, ReadOptions]
"""A source of the same format, and how it is read: the output keeps its columns."""


@dataclass(frozen=True)
class Target:
    """Where and how to write; ``like`` is the source whose columns are kept."""

    path: Path
    force: bool = False
    newline: str = "\n"
    like: Like | None = None


TextsOf = Callable[[Item, Target], Sequence[bytes]]


class Format:
    """A way to keep utterances in files. A format is a class that inherits from this one.

    It defines ``name``, ``holds`` and :meth:`rows` or :meth:`read`; and :meth:`open`, if it can be
    written. Inherit from :class:`LineFormat` for one utterance per line. There is one instance of
    it; ``with_reading`` makes others, for files whose columns the user names.
    """

    name: str
    """How ``--format`` names it."""
    holds: str
    """What a file of this format holds, in a few words."""
    suffixes: tuple[str, ...] = ()
    """The file endings that name it."""
    file_names: tuple[str, ...] = ()
    """The names of files without endings that are usually of this format."""
    magic: bytes = b""
    """The first bytes of its files, if they tell."""
    has_ids: bool = True
    """Utterances have ids of their own; otherwise they are found by their place."""
    streams: bool = True
    """It can be written to standard output."""
    keeps_spacing: bool = True
    """The text is kept byte for byte, not only its tokens."""
    always_tagged: bool = False
    """Every utterance has tags, so that one without slots says there are none."""
    alternatives: bool = False
    """A reference may hold alternatives such as ``{ a / b / @ }``."""
    has_columns: bool = False
    """Rows have named columns, which the user may map."""
    keeps_columns: bool = False
    """Written from a file of this format, it keeps the names and types of its columns."""
    has_tags: bool = False
    """Tags can be read strictly."""
    keeps_answers: bool = False
    """A row may be an answer, with no words: an id, and tags, slots or a label."""
    writes: bool = True
    """It can be written; other tools' formats with times and speakers are only read."""
    references_only: bool = False
    """It holds references; hypotheses to them are in other formats."""
    compares_fillers: bool = False
    """Its evaluator compares values by their letters, and has predictions of its own kind."""
    plain_text: bool = False
    """A line is the text of an utterance, and nothing else."""
    form: str = ""
    """What the kernel calls a format that it can read and write; empty if it cannot."""
    json_lines: bool = False
    """Its files are JSON lines of their own kind, which may have the ending of all such files."""
    shares_ending: bool = False
    """Files with its ending may be of another format, so that their content is looked at."""
    guessed: bool = False
    """Its look is that of other files, too, so that a note names it when it is recognised by it."""
    unit: str = "line"
    """What a number of :meth:`rows` counts, for messages."""
    reading: ReadOptions = PLAIN
    """The columns that the user has named, and the scheme of the tags."""
    as_read: Format | None = None
    """The format that these columns are read from; ``None`` if the user has named none."""
    records: Records | None = None
    """Yields the rows of a file with named columns; ``None`` if it has no columns."""
    parse: Parse | None = None
    """Reads the utterance of a line; ``None`` if an utterance is not one line."""
    render: Render | None = None
    """Writes an utterance as a line; ``None`` if an utterance is not one line."""
    texts_of: TextsOf | None = None
    """Writes an item as the text of each file, if the kernel can do so, too."""
    row_parts: RowParts | None = None
    """Yields rows in parts, which are read as utterances only if necessary."""
    timed: Callable[[Path, Meter | None], Mapping[str, Any]] | None = None
    """Reads the words of each channel with their times; ``None`` if words have no times."""
    segments: Callable[[Path], list[Any]] | None = None
    """Reads segments with their times; ``None`` if it has no such segments."""

    def rows(self, path: Path, meter: Meter | None) -> Iterator[Row]:
        """Yield the utterances of a file, each with its line or row number."""
        raise NotImplementedError(f"the format {self.name} defines neither rows nor read")

    def read(self, path: Path, meter: Meter | None = None) -> Iterator[Utterance]:
        """Yield the utterances of a file; refuse an id that occurs twice.

        Only a fingerprint of each id is kept; an apparent duplicate is looked up in the file.
        """
        ids = Ids() if self.has_ids else None
        for number, utterance in self.rows(path, meter):
            if ids is not None and not ids.add(utterance.id):
                refuse_double(self.rows, path, number, utterance.id, self.unit)
            yield utterance

    def open(self, target: Target) -> AbstractContextManager[Sink]:
        """Open a file for writing."""
        raise OutputError(
            f"{target.path}: the format {self.name} is read, not written; write .jsonl or .trn"
        )

    def looks_like(self, lines: Sequence[str]) -> bool:  # noqa: ARG002
        """Return whether the first lines of a file that are not blank are of this format."""
        return False

    def recognises(self, document: Any) -> bool:  # noqa: ARG002
        """Return whether a JSON document is of this format."""
        return False

    def is_folder(self, path: Path) -> bool:  # noqa: ARG002
        """Return whether a folder is of this format."""
        return False

    def confirms(self, path: Path) -> bool | None:  # noqa: ARG002
        """Return whether a file with its ending is of this format; ``None`` if it cannot tell."""
        return None

    @property
    def plain(self) -> Format:
        """The format without the columns that the user has named."""
        return self.as_read or self

    def with_reading(self, reading: ReadOptions) -> Format:
        """Return this format for files whose columns the user names, or with strict tags.

        Raises:
            DataError: if the format has no columns.
        """
        reading = reading.over(self.reading)
        if reading == self.reading:
            return self
        if reading.columns and not self.has_columns:
            raise DataError(f"the format {self.name} has no columns to name")
        if not self.has_columns and not self.has_tags:
            raise DataError(f"the format {self.name} has no tags to read strictly")
        columns, records = str(reading), self.plain.records
        found = self.but(reading=reading, as_read=self.plain)
        if columns:
            found.name = f"{self.name.partition('(')[0]}({columns})"
        if records is not None and reading.columns:
            found.records = partial(_renamed, records, reading)
        return found

    def but(self, **changes: Any) -> Self:
        """Return this format with other traits, or another way to read."""
        found = copy(self)
        vars(found).update(changes)
        return found


def _renamed(records: Records, reading: ReadOptions, path: Path) -> Iterator[tuple[int, Record]]:
    for number, record in records(path):
        try:
            yield number, dict(reading.renamed(record))
        except DataError as error:
            raise DataError.at(path, number, str(error)) from None


class LineFormat(Format):
    """A format of one utterance per line: defines how to parse and render a line."""

    def parse(self, number: int, line: str) -> Utterance | None:
        """Read the utterance of a line; ``None`` if the line is a comment."""
        raise NotImplementedError(f"the format {self.name} does not define parse")

    def render(self, item: Item) -> str:
        """Write an utterance as a line."""
        raise NotImplementedError(f"the format {self.name} does not define render")

    def rows(self, path: Path, meter: Meter | None) -> Iterator[Row]:
        """Yield the utterances of the lines."""
        return parse_lines(self.parse, path, read_lines(path, meter))

    @contextmanager
    def open(self, target: Target) -> Iterator[Sink]:
        """Open a file for writing."""
        with whole_file(target.path, force=target.force) as file:
            yield lambda item: file.write(rendered(self, item, target))


def like_source(path: Path, source: Format, target: Format) -> Like | None:
    """Return the source whose columns a target keeps; ``None`` if it has columns of its own."""
    both = source.keeps_columns and target.keeps_columns
    return (path, source.reading) if both else None


class ReadFormat(Format):
    """A format that is read, and not written."""

    streams = False
    writes = False


def utterance_in(item: Item) -> Utterance:
    """Return the utterance of a variant, or the utterance itself."""
    return item.utterance if isinstance(item, Variant) else item


def refuse_double(rows: Rows, path: Path, number: int, id: str, unit: str = "line") -> None:
    """Refuse an id whose fingerprint has occurred before, if the id itself has.

    Raises:
        DataError: naming both places.
    """
    first = _first_place(rows, path, id)
    if first != number:
        raise double_id(path, number, id, first, unit)


def double_id(path: Path, number: int, id: str, first: int = 0, unit: str = "line") -> DataError:
    """Return what is wrong with an id that occurs twice, and first at another place if known."""
    place = f" (first on {unit} {first})" if first else ""
    return DataError(
        f"{path}, {unit} {number}: the id {id!r} occurs twice{place}; give every utterance its own"
    )


def _first_place(rows: Rows, path: Path, id: str) -> int:
    """Return where an id occurs first; 0 where the source cannot be read again."""
    if not can_be_read_again(path):
        return 0
    return next(number for number, utterance in rows(path, None) if utterance.id == id)


def parse_lines(parse: Parse, path: Path, lines: Iterable[tuple[int, str]]) -> Iterator[Row]:
    """Yield the utterances of numbered lines.

    Raises:
        DataError: naming the line that is not an utterance.
    """
    for number, line in lines:
        try:
            utterance = parse(number, line)
        except MondegreenError as error:
            raise DataError.at(path, number, str(error)) from None
        if utterance is not None:
            yield number, utterance


def rendered(format: Format, item: Item, target: Target) -> bytes:
    """Return an utterance as a line of a format of lines, with its line break.

    Raises:
        OutputError: if it holds what such a file cannot keep.
    """
    if format.render is None:
        raise AssertionError("unreachable: the format is one of lines")
    return _encoded(format.name, format.render(item), item, target)


def _encoded(name: str, line: str, item: Item, target: Target) -> bytes:
    if "\n" in line:
        raise OutputError(
            f"{target.path}: utterance {utterance_in(item).id!r} holds a line break, which the "
            f"format {name} cannot keep; write .jsonl"
        )
    try:
        return (line + target.newline).encode()
    except UnicodeEncodeError:
        raise OutputError(
            f"{target.path}: utterance {utterance_in(item).id!r} holds a lone surrogate, half of a "
            "character, which no UTF-8 file can keep"
        ) from None
