"""A JSON document that is a list of objects, with keys as in JSON lines."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from mondegreen.data.files.lines import Meter
from mondegreen.data.formats.documents import document_writer, examples, json_bytes, read_json
from mondegreen.data.formats.format import Format, Read
from mondegreen.data.layout import PLAIN, Reading, layout_of
from mondegreen.data.records import record_of, utterance_of
from mondegreen.errors import DataError
from mondegreen.types import Utterance


def _recognises(document: Any) -> bool:
    if not isinstance(document, list) or not document or not isinstance(document[0], Mapping):
        return False
    layout = layout_of(tuple(document[0]))
    return bool(layout.texts or layout.tokens or layout.annotated)


def _reader(reading: Reading) -> Read:
    def parse(document: Any, _: Path) -> Iterator[Utterance]:
        if not isinstance(document, list):
            raise DataError("a list of objects is expected")
        for number, record in enumerate(document, start=1):
            yield utterance_of(record, str(number), reading)

    def read(path: Path, meter: Meter | None) -> Iterator[Utterance]:
        ids: set[str] = set()
        for number, utterance in enumerate(examples(parse, read_json(path, meter), path), start=1):
            if utterance.id in ids:
                raise DataError(f"{path}, example {number}: the id {utterance.id!r} occurs twice")
            ids.add(utterance.id)
            yield utterance

    return read


def _records(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    document = read_json(path)
    for number, record in enumerate(document if isinstance(document, list) else (), start=1):
        if not isinstance(record, dict):
            raise DataError(f"{path}, example {number}: an object with named keys is expected")
        yield number, record


def _write(utterances: Sequence[Utterance], _: Path) -> bytes:
    return json_bytes([record_of(utterance) for utterance in utterances])


JSON = Format(
    "json",
    "a JSON list of objects, keys as in JSON lines",
    (".json",),
    _reader(PLAIN),
    document_writer(_write),
    reader=_reader,
    recognises=_recognises,
    records=_records,
    has_columns=True,
    keeps_answers=True,
)
