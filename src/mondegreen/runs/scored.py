"""A score as a run with one set: written from the rows that ``score … --items`` makes.

Rows as JSON lines are the other form of the same content. They are read into a run as well, so
that all that shows, compares or explains results reads runs (docs/design/0012-runs.md).
"""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from operator import attrgetter
from pathlib import Path
from typing import Annotated, Any

import msgspec

from mondegreen import __version__
from mondegreen.errors import DataError, PluginError
from mondegreen.metrics import METRICS
from mondegreen.metrics.metric import Metric
from mondegreen.metrics.statistics.comparison import ALL
from mondegreen.metrics.statistics.estimate import Estimate
from mondegreen.perturbation.suite_recipe import ORIGINAL
from mondegreen.runs.queries import quoted
from mondegreen.runs.schema import APPLICATION, COLUMN, VERSION, tables

_CHUNK = 500_000  # bytes that are decoded at once; few enough to stay in the cache
_TEXTS = ("ref", "hyp", "written_ref", "written_hyp", "alignment")
_OTHER = ("id", "signature", "metric", "columns", "utterances")
_NO_ID = "there is no id; write rows with: score … --items"
_PLAIN = str | int | float
_COUNT = Annotated[int, msgspec.Meta(ge=0, le=1 << 40)]
_UNFIT = (sqlite3.Error, ValueError, TypeError, LookupError, AttributeError, OverflowError)
_SETTINGS = (
    "page_size = 16384", "journal_mode = OFF", "synchronous = OFF", "locking_mode = EXCLUSIVE",
)  # fmt: skip
"""Fast, and safe only for a database that is thrown away if it is not written to the end."""


class ScoreWriter:
    """Writes the rows of a score into a new run with one set.

    Args:
        path: the new database; it is a run once it is finished.
        source: the file that the rows are from or for, for messages.
        system: the name of the system that was scored.
    """

    def __init__(self, path: Path, source: Path, system: str = "") -> None:
        self.source, self.system = source, system
        self.n = self._line = 0
        self._ids = hashlib.blake2b(digest_size=16)
        self._layout: _Layout | None = None
        self._connection = sqlite3.connect(path)
        for setting in _SETTINGS:
            self._connection.execute(f"PRAGMA {setting}")

    def close(self) -> None:
        """Close the database."""
        self._connection.close()

    def add(self, lines: bytes) -> None:
        """Add rows, one JSON object per line; the keys of the first one decide what is read of all.

        Raises:
            DataError: if a line is not a row, naming it.
        """
        try:
            if self._layout is None and lines.strip():
                self._layout = _Layout.of(self.source, self._first(lines))
                self._connection.executescript(self._layout.tables)
            if self._layout is not None:
                rows = list(self._decoded(lines, self._layout))
                self._ids.update("".join(f"{row[0]}\n" for row in rows).encode())
                numbered = ((at, *row) for at, row in enumerate(rows, start=self.n))
                self._connection.executemany(self._layout.insert, numbered)
                self.n += len(rows)
        except _UNFIT as error:
            raise DataError(
                f"{self.source}: not the rows of one score ({error}); write the file again with: "
                f"score … --items {self.source}"
            ) from None
        self._line += lines.count(b"\n")

    def _first(self, lines: bytes) -> dict[str, Any]:
        blank = lines[: len(lines) - len(lines.lstrip())].count(b"\n")
        line = lines.strip().partition(b"\n")[0]
        found: dict[str, Any] = self._decode(line, _ROW, 1 + self._line + blank)
        if "id" not in found:
            raise DataError(f"{self.source}, line {1 + self._line + blank}: {_NO_ID}")
        return found

    def _decoded(self, lines: bytes, layout: _Layout) -> Iterable[tuple[Any, ...]]:
        try:
            return map(layout.values, layout.fast.decode_lines(lines))
        except (msgspec.MsgspecError, UnicodeDecodeError):
            numbered = enumerate(lines.splitlines(), start=1 + self._line)
            rows = [self._decode(one, layout.slow, at) for at, one in numbered if one.strip()]
            return (layout.with_texts(row) for row in rows)

    def _decode(self, line: bytes, decoder: msgspec.json.Decoder[Any], number: int) -> Any:
        try:
            return decoder.decode(line)
        except (msgspec.MsgspecError, UnicodeDecodeError) as error:
            problem = _NO_ID if "`id`" in str(error) else f"not a row of a score: {error}"
            raise DataError(f"{self.source}, line {number}: {problem}") from None

    def finish(self, estimates: Sequence[Estimate] = (), drawn: str = "utterances") -> None:
        """Make the database a run.

        Args:
            estimates: the rates with their intervals; without them, they are computed when they
                are needed.
            drawn: what the bootstrap draws: utterances, or a column of blocks.

        Raises:
            DataError: if there are no rows.
        """
        layout = self._layout
        if layout is None:
            raise DataError(
                f"{self.source}: contains no utterances; write it with: "
                f"score … --items {self.source}"
            )
        self._connection.execute(
            "INSERT INTO sets VALUES (0, ?, ?, '', '', 0, ?, 0, 0)", (ALL, ORIGINAL, self.n)
        )
        meta = layout.meta | {
            "suite_sha": self._ids.hexdigest(),
            "model": self.system or self.source.name,
            "model_spec": self.system or str(self.source),
            "drawn": drawn,
            "finished": datetime.now(UTC).isoformat(timespec="seconds"),
        }
        self._connection.executemany("INSERT INTO meta VALUES (?, ?)", meta.items())
        self._connection.executemany(
            "INSERT INTO scores VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            [(ALL, *msgspec.structs.astuple(one)) for one in estimates],
        )
        self._connection.commit()
        self._connection.execute(f"PRAGMA application_id = {APPLICATION}")
        self._connection.execute(f"PRAGMA user_version = {VERSION}")


class _Layout(msgspec.Struct):
    """The columns of a score: its metric, its counts, and further columns of the data."""

    meta: dict[str, str]
    tables: str
    insert: str
    plain: int
    values: Callable[[Any], tuple[Any, ...]]
    fast: Any
    slow: Any

    @classmethod
    def of(cls, source: Path, first: Mapping[str, Any]) -> _Layout:
        """Return the layout of rows, by the first of them."""
        metric = _metric_of(source, first)
        rates = [name for name in metric.by_name if name in first]
        counts = [key for key in first if key not in (*_TEXTS, *_OTHER, *rates)]
        columns = first.get("columns", {})
        names = [*columns] if isinstance(columns, dict) else []
        sums = {name: first[name] for name in counts if type(first[name]) is int}
        for rate in rates:
            metric.by_name[rate].ratio(sums | {"utterances": 1})  # it can be had from the counts
        meta = {
            "suite": str(first.get("signature", "")),
            "signature": str(first.get("signature", "")),
            "metric": METRICS.name_of(metric),
            "counts": msgspec.json.encode(counts).decode(),
            "rates": msgspec.json.encode(rates).decode(),
            "columns": msgspec.json.encode(names).decode(),
            "answers": "text",
            "version": __version__,
            "state": "done",
        }
        return cls(
            meta,
            tables(metric, counts, names),
            _insert(counts, names),
            1 + len(_TEXTS) + len(counts),
            attrgetter(
                "id",
                *(f"key{at}" for at in range(len(_TEXTS) + len(counts))),
                *(f"columns.key{at}" for at in range(len(names))),
            ),
            msgspec.json.Decoder(_row_type(counts, names, _PLAIN | None)),
            msgspec.json.Decoder(_row_type(counts, names, Any)),  # lists, true and false as well
        )

    def with_texts(self, row: Any) -> tuple[Any, ...]:
        """Return the values of a row, with further columns as texts."""
        values = self.values(row)
        texts = (None if value is None else str(value) for value in values[self.plain :])
        return (*values[: self.plain], *texts)


def _insert(counts: Sequence[str], columns: Sequence[str]) -> str:
    """Return the statement that inserts a row: number, id, texts, counts, further columns."""
    start = 3 + len(_TEXTS)
    further = {name: start + at for at, name in enumerate(counts)}
    further |= {COLUMN + name: start + len(counts) + at for at, name in enumerate(columns)}
    if "speaker" in columns:
        further["speaker"] = further[f"{COLUMN}speaker"]
    written = "CASE WHEN ?{0} IS NULL THEN '' ELSE json_object('id', ?2, 'text', ?{0}) END"
    values = {
        "number": "?1", "set_number": "0", "position": "?1", "id": "?2", "parent": "?2",
        "text": "COALESCE(?3, '')", "hyp": "?4", "utterance": written.format(5),
        "prediction": written.format(6), "alignment": "?7",
    } | {name: f"?{at}" for name, at in further.items()}  # fmt: skip
    names = ", ".join(map(quoted, values))
    return f"INSERT INTO items ({names}) VALUES ({', '.join(values.values())})"


def _metric_of(path: Path, row: Mapping[str, Any]) -> Metric:
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


_ROW = msgspec.json.Decoder(dict[str, Any])


def _row_type(counts: Sequence[str], columns: Sequence[str], kind: Any) -> type[msgspec.Struct]:
    """Return the type of a row: an id, texts, counts, and further columns of a kind."""
    kinds = [(_PLAIN | None, None)] * len(_TEXTS) + [(_COUNT, msgspec.NODEFAULT)] * len(counts)
    extra = _struct("Columns", columns, [(kind, None)] * len(columns))
    own = (("id", _PLAIN), ("columns", extra, extra()))
    return _struct("Row", (*_TEXTS, *counts), kinds, *own)


def _struct(
    name: str, keys: Sequence[str], kinds: Sequence[tuple[Any, Any]], *more: Any
) -> type[msgspec.Struct]:
    """Return a type with fields ``key0``, ``key1`` and so on, which JSON calls by their keys."""
    fields = [(f"key{at}", kind, default) for at, (kind, default) in enumerate(kinds)]
    names = {f"key{at}": key for at, key in enumerate(keys)}
    return msgspec.defstruct(
        name, [*more, *fields], rename=names, frozen=True, gc=False, kw_only=True
    )


def read_rows(source: Path, database: Path, on_progress: Callable[[int], object]) -> None:
    """Read a file of rows (``score … --items FILE.jsonl``) into a new run.

    Raises:
        DataError: if the file cannot be read, or if a line is not a row.
    """
    writer = ScoreWriter(database, source)
    try:
        with source.open("rb") as file:
            while content := file.read(_CHUNK):
                before = writer.n
                writer.add(content if content.endswith(b"\n") else content + file.readline())
                on_progress(writer.n - before)
        writer.finish()
    except OSError as error:
        raise DataError(f"{source}: cannot be read: {error.strerror}") from None
    finally:
        writer.close()
