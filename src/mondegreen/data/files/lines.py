"""Reading text files line by line: streaming, and every fault with its address."""

from __future__ import annotations

import codecs
import sys
from collections.abc import Callable, Iterator
from io import BufferedReader
from pathlib import Path
from typing import IO

from mondegreen.data.files.compression import decompressed, is_compressed
from mondegreen.errors import DataError

LONGEST_LINE = 8 * 2**20
"""In bytes. A longer line is not an utterance but a sign of another format."""

_MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)

STANDARD_STREAM = Path("-")
_peeked: dict[Path, IO[bytes]] = {}
"""Pipes that were looked into and are still to be read."""

Meter = Callable[[int], object]
"""Told how many bytes each step has read, for progress bars."""


def open_source(path: Path) -> IO[bytes]:
    """Open a file, decompressed if its name says that it is compressed; ``-`` is standard input.

    Raises:
        DataError: if the file does not exist, is a folder, or may not be read.
    """
    if path in _peeked:
        return _peeked.pop(path)
    if path == STANDARD_STREAM:
        if sys.stdin is None or sys.stdin.closed:
            raise DataError("standard input is closed, or was read already; name a file")
        return sys.stdin.buffer
    try:
        file = path.open("rb")
        return decompressed(path, file) if is_compressed(path) else file
    except FileNotFoundError:
        raise DataError(f"{path}: there is no such file") from None
    except OSError as error:
        raise DataError(f"{path}: cannot be read: {error.strerror}") from None


def can_be_read_again(path: Path) -> bool:
    """Return whether a source is a file or a folder, not standard input or another pipe."""
    return path != STANDARD_STREAM and (path.is_file() or path.is_dir())


def peek_lines(path: Path) -> list[str]:
    """Return the first lines of a pipe, as far as they have come; whoever opens it reads them."""
    file = _peeked.setdefault(path, open_source(path))
    lines = file.peek(1).split(b"\n") if isinstance(file, BufferedReader) else []
    return [line.decode(errors="replace") for line in (lines[:-1] or lines)]


def read_lines(path: Path, meter: Meter | None = None) -> Iterator[tuple[int, str]]:
    r"""Yield number and text of each line, without its line break (``\n`` or ``\r\n``).

    Raises:
        DataError: if the file is empty, or a line is not UTF-8, too long, or holds a NUL byte.
    """
    number = 0
    with open_source(path) as lines:
        while line := lines.readline(LONGEST_LINE + 1):
            number += 1
            if meter is not None:
                meter(len(line))
            if number > 1 and len(line) <= LONGEST_LINE and line.isascii() and b"\0" not in line:
                yield number, line.decode("ascii").removesuffix("\n").removesuffix("\r")
            else:
                yield number, decode_line(path, number, line)
    if number == 0:
        raise DataError(f"{path}: the file is empty; there is nothing to read")


def decode_line(path: Path, number: int, line: bytes) -> str:
    """Return the text of a line, without its line break.

    Raises:
        DataError: if it is not UTF-8, too long, or holds a NUL byte.
    """
    if len(line) > LONGEST_LINE:
        raise DataError.at(
            path,
            number,
            f"longer than {LONGEST_LINE // 2**20} MiB; put one utterance on a line, or name the "
            "file's format if it is another one",
        )
    if number == 1:
        _check_start(path, line)
    try:
        text = line.decode()
    except UnicodeDecodeError as error:
        raise DataError.at(
            path,
            number,
            f"byte {error.start + 1} (0x{line[error.start]:02x}) is not UTF-8; convert the file, "
            "for example with: iconv -f latin1 -t utf-8",
        ) from None
    if "\0" in text:
        raise DataError.at(
            path, number, "a NUL byte; this is not a UTF-8 text file (UTF-16 or binary?)"
        )
    if number == 1:
        text = text.removeprefix("\ufeff")
    return text.removesuffix("\n").removesuffix("\r")


def _check_start(path: Path, line: bytes) -> None:
    """Check that a file is not in an encoding or with line ends that are often met instead."""
    found = next((name for mark, name in _MARKS if line.startswith(mark)), None)
    if found is None and line[1:2] == b"\0" and line[:1].isascii():
        found = "utf-16le"  # without its mark
    if found is not None:
        raise DataError.at(
            path, 1, f"the file is {found.upper()}; convert it with: iconv -f {found} -t utf-8"
        )
    if b"\n" not in line and b"\r" in line.removesuffix(b"\r"):
        raise DataError.at(
            path,
            1,
            r"the lines end with CR alone, as on old Macs; convert them with: tr '\r' '\n'",
        )


def newline_of(path: Path) -> str:
    """Return how a file ends its lines, by its first one; standard input is not asked."""
    if path == STANDARD_STREAM or not path.is_file():
        return "\n"
    with open_source(path) as lines:
        return "\r\n" if lines.readline(LONGEST_LINE).endswith(b"\r\n") else "\n"
