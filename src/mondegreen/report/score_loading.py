"""Load the rows of a score into a database; of a large file, a second process reads a part.

Decoding and inserting a million rows takes some seconds. Threads would not help, since both hold
Python's lock.
"""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from pathlib import Path

import msgspec

from mondegreen.report.score_database import Layout, add_quotients, create, insert
from mondegreen.report.score_rows import RowFile

LARGE = 64_000_000
"""Bytes of a file from which a second process is worth its start."""
_FIRST = 0.56  # share that this process reads, since the other one must start


class Request(msgspec.Struct):
    """What the second process does: read a file from a place on, and write a database."""

    file: Path
    start: int
    layout: Layout
    database: Path


def fill_database(
    path: Path,
    file: RowFile,
    layout: Layout,
    quotients: Mapping[str, str],
    on_progress: Callable[[int], object],
) -> None:
    """Write rows into the table ``items`` of a new database.

    Args:
        path: the database.
        file: the rows.
        layout: the columns of the table.
        quotients: rates that are not read, and the SQL that computes them.
        on_progress: called with the number of rows written since the last call.

    Raises:
        DataError: if a line is not a row.
    """
    with closing(create(path, layout)) as connection:
        if file.path.stat().st_size < LARGE or (os.cpu_count() or 1) == 1:
            insert(connection, layout, file, on_progress)
        else:
            part = path.with_name(f"{path.name}.part")
            _insert_with_second(connection, part, file, layout, on_progress)
        add_quotients(connection, quotients)
        connection.commit()


def _insert_with_second(
    connection: sqlite3.Connection,
    part: Path,
    file: RowFile,
    layout: Layout,
    on_progress: Callable[[int], object],
) -> None:
    """Insert the first part of the rows, then the second part, which another process has read.

    If the other process fails for whatever reason, this one reads its part as well, and meets the
    same fault if it is in the file.
    """
    start = file.line_after(_FIRST)
    with _second(Request(file.path, start, layout, part)) as done:
        insert(connection, layout, file, on_progress, end=start)
        if done():
            connection.commit()
            connection.execute("ATTACH ? AS part", (str(part),))
            columns = f"SELECT {layout.names} FROM part.items ORDER BY position"
            added = connection.execute(f"INSERT INTO items ({layout.names}) {columns}")
            on_progress(added.rowcount)
            connection.commit()
            connection.execute("DETACH part")
        else:
            insert(connection, layout, file, on_progress, start)
    part.unlink(missing_ok=True)


@contextmanager
def _second(request: Request) -> Iterator[Callable[[], bool]]:
    """Start the second process; yield a function that waits for it, and returns its success."""
    try:
        process = subprocess.Popen(  # noqa: S603 (this Python, with a module of this package)
            [sys.executable or "python", "-P", "-m", __name__],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
    except OSError:  # there is no such program, or no process is left
        yield lambda: False
        return
    try:
        with suppress(OSError), process.stdin as pipe:  # type: ignore[union-attr]  # it is a pipe
            pipe.write(msgspec.json.encode(request, enc_hook=str))
        yield lambda: process.wait() == 0
    finally:
        process.kill()
        process.wait()


def main() -> None:
    """Write the database of the request on standard input."""
    decoded = msgspec.json.decode(
        sys.stdin.buffer.read(), type=Request, dec_hook=lambda kind, text: kind(text)
    )
    with closing(create(decoded.database, decoded.layout)) as connection:
        insert(connection, decoded.layout, RowFile(decoded.file), lambda _: None, decoded.start)
        connection.commit()


if __name__ == "__main__":
    main()
