"""Writing files whole or not at all: to a temporary name beside the target, then renamed."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from mondegreen.data.lines import STANDARD_STREAM
from mondegreen.errors import OutputError


def check_target(path: Path, *, force: bool) -> None:
    """Refuse a target that exists, unless forced, or whose folder does not.

    Raises:
        OutputError: saying what to do.
    """
    if path == STANDARD_STREAM:
        return
    if path.exists() and not (path.is_file() or path.is_dir()):
        raise OutputError(f"{path}: is neither a file nor a folder; give another name, or -")
    if path.exists() and not force:
        raise OutputError(f"{path}: exists already; give another name, or --force to replace it")
    if not path.parent.is_dir():
        raise OutputError(f"{path}: there is no folder {path.parent}; make it first")


@contextmanager
def whole_path(path: Path, *, force: bool = False) -> Iterator[Path]:
    """Give a temporary path beside the target; rename it when all is well, remove it otherwise.

    Raises:
        OutputError: if the target may not be written, or the disk is full.
    """
    check_target(path, force=force)
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
