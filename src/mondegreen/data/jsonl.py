"""JSON lines: ``{"id", "text", "tokens", "tags", "label"}``, the keys that apply."""

from __future__ import annotations

import msgspec

from mondegreen.data.formats import Item, line_format
from mondegreen.data.records import record_of, utterance_of
from mondegreen.errors import DataError
from mondegreen.types import Utterance

_DECODER = msgspec.json.Decoder()
_ENCODER = msgspec.json.Encoder()


def _parse(number: int, line: str) -> Utterance:
    try:
        record = _DECODER.decode(line)
    except msgspec.DecodeError as error:
        raise DataError(f"not JSON: {error}; one object a line is expected") from None
    return utterance_of(record, str(number))


def _render(item: Item) -> str:
    return _ENCODER.encode(record_of(item)).decode()


JSONL = line_format(
    "jsonl",
    "JSON lines: id, text or tokens, tags or slots, label",
    (".jsonl", ".ndjson"),
    _parse,
    _render,
    has_ids=True,
)
