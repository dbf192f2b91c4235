"""Parquet files and Hugging Face datasets, behind the extra ``datasets``."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mondegreen.data.formats import Format, Item, Row, Sink, Target, unique_rows, utterance_in
from mondegreen.data.lines import Meter
from mondegreen.data.output import whole_path
from mondegreen.data.records import record_of, utterance_of
from mondegreen.errors import DataError, MissingExtraError, MondegreenError, OutputError
from mondegreen.types import Utterance

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


def _numbered(records: Iterable[Any], place: object) -> Iterator[Row]:
    for number, record in enumerate(records, start=1):
        try:
            yield number, utterance_of(record, str(number))
        except MondegreenError as error:
            raise DataError(f"{place}, row {number}: {error}") from None


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


def _parquet_rows(path: Path, meter: Meter | None) -> Iterator[Row]:
    return _numbered(_records(path, meter), path)


def _full(item: Item) -> dict[str, Any]:
    """A record with all columns: a table needs the same in every row."""
    utterance = utterance_in(item)
    return {**record_of(item), "tags": utterance.tags, "label": utterance.label}


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
            table = pa.table(_columns(records) if records else {"id": [], "text": []})
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


def _dataset_rows(path: Path, _meter: Meter | None) -> Iterator[Row]:
    datasets = _datasets()
    try:
        loaded = datasets.load_from_disk(str(path))
    except (OSError, ValueError) as error:
        raise DataError(f"{path}: not a saved dataset: {error}") from None
    if isinstance(loaded, datasets.DatasetDict):
        parts = ", ".join(str(path / name) for name in loaded)
        raise DataError(f"{path}: holds several splits; name one: {parts}")
    return _numbered(loaded, path)


def _is_dataset(path: Path) -> bool:
    return (path / "dataset_info.json").is_file() and (path / "state.json").is_file()


@contextmanager
def _open_dataset(target: Target) -> Iterator[Sink]:
    with whole_path(target.path, force=target.force, ours=_is_dataset) as temporary:
        items: list[Item] = []
        yield items.append
        to_dataset(items).save_to_disk(str(temporary))


def from_dataset(dataset: datasets.Dataset) -> Iterator[Utterance]:
    """Yield the utterances of a Hugging Face dataset with columns as in JSONL.

    Raises:
        DataError: naming the row that is not an utterance.
    """
    return (said for _, said in _numbered(dataset, "dataset"))


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
    unique_rows(_parquet_rows, "row"),
    _open_parquet,
    streams=False,
)
DATASET = Format(
    "dataset",
    "a Hugging Face dataset saved to disk",
    (),
    unique_rows(_dataset_rows, "row"),
    _open_dataset,
    streams=False,
)
