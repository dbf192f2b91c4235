"""Words with a tag each: marked by a column, by the edits of a perturbed set, or by a ledger."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from mondegreen.data import format_of
from mondegreen.data.columns import csv_records, tsv_records
from mondegreen.data.jsonl import json_records
from mondegreen.data.records import ID_COLUMNS, TEXT_COLUMNS
from mondegreen.errors import DataError
from mondegreen.language.segment import split
from mondegreen.ledger import Entry

FLUENT = "O"


class Tagged(NamedTuple):
    """An utterance's words and their tags."""

    id: str
    words: list[str]
    tags: list[str]
    columns: dict[str, Any]


def has_tags(path: Path, format: str | None = None) -> bool:
    """Tell whether a file has tags or edits: whether its first record does."""
    if format_of(path, format).name not in _RECORDS:
        return False
    _, record = next(_RECORDS[format_of(path, format).name](path))
    return "edits" in record or "tags" in record


def read_tagged(path: Path, format: str | None = None) -> Iterator[Tagged]:
    """Yield the words and tags of each record: of its edits, else of its column ``tags``.

    Raises:
        DataError: naming the file, the line, what is wrong and what to do.
    """
    seen: set[str] = set()
    for number, record in _RECORDS[format_of(path, format).name](path):
        try:
            found = _tagged(number, record)
        except DataError as error:
            raise DataError.at(path, number, str(error)) from None
        if found.id in seen:
            raise DataError.at(path, number, f"the id {found.id!r} stands twice")
        seen.add(found.id)
        yield found


class _Change(msgspec.Struct):
    start: int
    end: int
    tokens: list[str]
    kind: str = "edit"


class _Columns(msgspec.Struct):
    tokens: list[str] | None = None
    tags: list[str] | str | None = None
    edits: list[_Change] | None = None


def _tagged(number: int, record: dict[str, Any]) -> Tagged:
    try:
        columns = msgspec.convert(record, _Columns)
    except msgspec.ValidationError as error:
        raise DataError(str(error)) from None
    words = columns.tokens
    if words is None:
        text = next((record[n] for n in TEXT_COLUMNS if isinstance(record.get(n), str)), None)
        if text is None:
            raise DataError("neither text nor tokens nor words; name a column so")
        words = list(split(text)) if columns.edits is not None else text.split()
    if columns.edits is not None:
        tags = _edit_tags(columns.edits, words)
    else:
        tags = columns.tags.split() if isinstance(columns.tags, str) else columns.tags or []
        if any(tag[:2] in ("B-", "I-") for tag in tags):
            raise DataError(
                "the tags look like slots (B-, I-), not disfluencies; mark these by UPPERCASE, "
                "by tags such as RM and F, or name the --ledger of a perturbed set"
            )
    if len(tags) != len(words):
        raise DataError(f"{len(tags)} tags for {len(words)} words")
    id = next((str(record[n]) for n in ID_COLUMNS if record.get(n) is not None), str(number))
    return Tagged(id, words, tags, record)


_RECORDS: dict[str, Callable[[Path], Iterator[tuple[int, dict[str, Any]]]]] = {
    "jsonl": json_records,
    "csv": lambda path: csv_records(path, None),
    "tsv": lambda path: tsv_records(path, None),
}


def _edit_tags(edits: list[_Change], words: list[str]) -> list[str]:
    """The kind of the edit for a word that was put in; ``O`` for all others."""
    tags = [FLUENT] * len(words)
    shift = 0
    for edit in edits:
        start, new = edit.start + shift, len(edit.tokens)
        if edit.start == edit.end:
            tags[start : start + new] = [edit.kind] * new
        shift += new - (edit.end - edit.start)
    return tags


def ledger_tags(words: list[str], entries: list[Entry]) -> list[str]:
    """The kind of the entry for a word that was put in; ``O`` for all others."""
    tags = [FLUENT] * len(words)
    for entry in entries:
        if not entry.before:
            start, end = entry.target
            tags[start:end] = [entry.kind] * (end - start)
    return tags
