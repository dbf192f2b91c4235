"""JSON lines: ``{"id", "text", "tokens", "tags", "label"}``, the keys that apply."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec

from mondegreen.data.files.lines import read_lines
from mondegreen.data.formats.format import Item, LineFormat, utterance_in
from mondegreen.data.layout import PLAIN
from mondegreen.data.records import record_of, utterance_of
from mondegreen.errors import DataError, OutputError
from mondegreen.types import Utterance, slots_of_tags

_DECODER = msgspec.json.Decoder()
_ENCODER = msgspec.json.Encoder()


def json_records(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield the records of a file with the numbers of their lines.

    Raises:
        DataError: if a line is not an object.
    """
    for number, line in read_lines(path):
        yield number, json_record(path, number, line)


def json_record(path: Path, number: int, line: str) -> dict[str, Any]:
    """Return the record of a line of a file.

    Raises:
        DataError: if it is not an object.
    """
    try:
        record = decode_json(line)
    except DataError as error:
        raise DataError.at(path, number, str(error)) from None
    if not isinstance(record, dict):
        raise DataError.at(path, number, "an object with named columns is expected")
    return record


def decode_json(line: str) -> Any:
    """Return the value of a line of JSON.

    Raises:
        DataError: if it is not JSON.
    """
    try:
        return _DECODER.decode(line)
    except msgspec.DecodeError as error:
        raise DataError(f"not JSON: {error}; one object per line is expected") from None
    except RecursionError:
        raise DataError("nested too deeply to be an utterance") from None


class _Row(msgspec.Struct, forbid_unknown_fields=True, gc=False):
    """A line with the columns that this package writes, and no others."""

    id: str
    text: str
    tokens: tuple[str, ...] | None = None
    tags: list[str] | None = None
    label: str | None = None


_ROWS = msgspec.json.Decoder(_Row)


def json_line(item: Item) -> str:
    """Return an utterance or variant as a line of JSON.

    Raises:
        OutputError: if it holds half a character.
    """
    try:
        return _ENCODER.encode(record_of(item)).decode()
    except UnicodeEncodeError:
        raise OutputError(
            f"utterance {utterance_in(item).id!r} holds a lone surrogate, half of a "
            "character, which no UTF-8 file can keep"
        ) from None


class Jsonl(LineFormat):
    """JSON lines."""

    name = "jsonl"
    holds = "JSON lines: id, text or tokens, tags or slots, label"
    suffixes = (".jsonl", ".ndjson")
    shares_ending = True
    has_columns = True
    form = "json"
    keeps_answers = True
    records = staticmethod(json_records)
    render = staticmethod(json_line)

    def parse(self, number: int, line: str) -> Utterance:
        """Read an object: at once if it has only the columns of :class:`_Row`, as most have."""
        if self.reading is not PLAIN:
            return self.parse_any(number, line)
        try:
            row = _ROWS.decode(line)
        except (msgspec.DecodeError, RecursionError):
            return self.parse_any(number, line)
        tokens, tags, text = row.tokens, row.tags, row.text
        if tokens is None and tags is None and row.id:
            return Utterance.of(row.id, text, (), row.label)
        if tokens is not None and row.id and text == " ".join(tokens):
            whole = "" not in tokens and len(text.split()) == len(tokens)
            if whole and (tags is None or len(tags) == len(tokens)):
                return Utterance(row.id, tokens, slots_of_tags(tags) if tags else (), row.label)
        return self.parse_any(number, line)

    def parse_any(self, number: int, line: str) -> Utterance:
        """Read an object with any columns."""
        try:
            record = _DECODER.decode(line)
        except (msgspec.DecodeError, RecursionError):
            record = decode_json(line)  # says what is wrong
        return utterance_of(record, str(number), self.reading)

    def looks_like(self, lines: Sequence[str]) -> bool:
        """Return whether the first line is an object."""
        return lines[0].lstrip().startswith("{")


JSONL = Jsonl()
