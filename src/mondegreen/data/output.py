"""Write complete files only: under a temporary name beside the target, then renamed."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from mondegreen.data.compression import compressing
from mondegreen.data.lines import STANDARD_STREAM
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
    path = path if path.name else path.resolve()
    check_target(path, force=force, ours=ours)
    temporary = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        yield temporary
        if temporary.is_dir() and path.is_dir():
            shutil.rmtree(path)
        temporary.replace(path)
    except OSError as error:
        raise OutputError(
            f"{path}: cannot be written: {error.strerror}; nothing was written"
        ) from None
    finally:
        _remove(temporary)


@contextmanager
def whole_file(path: Path, *, force: bool = False) -> Iterator[IO[bytes]]:
    """Yield a file to write to, or standard output for ``-``.

    It is compressed if its name says so.

    Raises:
        OutputError: if the target cannot be written.
    """
    if path == STANDARD_STREAM:
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


def _remove(path: Path) -> None:
    if path.is_dir():
        shutil.rmtree(path, ignore_errors=True)
    else:
        path.unlink(missing_ok=True)
