"""Predictions that were made before, read from a file of JSON lines."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from mondegreen.data.answers.calls import KEYS
from mondegreen.data.answers.predictions import prediction_of, unread
from mondegreen.data.files.hashing import hash_of
from mondegreen.data.formats.jsonl import json_records
from mondegreen.data.layout import ENTITY_COLUMNS, LABEL_COLUMNS
from mondegreen.errors import DataError, ModelError
from mondegreen.models.protocol import Model
from mondegreen.types import Prediction, Utterance

Record = dict[str, Any]
_ANSWER = frozenset(
    ("tags", "slots", "values", "scores", "content", *KEYS, *LABEL_COLUMNS, *ENTITY_COLUMNS)
)


class PredictionsFile(Model):
    """Looks up predictions by set and id, by text, or by id alone.

    A line is ``{"set", "id", "text", "tags" | "slots", "label", "scores"}``. Its ``id`` with its
    ``set``, its ``id`` alone, or its ``text`` identifies the utterance. An id with two different
    predictions, as in the severity sets of a suite, needs its set.
    """

    def __init__(
        self, path: Path, records: dict[str, Record | None], sha: str, ignored: frozenset[str]
    ) -> None:
        self.path = path
        self.records = records
        self.signature = f"predictions|sha:{sha[:16]}"
        self.unread = ignored

    @classmethod
    def read(cls, path: Path) -> PredictionsFile:
        """Read a file of predictions.

        Raises:
            DataError: naming the line that is not a prediction.
        """
        sha = hash_of(path)
        records: dict[str, Record | None] = {}
        ignored: frozenset[str] = frozenset()
        for number, record in json_records(path):
            answer = {k: v for k, v in record.items() if k in _ANSWER}
            ignored |= unread(record)
            keys = _keys(record)
            if not keys or not answer:
                raise DataError.at(
                    path,
                    number,
                    "a prediction needs an id or a text, and tags, slots, entities, values, calls "
                    "or a label",
                )
            for key in keys:
                known = records.setdefault(key, answer)
                if known != answer:
                    records[key] = None
        return cls(path, records, sha, ignored)

    def predict(self, batch: Sequence[Utterance]) -> list[Prediction]:
        """Return the prediction of each utterance in the file.

        Raises:
            ModelError: naming the utterance that is not in the file, or that has several answers.
        """
        return [prediction_of(self._record(utterance), utterance) for utterance in batch]

    def _record(self, utterance: Utterance) -> Record:
        keys = [_ID + utterance.id, _TEXT + utterance.text]
        set_name = dict(utterance.extra).get("set")
        if set_name is not None:
            keys.append(_ID + utterance.id.removeprefix(f"{set_name}/"))
        for key in keys:
            found = self.records.get(key, _MISSING)
            if found is None:
                raise ModelError(
                    f"utterance {utterance.id!r}: {self.path} has several answers for "
                    f'{key[1:]!r}; add the set to each line: {{"set": …, "id": …}}'
                )
            if found is not _MISSING:
                return found
        raise ModelError(f"utterance {utterance.id!r}: {self.path} has no prediction for it")


_ID, _TEXT = "i", "t"
_MISSING: Record = {}


def _keys(record: Record) -> list[str]:
    keys = []
    if record.get("id") is not None:
        place = f"{record['set']}/" if record.get("set") is not None else ""
        keys.append(f"{_ID}{place}{record['id']}")
    if isinstance(record.get("text"), str):
        keys.append(_TEXT + record["text"])
    return keys
