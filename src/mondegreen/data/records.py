"""From named columns to an utterance and back: shared by JSONL, CSV, TSV, Parquet and datasets."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from mondegreen.data.formats import Item, utterance_in
from mondegreen.errors import DataError
from mondegreen.types import Edit, Slot, Utterance, Variant, slots_of_tags

TEXT_COLUMNS = ("text", "asr_transcript", "transcript", "utterance", "sentence", "words")
ID_COLUMNS = ("id", "utterance_id")
LABEL_COLUMNS = ("label", "intent", "prediction", "correctness")
_OWN = frozenset((*TEXT_COLUMNS, *ID_COLUMNS, *LABEL_COLUMNS, "tokens", "tags", "slots"))
_LINEAGE = frozenset(("parent", "edits"))


class Columns(msgspec.Struct):
    """The columns that the toolkit reads, with their types."""

    tokens: list[str] | None = None
    tags: list[str] | None = None
    slots: list[Slot] | None = None


def utterance_of(record: Mapping[str, Any], default_id: str) -> Utterance:
    """Make an utterance from a record; columns that are not ours go along as ``extra``.

    >>> utterance_of({"text": "play jazz", "tags": ["O", "B-genre"], "speaker": "ann"}, "1").slots
    (Slot(label='genre', start=1, end=2),)

    Raises:
        DataError: if columns are missing, of the wrong type, or do not fit each other.
    """
    if not isinstance(record, Mapping):
        raise DataError(f"an object with named columns is expected, got {record!r:.60}")
    try:
        columns = msgspec.convert(record, Columns)
    except msgspec.ValidationError as error:
        raise DataError(f"{error}") from None
    text = _first(record, TEXT_COLUMNS)
    tokens = columns.tokens
    if tokens is not None and any(len(token.split()) != 1 for token in tokens):
        bad = next(token for token in tokens if len(token.split()) != 1)
        raise DataError(f"the token {bad!r} is empty or holds white space; split it")
    if text is None and tokens is None:
        raise DataError(
            f"neither text nor tokens; name a column text or tokens (there are: {_names(record)})"
        )
    if tokens is None and columns.tags is not None and text is not None:
        tokens = text.split()
    if tokens is not None and columns.tags is not None and len(tokens) != len(columns.tags):
        raise DataError(f"{len(columns.tags)} tags for {len(tokens)} tokens; give one a token")
    slots = slots_of_tags(columns.tags) if columns.tags is not None else columns.slots or ()
    return Utterance.of(
        _first(record, ID_COLUMNS) or default_id,
        " ".join(tokens or ()) if text is None else text,
        slots,
        _first(record, LABEL_COLUMNS),
        tokens=tokens,
        extra=tuple((k, v) for k, v in record.items() if k not in _OWN and k not in _LINEAGE),
    )


def _first(record: Mapping[str, Any], names: tuple[str, ...]) -> str | None:
    for name in names:
        value = record.get(name)  # null is as good as absent
        if isinstance(value, bool | int):
            return str(value)
        if isinstance(value, str):
            return value
        if value is not None:
            raise DataError(f"the column {name} must be text, got {value!r:.60}")
    return None


def _names(record: Mapping[str, Any]) -> str:
    return ", ".join(map(str, record)) or "none"


def record_of(item: Item) -> dict[str, Any]:
    """Make a record of an utterance or variant, with the columns that apply.

    >>> list(record_of(Utterance("u1", ("play", "jazz"), (), "play_music")))
    ['id', 'text', 'tokens', 'tags', 'label']
    """
    utterance = utterance_in(item)
    record: dict[str, Any] = {
        "id": utterance.id,
        "text": utterance.text,
        "tokens": utterance.tokens,
    }
    if utterance.slots or utterance.label is not None:
        record["tags"] = utterance.tags
    if utterance.label is not None:
        record["label"] = utterance.label
    if isinstance(item, Variant):
        record["parent"] = item.parent.id
        record["edits"] = [_edit_record(item.parent, edit) for edit in item.edits]
    record.update(utterance.extra)
    return record


def _edit_record(parent: Utterance, edit: Edit) -> dict[str, Any]:
    before = parent.tokens[edit.start : edit.end]
    return {**msgspec.structs.asdict(edit), "before": before}
