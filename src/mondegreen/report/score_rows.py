"""Read the rows of a score (``score … --items FILE``), one JSON object per line."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from operator import attrgetter
from pathlib import Path
from typing import Any

import msgspec

from mondegreen.errors import DataError, PluginError
from mondegreen.metrics import METRICS
from mondegreen.metrics.metric import Metric

_CHUNK = 4_000_000  # bytes that are decoded at once
_NO_ID = "there is no id; write rows with: score … --items"


def metric_of(path: Path, row: Mapping[str, Any]) -> Metric:
    """Return the metric of a file, by its first row."""
    parts = str(row.get("signature", "")).split("|")
    name = str(row.get("metric", "")) or (parts[1] if len(parts) > 1 else "")
    if not name:
        raise DataError(
            f"{path}: the first row does not name its metric; write the file again with: "
            f"score … --items {path}"
        )
    try:
        return METRICS.named(name)
    except PluginError as error:
        raise DataError(f"{path}: {error}") from None


class RowFile:
    """The rows of a file; the keys of the first one decide what is read of all.

    Args:
        path: the file.

    Raises:
        DataError: if the file cannot be read, or if it has no rows.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        with self._reading():
            first = next(self._lines(), None)
        if first is None:
            raise DataError(
                f"{path}: contains no utterances; write it with: score … --items {path}"
            )
        self.first: dict[str, Any] = self._decode(first, msgspec.json.Decoder(dict[str, Any]), 1)
        if "id" not in self.first:
            raise DataError(f"{path}, line 1: {_NO_ID}")

    def tuples(
        self, keys: Sequence[str], columns: Sequence[str]
    ) -> Iterator[Iterable[tuple[Any, ...]]]:
        """Yield the values of some keys and some further columns, many rows at a time.

        Raises:
            DataError: if a line is not a row.
        """
        fast = msgspec.json.Decoder(_row_type(keys, columns, str | int | float | None))
        slow = msgspec.json.Decoder(_row_type(keys, columns, Any))  # lists, true and false as well
        plain = 1 + len(keys)
        values = attrgetter(
            "id",
            *(f"key{at}" for at in range(len(keys))),
            *(f"columns.key{at}" for at in range(len(columns))),
        )
        number = 1
        with self._reading(), self._path.open("rb") as file:
            while chunk := file.readlines(_CHUNK):
                try:
                    yield map(values, fast.decode_lines(b"".join(chunk)))
                except (msgspec.MsgspecError, UnicodeDecodeError):
                    rows = [self._decode(line, slow, number + n) for n, line in enumerate(chunk)]
                    yield (_with_texts(values(row), plain) for row in rows)
                number += len(chunk)

    def _lines(self) -> Iterator[bytes]:
        with self._path.open("rb") as file:
            yield from file

    def _decode(self, line: bytes, decoder: msgspec.json.Decoder[Any], number: int) -> Any:
        try:
            return decoder.decode(line)
        except (msgspec.MsgspecError, UnicodeDecodeError) as error:
            problem = _NO_ID if "`id`" in str(error) else f"not a row of a score: {error}"
            raise DataError(f"{self._path}, line {number}: {problem}") from None

    @contextmanager
    def _reading(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            raise DataError(f"{self._path}: cannot be read: {error.strerror}") from None


def _with_texts(values: tuple[Any, ...], plain: int) -> tuple[Any, ...]:
    """Return values with those after the plain ones as texts."""
    texts = (None if value is None else str(value) for value in values[plain:])
    return (*values[:plain], *texts)


def _row_type(keys: Sequence[str], columns: Sequence[str], kind: Any) -> type[msgspec.Struct]:
    """Return the type of a row: an id, some keys, and further columns of a kind."""
    extra = _struct("Columns", (), columns, kind)
    return _struct("Row", [("id", Any)], keys, Any, ("columns", extra, extra()))


def _struct(
    name: str, first: Iterable[Any], keys: Sequence[str], kind: Any, *last: Any
) -> type[msgspec.Struct]:
    """Return a type with fields ``key0``, ``key1`` and so on, which JSON calls by their keys."""
    fields = [(f"key{at}", kind, None) for at in range(len(keys))]
    names = {f"key{at}": key for at, key in enumerate(keys)}
    return msgspec.defstruct(name, [*first, *fields, *last], rename=names, frozen=True, gc=False)
