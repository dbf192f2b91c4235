"""From named columns to an utterance and back: shared by JSONL, CSV, TSV, Parquet and datasets."""

from __future__ import annotations

import math
import warnings
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import msgspec

from mondegreen.data.answers.conversations import check_messages, messages_of
from mondegreen.data.formats.format import Item
from mondegreen.data.formats.offsets import (
    Span,
    parse_brackets,
    place_spans,
    spans_in,
    utterance_of_spans,
)
from mondegreen.data.layout import PLAIN, Layout, ReadOptions, layout_of, warn_unread
from mondegreen.data.states import state_columns
from mondegreen.errors import DataError
from mondegreen.types import Slot, Utterance, Variant


class ListColumns(msgspec.Struct):
    """The columns that are lists, with their types."""

    tokens: list[str] | None = None
    tags: list[str] | None = None
    slots: list[Slot] | None = None
    values: dict[str, list[str] | None] | list[tuple[str, list[str]]] | None = None


def utterance_of(
    record: Mapping[str, Any], default_id: str, reading: ReadOptions = PLAIN
) -> Utterance:
    """Make an utterance from a record; other columns are carried along as ``extra``.

    >>> utterance_of({"text": "play jazz", "tags": ["O", "B-genre"], "speaker": "ann"}, "1").slots
    (Slot(label='genre', start=1, end=2),)

    Raises:
        DataError: if columns are missing, of the wrong type, or do not fit each other.
    """
    if not isinstance(record, Mapping):
        raise DataError(f"an object with named columns is expected, got {record!r:.60}")
    record = reading.renamed(record)
    layout = layout_of(tuple(record))
    if layout.unread and (unread := [one for one in layout.unread if one not in reading.other]):
        warn_unread(unread)
    columns = _columns(record, layout)
    text = _text_in(record, _texts(record, layout)) if layout.texts else None
    id = (_text_in(record, layout.ids) if layout.ids else None) or default_id
    label = _label(record, layout) if layout.labels else None
    extra = tuple([(name, record[name]) for name in layout.extra]) if layout.extra else ()
    if "messages" in layout.extra:
        check_messages(record["messages"], record.get("turn"))
    tags = columns.tags
    if tags is None and columns.tokens is None and columns.slots is None:
        spans = _spans(record, layout, text)
        if spans is not None:
            return utterance_of_spans(id, *spans, label, extra)
    tokens = columns.tokens
    if tokens is not None:
        _check_tokens(tokens)
    elif text is None:
        raise DataError(_no_text(record, layout))
    elif tags is not None:
        tokens = text.split()
    if tokens is not None and tags is not None and len(tokens) != len(tags):
        raise DataError(f"{len(tags)} tags for {len(tokens)} tokens; give one per token")
    slots = reading.read_tags(tags) if tags is not None else tuple(columns.slots or ())
    values = {label: found for label, found in dict(columns.values or {}).items() if found}
    return _utterance(id, text, tokens, slots, label, extra, values)


def _check_tokens(tokens: list[str]) -> None:
    if "" in tokens or len(" ".join(tokens).split()) != len(tokens):
        bad = next(token for token in tokens if len(token.split()) != 1)
        raise DataError(f"the token {bad!r} is empty or holds white space; split it")


def _utterance(
    id: str,
    text: str | None,
    tokens: list[str] | None,
    slots: tuple[Slot, ...],
    label: str | None,
    extra: tuple[tuple[str, object], ...],
    values: dict[str, list[str]],
) -> Utterance:
    if tokens is not None and (text is None or text == " ".join(tokens)):
        utterance = Utterance(id, tuple(tokens), slots, label, None, extra)
    else:
        utterance = Utterance.of(id, text or "", slots, label, tokens=tokens, extra=extra)
    return with_values(utterance, values) if values else utterance


def _columns(record: Mapping[str, Any], layout: Layout) -> ListColumns:
    """Return the columns that are lists, whatever they are called."""
    found = {
        role: _first(record, names)
        for role, names in (
            ("tokens", _token_columns(record, layout)),
            ("tags", layout.tags),
            ("slots", layout.slots),
            ("values", layout.values),
        )
        if names
    }
    if isinstance(found.get("slots"), Mapping):
        found["slots"] = None  # by characters: see _spans
    if _is_rows(found.get("values")):
        found["values"] = {one.get("label"): one.get("values") for one in found["values"]}
    try:
        return msgspec.convert(found, ListColumns)
    except msgspec.ValidationError as error:
        tags = found.get("tags")
        if isinstance(tags, list) and any(isinstance(tag, int) for tag in tags):
            raise DataError(
                f"the column {layout.tags[0]} has numbers without names, such as {tags[:5]}; name "
                f"them in order: --map 'tags={layout.tags[0]}:O|B-city|I-city|…', or read the "
                "dataset itself or its Parquet file, which keep the names"
            ) from None
        raise DataError(
            f"{error}; the nearest layout is JSON lines: text or tokens, tags (one per token) "
            'or slots ([{"label": "genre", "start": 1, "end": 2}], by tokens) or entities (the '
            "same by characters), label"
        ) from None


def _is_rows(values: object) -> bool:
    """Return whether values are rows of labels and values, as a Parquet file has them."""
    return isinstance(values, list) and any(isinstance(one, Mapping) for one in values)


def _first(record: Mapping[str, Any], names: tuple[str, ...]) -> Any:
    return next((record[name] for name in names if record[name] is not None), None)


def _token_columns(record: Mapping[str, Any], layout: Layout) -> tuple[str, ...]:
    """Return the columns of tokens; a list under the name of a text is one, too."""
    if layout.tokens:
        return layout.tokens
    return tuple(name for name in layout.texts if isinstance(record[name], list))


def _texts(record: Mapping[str, Any], layout: Layout) -> tuple[str, ...]:
    return tuple(name for name in layout.texts if not isinstance(record[name], list))


def _spans(
    record: Mapping[str, Any], layout: Layout, text: str | None
) -> tuple[str, list[Span]] | None:
    """Return the text with its entities by characters; ``None`` if the record has none."""
    entities = _first(record, layout.entities)
    slots = _first(record, layout.slots)
    if entities is None and isinstance(slots, Mapping):
        entities = list(_named_spans(slots))
    if entities is None:  # doccano: [[0, 4, "city"]] under label
        entities = next((record[n] for n in layout.labels if _is_triples(record[n])), None)
    if entities is not None:
        if text is None:
            raise DataError(_no_text(record, layout))
        if not isinstance(entities, Sequence) or isinstance(entities, str):
            raise DataError(f"the entities must be a list, got {entities!r:.60}")
        return text, spans_in(text, entities)
    annotated = _first(record, layout.annotated)
    if isinstance(annotated, str):
        plain, spans = parse_brackets(annotated)
        return (plain, spans) if text is None else (text, place_spans(plain, text, spans))
    return None


def _named_spans(slots: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield the slots of NLU++: ``{"time": {"text": "today", "span": [0, 5], "value": …}}``."""
    for label, found in slots.items():
        for one in found if isinstance(found, list) else [found]:
            span = one.get("span") if isinstance(one, Mapping) else None
            if not isinstance(span, Sequence) or len(span) != 2:  # noqa: PLR2004 (start and end)
                raise DataError(
                    f'the slot {label!r} is {one!r:.60}; write {{"text": "today", "span": [0, 5]}}'
                )
            value = one.get("value")
            meant = {"value": value} if isinstance(value, str) else {}
            yield {
                "start": span[0],
                "end": span[1],
                "label": label,
                "text": one.get("text"),
                **meant,
            }


def _is_triples(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(one, list | tuple | dict) for one in value)


def _label(record: Mapping[str, Any], layout: Layout) -> str | None:
    names = tuple(name for name in layout.labels if not _is_triples(record[name]))
    value = _first(record, names)
    if isinstance(value, list) and value and all(isinstance(one, str) for one in value):
        return joint_label(value)
    if isinstance(value, int) and not isinstance(value, bool):
        warnings.warn(
            f"the labels are numbers without names, such as {value}; they are kept as they are. To "
            f"name them: --map 'label={names[0]}:first|second|…'",
            stacklevel=4,
        )
    return _text_in(record, names)


def joint_label(labels: Iterable[str]) -> str:
    """Return several intents as one label, whatever their order.

    >>> joint_label(["pay", "balance", "pay"])
    'balance+pay'
    """
    return "+".join(sorted(set(labels)))


def with_values(utterance: Utterance, values: dict[str, list[str]]) -> Utterance:
    """Give slots the values that were meant, in the order of the slots of each label."""
    there = Counter(slot.label for slot in utterance.slots)
    for label, of_label in values.items():
        if len(of_label) != there[label]:
            raise DataError(
                f"{len(of_label)} values of {label!r} for {there[label]} slots; give one per slot"
            )
    given = {label: iter(of_label) for label, of_label in values.items()}
    slots = []
    for slot in utterance.slots:
        value = next(given[slot.label]) if slot.label in given else None
        meant = None if value == utterance.words_of(slot) else value
        slots.append(msgspec.structs.replace(slot, value=meant))
    return msgspec.structs.replace(utterance, slots=tuple(slots))


def _text_in(record: Mapping[str, Any], names: tuple[str, ...]) -> str | None:
    """Return the first value that is not null, as text."""
    for name in names:
        value = record[name]
        if isinstance(value, str):
            return value
        if isinstance(value, bool | int):
            return str(value)
        if isinstance(value, float) and math.isnan(value):
            continue
        if value is not None:
            raise DataError(f"the column {name} must be text, got {value!r:.60}")
    return None


def _no_text(record: Mapping[str, Any], layout: Layout) -> str:
    if layout.texts or layout.tokens:
        name = (*layout.texts, *layout.tokens)[0]
        return f"the column {name} is missing a value ({record[name]!r}); leave the row out"
    names = ", ".join(map(str, record)) or "none"
    if "messages" in record:
        return (
            "there are messages, but no key expected: a case of tool calls needs the calls that "
            'are right, [{"name": …, "arguments": {…}}], or [] for none'
        )
    return (
        f"there is no column text or tokens (the columns: {names}); name the column of the text: "
        "--map text=COLUMN"
    )


def record_of(item: Item) -> dict[str, Any]:
    """Make a record of an utterance or variant, with the columns that apply.

    >>> list(record_of(Utterance("u1", ("play", "jazz"), (), "play_music")))
    ['id', 'text', 'tokens', 'tags', 'label']
    """
    variant = item if isinstance(item, Variant) else None
    utterance = item.utterance if isinstance(item, Variant) else item
    raw, tokens, slots = utterance.raw, utterance.tokens, utterance.slots
    text = " ".join(tokens) if raw is None else raw
    record: dict[str, Any] = {"id": utterance.id, "text": text, "tokens": tokens}
    if slots or utterance.label is not None:
        record["tags"] = utterance.tags
    for slot in slots:
        if slot.value is not None:
            record["values"] = _values(utterance)
            break
    if utterance.label is not None:
        record["label"] = utterance.label
    touched = False
    if variant is not None:
        record["parent"] = variant.parent.id
        record["edits"], touched = _edit_records(variant)
    if utterance.extra:
        record.update(utterance.extra)
        messages = messages_of(utterance)
        if messages is not None:
            record["messages"] = messages
    if touched and slots:
        record.update(state_columns(item))
    return record


def _values(utterance: Utterance) -> dict[str, list[str]]:
    """Return the values of labels whose slots have other words than were meant."""
    differ = {slot.label for slot in utterance.slots if slot.value is not None}
    return {label: found for label, found in utterance.values.items() if label in differ}


def _edit_records(variant: Variant) -> tuple[list[dict[str, Any]], bool]:
    """Return the edits as records, and whether a slot may be in another state than before."""
    parent = variant.parent
    tokens, slots = parent.tokens, parent.slots
    touched = bool(parent.extra)  # where states may be written
    records = []
    for edit in variant.edits:
        start, end = edit.start, edit.end
        record = {
            "start": start,
            "end": end,
            "tokens": edit.tokens,
            "operator": edit.operator,
            "kind": edit.kind,
        }
        if edit.taken_back:
            touched = True
            record["taken_back"] = edit.taken_back
        record["before"] = tokens[start:end]
        records.append(record)
        for slot in slots:
            if start < slot.end and end > slot.start:
                touched = True
    return records, touched
