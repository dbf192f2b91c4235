"""Read the rows of a score (``score … --items FILE``), one JSON object per line."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import islice
from operator import attrgetter
from os import SEEK_END
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import msgspec

from mondegreen.errors import DataError, PluginError
from mondegreen.metrics import METRICS
from mondegreen.metrics.metric import Metric

_CHUNK = 500_000  # bytes that are decoded at once; few enough to stay in the cache
_NO_ID = "there is no id; write rows with: score … --items"
_PLAIN = str | int | float
_COUNT = Annotated[int, msgspec.Meta(ge=0, le=1 << 40)]


class Keys(NamedTuple):
    """The keys of rows by what they hold: texts, rates, which may be missing, and counts."""

    texts: tuple[str, ...]
    rates: tuple[str, ...]
    counts: tuple[str, ...]

    @property
    def names(self) -> tuple[str, ...]:
        """All keys, in this order."""
        return (*self.texts, *self.rates, *self.counts)


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
        self.path = path
        with self._reading():
            first = next(self._lines(), None)
        if first is None:
            raise DataError(
                f"{path}: contains no utterances; write it with: score … --items {path}"
            )
        self.first: dict[str, Any] = self._decode(first, msgspec.json.Decoder(dict[str, Any]), 1)
        if "id" not in self.first:
            raise DataError(f"{path}, line 1: {_NO_ID}")

    def at(self, position: int) -> dict[str, Any]:
        """Return a row by its position, from 1."""
        with self._reading():
            rows = (line for line in self._lines() if not line.isspace())
            line = next(islice(rows, position - 1, None), b"{}")
        found: dict[str, Any] = self._decode(line, msgspec.json.Decoder(dict[str, Any]), position)
        return found

    def line_after(self, share: float) -> int:
        """Return where the first line after a share of the file begins."""
        with self._reading(), self.path.open("rb") as file:
            file.seek(int(share * file.seek(0, SEEK_END)))
            file.readline()
            return file.tell()

    def tuples(
        self, keys: Keys, columns: Sequence[str], start: int = 0, end: int | None = None
    ) -> Iterator[Iterable[tuple[Any, ...]]]:
        """Yield the id, the values of some keys and of further columns, many rows at a time.

        Args:
            keys: the keys.
            columns: the further columns.
            start: where in the file the first row begins.
            end: where the last row ends; by default, all rows are read.

        Raises:
            DataError: if a line is not a row, or if a value is not of its kind.
        """
        fast = msgspec.json.Decoder(_row_type(keys, columns, _PLAIN | None))
        slow = msgspec.json.Decoder(_row_type(keys, columns, Any))  # lists, true and false as well
        plain = 1 + len(keys.names)
        values = attrgetter(
            "id",
            *(f"key{at}" for at in range(len(keys.names))),
            *(f"columns.key{at}" for at in range(len(columns))),
        )
        done = start
        for chunk in self._chunks(start, end):
            try:
                yield map(values, fast.decode_lines(chunk))
            except (msgspec.MsgspecError, UnicodeDecodeError):
                number = 1 + self._lines_before(done)
                lines = chunk.splitlines()
                rows = [self._decode(line, slow, number + n) for n, line in enumerate(lines)]
                yield (_with_texts(values(row), plain) for row in rows)
            done += len(chunk)

    def _chunks(self, start: int, end: int | None) -> Iterator[bytes]:
        """Yield the content of the file in whole lines."""
        with self._reading(), self.path.open("rb") as file:
            place = file.seek(start)
            while content := file.read(_CHUNK if end is None else min(_CHUNK, end - place)):
                whole = content if content.endswith(b"\n") else content + file.readline()
                place += len(whole)
                yield whole

    def _lines_before(self, place: int) -> int:
        """Return how many lines end before a place in the file."""
        with self._reading(), self.path.open("rb") as file:
            return sum(
                file.read(min(_CHUNK, place - at)).count(b"\n") for at in range(0, place, _CHUNK)
            )

    def _lines(self) -> Iterator[bytes]:
        with self.path.open("rb") as file:
            yield from file

    def _decode(self, line: bytes, decoder: msgspec.json.Decoder[Any], number: int) -> Any:
        try:
            return decoder.decode(line)
        except (msgspec.MsgspecError, UnicodeDecodeError) as error:
            problem = _NO_ID if "`id`" in str(error) else f"not a row of a score: {error}"
            raise DataError(f"{self.path}, line {number}: {problem}") from None

    @contextmanager
    def _reading(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            raise DataError(f"{self.path}: cannot be read: {error.strerror}") from None


def _with_texts(values: tuple[Any, ...], plain: int) -> tuple[Any, ...]:
    """Return values with those after the plain ones as texts."""
    texts = (None if value is None else str(value) for value in values[plain:])
    return (*values[:plain], *texts)


def _row_type(keys: Keys, columns: Sequence[str], kind: Any) -> type[msgspec.Struct]:
    """Return the type of a row: an id, some keys, and further columns of a kind."""
    kinds = [
        *((_PLAIN | None, None) for _ in keys.texts),
        *((float | None, None) for _ in keys.rates),
        *((_COUNT, msgspec.NODEFAULT) for _ in keys.counts),
    ]
    extra = _struct("Columns", columns, [(kind, None)] * len(columns))
    own = (("id", _PLAIN), ("columns", extra, extra()))
    return _struct("Row", keys.names, kinds, *own)


def _struct(
    name: str, keys: Sequence[str], kinds: Sequence[tuple[Any, Any]], *more: Any
) -> type[msgspec.Struct]:
    """Return a type with fields ``key0``, ``key1`` and so on, which JSON calls by their keys."""
    fields = [(f"key{at}", kind, default) for at, (kind, default) in enumerate(kinds)]
    names = {f"key{at}": key for at, key in enumerate(keys)}
    return msgspec.defstruct(
        name, [*more, *fields], rename=names, frozen=True, gc=False, kw_only=True
    )
