"""Hugging Face datasets, behind the extra ``datasets``."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mondegreen.data.files.lines import Meter
from mondegreen.data.files.output import whole_path
from mondegreen.data.formats.format import Format, Item, Row, Sink, Target
from mondegreen.data.formats.parquet_columns import full_record
from mondegreen.data.layout import PLAIN, ReadOptions
from mondegreen.data.records import utterance_of
from mondegreen.data.states import COLUMNS as STATE_COLUMNS
from mondegreen.errors import DataError, MissingExtraError, MondegreenError
from mondegreen.types import Utterance, Variant

if TYPE_CHECKING:
    import datasets


def _datasets() -> Any:
    try:
        import datasets
    except ImportError:
        raise MissingExtraError.of("datasets", "Hugging Face datasets") from None
    return datasets


def numbered(
    records: Iterable[Any], place: object, reading: ReadOptions = PLAIN, first: int = 1
) -> Iterator[Row]:
    """Yield the utterances of records with their row numbers.

    Raises:
        DataError: naming the place and the row that is not an utterance.
    """
    for number, record in enumerate(records, start=first):
        try:
            yield number, utterance_of(record, str(number), reading)
        except MondegreenError as error:
            raise DataError(f"{place}, row {number}: {error}") from None


def with_names(reading: ReadOptions, features: Mapping[str, Any]) -> ReadOptions:
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


def _full(item: Item) -> dict[str, Any]:
    """A record with all columns: a table needs the same in every row."""
    record = full_record(item)
    if isinstance(item, Variant):
        record = {**dict.fromkeys(("values", *STATE_COLUMNS)), **record}
    return record


def _columns(records: list[dict[str, Any]]) -> dict[str, list[Any]]:
    names = dict.fromkeys(name for record in records for name in record)
    return {name: [record.get(name) for record in records] for name in names}


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
    return dataset_utterances(dataset, ReadOptions.parse(map))


def dataset_utterances(dataset: datasets.Dataset, reading: ReadOptions) -> Iterator[Utterance]:
    """Yield the utterances of a dataset; see :func:`from_dataset`."""
    if isinstance(dataset, Mapping):
        raise DataError(f"a dataset of several splits; give one of them: {', '.join(dataset)}")
    features = getattr(dataset, "features", None)
    named = with_names(reading, features.to_dict() if features is not None else {})
    return (utterance for _, utterance in numbered(dataset, "dataset", named))


def to_dataset(items: Iterable[Item]) -> datasets.Dataset:
    """Make a Hugging Face dataset of utterances or variants.

    Raises:
        MissingExtraError: if the package datasets is not installed.
    """
    return _datasets().Dataset.from_dict(_columns([_full(item) for item in items]))


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
        names = with_names(self.reading, loaded.features.to_dict())
        return numbered(_whole(loaded, path), path, names)

    def is_folder(self, path: Path) -> bool:
        """Return whether a dataset is saved there."""
        return (path / "state.json").exists() or (path / "dataset_dict.json").exists()


DATASET = SavedDataset()
