"""The columns of a Parquet file that is written: those of its source, and ours with fixed types.

What a column is called and of which type it is depends on the source alone, never on the rows: the
outputs of all operators can be read as one data set.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

from mondegreen.data.layout import Layout, ReadOptions, layout_of
from mondegreen.data.records import record_of
from mondegreen.data.states import COLUMNS as STATE_COLUMNS
from mondegreen.types import Utterance, Variant

OF_UTTERANCES = ("id", "text", "tokens", "tags", "label", "values")
OF_VARIANTS = (*STATE_COLUMNS, "parent", "edits")
_OF_MARKS = ("tags", "values", *STATE_COLUMNS)
_PREFIXES = ("B-", "I-")
Convert = Callable[[Any], Any]


class ParquetColumn(NamedTuple):
    """A column: its name and type, the key of a record that it holds, and how to convert it."""

    name: str
    type: Any
    key: str
    convert: Convert | None = None
    metadata: Mapping[bytes, bytes] | None = None


def own_types(pa: Any) -> dict[str, Any]:
    """Return the types of our columns."""
    text, words = pa.string(), pa.list_(pa.string())
    edit = {
        "start": pa.int64(),
        "end": pa.int64(),
        "tokens": words,
        "operator": text,
        "kind": text,
        "taken_back": pa.int64(),
        "before": words,
    }
    types = dict.fromkeys(("id", "text", "label", "parent"), text)
    types |= dict.fromkeys(("tokens", "tags", *STATE_COLUMNS), words)
    meant = pa.struct([("label", text), ("values", words)])
    return types | {"values": pa.list_(meant), "edits": pa.list_(pa.struct(list(edit.items())))}


def columns_of(
    pa: Any, *, variants: bool, source: tuple[Any, ReadOptions] | None = None
) -> list[ParquetColumn]:
    """Return the columns to write, given the schema of a Parquet source and how it is read."""
    types = own_types(pa)
    wanted = [*OF_UTTERANCES, *(OF_VARIANTS if variants else ())]
    kept: list[ParquetColumn] = []
    if source is not None:
        schema, reading = source
        named = _renamed(schema.names, reading)
        layout = layout_of(tuple(named.values()))
        kept = [
            found
            for column, name in named.items()
            if (found := _kept(pa, schema.field(column), name, layout, reading)) is not None
        ]
        wanted = [key for key in wanted if _may_have(layout, key)]
    there = {column.key for column in kept} | {column.name for column in kept}
    return [*kept, *(_own(key, types[key]) for key in wanted if key not in there)]


def _own(key: str, type: Any) -> ParquetColumn:
    return ParquetColumn(key, type, key, _CONVERSIONS.get(key))


def _items(values: dict[str, list[str]] | None) -> list[dict[str, Any]] | None:
    if values is None:
        return None
    return [{"label": label, "values": found} for label, found in values.items()]


_CONVERSIONS: dict[str, Convert] = {"values": _items}


def _may_have(layout: Layout, key: str) -> bool:
    """Return whether rows may have something in one of our columns."""
    marks = layout.tags or layout.slots or layout.entities or layout.annotated or layout.values
    if key in _OF_MARKS:
        return bool(marks)
    return bool(layout.labels) if key == "label" else True


def _renamed(columns: Sequence[str], reading: ReadOptions) -> dict[str, str]:
    """Return under which name each column is read; see :meth:`Reading.renamed`."""
    roles = {column: role for role, column in reading.columns}
    taken = set(roles.values())
    return {
        column: roles.get(column, f"original_{column}" if column.lower() in taken else column)
        for column in columns
    }


def _kept(
    pa: Any, field: Any, name: str, layout: Layout, reading: ReadOptions
) -> ParquetColumn | None:
    """Return a column of the source as it is written; ``None`` if ours takes its place."""
    names = dict(reading.classes).get(field.name)
    column = partial(ParquetColumn, field.name, metadata=field.metadata)
    if name in layout.extra:
        return column(field.type, name, partial(_numbers, names) if names else None)
    if name in layout.ids:
        return column(_text_type(pa, field.type), "id")
    if name in layout.texts and not _is_list(pa, field.type):
        return column(_text_type(pa, field.type), "text")
    if name in layout.texts or name in layout.tokens:
        return column(_words_type(pa, field.type), "tokens")
    if name in layout.labels:
        return _label(pa, field, names, column)
    if name in layout.tags:
        if names and _has_all(names) and _is_list(pa, field.type):
            return column(field.type, "tags", partial(_numbers, names))
        return column(_words_type(pa, field.type), "tags")
    if name in layout.slots and _is_slots(pa, field.type):
        return column(field.type, "slots")
    return None


def _label(
    pa: Any, field: Any, names: tuple[str, ...] | None, column: Callable[..., ParquetColumn]
) -> ParquetColumn | None:
    if pa.types.is_integer(field.type):
        convert: Convert = partial(_numbers, names) if names else _number
        return column(field.type, "label", convert)
    if _is_list(pa, field.type):
        of_words = _is_text(pa, field.type.value_type)
        return column(field.type, "label", _parts) if of_words else None  # else entities
    return column(_text_type(pa, field.type), "label")


def _number(label: str | None) -> int | None:
    return None if label is None else int(label)


def _parts(label: str | None) -> list[str] | None:
    return None if label is None else label.split("+")


def _numbers(names: tuple[str, ...], value: Any) -> Any:
    """Return the numbers of classes, given their names."""
    if isinstance(value, list | tuple):
        return [_numbers(names, one) for one in value]
    return names.index(value) if value in names else value


def _has_all(names: tuple[str, ...]) -> bool:
    """Return whether classes have a number for every tag that may be written."""
    labels = {name[2:] for name in names if name != "O"}
    return {"O", *(prefix + label for label in labels for prefix in _PREFIXES)} <= set(names)


def _is_text(pa: Any, type: Any) -> bool:
    if pa.types.is_dictionary(type):
        type = type.value_type
    return bool(pa.types.is_string(type) or pa.types.is_large_string(type))


def _is_list(pa: Any, type: Any) -> bool:
    return bool(pa.types.is_list(type) or pa.types.is_large_list(type))


def _text_type(pa: Any, type: Any) -> Any:
    return type if _is_text(pa, type) else pa.string()


def _words_type(pa: Any, type: Any) -> Any:
    return type if _is_list(pa, type) and _is_text(pa, type.value_type) else pa.list_(pa.string())


def _is_slots(pa: Any, type: Any) -> bool:
    """Return whether a column holds slots by tokens."""
    if not (_is_list(pa, type) and pa.types.is_struct(type.value_type)):
        return False
    names = {type.value_type.field(at).name for at in range(type.value_type.num_fields)}
    return {"label", "start", "end"} <= names <= {"label", "start", "end", "value"}


def full_record(item: Utterance | Variant) -> dict[str, Any]:
    """Return a record with tags and a label in every row, as a table needs them."""
    utterance = item.utterance if isinstance(item, Variant) else item
    record = {**record_of(item), "tags": utterance.tags, "label": utterance.label}
    if isinstance(item, Variant):
        record["edits"] = [{"taken_back": 0, **edit} for edit in record["edits"]]
    return record


def row_of(item: Utterance | Variant) -> dict[str, Any]:
    """Return a record for a table that may hold slots, too."""
    utterance = item.utterance if isinstance(item, Variant) else item
    slots = [
        {"label": slot.label, "start": slot.start, "end": slot.end, "value": slot.value}
        for slot in utterance.slots
    ]
    return {**full_record(item), "slots": slots}


def inferred(
    pa: Any, columns: Sequence[ParquetColumn], records: Sequence[Mapping[str, Any]]
) -> Iterator[ParquetColumn]:
    """Yield the further columns of records, whose types only their first values show."""
    known = {column.key for column in columns} | {*OF_UTTERANCES, *OF_VARIANTS, "slots"}
    for key in dict.fromkeys(key for record in records for key in record if key not in known):
        type = pa.array([record.get(key) for record in records]).type
        yield ParquetColumn(key, pa.string() if pa.types.is_null(type) else type, key)


def table_of(pa: Any, schema: Any, columns: Sequence[ParquetColumn], records: Sequence[Any]) -> Any:
    """Return the table of records.

    Raises:
        KeyError: if a record has a key that is no column.
    """
    known = {column.key for column in columns} | {*OF_UTTERANCES, *OF_VARIANTS, "slots"}
    for record in records:
        if not record.keys() <= known:
            raise KeyError(next(key for key in record if key not in known))
    arrays = [
        pa.array(
            [
                column.convert(record.get(column.key)) if column.convert else record.get(column.key)
                for record in records
            ],
            column.type,
        )
        for column in columns
    ]
    return pa.Table.from_arrays(arrays, schema=schema)
