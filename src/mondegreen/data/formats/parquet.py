"""Parquet files, behind the extra ``datasets``."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

import msgspec

from mondegreen.data.files.lines import LONGEST_LINE, Meter
from mondegreen.data.files.output import whole_path
from mondegreen.data.files.shards import is_pattern, shards_of
from mondegreen.data.formats.arrow import numbered, with_names
from mondegreen.data.formats.format import Format, Item, Row, Sink, Target
from mondegreen.data.formats.parquet_columns import columns_of, inferred, row_of, table_of
from mondegreen.data.layout import PLAIN, ReadOptions
from mondegreen.errors import DataError, MissingExtraError, OutputError
from mondegreen.types import Utterance, Variant

GROUP = 1 << 14
"""Rows of a row group."""
_BATCH = 10_000
_LEAST_ROWS = 8
_DAMAGED = (OSError, ValueError, TypeError, LookupError, OverflowError, MemoryError)
_AT_ONCE = 64 << 20  # bytes
_MOST = _AT_ONCE * _LEAST_ROWS


def pyarrow() -> Any:
    """Return the package.

    Raises:
        MissingExtraError: if it is not installed.
    """
    try:
        import pyarrow as pa
        import pyarrow.compute
        import pyarrow.parquet
    except ImportError:
        raise MissingExtraError.of("datasets", "Parquet files") from None
    return pa


def _features(file: Any) -> Mapping[str, Any]:
    """Return the features that Hugging Face writes into the schema of a Parquet file."""
    written = (file.schema_arrow.metadata or {}).get(b"huggingface")
    try:
        features: Any = msgspec.json.decode(written)["info"]["features"] if written else {}
    except (msgspec.DecodeError, KeyError, TypeError):
        return {}
    return features if isinstance(features, Mapping) else {}


class RowPart(Collection[Utterance]):
    """Consecutive rows of a file, which are read as utterances only if necessary.

    Args:
        path: the file.
        first: the number of the first row.
        batch: the rows; texts may be numbers of the distinct ones.
        reading: how to read them, with the names of classes.
    """

    has_ids = True

    def __init__(self, path: Path, first: int, batch: Any, reading: ReadOptions) -> None:
        self.path, self.first, self.batch, self.reading = path, first, batch, reading

    def __len__(self) -> int:
        return int(self.batch.num_rows)

    def __iter__(self) -> Iterator[Utterance]:
        rows = numbered(self._records(), self.path, self.reading, self.first)
        return (utterance for _, utterance in rows)

    def _records(self) -> Iterator[dict[str, Any]]:
        """Yield the rows; few at a time where a large value occurs many times."""
        step = len(self) if self.is_small else _LEAST_ROWS
        for start in range(0, len(self), step or 1):
            batch = self.batch.slice(start, step)
            yield from records_in(pyarrow(), batch, self.path, self.first + start - 1)

    def __contains__(self, item: object) -> bool:
        return any(one == item for one in self)

    def slice(self, start: int, n: int) -> RowPart:
        """Return some of the rows."""
        return RowPart(self.path, self.first + start, self.batch.slice(start, n), self.reading)

    @property
    def is_small(self) -> bool:
        """Whether all texts have room in memory, each where it occurs."""
        pa = pyarrow()
        return sum(_size_of_texts(pa, column)[0] for column in self.batch.columns) <= _AT_ONCE


def _size_of_texts(pa: Any, column: Any) -> tuple[int, int]:
    """Return how many bytes texts take at most where each is written out, and the longest."""
    if not pa.types.is_dictionary(column.type):
        if not pa.types.is_list(column.type) or not pa.types.is_dictionary(column.type.value_type):
            return 0, 0
        column = column.flatten()
    longest = pa.compute.max(pa.compute.binary_length(column.dictionary)).as_py() or 0
    return len(column) * longest, longest


def row_parts(
    path: Path, meter: Meter | None, size: int, reading: ReadOptions = PLAIN
) -> Iterator[RowPart]:
    """Yield the rows of a file in parts, a few rows at a time.

    A small file may hold a large value many times: texts are read as numbers of the distinct ones,
    so that each is in memory once.

    Raises:
        DataError: if it is not a Parquet file, or a damaged one.
    """
    pa = pyarrow()
    if not path.is_file():
        raise DataError(f"{path}: there is no such file")
    try:
        yield from _parts_in(pa, path, meter, size, reading)
    except (pa.ArrowException, *_DAMAGED) as error:
        raise DataError(f"{path}: not a Parquet file, or a damaged one: {error}") from None


def _parts_in(
    pa: Any, path: Path, meter: Meter | None, size: int, reading: ReadOptions
) -> Iterator[RowPart]:
    with pa.parquet.ParquetFile(path) as plain:
        schema, rows = plain.schema_arrow, plain.metadata.num_rows
        reading = with_names(reading, _features(plain))
        texts = _text_columns(pa, plain.metadata, schema)
    share, first = path.stat().st_size / max(1, rows), 1
    with pa.parquet.ParquetFile(path, read_dictionary=texts) as file:
        for group in range(file.num_row_groups):
            # A damaged group raises here; asking for a column of it would end the interpreter.
            next(file.iter_batches(1, row_groups=[group]), None)
            least = min(size, _rows_at_once(file.metadata.row_group(group), texts))
            for batch in file.iter_batches(least, row_groups=[group]):
                if meter is not None:
                    meter(round(batch.num_rows * share))
                yield RowPart(path, first, batch, reading)
                first += batch.num_rows


def _text_columns(pa: Any, metadata: Any, schema: Any) -> list[str]:
    """Return the columns of texts and of lists of texts, as Parquet names them."""
    kinds = (pa.string(), pa.large_string())
    lists = {field.name for field in schema if field.type in map(pa.list_, kinds)}
    texts = {field.name for field in schema if field.type in kinds}
    paths = [metadata.schema.column(at).path for at in range(metadata.num_columns)]
    return [path for path in paths if path in texts or path.removesuffix(".list.element") in lists]


def records_in(pa: Any, batch: Any, path: Path, number: int) -> Iterator[dict[str, Any]]:
    """Yield the rows of a batch, before which there are some.

    Raises:
        DataError: if a value is damaged or too large.
    """
    try:
        columns = [_values(pa, column, path, number) for column in batch.columns]
    except (pa.ArrowException, *_DAMAGED) as error:
        raise DataError(f"{path}: not a Parquet file, or a damaged one: {error}") from None
    for row in zip(*columns, strict=True) if columns else [()] * batch.num_rows:
        yield dict(zip(batch.schema.names, row, strict=True))


def _rows_at_once(group: Any, texts: Sequence[str]) -> int:
    """Return how many rows to read at once: a value is at most as large as its column."""
    columns = (group.column(i) for i in range(group.num_columns))
    largest = max(
        (one.total_uncompressed_size for one in columns if one.path_in_schema not in texts),
        default=0,
    )
    return max(_LEAST_ROWS, min(_BATCH, _AT_ONCE // max(1, largest)))


def _values(pa: Any, column: Any, path: Path, number: int) -> list[Any]:
    size, longest = _size_of_texts(pa, column)
    listed = pa.types.is_list(column.type)
    if column.nbytes > _MOST or (listed and size > _MOST):
        raise DataError(
            f"{path}: the values of rows {number + 1:,} and on are too large to be read"
        )
    if longest > LONGEST_LINE:
        raise DataError(
            f"{path}: a text of rows {number + 1:,} and on has {longest:,} bytes; an utterance has "
            f"at most {LONGEST_LINE // 2**20} MiB"
        )
    if listed and longest:
        column = column.cast(pa.list_(pa.string()))
    if pa.types.is_dictionary(column.type) and len(column) < _LEAST_ROWS:
        column = column.cast(pa.string())  # of a few rows, not all distinct texts
    if not pa.types.is_dictionary(column.type):
        return list(column.to_pylist())
    values = column.dictionary.to_pylist()
    return [None if at is None else values[at] for at in column.indices.to_pylist()]


def schema_of(path: Path, reading: ReadOptions) -> tuple[Any, ReadOptions]:
    """Return the schema of a Parquet file, or of the first shard, and the names of its classes.

    Raises:
        DataError: if it is not a Parquet file.
    """
    pa = pyarrow()
    first = shards_of(path)[0] if is_pattern(path) else path
    try:
        with pa.parquet.ParquetFile(first) as file:
            return file.schema_arrow, with_names(reading, _features(file))
    except (pa.ArrowException, *_DAMAGED) as error:
        raise DataError(f"{path}: not a Parquet file, or a damaged one: {error}") from None


def dense(pa: Any, kind: Any) -> Any:
    """Return the type of values where a column may hold the numbers of distinct ones."""
    return kind.value_type if pa.types.is_dictionary(kind) else kind


class Tables:
    """Makes tables of items, all of the same columns.

    Args:
        target: what is written, for messages, and whose columns to keep.
        items: the first items, which show what further columns there are.
    """

    def __init__(self, target: Target, items: Sequence[Item] = ()) -> None:
        pa, like = pyarrow(), target.like
        self._target = target
        source = None if like is None else schema_of(*like)
        variants = like is not None or any(isinstance(item, Variant) for item in items)
        self.columns = columns_of(pa, variants=variants, source=source)
        if source is None:
            self.columns += inferred(pa, self.columns, list(map(row_of, items)))
        fields = [pa.field(one.name, one.type, metadata=one.metadata) for one in self.columns]
        self.written = pa.schema(fields, metadata=None if source is None else source[0].metadata)
        """The schema of the file."""
        self.schema = pa.schema([one.with_type(dense(pa, one.type)) for one in fields])
        """The schema of tables, with the values themselves."""

    def of(self, items: Sequence[Item]) -> Any:
        """Return the table of items.

        Raises:
            OutputError: if they have other columns.
        """
        pa, records = pyarrow(), list(map(row_of, items))
        try:
            return table_of(pa, self.schema, self.columns, records)
        except (KeyError, ValueError, TypeError, pa.ArrowException) as error:
            raise OutputError(
                f"{self._target.path}: rows near utterance {records[0]['id']!r} have columns of "
                f"other names or types than the first ones ({error}); write .jsonl"
            ) from None


class ParquetSink:
    """Writes items, or whole tables of the same columns, in row groups of one size.

    Args:
        file: where to write.
        target: what is written, for messages, and whose columns to keep.
    """

    def __init__(self, file: Path | IO[bytes], target: Target) -> None:
        self._pa = pyarrow()
        self._file, self._target = file, target
        self._items: list[Item] = []
        self._waiting: list[Any] = []
        self._tables: Tables | None = None
        self._writer: Any = None

    def __call__(self, item: Item) -> None:
        """Write an utterance or a variant."""
        self._items.append(item)
        if len(self._items) == GROUP:
            self._convert()

    def _convert(self) -> None:
        items = list(self._items)
        self._items.clear()
        self._tables = self._tables or Tables(self._target, items)
        self.write(self._tables.of(items))

    def write(self, table: Any) -> None:
        """Write a table that was made with the same target."""
        self._waiting.append(table)
        while sum(one.num_rows for one in self._waiting) >= GROUP:
            whole = self._pa.concat_tables(self._waiting)
            self._waiting = [whole.slice(GROUP)]
            self._write_group(whole.slice(0, GROUP))

    def _write_group(self, table: Any) -> None:
        """Write a row group; its bytes do not depend on how its rows have come here."""
        self._tables = self._tables or Tables(self._target)
        schema = self._tables.written
        self._writer = self._writer or self._pa.parquet.ParquetWriter(self._file, schema)
        columns = table.combine_chunks().columns
        found = [
            column.dictionary_encode().cast(field.type)
            if self._pa.types.is_dictionary(field.type)
            else column
            for column, field in zip(columns, schema, strict=True)
        ]
        whole = self._pa.Table.from_arrays(found, schema=schema)
        self._writer.write_table(whole, row_group_size=GROUP)

    def close(self) -> None:
        """Write the rest."""
        if self._items or not (self._waiting or self._writer):
            self._convert()
        rest = self._pa.concat_tables(self._waiting) if self._waiting else None
        if rest is not None and (rest.num_rows or self._writer is None):
            self._write_group(rest)
        self._writer.close()


@contextmanager
def _open_parquet(target: Target) -> Iterator[Sink]:
    with whole_path(target.path, force=target.force) as temporary:
        sink = ParquetSink(temporary, target)
        yield sink
        sink.close()


class Parquet(Format):
    """Parquet."""

    name = "parquet"
    holds = "Parquet, columns as in JSONL"
    suffixes = (".parquet",)
    magic = b"PAR1"
    unit = "row"
    streams = False
    has_columns = True
    keeps_columns = True
    open = staticmethod(_open_parquet)

    def rows(self, path: Path, meter: Meter | None) -> Iterator[Row]:
        """Yield the utterances of the rows."""
        for part in self.row_parts(path, meter, _BATCH):
            yield from enumerate(part, part.first)

    def row_parts(self, path: Path, meter: Meter | None, size: int) -> Iterator[RowPart]:
        """Yield the rows in parts."""
        return row_parts(path, meter, size, self.reading)


PARQUET = Parquet()
