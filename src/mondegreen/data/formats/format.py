"""What a format is: how to read and write it, how to recognise it, and what it keeps."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from mondegreen.data.files.lines import Meter, can_be_read_again, read_lines
from mondegreen.data.files.output import whole_file
from mondegreen.data.layout import PLAIN, Reading
from mondegreen.errors import DataError, MondegreenError, OutputError
from mondegreen.kernel import Ids
from mondegreen.types import Utterance, Variant

Item = Utterance | Variant
Sink = Callable[[Item], object]
"""Writes one utterance or variant after the other."""

Row = tuple[int, Utterance]
"""An utterance with its line or row number."""
Rows = Callable[[Path, Meter | None], Iterator[Row]]
Read = Callable[[Path, Meter | None], Iterator[Utterance]]
Record = dict[str, Any]
Records = Callable[[Path], Iterator[tuple[int, Record]]]
"""Yields the rows of a file with named columns, each with its number."""
Parse = Callable[[int, str], Utterance | None]
"""Reads the utterance of a line; ``None`` if the line is a comment."""
Render = Callable[[Item], str]


@dataclass(frozen=True)
class Target:
    """Where and how to write."""

    path: Path
    force: bool = False
    newline: str = "\n"


@dataclass(frozen=True)
class Format:
    """A way to keep utterances in files.

    Args:
        name: how ``--format`` names it.
        holds: what a file of this format holds, in a few words.
        suffixes: the file endings that name it.
        read: yields the utterances of a file.
        open: opens a file for writing.
        reader: makes ``read`` for columns that the user names, or for strict tags; ``None`` if the
            format has neither columns nor tags.
        looks_like: whether the first lines of a file that are not blank are of this format;
            ``None`` if it cannot be recognised by its lines.
        recognises: whether a JSON document is of this format; ``None`` if it is not kept in one.
        records: yields the rows of a file with named columns; ``None`` if it has no columns.
        has_ids: utterances have ids of their own; otherwise they are found by their place.
        streams: it can be written to standard output.
        keeps_spacing: the text is kept byte for byte, not only its tokens.
        always_tagged: every utterance has tags, so that one without slots says there are none.
        alternatives: a reference may hold alternatives such as ``{ a / b / @ }``.
        has_columns: rows have named columns, which the user may map.
        writes: it can be written; other tools' formats with times and speakers are only read.
        references_only: it holds references; hypotheses to them are in other formats.
        keeps_answers: a row may be an answer, with no words: an id, and tags, slots or a label.
        reading: the columns that the user has named, and the scheme of the tags.
        as_read: the format that these columns are read from; ``None`` if the user has named none.
        parse: reads the utterance of a line; ``None`` if an utterance is not one line.
        render: writes an utterance as a line; ``None`` if an utterance is not one line.
    """

    name: str
    holds: str
    suffixes: tuple[str, ...]
    read: Read
    open: Callable[[Target], AbstractContextManager[Sink]]
    reader: Callable[[Reading], Read] | None = None
    looks_like: Callable[[Sequence[str]], bool] | None = None
    recognises: Callable[[Any], bool] | None = None
    records: Records | None = None
    has_ids: bool = True
    streams: bool = True
    keeps_spacing: bool = True
    always_tagged: bool = False
    alternatives: bool = False
    has_columns: bool = False
    keeps_answers: bool = False
    writes: bool = True
    references_only: bool = False
    reading: Reading = PLAIN
    as_read: Format | None = None
    parse: Parse | None = None
    render: Render | None = None

    @property
    def plain(self) -> Format:
        """The format without the columns that the user has named."""
        return self.as_read or self

    def with_reading(self, reading: Reading) -> Format:
        """Return this format for files whose columns the user names, or with strict tags.

        Raises:
            DataError: if the format has no columns.
        """
        reading = reading.over(self.reading)
        if reading == self.reading:
            return self
        if reading.columns and not self.has_columns:
            raise DataError(f"the format {self.name} has no columns to name")
        if self.reader is None:
            raise DataError(f"the format {self.name} has no tags to read strictly")
        columns = str(reading)
        records = self.records

        def renamed(path: Path) -> Iterator[tuple[int, Record]]:
            for number, record in records(path) if records is not None else ():
                try:
                    yield number, dict(reading.renamed(record))
                except DataError as error:
                    raise DataError.at(path, number, str(error)) from None

        return replace(
            self,
            name=f"{self.name.partition('(')[0]}({columns})" if columns else self.name,
            reading=reading,
            as_read=self.plain,
            read=self.reader(reading),
            records=renamed if records and reading.columns != self.reading.columns else records,
            parse=None,
        )


def utterance_in(item: Item) -> Utterance:
    """Return the utterance of a variant, or the utterance itself."""
    return item.utterance if isinstance(item, Variant) else item


def unique_rows(rows: Rows, unit: str = "line") -> Read:
    """Make a reader of rows with ids, which refuses an id that occurs twice.

    Only a fingerprint of each id is kept; an apparent duplicate is looked up in the file.
    """

    def read(path: Path, meter: Meter | None) -> Iterator[Utterance]:
        ids = Ids()
        for number, utterance in rows(path, meter):
            if not ids.add(utterance.id):
                refuse_double(rows, path, number, utterance.id, unit)
            yield utterance

    return read


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


def line_format(
    name: str,
    holds: str,
    suffixes: tuple[str, ...],
    parse: Parse,
    render: Render,
    *,
    has_ids: bool,
    **traits: Any,
) -> Format:
    """Make a format of one utterance per line; ``traits`` are further fields of the format."""
    read = line_reader(parse, has_ids=has_ids)
    writer = _line_writer(name, render)
    return Format(
        name,
        holds,
        suffixes,
        read,
        writer,
        has_ids=has_ids,
        parse=parse,
        render=render,
        **traits,
    )


def line_reader(parse: Parse, *, has_ids: bool) -> Read:
    """Make a reader of one utterance per line."""

    def read(path: Path, meter: Meter | None) -> Iterator[Utterance]:
        ids = Ids() if has_ids else None
        for number, utterance in parse_lines(parse, path, read_lines(path, meter)):
            if ids is not None and not ids.add(utterance.id):
                refuse_double(rows, path, number, utterance.id)
            yield utterance

    def rows(path: Path, meter: Meter | None) -> Iterator[Row]:
        for number, line in read_lines(path, meter):
            if (utterance := parse(number, line)) is not None:
                yield number, utterance

    return read


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


def _line_writer(name: str, render: Render) -> Callable[[Target], AbstractContextManager[Sink]]:
    @contextmanager
    def open_(target: Target) -> Iterator[Sink]:
        with whole_file(target.path, force=target.force) as file:
            yield lambda item: file.write(_encoded(name, render(item), item, target))

    return open_


def read_only(
    name: str, holds: str, suffixes: tuple[str, ...], read: Read, **traits: Any
) -> Format:
    """Make a format that is read, and not written; ``traits`` are further fields of the format."""

    def refuse(target: Target) -> AbstractContextManager[Sink]:
        raise OutputError(
            f"{target.path}: the format {name} is read, not written; write .jsonl or .trn"
        )

    return Format(name, holds, suffixes, read, refuse, streams=False, writes=False, **traits)
