"""From named columns to an utterance and back: shared by JSONL, CSV, TSV, Parquet and datasets."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any, NamedTuple

import msgspec

from mondegreen.data.formats import Item
from mondegreen.errors import DataError
from mondegreen.types import Slot, Utterance, Variant, slots_of_tags

TEXT_COLUMNS = ("text", "asr_transcript", "transcript", "utterance", "sentence", "words")
ID_COLUMNS = ("id", "utterance_id")
LABEL_COLUMNS = ("label", "intent", "prediction", "correctness")
_OWN = frozenset((*TEXT_COLUMNS, *ID_COLUMNS, *LABEL_COLUMNS, "tokens", "tags", "slots"))
_LINEAGE = frozenset(("parent", "edits"))


class Layout(NamedTuple):
    """Which columns of a record hold what; of several, the first that is not null counts."""

    ids: tuple[str, ...]
    texts: tuple[str, ...]
    labels: tuple[str, ...]
    extra: tuple[str, ...]


@lru_cache(maxsize=256)
def layout_of(columns: tuple[str, ...]) -> Layout:
    """Return which columns hold what, given the names of all columns.

    >>> layout_of(("sentence", "speaker", "intent"))
    Layout(ids=(), texts=('sentence',), labels=('intent',), extra=('speaker',))
    """
    return Layout(
        tuple(name for name in ID_COLUMNS if name in columns),
        tuple(name for name in TEXT_COLUMNS if name in columns),
        tuple(name for name in LABEL_COLUMNS if name in columns),
        tuple(name for name in columns if name not in _OWN and name not in _LINEAGE),
    )


class Columns(msgspec.Struct):
    """The columns that are lists, with their types."""

    tokens: list[str] | None = None
    tags: list[str] | None = None
    slots: list[Slot] | None = None


def utterance_of(record: Mapping[str, Any], default_id: str) -> Utterance:
    """Make an utterance from a record; other columns are carried along as ``extra``.

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
    layout = layout_of(tuple(record))
    text = _text_in(record, layout.texts) if layout.texts else None
    tokens, tags = columns.tokens, columns.tags
    if tokens is None:
        if text is None:
            raise DataError(f"there is no column text or tokens (the columns: {_names(record)})")
        if tags is not None:
            tokens = text.split()
    elif "" in tokens or len(" ".join(tokens).split()) != len(tokens):
        bad = next(token for token in tokens if len(token.split()) != 1)
        raise DataError(f"the token {bad!r} is empty or holds white space; split it")
    if tokens is not None and tags is not None and len(tokens) != len(tags):
        raise DataError(f"{len(tags)} tags for {len(tokens)} tokens; give one per token")
    slots = slots_of_tags(tags) if tags is not None else tuple(columns.slots or ())
    id = (_text_in(record, layout.ids) if layout.ids else None) or default_id
    label = _text_in(record, layout.labels) if layout.labels else None
    extra = tuple([(name, record[name]) for name in layout.extra]) if layout.extra else ()
    if tokens is not None and (text is None or text == " ".join(tokens)):
        return Utterance(id, tuple(tokens), slots, label, None, extra)
    return Utterance.of(id, text or "", slots, label, tokens=tokens, extra=extra)


def _text_in(record: Mapping[str, Any], names: tuple[str, ...]) -> str | None:
    """Return the first value that is not null, as text."""
    for name in names:
        value = record[name]
        if isinstance(value, str):
            return value
        if isinstance(value, bool | int):
            return str(value)
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
    utterance = item.utterance if isinstance(item, Variant) else item
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
        edits = record["edits"] = []
        for edit in item.edits:
            before = item.parent.tokens[edit.start : edit.end]
            edits.append({**msgspec.structs.asdict(edit), "before": before})
    if utterance.extra:
        record.update(utterance.extra)
    return record
