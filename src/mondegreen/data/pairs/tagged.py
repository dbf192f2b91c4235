"""Words with a fluency tag each: from a column, or from the edits of a perturbed set."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import msgspec

from mondegreen.data import format_of
from mondegreen.data.formats.format import Record, double_id
from mondegreen.data.layout import ID_COLUMNS, TEXT_COLUMNS
from mondegreen.errors import DataError
from mondegreen.text.segment import split

FLUENT = "O"


class Tagged(NamedTuple):
    """An utterance's words, their tags, and the columns of its record."""

    id: str
    words: list[str]
    tags: list[str]
    columns: Record


def has_tags(path: Path, format: str | None = None) -> bool:
    """Return whether the first record of a file has tags or edits."""
    records = format_of(path, format).records
    if records is None:
        return False
    _, record = next(records(path))
    return "edits" in record or "tags" in record


def read_tagged(path: Path, format: str | None = None) -> Iterator[Tagged]:
    """Yield the words and tags of each record: from its edits, else from its column ``tags``.

    Raises:
        DataError: naming the file, the line, what is wrong and what to do.
    """
    records = format_of(path, format).records
    if records is None:
        raise DataError(f"{path}: a table with named columns is needed: .tsv, .csv or .jsonl")
    seen: set[str] = set()
    for number, record in records(path):
        try:
            found = _tagged(number, record)
        except DataError as error:
            raise DataError.at(path, number, str(error)) from None
        if found.id in seen:
            raise double_id(path, number, found.id)
        seen.add(found.id)
        yield found


class _TagChange(msgspec.Struct):
    start: int
    end: int
    tokens: list[str]
    kind: str = "edit"


class _Columns(msgspec.Struct):
    tokens: list[str] | str | None = None
    tags: list[str] | str | None = None
    edits: list[_TagChange] | None = None


def _tagged(number: int, record: Record) -> Tagged:
    try:
        columns = msgspec.convert(record, _Columns)
    except msgspec.ValidationError as error:
        raise DataError(str(error)) from None
    words = columns.tokens.split() if isinstance(columns.tokens, str) else columns.tokens
    if words is None:
        text = next((record[n] for n in TEXT_COLUMNS if isinstance(record.get(n), str)), None)
        if text is None:
            raise DataError("there is no column text, tokens or words")
        words = list(split(text)) if columns.edits is not None else text.split()
    if columns.edits is not None:
        tags = _edit_tags(columns.edits, words)
    else:
        tags = columns.tags.split() if isinstance(columns.tags, str) else columns.tags or []
        if any(tag[:2] in ("B-", "I-") for tag in tags):
            raise DataError(
                "the tags look like slots (B-, I-), not disfluencies; mark disfluent words by "
                "UPPERCASE, by tags such as RM and F, or name the --ledger of a perturbed set"
            )
    if len(tags) != len(words):
        raise DataError(f"{len(tags)} tags for {len(words)} words")
    id = next((str(record[n]) for n in ID_COLUMNS if record.get(n) is not None), str(number))
    return Tagged(id, words, tags, record)


def _edit_tags(edits: list[_TagChange], words: list[str]) -> list[str]:
    """Return the kind of the edit for each inserted word, and ``O`` for all others."""
    tags = [FLUENT] * len(words)
    shift = 0
    for edit in edits:
        start, new = edit.start + shift, len(edit.tokens)
        if edit.start == edit.end:
            tags[start : start + new] = [edit.kind] * new
        shift += new - (edit.end - edit.start)
    return tags
