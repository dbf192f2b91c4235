"""Data frames of pandas and polars, Arrow tables and datasets, as utterances."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from mondegreen.data.formats.arrow import dataset_utterances, numbered
from mondegreen.data.layout import PLAIN, ReadOptions
from mondegreen.errors import DataError
from mondegreen.types import Utterance


def is_table(data: object) -> bool:
    """Return whether something is a data frame, an Arrow table or a dataset."""
    return hasattr(data, "columns") or hasattr(data, "column_names")


def read_table(data: Any, reading: ReadOptions = PLAIN) -> Iterator[Utterance]:
    """Yield the utterances of a data frame of pandas or polars, an Arrow table or a dataset.

    Raises:
        DataError: if it is another kind of table, or naming the row that is not an utterance.
    """
    if isinstance(data, Mapping):
        raise DataError(
            f"a dict of {', '.join(map(str, data)) or 'nothing'} is not a table; give a list of "
            "utterances, a data frame, or one split of a dataset"
        )
    if hasattr(data, "features"):
        return dataset_utterances(data, reading)
    rows = numbered(_records(data), type(data).__name__, reading)
    return (utterance for _, utterance in rows)


def _records(data: Any) -> Iterator[Any]:
    if hasattr(data, "iter_rows"):  # polars
        return iter(data.iter_rows(named=True))
    if hasattr(data, "to_pylist"):  # Arrow
        return iter(data.to_pylist())
    if hasattr(data, "itertuples"):  # pandas
        names = [str(name) for name in data.columns]
        return (
            {name: _listed(value) for name, value in zip(names, row, strict=True)}
            for row in data.itertuples(index=False, name=None)
        )
    raise DataError(
        f"utterances cannot be read from {type(data).__name__}; give a path, a data frame of "
        "pandas or polars, an Arrow table or a dataset"
    )


def _listed(value: Any) -> Any:
    """Return an array of a cell as a list."""
    return value.tolist() if hasattr(value, "tolist") and hasattr(value, "shape") else value
