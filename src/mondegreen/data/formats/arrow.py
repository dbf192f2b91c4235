"""Parquet files and Hugging Face datasets, behind the extra ``datasets``."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from mondegreen.data.files.lines import LONGEST_LINE, Meter
from mondegreen.data.files.output import whole_path
from mondegreen.data.formats.format import (
    Format,
    Item,
    Row,
    Sink,
    Target,
    utterance_in,
)
from mondegreen.data.layout import PLAIN, Reading
from mondegreen.data.records import record_of, utterance_of
from mondegreen.data.states import COLUMNS as STATE_COLUMNS
from mondegreen.errors import DataError, MissingExtraError, MondegreenError, OutputError
from mondegreen.types import Utterance, Variant

if TYPE_CHECKING:
    import datasets

_BATCH = 10_000
_LEAST_ROWS = 8
_DAMAGED = (OSError, ValueError, TypeError, LookupError, OverflowError, MemoryError)
_AT_ONCE = 64 << 20  # bytes


def _pyarrow() -> Any:
    try:
        import pyarrow as pa
        import pyarrow.compute
        import pyarrow.parquet
    except ImportError:
        raise MissingExtraError.of("datasets", "Parquet files") from None
    return pa


def _datasets() -> Any:
    try:
        import datasets
    except ImportError:
        raise MissingExtraError.of("datasets", "Hugging Face datasets") from None
    return datasets


def numbered(records: Iterable[Any], place: object, reading: Reading = PLAIN) -> Iterator[Row]:
    """Yield the utterances of records with their row numbers.

    Raises:
        DataError: naming the place and the row that is not an utterance.
    """
    for number, record in enumerate(records, start=1):
        try:
            yield number, utterance_of(record, str(number), reading)
        except MondegreenError as error:
            raise DataError(f"{place}, row {number}: {error}") from None


def _with_names(reading: Reading, features: Mapping[str, Any]) -> Reading:
    """Return the reading with the names of the classes that a dataset declares."""
    found = {column: names for column, kind in features.items() if (names := _names_in(kind))}
    return replace(reading, classes=tuple({**found, **dict(reading.classes)}.items()))


def _names_in(feature: Any) -> tuple[str, ...]:
    """Return the names of a feature of classes, or of a list of classes; else nothing."""
    if isinstance(feature, list):
        return _names_in(feature[0]) if feature else ()
    if not isinstance(feature, Mapping):
        return ()
    if feature.get("_type") == "ClassLabel":
        return tuple(feature.get("names") or ())
    return _names_in(feature.get("feature"))


def _features(file: Any) -> Mapping[str, Any]:
    """Return the features that Hugging Face writes into the schema of a Parquet file."""
    written = (file.schema_arrow.metadata or {}).get(b"huggingface")
    try:
        features: Any = msgspec.json.decode(written)["info"]["features"] if written else {}
    except (msgspec.DecodeError, KeyError, TypeError):
        return {}
    return features if isinstance(features, Mapping) else {}


def _declared(path: Path) -> Mapping[str, Any]:
    pa = _pyarrow()
    try:
        with pa.parquet.ParquetFile(path) as file:
            return _features(file)
    except (pa.ArrowException, OSError, ValueError, MemoryError):
        return {}  # reading says what is wrong


def _records(path: Path, meter: Meter | None) -> Iterator[Any]:
    pa = _pyarrow()
    if not path.is_file():
        raise DataError(f"{path}: there is no such file")
    try:
        yield from _rows_in(pa, path, meter)
    except (pa.ArrowException, *_DAMAGED) as error:
        raise DataError(f"{path}: not a Parquet file, or a damaged one: {error}") from None


def _rows_in(pa: Any, path: Path, meter: Meter | None) -> Iterator[dict[str, Any]]:
    """Yield the rows of a file, a few at a time: a small file may hold a large value many times.

    Texts are read as numbers of the distinct ones, so that each is in memory once.
    """
    with pa.parquet.ParquetFile(path) as plain:
        schema, rows = plain.schema_arrow, plain.metadata.num_rows
    kinds = {name: schema.field(name).type for name in schema.names}
    texts = [name for name, kind in kinds.items() if kind in (pa.string(), pa.large_string())]
    share, number = path.stat().st_size / max(1, rows), 0
    with pa.parquet.ParquetFile(path, read_dictionary=texts) as file:
        for group in range(file.num_row_groups):
            # A damaged group raises here; asking for a column of it would end the interpreter.
            next(file.iter_batches(1, row_groups=[group]), None)
            size = _rows_at_once(file.metadata.row_group(group), texts)
            for batch in file.iter_batches(size, row_groups=[group]):
                if meter is not None:
                    meter(round(batch.num_rows * share))
                columns = [_values(pa, column, path, number) for column in batch.columns]
                for row in zip(*columns, strict=True) if columns else [()] * batch.num_rows:
                    yield dict(zip(schema.names, row, strict=True))
                number += batch.num_rows


def _rows_at_once(group: Any, texts: Sequence[str]) -> int:
    """Return how many rows to read at once: a value is at most as large as its column."""
    columns = (group.column(i) for i in range(group.num_columns))
    largest = max(
        (one.total_uncompressed_size for one in columns if one.path_in_schema not in texts),
        default=0,
    )
    return max(_LEAST_ROWS, min(_BATCH, _AT_ONCE // max(1, largest)))


def _values(pa: Any, column: Any, path: Path, number: int) -> list[Any]:
    if column.nbytes > _AT_ONCE * _LEAST_ROWS:
        raise DataError(
            f"{path}: the values of rows {number + 1:,} and on are too large to be read"
        )
    if not pa.types.is_dictionary(column.type):
        return list(column.to_pylist())
    lengths = pa.compute.binary_length(column.dictionary)
    longest = pa.compute.max(lengths).as_py() or 0
    if longest > LONGEST_LINE:
        raise DataError(
            f"{path}: a text of rows {number + 1:,} and on has {longest:,} bytes; an utterance has "
            f"at most {LONGEST_LINE // 2**20} MiB"
        )
    values = column.dictionary.to_pylist()
    return [None if at is None else values[at] for at in column.indices.to_pylist()]


def _full(item: Item) -> dict[str, Any]:
    """A record with all columns: a table needs the same in every row."""
    utterance = utterance_in(item)
    record = {**record_of(item), "tags": utterance.tags, "label": utterance.label}
    if isinstance(item, Variant):
        record = {**dict.fromkeys(("values", *STATE_COLUMNS)), **record}
        record["edits"] = [{"taken_back": 0, **edit} for edit in record["edits"]]
    return record


def _table(records: list[dict[str, Any]]) -> Any:
    """Return a table; columns that may be empty in all rows have their types."""
    pa = _pyarrow()
    words = pa.list_(pa.string())
    types = {"values": pa.map_(pa.string(), words), **dict.fromkeys(STATE_COLUMNS, words)}
    columns = _columns(records) if records else {"id": [], "text": []}
    values = columns.get("values")
    if values is not None:
        columns["values"] = [one and list(one.items()) for one in values]
    return pa.table({k: pa.array(v, types.get(k)) for k, v in columns.items()})


def _columns(records: list[dict[str, Any]]) -> dict[str, list[Any]]:
    names = dict.fromkeys(name for record in records for name in record)
    return {name: [record.get(name) for record in records] for name in names}


@contextmanager
def _open_parquet(target: Target) -> Iterator[Sink]:
    pa = _pyarrow()
    with whole_path(target.path, force=target.force) as temporary:
        records: list[dict[str, Any]] = []
        writer: Any = None

        def flush() -> None:
            nonlocal writer
            table = _table(records)
            writer = writer or pa.parquet.ParquetWriter(temporary, table.schema)
            try:
                writer.write_table(table.select(writer.schema.names).cast(writer.schema))
            except (KeyError, ValueError, pa.ArrowException) as error:
                raise OutputError(
                    f"{target.path}: rows near utterance {records[0]['id']!r} have columns of "
                    f"other types than the first ones ({error}); write .jsonl"
                ) from None
            records.clear()

        def write(item: Item) -> None:
            records.append(_full(item))
            if len(records) == _BATCH:
                flush()

        yield write
        if records or writer is None:
            flush()
        writer.close()


def _check_offsets(dataset: Any, path: Path) -> None:
    """Refuse a file whose offsets lead out of it: following one would crash the interpreter."""
    try:
        dataset.data.table.validate(full=True)
    except Exception as error:  # noqa: BLE001 (a damaged file raises whatever it likes)
        raise DataError(f"{path}: the dataset is damaged: {error}") from None


def _whole(dataset: Iterable[Any], path: Path) -> Iterator[Any]:
    try:
        yield from dataset
    except Exception as error:  # noqa: BLE001 (a damaged file raises whatever it likes)
        raise DataError(f"{path}: the dataset is damaged: {error}") from None


def _is_dataset(path: Path) -> bool:
    return (path / "dataset_info.json").is_file() and (path / "state.json").is_file()


@contextmanager
def _open_dataset(target: Target) -> Iterator[Sink]:
    with whole_path(target.path, force=target.force, ours=_is_dataset) as temporary:
        items: list[Item] = []
        yield items.append
        to_dataset(items).save_to_disk(str(temporary))


def from_dataset(
    dataset: datasets.Dataset,
    *,
    map: str | Mapping[str, str] = "",
) -> Iterator[Utterance]:
    """Yield the utterances of a Hugging Face dataset.

    The columns are those of JSONL; the usual layout of ``tokens`` and ``ner_tags`` is read, too.
    Numbers that stand for classes become the names of the classes.

    Args:
        dataset: one split of a dataset.
        map: the columns that have other names, such as ``{"text": "query"}``.

    Raises:
        DataError: naming the row that is not an utterance, or the splits if there are several.
    """
    return dataset_utterances(dataset, Reading.parse(map))


def dataset_utterances(dataset: datasets.Dataset, reading: Reading) -> Iterator[Utterance]:
    """Yield the utterances of a dataset; see :func:`from_dataset`."""
    if isinstance(dataset, Mapping):
        raise DataError(f"a dataset of several splits; give one of them: {', '.join(dataset)}")
    features = getattr(dataset, "features", None)
    named = _with_names(reading, features.to_dict() if features is not None else {})
    return (utterance for _, utterance in numbered(dataset, "dataset", named))


def to_dataset(items: Iterable[Item]) -> datasets.Dataset:
    """Make a Hugging Face dataset of utterances or variants.

    Raises:
        MissingExtraError: if the package datasets is not installed.
    """
    return _datasets().Dataset.from_dict(_columns([_full(item) for item in items]))


class Parquet(Format):
    """Parquet."""

    name = "parquet"
    holds = "Parquet, columns as in JSONL"
    suffixes = (".parquet",)
    magic = b"PAR1"
    unit = "row"
    streams = False
    has_columns = True
    open = staticmethod(_open_parquet)

    def rows(self, path: Path, meter: Meter | None) -> Iterator[Row]:
        """Yield the utterances of the rows."""
        names = _with_names(self.reading, _declared(path))
        return numbered(_records(path, meter), path, names)


class SavedDataset(Format):
    """A Hugging Face dataset on disk."""

    name = "dataset"
    holds = "a Hugging Face dataset saved to disk"
    unit = "row"
    streams = False
    has_columns = True
    open = staticmethod(_open_dataset)

    def rows(self, path: Path, meter: Meter | None) -> Iterator[Row]:  # noqa: ARG002
        """Yield the utterances of the rows."""
        datasets = _datasets()
        try:
            loaded = datasets.load_from_disk(str(path))
        except Exception as error:  # noqa: BLE001 (it raises whatever it likes on damaged files)
            raise DataError(f"{path}: not a saved dataset: {error}") from None
        if isinstance(loaded, datasets.DatasetDict):
            parts = ", ".join(str(path / name) for name in loaded)
            raise DataError(f"{path}: holds several splits; name one: {parts}")
        _check_offsets(loaded, path)
        names = _with_names(self.reading, loaded.features.to_dict())
        return numbered(_whole(loaded, path), path, names)

    def is_folder(self, path: Path) -> bool:
        """Return whether a dataset is saved there."""
        return (path / "state.json").exists() or (path / "dataset_dict.json").exists()


PARQUET, DATASET = Parquet(), SavedDataset()
