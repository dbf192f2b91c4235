"""Writing files whole or not at all: to a temporary name beside the target, then renamed."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from mondegreen.data.lines import STANDARD_STREAM
from mondegreen.errors import OutputError

Ours = Callable[[Path], bool]
"""Tells whether a folder is one that the same command wrote, so that it may be replaced."""


def check_target(path: Path, *, force: bool, ours: Ours | None = None) -> None:
    """Refuse a target that exists, unless forced, or whose folder does not.

    Args:
        path: what is to be written.
        force: replace what is there.
        ours: for a folder: whether it may be replaced. Nothing else is, not even when forced.

    Raises:
        OutputError: saying what to do.
    """
    if path == STANDARD_STREAM:
        return
    if path.exists() and not (path.is_file() or path.is_dir()):
        raise OutputError(f"{path}: is neither a file nor a folder; give another name, or -")
    if path.exists() and not force:
        raise OutputError(f"{path}: exists already; give another name, or --force to replace it")
    if ours is None and path.is_dir():
        raise OutputError(f"{path}: is a folder, and a file is to be written; give another name")
    if ours is not None and path.is_file():
        raise OutputError(f"{path}: is a file, and a folder is to be written; give another name")
    if ours is not None and path.is_dir() and any(path.iterdir()) and not ours(path):
        raise OutputError(
            f"{path}: holds something else than is to be written, which --force does not remove; "
            "give another name"
        )
    if not path.parent.is_dir():
        raise OutputError(f"{path}: there is no folder {path.parent}; make it first")


@contextmanager
def whole_path(path: Path, *, force: bool = False, ours: Ours | None = None) -> Iterator[Path]:
    """Give a temporary path beside the target; rename it when all is well, remove it otherwise.

    ``ours`` is for folders; see :func:`check_target`.

    Raises:
        OutputError: if the target may not be written, or the disk is full.
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
            f"{path}: cannot be written: {error.strerror}; nothing was kept"
        ) from None
    finally:
        _remove(temporary)


@contextmanager
def whole_file(path: Path, *, force: bool = False) -> Iterator[IO[bytes]]:
    """Give a file to write into, or standard output for ``-``.

    Raises:
        OutputError: if the target may not be written, or the disk is full.
    """
    if path == STANDARD_STREAM:
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
        return
    with whole_path(path, force=force) as temporary, temporary.open("wb") as file:
        yield file


def write_lines(path: Path, lines: Iterable[str], *, force: bool = False) -> None:
    """Write text lines.

    Raises:
        OutputError: if the target may not be written, or the disk is full.
    """
    with whole_file(path, force=force) as file:
        for line in lines:
            file.write(line.encode() + b"\n")


def _remove(path: Path) -> None:
    if path.is_dir():
        shutil.rmtree(path, ignore_errors=True)
    else:
        path.unlink(missing_ok=True)
