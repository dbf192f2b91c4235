"""Tables with named columns as text: ``.csv``, ``.tsv``, and the PSST challenge's ``.tsv``."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec

from mondegreen.data.formats import Format, Item, Read, Row, Sink, Target, unique
from mondegreen.data.lines import LONGEST_LINE, Meter, read_lines
from mondegreen.data.output import whole_file
from mondegreen.data.records import ID_COLUMNS, TEXT_COLUMNS, record_of, utterance_of
from mondegreen.errors import DataError, MondegreenError, OutputError

Fields = tuple[int, list[str]]


def _csv_rows(path: Path, meter: Meter | None) -> Iterator[Fields]:
    csv.field_size_limit(LONGEST_LINE)
    lines = (line + "\n" for _, line in read_lines(path, meter))
    reader = csv.reader(lines, strict=True)
    try:
        for row in reader:
            if row:
                yield reader.line_num, row
    except csv.Error as error:
        raise DataError.at(path, reader.line_num, f"not CSV: {error}") from None


def _tsv_rows(path: Path, meter: Meter | None) -> Iterator[Fields]:
    for number, line in read_lines(path, meter):
        yield number, line.split("\t")


Records = Callable[[Path, Meter | None], Iterator[tuple[int, dict[str, Any]]]]


def _records(fields: Callable[[Path, Meter | None], Iterator[Fields]]) -> Records:
    def records(path: Path, meter: Meter | None = None) -> Iterator[tuple[int, dict[str, Any]]]:
        table = fields(path, meter)
        _, header = next(table, (1, [""]))
        _check_header(path, header)
        for number, row in table:
            if len(row) != len(header):
                raise DataError.at(
                    path, number, f"{len(row)} fields for the {len(header)} columns of the header"
                )
            yield number, _record(header, row)

    return records


def _reader(records: Records) -> Read:
    def rows(path: Path, meter: Meter | None) -> Iterator[Row]:
        for number, record in records(path, meter):
            try:
                yield number, utterance_of(record, str(number))
            except MondegreenError as error:
                raise DataError.at(path, number, str(error)) from None

    return unique(rows)


def _check_header(path: Path, header: list[str]) -> None:
    known = {"tokens", "prediction", "correctness", *TEXT_COLUMNS}
    if not known & set(header):
        raise DataError.at(
            path, 1, f"a header is expected with a column text or tokens, got: {', '.join(header)}"
        )
    doubles = {name for name in header if header.count(name) > 1}
    if doubles:
        raise DataError.at(path, 1, f"two columns are called {min(doubles)!r}; rename one")


def _record(header: list[str], row: list[str]) -> dict[str, Any]:
    record: dict[str, Any] = dict(zip(header, row, strict=True))
    for name in ("tokens", "tags"):
        if name in record:
            record[name] = record[name].split()
    if not set(header) & {"tokens", *TEXT_COLUMNS}:
        record["text"] = ""  # PSST's predictions and correctness: a label without words
    for name in (*ID_COLUMNS, "label", "intent"):
        if record.get(name) == "":
            del record[name]
    return record


def _fields(item: Item) -> dict[str, str]:
    """A record in which every column is text; lineage is left to JSONL and the ledger."""
    record = record_of(item)
    del record["tokens"]
    record.pop("parent", None)
    record.pop("edits", None)
    if "tags" in record:
        record["tags"] = " ".join(record["tags"])
    return {name: _field(value) for name, value in record.items()}


def _field(value: object) -> str:
    if value is None:
        return ""
    return value if isinstance(value, str) else msgspec.json.encode(value).decode()


def _psst_fields(item: Item) -> dict[str, str]:
    fields = _fields(item)
    said = {"utterance_id": fields["id"], "transcript": fields["text"]}
    return said | ({"correctness": fields["label"]} if "label" in fields else {})


def _writer(
    name: str, fields: Callable[[Item], dict[str, str]], join: Callable[[list[str]], str]
) -> Callable[..., Any]:
    @contextmanager
    def open_(target: Target) -> Iterator[Sink]:
        with whole_file(target.path, force=target.force) as file:
            header: list[str] = []

            def put(row: list[str]) -> None:
                file.write((join(row) + target.newline).encode())

            def write(item: Item) -> None:
                record = fields(item)
                if not header:
                    header.extend(record)
                    put(header)
                if list(record) != header:
                    raise OutputError(
                        f"{target.path}: utterance {next(iter(record.values()))!r} has the columns "
                        f"{', '.join(record)}, the first one {', '.join(header)}; {name} needs the "
                        "same for all: write .jsonl"
                    )
                put(list(record.values()))

            yield write

    return open_


def _join_csv(row: list[str]) -> str:
    buffer = io.StringIO()
    for field in row:
        if "\r\n" in field:  # reads back as one of them
            raise OutputError(f"{field!r:.60} holds a Windows line break; write .jsonl")
    csv.writer(buffer, lineterminator="\r\n").writerow(row)  # so that both get quoted
    return buffer.getvalue().removesuffix("\r\n")


def _join_tsv(row: list[str]) -> str:
    for field in row:
        if "\t" in field or "\n" in field or "\r" in field:
            raise OutputError(f"{field!r:.60} holds a tab or line break; write .csv or .jsonl")
    return "\t".join(row)


csv_records = _records(_csv_rows)
tsv_records = _records(_tsv_rows)

CSV = Format(
    "csv",
    "named columns, commas",
    (".csv",),
    _reader(csv_records),
    _writer("csv", _fields, _join_csv),
)
TSV = Format(
    "tsv",
    "named columns, tabs",
    (".tsv",),
    _reader(tsv_records),
    _writer("tsv", _fields, _join_tsv),
)
PSST = Format(
    "psst",
    "PSST: utterance_id, transcript or asr_transcript, prediction, correctness",
    (),
    _reader(tsv_records),
    _writer("psst", _psst_fields, _join_tsv),
)
