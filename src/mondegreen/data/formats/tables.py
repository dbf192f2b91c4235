"""Tables with named columns as text: ``.csv``, ``.tsv``, and the PSST challenge's ``.tsv``."""

from __future__ import annotations

import ast
import csv
import io
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import Any

import msgspec

from mondegreen.data.files.lines import LONGEST_LINE, Meter, read_lines
from mondegreen.data.files.output import whole_file
from mondegreen.data.formats.format import (
    Format,
    Item,
    Record,
    Row,
    Sink,
    Target,
)
from mondegreen.data.layout import ReadOptions, layout_of
from mondegreen.data.records import record_of, utterance_of
from mondegreen.data.states import COLUMNS as STATE_COLUMNS
from mondegreen.errors import DataError, MondegreenError, OutputError
from mondegreen.text.patterns import lazy_pattern
from mondegreen.types import Variant

Fields = tuple[int, list[str]]
_PSST = frozenset(("asr_transcript", "transcript", "prediction", "correctness"))
_SIDES = (frozenset(("ref", "reference")), frozenset(("hyp", "hypothesis")))
_SEPARATORS = ",;|\t"
_QUOTED = lazy_pattern(r'"[^"]*"')


def _csv_rows(path: Path, meter: Meter | None) -> Iterator[Fields]:
    csv.field_size_limit(LONGEST_LINE)
    pending: list[str] = []  # the lines of the row that is being read

    def lines() -> Iterator[str]:
        for _, line in read_lines(path, meter):
            pending.append(line)
            yield line + "\n"

    coming = lines()
    header = next(coming)
    reader = csv.reader(chain((header,), coming), strict=True, delimiter=_separator(header))
    try:
        for row in reader:
            pending.clear()
            if row:
                yield reader.line_num, row
    except csv.Error as error:
        opened = _open_quote(pending)
        if opened is None:
            raise DataError.at(path, reader.line_num, f"not CSV: {error}") from None
        number = reader.line_num - len(pending) + 1 + opened
        raise DataError.at(path, number, "a quote opens here and is not closed") from None


def _open_quote(lines: Sequence[str]) -> int | None:
    """Return the line with the quote that is still open after the last one; ``None`` if none.

    >>> _open_quote(['u1,"play', 'jazz"', 'u2,"stop', "u3,go"])
    2
    """
    opened = None
    for number, line in enumerate(lines):
        for _ in range(line.count('"')):
            opened = number if opened is None else None
    return opened


def _separator(header: str) -> str:
    """Return what separates columns: a comma or, as in Excel's files of many countries, another.

    >>> _separator("id;text;label"), _separator("text")
    (';', ',')
    """
    return max(_SEPARATORS, key=_QUOTED.sub("", header).count)


def _tsv_rows(path: Path, meter: Meter | None) -> Iterator[Fields]:
    for number, line in read_lines(path, meter):
        yield number, line.split("\t")


RowsOf = Callable[[Path, Meter | None], Iterator[Fields]]


def _records(
    rows_of: RowsOf, path: Path, meter: Meter | None = None, reading: ReadOptions | None = None
) -> Iterator[tuple[int, Record]]:
    """Yield the rows by their columns; to read utterances, one of the columns must hold words."""
    table = rows_of(path, meter)
    _, header = next(table, (1, [""]))
    if reading is not None:
        _check_header(path, header, reading)
    doubles = {name for name, times in Counter(header).items() if times > 1}
    if doubles:
        raise DataError.at(path, 1, f"two columns are named {min(doubles)!r}; rename one")
    for number, row in table:
        if len(row) != len(header):
            raise DataError.at(
                path, number, f"{len(row)} fields for the {len(header)} columns of the header"
            )
        yield number, dict(zip(header, row, strict=True))


def _check_header(path: Path, header: list[str], reading: ReadOptions) -> None:
    try:
        names = tuple(reading.renamed(dict.fromkeys(header)))
    except DataError as error:
        raise DataError.at(path, 1, str(error)) from None
    layout = layout_of(names)
    if not (layout.texts or layout.tokens or layout.annotated or _PSST & set(names)):
        raise DataError.at(
            path,
            1,
            f"the header needs a column text or tokens, got: {', '.join(header)}; name the column "
            "of the text: --map text=COLUMN",
        )


def _typed(record: Record) -> Record:
    """Split the columns that are lists; make ids and labels that are empty null."""
    layout = layout_of(tuple(record))
    for name in (*layout.tokens, *layout.tags):
        if isinstance(record[name], str):
            record[name] = _list_in(record[name])
    for name in (*layout.slots, *layout.entities, *layout.values):
        record[name] = _json_in(name, record[name])
    for name in (*layout.ids, *layout.labels):
        record[name] = record[name] or None
    if not layout.texts and not layout.tokens and record.keys() & _PSST:
        record["text"] = ""  # PSST's predictions and correctness: a label without words
    return record


def _list_in(field: str) -> list[str]:
    """Read a list: words with spaces between, or as Python and JSON write lists.

    >>> _list_in("O B-genre"), _list_in("['O', 'B-genre']")
    (['O', 'B-genre'], ['O', 'B-genre'])
    """
    if field.startswith("[") and field.endswith("]"):
        try:
            found = ast.literal_eval(field)
        except (ValueError, SyntaxError, MemoryError, RecursionError):
            return field.split()
        return list(found)
    return field.split()


def _json_in(name: str, field: str) -> Any:
    try:
        return msgspec.json.decode(field) if field else None
    except (msgspec.DecodeError, RecursionError):
        raise DataError(
            f'the column {name} must be JSON, such as [[5, 9, "genre"]]; got {field!r:.60}'
        ) from None


def _fields(item: Item) -> dict[str, str]:
    """Return a record in which every column is text; edits are left to JSONL and the ledger."""
    record = record_of(item)
    del record["tokens"]
    for name in ("parent", "edits", *STATE_COLUMNS):
        record.pop(name, None)
    if "tags" in record:
        record["tags"] = " ".join(record["tags"])
        if isinstance(item, Variant):  # every row needs the same columns
            record = _with_values(record)
    return {name: _field(value) for name, value in record.items()}


def _with_values(record: Record) -> Record:
    values = record.pop("values", None)
    at = list(record).index("tags") + 1
    items = list(record.items())
    return dict([*items[:at], ("values", values), *items[at:]])


def _field(value: object) -> str:
    if value is None:
        return ""
    return value if isinstance(value, str) else msgspec.json.encode(value).decode()


def _join_csv(row: list[str]) -> str:
    buffer = io.StringIO()
    for field in row:
        if "\r\n" in field:  # would be read back as \n
            raise OutputError(f"{field!r:.60} holds a Windows line break; write .jsonl")
    csv.writer(buffer, lineterminator="\r\n").writerow(row)  # so that \r and \n get quoted
    return buffer.getvalue().removesuffix("\r\n")


def _join_tsv(row: list[str]) -> str:
    for field in row:
        if "\t" in field or "\n" in field or "\r" in field:
            raise OutputError(f"{field!r:.60} holds a tab or line break; write .csv or .jsonl")
    return "\t".join(row)


class _TableFormat(Format):
    """A table with named columns: defines how a file is read as fields, and a row written."""

    has_columns = True

    def fields(self, path: Path, meter: Meter | None) -> Iterator[Fields]:
        """Yield the fields of each row, the header first, with the number of its last line."""
        raise NotImplementedError

    def line(self, row: list[str]) -> str:
        """Return a row as a line."""
        raise NotImplementedError

    def columns(self, item: Item) -> dict[str, str]:
        """Return the columns of an utterance."""
        return _fields(item)

    def records(self, path: Path) -> Iterator[tuple[int, Record]]:
        """Yield the rows by their columns.

        Raises:
            DataError: naming the line that does not fit the header.
        """
        return _records(self.fields, path)

    def rows(self, path: Path, meter: Meter | None) -> Iterator[Row]:
        """Yield the utterances of the rows."""
        reading = self.reading
        tags_only = replace(reading, columns=(), classes=())
        for number, record in _records(self.fields, path, meter, reading):
            try:
                typed = _typed(dict(reading.renamed(record)))
                yield number, utterance_of(typed, str(number), tags_only)
            except MondegreenError as error:
                raise DataError.at(path, number, str(error)) from None

    @contextmanager
    def open(self, target: Target) -> Iterator[Sink]:
        """Open a file; the first utterance says which columns there are."""
        with whole_file(target.path, force=target.force) as file:
            header: list[str] = []

            def put(row: list[str]) -> None:
                file.write((self.line(row) + target.newline).encode())

            def write(item: Item) -> None:
                record = self.columns(item)
                if not header:
                    header.extend(record)
                    put(header)
                if list(record) != header:
                    raise OutputError(
                        f"{target.path}: utterance {next(iter(record.values()))!r} has the columns "
                        f"{', '.join(record)}, the first one {', '.join(header)}; {self.name} "
                        "needs the same for all: write .jsonl"
                    )
                put(list(record.values()))

            yield write

    def separator(self, header: str) -> str:
        """Return what separates the columns of a header."""
        raise NotImplementedError

    def looks_like(self, lines: Sequence[str]) -> bool:
        """Return whether the first line names a column of words and another one."""
        header = tuple(lines[0].split(self.separator(lines[0])))
        layout = layout_of(header)
        if all(not sides.isdisjoint(header) for sides in _SIDES):
            return True  # references and hypotheses side by side
        return bool(layout.texts or layout.tokens) and (len(header) > 1 or bool(layout.ids))


class Csv(_TableFormat):
    """Comma-separated values."""

    name = "csv"
    holds = "a table with named columns, separated by commas"
    suffixes = (".csv",)
    fields = staticmethod(_csv_rows)
    line = staticmethod(_join_csv)
    separator = staticmethod(_separator)


class Tsv(_TableFormat):
    """Tab-separated values."""

    name = "tsv"
    holds = "a table with named columns, separated by tabs"
    suffixes: tuple[str, ...] = (".tsv",)
    shares_ending = True
    fields = staticmethod(_tsv_rows)
    line = staticmethod(_join_tsv)

    def separator(self, header: str) -> str:  # noqa: ARG002
        """Return a tab."""
        return "\t"


class Psst(Tsv):
    """The PSST challenge's table."""

    name = "psst"
    holds = (
        "the PSST challenge's table: utterance_id, transcript or asr_transcript, prediction, "
        "correctness"
    )
    suffixes = ()

    def columns(self, item: Item) -> dict[str, str]:
        """Return the columns of the challenge."""
        fields = super().columns(item)
        kept = {"utterance_id": fields["id"], "transcript": fields["text"]}
        return kept | ({"correctness": fields["label"]} if "label" in fields else {})

    def looks_like(self, lines: Sequence[str]) -> bool:
        """Return whether the header has the columns of the challenge."""
        header = set(lines[0].split("\t"))
        return "utterance_id" in header and bool(header & _PSST)


CSV, TSV, PSST = Csv(), Tsv(), Psst()
