"""A format: ``id;text`` per line."""

from __future__ import annotations

from mondegreen import Utterance
from mondegreen.data.formats.format import Item, line_format, utterance_in
from mondegreen.errors import DataError


def _parse(_number: int, line: str) -> Utterance:
    id, semicolon, text = line.partition(";")
    if not semicolon:
        raise DataError("an id and a text with a semicolon between them are expected")
    return Utterance.of(id, text)


def _render(item: Item) -> str:
    utterance = utterance_in(item)
    return f"{utterance.id};{utterance.text}"


SEMICOLONS = line_format(
    "semicolons", "the id, a semicolon, the text", (".semi",), _parse, _render, has_ids=True
)
