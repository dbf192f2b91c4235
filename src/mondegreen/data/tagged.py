"""Words with a tag each: marked by a column, by the edits of a perturbed set, or by a ledger."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from mondegreen.data import format_of
from mondegreen.data.columns import csv_records, tsv_records
from mondegreen.data.jsonl import json_records
from mondegreen.data.records import ID_COLUMNS, TEXT_COLUMNS
from mondegreen.errors import DataError
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
    for number, record in _RECORDS[format_of(path, format).name](path):
        words = _words(record)
        if words is None:
            raise DataError.at(path, number, "neither text nor tokens nor words; name a column so")
        tags = _edit_tags(record, words) if "edits" in record else _tags(record)
        if len(tags) != len(words):
            raise DataError.at(path, number, f"{len(tags)} tags for {len(words)} words")
        id = next((str(record[name]) for name in ID_COLUMNS if name in record), str(number))
        yield Tagged(id, words, tags, record)


_RECORDS: dict[str, Callable[[Path], Iterator[tuple[int, dict[str, Any]]]]] = {
    "jsonl": json_records,
    "csv": lambda path: csv_records(path, None),
    "tsv": lambda path: tsv_records(path, None),
}


def _words(record: Mapping[str, Any]) -> list[str] | None:
    if "tokens" in record:
        return list(record["tokens"])
    text = next((record[name] for name in TEXT_COLUMNS if name in record), None)
    return text.split() if isinstance(text, str) else None


def _tags(record: Mapping[str, Any]) -> list[str]:
    tags = record.get("tags", [])
    return tags.split() if isinstance(tags, str) else list(tags)


def _edit_tags(record: Mapping[str, Any], words: list[str]) -> list[str]:
    """The kind of the edit for a word that was put in; ``O`` for all others."""
    tags = [FLUENT] * len(words)
    shift = 0
    for edit in record["edits"]:
        start, new = edit["start"] + shift, len(edit["tokens"])
        if edit["start"] == edit["end"]:
            tags[start : start + new] = [edit["kind"]] * new
        shift += new - (edit["end"] - edit["start"])
    return tags


def ledger_tags(words: list[str], entries: list[Entry]) -> list[str]:
    """The kind of the entry for a word that was put in; ``O`` for all others."""
    tags = [FLUENT] * len(words)
    for entry in entries:
        if not entry.before:
            start, end = entry.target
            tags[start:end] = [entry.kind] * (end - start)
    return tags
