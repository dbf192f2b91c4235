"""Labelled rows of Parquet in and out: variants without a Python object per utterance.

The columns that an edit changes are made by the kernel; all others are those of the source. The
result is that of the engine; rows that are out of the ordinary are left to it.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from mondegreen.data.formats.parquet import RowPart, Tables, dense, pyarrow
from mondegreen.data.formats.parquet_columns import own_types
from mondegreen.data.layout import ReadOptions
from mondegreen.data.states import COLUMNS as STATE_COLUMNS
from mondegreen.kernel import compiled
from mondegreen.perturbation.engine import Engine
from mondegreen.perturbation.labelled import Enter, Splicer, roles_of
from mondegreen.types import Variant

_ID, _TEXT, _LABEL, _TOKENS, _TAGS = range(5)
_MAY_BE_EMPTY = ("values", *STATE_COLUMNS)
_NOTHING = np.zeros(0, np.uint8)


class TableMade(NamedTuple):
    """A table with its ledger, the ids of its sources, and what was changed."""

    table: Any
    ledger: bytes
    ids: list[str]
    changed: int
    kinds: dict[str, int]


def rewrite_rows(
    engine: Engine, part: RowPart, tables: Tables, enter: Enter, *, ledger: bool
) -> TableMade | None:
    """Return the variants of rows; ``None`` if the recipe or the columns need the engine."""
    plan, pa = engine.row_plan, pyarrow()
    columns = _columns(pa, part)
    if plan is None or columns is None or compiled is None:
        return None
    rewriter, rows = plan
    made, entered, ids, left, changed, kinds = rewriter.rewrite_columns(
        _text(columns.get(_ID)),
        _text(columns.get(_TEXT)),
        _words(columns.get(_TOKENS)),
        _words(columns.get(_TAGS)),
        len(part),
        rows,
        part.first,
        ledger,
    )
    table = _table(pa, part, tables, _made_columns(pa, made, engine.recipe.operators[0].name))
    if table is None:
        return None
    if not left:
        return TableMade(table, entered, ids, changed, kinds)  # type: ignore[arg-type]  # no id is missing
    pieces, done, log = [], 0, Splicer(entered)
    for at, place in left:
        variant = _variant(engine, part, at)
        ids[at] = variant.parent.id
        pieces += [table.slice(done, at - done), tables.of([variant])]
        done = at + 1
        if ledger:
            log.add(place, enter(variant))
        changed += bool(variant.edits)
        for edit in variant.edits:
            kinds[edit.kind] = kinds.get(edit.kind, 0) + 1
    whole = pa.concat_tables([*pieces, table.slice(done)])
    return TableMade(whole, log.joined(), ids, changed, kinds)  # type: ignore[arg-type]


def _variant(engine: Engine, part: RowPart, at: int) -> Variant:
    (utterance,) = part.slice(at, 1)
    (variant,) = engine.make(utterance)
    return variant


def _columns(pa: Any, part: RowPart) -> dict[int, Any] | None:
    """Return the columns that the kernel reads, by their roles; ``None`` if it cannot."""
    batch = part.batch
    empty = {name for name in _MAY_BE_EMPTY if _is_empty(batch, name)}
    names = [name for name in batch.schema.names if name not in empty]
    roles = roles_of(replace(part.reading, classes=()), tuple(names))
    if roles is None or not part.is_small:
        return None
    found: dict[int, Any] = {}
    words = pa.list_(pa.string())
    try:
        for (role, _), name in zip(roles, names, strict=True):
            column = part.batch.column(name)
            if role == _ID and pa.types.is_integer(column.type):
                found[role] = column.cast(pa.string())
            elif role in (_ID, _TEXT):
                found[role] = _checked(_as_text(pa, column))
            elif role == _TOKENS:
                found[role] = _checked(column.cast(words)) if _is_words(pa, column.type) else None
            elif role == _TAGS:
                found[role] = _checked(_tags(pa, column, part.reading, name))
            elif role == _LABEL:
                found[role] = _label(pa, column, part.reading, name)
    except (pa.ArrowException, ValueError):
        return None  # reading row by row says what is wrong
    return None if any(column is None for column in found.values()) else found


def _is_empty(batch: Any, name: str) -> bool:
    """Return whether a column that we write is there, and has no values."""
    there = batch.schema.names.count(name) == 1
    return there and bool(batch.column(name).null_count == batch.num_rows)


def _as_text(pa: Any, column: Any) -> Any:
    return column.cast(pa.string()) if _is_text(pa, column.type) else None


def _is_text(pa: Any, kind: Any) -> bool:
    kind = dense(pa, kind)
    return bool(pa.types.is_string(kind) or pa.types.is_large_string(kind))


def _is_words(pa: Any, kind: Any) -> bool:
    listed = pa.types.is_list(kind) or pa.types.is_large_list(kind)
    return bool(listed) and _is_text(pa, kind.value_type)


def _tags(pa: Any, column: Any, reading: ReadOptions, name: str) -> Any:
    """Return tags as texts, also where they are numbers of classes."""
    names = dict(reading.classes).get(name)
    if names is None:
        return column.cast(pa.list_(pa.string())) if _is_words(pa, column.type) else None
    if (
        not pa.types.is_list(column.type)
        or column.null_count
        or not _within(pa, column.flatten(), names)
    ):
        return None
    texts = pa.array(names, pa.string()).take(column.flatten())
    offsets = column.offsets
    return pa.ListArray.from_arrays(pa.compute.subtract(offsets, offsets[0]), texts)


def _within(pa: Any, numbers: Any, names: tuple[str, ...]) -> bool:
    """Return whether numbers are those of classes."""
    if not pa.types.is_integer(numbers.type) or numbers.null_count:
        return False
    ends = pa.compute.min_max(numbers).as_py()
    return not len(numbers) or (ends["min"] >= 0 and ends["max"] < len(names))


def _label(pa: Any, column: Any, reading: ReadOptions, name: str) -> Any:
    """Return a column of labels that stays as it is; ``None`` if it may not."""
    names = dict(reading.classes).get(name)
    if names is not None:
        return column if _within(pa, column, names) else None
    return column if _is_text(pa, column.type) else None


def _checked(array: Any) -> Any:
    """Check that texts are valid UTF-8, and that offsets lead nowhere else."""
    if array is not None:
        array.validate(full=True)
        if hasattr(array, "values") and array.values.null_count:
            return None
    return array


def _text(array: Any) -> Any:
    """Return a column of texts as the kernel reads it."""
    if array is None or compiled is None:
        return None
    return compiled.TextColumn(*_offsets(array), _there(array))


def _offsets(array: Any) -> tuple[Any, Any]:
    _, offsets, data = array.buffers()
    if not len(array):
        return np.zeros(1, np.int32), _NOTHING
    places = np.frombuffer(offsets, np.int32)[array.offset : array.offset + len(array) + 1]
    return places, _NOTHING if data is None else np.frombuffer(data, np.uint8)


def _there(array: Any) -> Any:
    if not array.null_count:
        return _NOTHING
    return np.asarray(array.is_valid()).astype(np.uint8)


def _words(array: Any) -> Any:
    """Return a column of lists of texts as the kernel reads it."""
    if array is None or compiled is None:
        return None
    offsets = np.asarray(array.offsets) if len(array) else np.zeros(1, np.int32)
    return compiled.ListColumn(np.ascontiguousarray(offsets), _there(array), _text(array.values))


def _made_columns(pa: Any, made: dict[str, Any], name: str) -> dict[str, Any]:
    """Return what the kernel has made as arrays."""

    def texts(parts: Any) -> Any:
        offsets, data = parts
        n = len(offsets) - 1
        return pa.StringArray.from_buffers(n, pa.py_buffer(offsets), pa.py_buffer(data))

    def lists(offsets: Any, items: Any, there: Any = None) -> Any:
        mask = None if there is None else pa.array(there == 0)
        return pa.ListArray.from_arrays(pa.array(offsets), items, mask=mask)

    def words(parts: Any, there: Any = None) -> Any:
        offsets, items = parts
        return lists(offsets, texts(items), there)

    types = own_types(pa)
    has_values, values, labels, meant = made["values"]
    has_states, states = made["states"]
    edits, starts, ends, tokens, kinds, before = made["edits"]
    n, rows = len(starts), len(made["id"][0]) - 1
    operators = pa.repeat(pa.scalar(name), n)
    none = pa.repeat(pa.scalar(0, pa.int64()), n)
    fields = [
        pa.array(starts),
        pa.array(ends),
        words(tokens),
        operators,
        texts(kinds),
        none,
        words(before),
    ]
    edit_type, value_type = types["edits"].value_type, types["values"].value_type
    return {
        **{key: texts(made[key]) for key in ("id", "text", "parent")},
        **{key: words(made[key]) for key in ("tokens", "tags")},
        "values": lists(values, _struct(pa, value_type, [texts(labels), words(meant)]), has_values),
        "states": words(states, has_states),
        "taken_back": pa.nulls(rows, types["taken_back"]),
        "edits": lists(edits, _struct(pa, edit_type, fields)),
    }


def _struct(pa: Any, kind: Any, arrays: list[Any]) -> Any:
    return pa.StructArray.from_arrays(arrays, fields=list(kind))


def _table(pa: Any, part: RowPart, tables: Tables, made: dict[str, Any]) -> Any:
    """Return the table of all columns; ``None`` if one cannot have its type."""
    arrays = []
    try:
        for column, field in zip(tables.columns, tables.schema, strict=True):
            found = made.get(column.key)
            if found is None:
                found = part.batch.column(column.name)
            elif column.convert is not None and column.key == "tags":
                found = _numbered(pa, found, dict(part.reading.classes)[column.name], field.type)
            arrays.append(found.cast(field.type))
    except (pa.ArrowException, KeyError, ValueError):
        return None
    return pa.Table.from_arrays(arrays, schema=tables.schema)


def _numbered(pa: Any, tags: Any, names: tuple[str, ...], kind: Any) -> Any:
    numbers = pa.compute.index_in(tags.values, pa.array(names, pa.string()))
    return pa.ListArray.from_arrays(tags.offsets, numbers.cast(kind.value_type))
