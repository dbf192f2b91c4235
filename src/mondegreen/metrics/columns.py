"""Reading transcripts from named columns: the PSST files, files of pairs; or as plain words are."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from mondegreen.data import format_of
from mondegreen.data.jsonl import json_records
from mondegreen.data.lines import read_lines
from mondegreen.data.records import ID_COLUMNS
from mondegreen.errors import DataError
from mondegreen.metrics.pairs import Transcripts, read_transcripts

REFERENCE = ("transcript", "reference", "ref", "text")
_TABLES = ("tsv", "csv", "psst", "jsonl")
HYPOTHESIS = ("asr_transcript", "hypothesis", "hyp", "prediction", "transcript", "text")


def read_side(path: Path, names: tuple[str, ...], format: str | None = None) -> Transcripts:
    """Read one of several columns of a table; of any other format, the texts.

    A ``.tsv`` or ``.csv`` file is a table even where its header is misspelt, so that this is told.

    Raises:
        DataError: naming the file, the line, what is wrong and what to do.
    """
    table = format is None and path.suffix in (".tsv", ".csv")
    if table or format_of(path, format).name in _TABLES:
        return read_columns(path, names, format)
    return read_transcripts(path, format)


def read_columns(path: Path, names: tuple[str, ...], format: str | None = None) -> Transcripts:
    """Read one of several columns, and the ids.

    Raises:
        DataError: if the column, an id, or a field is missing, or an id stands twice.
    """
    ids: dict[str, int] = {}
    texts, extra = [], []
    numbered = format_of(path, format).name == "jsonl"  # lines without ids go by their numbers
    for number, record in _records(path, format):
        name = next((name for name in names if name in record), None)
        if numbered and not any(key in record for key in ID_COLUMNS):
            record["id"] = number
        key = next((key for key in ID_COLUMNS if key in record), None)
        if name is None or key is None:
            missing = f"a column {' or '.join(names)}" if name is None else "a column utterance_id"
            there = ", ".join(map(str, record))
            raise DataError.at(path, number, f"{missing} is needed (there are: {there})")
        id = str(record[key])
        if id in ids:
            raise DataError.at(
                path, number, f"the id {id!r} stands twice (first on line {ids[id]})"
            )
        ids[id] = number
        value = record[name]
        texts.append(value if isinstance(value, str) else "" if value is None else str(value))
        extra.append(record)
    return Transcripts(path, has_ids=True, ids=list(ids), texts=texts, extra=extra)


def _records(path: Path, format: str | None) -> Iterator[tuple[int, dict[str, Any]]]:
    name = format_of(path, format).name
    if name == "jsonl":
        yield from json_records(path)
        return
    if name not in ("tsv", "csv", "psst", "kaldi", "txt"):
        raise DataError(f"{path}: named columns are needed: .tsv, .csv or .jsonl")
    separator = "," if path.suffix == ".csv" else "\t"
    lines = read_lines(path)
    _, first = next(lines)
    header = first.split(separator)
    for number, line in lines:
        fields = line.split(separator)
        if len(fields) != len(header):
            raise DataError.at(
                path, number, f"{len(fields)} fields for the {len(header)} columns of the header"
            )
        yield number, dict(zip(header, fields, strict=True))
