"""Write complete files only: under a temporary name beside the target, then renamed."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from mondegreen.data.files.compression import compressing
from mondegreen.data.files.lines import STANDARD_STREAM
from mondegreen.data.files.places import put, real_target, temporary_beside
from mondegreen.errors import OutputError

Ours = Callable[[Path], bool]
"""Returns whether a folder was written by the same command, so that it may be replaced."""


def check_target(path: Path, *, force: bool, ours: Ours | None = None) -> None:
    """Check that a target can be written.

    Args:
        path: the file or folder to write.
        force: replace an existing target.
        ours: for folders, returns whether an existing folder may be replaced. Other folders are
            never replaced, even with ``force``.

    Raises:
        OutputError: if the target exists, or if the folder it belongs in does not.
    """
    if path == STANDARD_STREAM:
        return
    path = real_target(path)
    if path.exists() and not (path.is_file() or path.is_dir()):
        raise OutputError(f"{path}: is neither a file nor a folder; give another name, or -")
    if path.exists() and not force:
        raise OutputError(f"{path}: exists already; give another name, or --force to replace it")
    if ours is None and path.is_dir():
        raise OutputError(f"{path}: is a folder, but a file is to be written; give another name")
    if ours is not None and path.is_file():
        raise OutputError(f"{path}: is a file, but a folder is to be written; give another name")
    if ours is not None and path.is_dir() and any(path.iterdir()) and not ours(path):
        raise OutputError(
            f"{path}: contains other files, which --force does not remove; give another name"
        )
    if not path.parent.is_dir():
        raise OutputError(f"{path}: there is no folder {path.parent}; make it first")


@contextmanager
def whole_path(path: Path, *, force: bool = False, ours: Ours | None = None) -> Iterator[Path]:
    """Yield a temporary path beside the target; rename it on success, remove it on failure.

    ``ours`` is for folders; see :func:`check_target`.

    Raises:
        OutputError: if the target cannot be written.
    """
    path = real_target(path)
    check_target(path, force=force, ours=ours)
    try:
        with temporary_beside(path) as temporary:
            yield temporary
            if not force:
                check_target(path, force=force, ours=ours)  # it may have appeared meanwhile
            put(temporary, path)
    except OSError as error:
        raise OutputError(
            f"{path}: cannot be written: {error.strerror or error}; nothing was written"
        ) from None


@contextmanager
def whole_file(path: Path, *, force: bool = False) -> Iterator[IO[bytes]]:
    """Yield a file to write to, or standard output for ``-``.

    It is compressed if its name says so.

    Raises:
        OutputError: if the target cannot be written.
    """
    if path == STANDARD_STREAM:
        if sys.stdout is None:
            raise OutputError("standard output is closed; give a file")
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
        return
    with (
        whole_path(path, force=force) as temporary,
        temporary.open("wb") as file,
        compressing(path, file) as stream,
    ):
        yield stream


def write_lines(path: Path, lines: Iterable[str], *, force: bool = False) -> None:
    """Write lines of text to a file, or to standard output for ``-``.

    Raises:
        OutputError: if the target cannot be written.
    """
    with whole_file(path, force=force) as file:
        for line in lines:
            file.write(line.encode() + b"\n")
