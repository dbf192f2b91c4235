"""A JSON document that is a list of objects, with keys as in JSON lines."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from mondegreen.data.formats.documents import DocumentFormat, read_json
from mondegreen.data.formats.format import Record
from mondegreen.data.layout import layout_of
from mondegreen.data.records import record_of, utterance_of
from mondegreen.errors import DataError
from mondegreen.types import Utterance


class JsonList(DocumentFormat):
    """A list of objects in one JSON document."""

    name = "json"
    holds = "a JSON list of objects, keys as in JSON lines"
    suffixes = (".json",)
    shares_ending = True
    has_ids = True
    has_columns = True
    keeps_answers = True

    def recognises(self, document: Any) -> bool:
        """Return whether the first object has words."""
        if not isinstance(document, list) or not document or not isinstance(document[0], Mapping):
            return False
        layout = layout_of(tuple(document[0]))
        return bool(layout.texts or layout.tokens or layout.annotated)

    def examples(self, document: Any, path: Path) -> Iterator[Utterance]:  # noqa: ARG002
        """Yield the utterances of a document."""
        if not isinstance(document, list):
            raise DataError("a list of objects is expected")
        for number, record in enumerate(document, start=1):
            yield utterance_of(record, str(number), self.reading)

    def document(self, utterances: Sequence[Utterance]) -> Any:
        """Return the document of utterances."""
        return [record_of(utterance) for utterance in utterances]

    def records(self, path: Path) -> Iterator[tuple[int, Record]]:
        """Yield the objects."""
        document = read_json(path)
        for number, record in enumerate(document if isinstance(document, list) else (), start=1):
            if not isinstance(record, dict):
                raise DataError(f"{path}, example {number}: an object with named keys is expected")
            yield number, record


JSON = JsonList()
