"""Parquet files and Hugging Face datasets, behind the extra ``datasets``."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from mondegreen.data.formats import (
    Format,
    Item,
    Read,
    Row,
    Sink,
    Target,
    unique_rows,
    utterance_in,
)
from mondegreen.data.layout import PLAIN, Reading
from mondegreen.data.lines import Meter
from mondegreen.data.output import whole_path
from mondegreen.data.records import record_of, utterance_of
from mondegreen.data.states import COLUMNS as STATE_COLUMNS
from mondegreen.errors import DataError, MissingExtraError, MondegreenError, OutputError
from mondegreen.types import Utterance, Variant

if TYPE_CHECKING:
    import datasets

_BATCH = 10_000


def _pyarrow() -> Any:
    try:
        import pyarrow as pa
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
    except (pa.ArrowException, OSError):
        return {}  # reading says what is wrong


def _records(path: Path, meter: Meter | None) -> Iterator[Any]:
    pa = _pyarrow()
    if not path.is_file():
        raise DataError(f"{path}: there is no such file")
    try:
        with pa.parquet.ParquetFile(path) as file:
            share = path.stat().st_size / max(1, file.metadata.num_rows)
            for batch in file.iter_batches(_BATCH):
                if meter is not None:
                    meter(round(batch.num_rows * share))
                yield from batch.to_pylist()
    except pa.ArrowException as error:
        raise DataError(f"{path}: not a Parquet file: {error}") from None


def _parquet_reader(reading: Reading) -> Read:
    def rows(path: Path, meter: Meter | None) -> Iterator[Row]:
        return numbered(_records(path, meter), path, _with_names(reading, _declared(path)))

    return unique_rows(rows, "row")


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


def _dataset_reader(reading: Reading) -> Read:
    def rows(path: Path, _meter: Meter | None) -> Iterator[Row]:
        datasets = _datasets()
        try:
            loaded = datasets.load_from_disk(str(path))
        except (OSError, ValueError) as error:
            raise DataError(f"{path}: not a saved dataset: {error}") from None
        if isinstance(loaded, datasets.DatasetDict):
            parts = ", ".join(str(path / name) for name in loaded)
            raise DataError(f"{path}: holds several splits; name one: {parts}")
        return numbered(loaded, path, _with_names(reading, loaded.features.to_dict()))

    return unique_rows(rows, "row")


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


PARQUET = Format(
    "parquet",
    "Parquet, columns as in JSONL",
    (".parquet",),
    _parquet_reader(PLAIN),
    _open_parquet,
    reader=_parquet_reader,
    has_columns=True,
    streams=False,
)
DATASET = Format(
    "dataset",
    "a Hugging Face dataset saved to disk",
    (),
    _dataset_reader(PLAIN),
    _open_dataset,
    reader=_dataset_reader,
    has_columns=True,
    streams=False,
)
