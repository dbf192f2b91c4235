"""Write a run: one SQLite file, committed batch by batch, so that a kill loses little."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

from mondegreen.data.files.output import check_target
from mondegreen.data.files.places import locked, real_target
from mondegreen.errors import DataError, OutputError
from mondegreen.kernel import FirstPlaces
from mondegreen.metrics.metric import Metric
from mondegreen.runs.schema import APPLICATION, SEARCH, VERSION, counts_of, indices, tables

_BEFORE = (
    "number", "set_number", "position", "id", "parent", "operator", "state", "speaker", "text",
    "label", "predicted", "utterance", "edits", "prediction",
)  # fmt: skip
_AFTER = ("loss", "flip", "said_key", "gold_key")
_TABLES = "SELECT name FROM sqlite_master WHERE type = 'table'"
_SPARE = "spare"
_KNOWN = "SELECT prediction, loss, gold_key FROM items WHERE number = ? AND text = ?"
_CACHE = 256 * 1024  # KiB of pages in memory, so that indices are sorted there


class KnownAnswer(NamedTuple):
    """A stored answer as JSON, with its loss for the gold frame of ``gold_key``."""

    prediction: str
    loss: float | None
    gold_key: int


@dataclass(frozen=True)
class Store:
    """A run that is being written."""

    path: Path
    connection: sqlite3.Connection
    metric: Metric

    @classmethod
    @contextmanager
    def open(
        cls,
        path: Path,
        metric: Metric,
        meta: dict[str, str],
        sets: Sequence[Sequence[Any]],
        *,
        force: bool = False,
    ) -> Iterator[Store]:
        """Start a run, or continue an existing one.

        Args:
            path: the file.
            metric: the metric of the run.
            meta: the suite, the model and so on; those of an existing run must be the same.
            sets: the rows of the table ``sets``.
            force: start over, even if the run exists.

        Raises:
            DataError: if the file is a run of another suite or model, or not a run.
            OutputError: if the file cannot be written.
        """
        path = real_target(path)
        check_target(path, force=True)
        with locked(path, "writing this run"), translate_errors(path):
            if force and path.exists():
                _check_replaceable(path)
                _remove(path)
            connection = connect(path, "rwc")
            try:
                if not _is_fresh(connection):
                    check_header(connection, path)
                    _check_continued(connection, path)
                store = cls(path, connection, metric)
                connection.execute("PRAGMA journal_mode = WAL")
                connection.execute("PRAGMA synchronous = NORMAL")
                connection.execute(f"PRAGMA cache_size = -{_CACHE}")
                if not _is_fresh(connection) and store.done() == 0 and not store.spare:
                    store.drop_tables()  # started without any answer: another model may use it
                if _is_fresh(connection):
                    store.begin(meta, sets)
                store.check(meta)
                yield store
            finally:
                connection.close()

    def begin(self, meta: dict[str, str], sets: Sequence[Sequence[Any]]) -> None:
        """Create all tables in one transaction."""
        made = tables(self.metric, counts_of(self.metric))
        header = f"PRAGMA application_id = {APPLICATION}; PRAGMA user_version = {VERSION};"
        self.connection.executescript(f"BEGIN IMMEDIATE; {header} {made}")
        self.connection.executemany("INSERT INTO meta VALUES (?, ?)", meta.items())
        self.connection.executemany("INSERT INTO sets VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", sets)
        self.connection.commit()

    def drop_tables(self) -> None:
        """Remove the tables."""
        names = [row[0] for row in self.connection.execute(_TABLES)]
        drops = " ".join(f"DROP TABLE {name};" for name in names)
        self.connection.executescript(
            f"BEGIN IMMEDIATE; {drops} PRAGMA application_id = 0; COMMIT;"
        )

    def check(self, meta: dict[str, str]) -> None:
        """Check that the run is of the same suite and model.

        Raises:
            DataError: if it is not, naming both.
        """
        check_same(self.path, dict(self.connection.execute("SELECT key, value FROM meta")), meta)

    @property
    def state(self) -> str:
        """``running`` or ``done``."""
        return str(self.meta("state"))

    def meta(self, key: str) -> str | None:
        """Return an entry of the metadata; ``None`` if there is no such entry."""
        row = self.connection.execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()
        return None if row is None else str(row[0])

    def note(self, key: str, value: str) -> None:
        """Store an entry of the metadata; it is committed with the next items."""
        self.connection.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (key, value))

    def done(self) -> int:
        """Return how many items are stored; they are stored in order."""
        row = self.connection.execute("SELECT COALESCE(MAX(number) + 1, 0) FROM items").fetchone()
        return int(row[0])

    def wrong(self, first: int, n: int) -> bytearray:
        """Return whether each of ``n`` stored items from ``first`` on is wrong."""
        rows = self.connection.execute(
            "SELECT wrong FROM items WHERE number >= ? AND number < ? ORDER BY number",
            (first, first + n),
        )
        return bytearray(row[0] for row in rows)

    def known(self, said_key: int, text: str) -> KnownAnswer | None:
        """Return the stored answer to a text; ``None`` if it has no answer yet."""
        number = self._said.get(said_key)
        if number < 0:
            return self.spare.get((said_key, text))
        row = self.connection.execute(_KNOWN, (number, text)).fetchone()
        return None if row is None else KnownAnswer(*row)

    @cached_property
    def spare(self) -> dict[tuple[int, str], KnownAnswer]:
        """Answers that came before an error of another text of their batch, by their texts."""
        tables = [row[0] for row in self.connection.execute(_TABLES)]
        if _SPARE not in tables:
            return {}
        rows = self.connection.execute(f"SELECT * FROM {_SPARE}")
        return {(said_key, text): KnownAnswer(*known) for said_key, text, *known in rows}

    def keep(self, answers: Sequence[tuple[int, str, str, float | None, int]]) -> None:
        """Keep answers for the next start: keys and texts, and what :class:`Known` holds."""
        self.connection.execute(
            f"CREATE TABLE IF NOT EXISTS {_SPARE} (said_key INTEGER, text TEXT, prediction TEXT, "
            "loss REAL, gold_key INTEGER)"
        )
        self.connection.executemany(f"INSERT INTO {_SPARE} VALUES (?, ?, ?, ?, ?)", answers)
        self.connection.commit()

    @cached_property
    def _said(self) -> FirstPlaces:
        """The first item of each text; an index in the file would be updated all over."""
        places = FirstPlaces()
        for number, said_key in self.connection.execute("SELECT number, said_key FROM items"):
            places.add(said_key, number)
        return places

    @cached_property
    def _insert(self) -> str:
        names = item_columns(self.metric)
        return f"INSERT INTO items ({', '.join(names)}) VALUES ({', '.join('?' * len(names))})"

    def add(self, rows: Sequence[Sequence[Any]], asked: int) -> None:
        """Store items and commit; ``asked`` is the number of texts sent to the model."""
        said = self._said
        self.connection.executemany(self._insert, rows)
        for row in rows:
            said.add(row[-2], row[0])  # said_key and number
        self.note("asked", str(int(self.meta("asked") or 0) + asked))
        self.connection.commit()

    def finish(self, scores: Sequence[Sequence[Any]], notes: dict[str, str]) -> None:
        """Store the scores, create the indices for the viewer, and merge the log into the file."""
        search = SEARCH if _has_search() else ""
        self.connection.executescript(f"BEGIN IMMEDIATE; {indices(self.metric)} {search}")
        self.connection.executemany(
            "INSERT OR REPLACE INTO scores VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", scores
        )
        for key, value in notes.items():
            self.note(key, value)
        self.connection.execute(f"DROP TABLE IF EXISTS {_SPARE}")
        self.note("state", "done")
        self.connection.execute("ANALYZE")
        self.connection.commit()
        with suppress(sqlite3.OperationalError):  # a reader has it open: the log files stay
            self.connection.execute("PRAGMA busy_timeout = 0")
            self.connection.execute("PRAGMA journal_mode = DELETE")


def item_columns(metric: Metric) -> tuple[str, ...]:
    """Return the columns of an item in the order in which they are inserted."""
    return (*_BEFORE, *counts_of(metric), *_AFTER)


def check_same(path: Path, found: dict[str, str], wanted: dict[str, str]) -> None:
    """Check that the metadata of a run name the same suite and model as ``wanted``.

    Raises:
        DataError: if they do not, naming both.
    """
    if found.get("repeat", "1") != wanted.get("repeat", "1"):
        raise DataError(
            f"{path}: asks each text {found.get('repeat', '1')} times, not {wanted['repeat']}; "
            "give another name, or --force to start over"
        )
    for key, what in (("suite_sha", "suite"), ("model", "model")):
        if found.get(key) != wanted[key]:
            raise DataError(
                f"{path}: is a run of another {what} ({found.get(what)}, not {wanted[what]}); "
                "give another name, or --force to start over"
            )


def connect(path: Path, mode: str) -> sqlite3.Connection:
    """Open a file as ``ro``, ``rw`` or ``rwc``; threads may use the connection in turn."""
    address = f"{path.absolute().as_uri()}?mode={mode}"
    return sqlite3.connect(address, uri=True, timeout=10, check_same_thread=False)


@contextmanager
def translate_errors(path: Path) -> Iterator[None]:
    """Translate errors of SQLite to errors that say what to do.

    Raises:
        DataError: if the file is not a run.
        OutputError: if the file cannot be written, or if another process writes it.
    """
    try:
        yield
    except sqlite3.IntegrityError:
        raise OutputError(
            f"{path}: another process is writing this run; wait until it ends"
        ) from None
    except sqlite3.OperationalError as error:
        if "unable to open" in str(error):
            raise OutputError(f"{path}: cannot be opened; give another name") from None
        raise OutputError(f"{path}: {error}; finished batches are stored") from None
    except sqlite3.DatabaseError as error:
        raise DataError(f"{path}: not a run ({error})") from None


def check_header(connection: sqlite3.Connection, path: Path) -> None:
    """Check that a file is a run that this version can read.

    Raises:
        DataError: if it is not a run, or a run of a newer version.
    """
    if _pragma(connection, "application_id") != APPLICATION:
        raise DataError(f"{path}: not a run; make one with: mondegreen evaluate SUITE --model …")
    version = _pragma(connection, "user_version")
    if version > VERSION:
        raise DataError(
            f"{path}: is a run of format {version}, but this version reads format {VERSION}; "
            "install the version of mondegreen that made it, or a newer one"
        )


def _check_continued(connection: sqlite3.Connection, path: Path) -> None:
    """Check that a run that is not finished has the tables of this version."""
    state = connection.execute("SELECT value FROM meta WHERE key = 'state'").fetchone()
    if _pragma(connection, "user_version") < VERSION and state is not None and state[0] != "done":
        raise DataError(
            f"{path}: an earlier version of mondegreen began this run; finish it with that one, or "
            "start over with --force"
        )


def _pragma(connection: sqlite3.Connection, name: str) -> int:
    return int(connection.execute(f"PRAGMA {name}").fetchone()[0])


def _is_fresh(connection: sqlite3.Connection) -> bool:
    """Return whether the file is new, or the writer was killed before its first commit."""
    tables = connection.execute("SELECT COUNT(*) FROM sqlite_master").fetchone()[0]
    return tables == 0 and _pragma(connection, "application_id") == 0


def _has_search() -> bool:
    """Return whether this build of SQLite has full-text search."""
    with closing(sqlite3.connect(":memory:")) as memory:
        return bool(memory.execute("SELECT sqlite_compileoption_used('ENABLE_FTS5')").fetchone()[0])


def _check_replaceable(path: Path) -> None:
    """Check that a file is a run, and may be replaced.

    Raises:
        OutputError: if it is not a run.
    """
    try:
        with closing(connect(path, "rw")) as connection:  # a killed writer leaves much in the log
            if _is_fresh(connection) or _pragma(connection, "application_id") == APPLICATION:
                return
    except sqlite3.DatabaseError:
        if path.read_bytes()[68:72] == APPLICATION.to_bytes(4, "big"):
            return  # a damaged run
    raise OutputError(f"{path}: is not a run, so --force does not replace it; give another name")


def _remove(path: Path) -> None:
    for suffix in ("", "-wal", "-shm", "-journal"):
        path.with_name(path.name + suffix).unlink(missing_ok=True)
