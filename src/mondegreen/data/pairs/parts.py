"""Files in parts, so that memory does not grow with them: lines that travel as bytes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property, partial
from itertools import islice
from pathlib import Path
from typing import IO, NamedTuple, TypeVar, overload

from mondegreen.data.files.lines import (
    LONGEST_LINE,
    STANDARD_STREAM,
    Meter,
    decode_line,
    open_source,
)
from mondegreen.errors import DataError

PART = 1 << 14
"""Utterances of a part."""
_AT_ONCE = 16
"""Lines that are read before their lengths are looked at."""
T = TypeVar("T")


def parted(items: Iterable[T], size: int = PART) -> Iterator[list[T]]:
    """Yield items in lists of at most ``size``.

    >>> list(parted("abcde", 2))
    [['a', 'b'], ['c', 'd'], ['e']]
    """
    rest = iter(items)
    while part := list(islice(rest, size)):
        yield part


class LineNumbers(Sequence[str]):
    """The ids of utterances without ids: the numbers of their lines."""

    def __init__(self, numbers: range) -> None:
        self.numbers = numbers

    def __len__(self) -> int:
        return len(self.numbers)

    @overload
    def __getitem__(self, at: int) -> str: ...
    @overload
    def __getitem__(self, at: slice) -> LineNumbers: ...
    def __getitem__(self, at: int | slice) -> str | LineNumbers:
        found = self.numbers[at]
        return LineNumbers(found) if isinstance(found, range) else str(found)


class Lines(Sequence[str]):
    """Consecutive lines of a text file, decoded when they are first read.

    They travel between processes as bytes. ``before`` is the number of lines in earlier shards.
    """

    def __init__(self, path: Path, first: int, n: int, raw: bytes, before: int = 0) -> None:
        self.path, self.first, self.n, self.raw, self.before = path, first, n, raw, before

    def __reduce__(self) -> tuple[object, ...]:
        return Lines, (self.path, self.first, self.n, self.raw, self.before)

    @property
    def ids(self) -> LineNumbers:
        """The numbers of the lines, through all shards."""
        first = self.before + self.first
        return LineNumbers(range(first, first + self.n))

    @property
    def checked(self) -> bytes:
        """The lines as bytes of UTF-8 text, each with its line break.

        Raises:
            DataError: naming the line that is not UTF-8 text.
        """
        try:
            self.raw.decode()
        except UnicodeDecodeError:
            return "\n".join(self.texts).encode()  # says which line is not
        return self.raw if self.raw.endswith(b"\n") else self.raw + b"\n"

    @property
    def checked_or_none(self) -> bytes | None:
        """The lines as bytes; ``None`` if one is not UTF-8 text, which reading them says."""
        try:
            return self.checked
        except DataError:
            return None

    @cached_property
    def texts(self) -> list[str]:
        """The decoded lines.

        Raises:
            DataError: naming the line that is not UTF-8 text.
        """
        try:
            text = self.raw.decode()
        except UnicodeDecodeError:
            text = ""
        if text and "\0" not in text and "\r" not in text and "\ufeff" not in text:
            return text.removesuffix("\n").split("\n")
        lines = self.raw.removesuffix(b"\n").split(b"\n")
        return [decode_line(*self._place(at), line) for at, line in enumerate(lines)]

    def _place(self, at: int) -> tuple[Path, int]:
        """Return the file and the number of a line."""
        return self.path, self.first + at

    def __len__(self) -> int:
        return self.n

    @overload
    def __getitem__(self, at: int) -> str: ...
    @overload
    def __getitem__(self, at: slice) -> list[str]: ...
    def __getitem__(self, at: int | slice) -> str | list[str]:
        return self.texts[at]

    def __iter__(self) -> Iterator[str]:
        return iter(self.texts)


class Piece(NamedTuple):
    """Where lines of a part are from.

    They begin with line ``start`` of the part, which is line ``first`` of the file ``path``.
    """

    start: int
    path: Path
    first: int


class ShardLines(Lines):
    """Consecutive lines of several shards."""

    def __init__(
        self, path: Path, before: int, n: int, raw: bytes, pieces: Sequence[Piece]
    ) -> None:
        super().__init__(path, 1, n, raw, before)
        self.pieces = tuple(pieces)

    def __reduce__(self) -> tuple[object, ...]:
        return ShardLines, (self.path, self.before, self.n, self.raw, self.pieces)

    def _place(self, at: int) -> tuple[Path, int]:
        piece = next(one for one in reversed(self.pieces) if one.start <= at)
        return piece.path, piece.first + at - piece.start


def line_parts(
    path: Path, meter: Meter | None = None, size: int = PART, *, before: int = 0
) -> Iterator[Lines]:
    """Yield the lines of a text file in parts; ``before`` is the number of lines before it.

    Raises:
        DataError: if the file is empty or cannot be read, or if a line is too long.
    """
    first = 1
    with open_source(path) as file:
        for lines in parted(whole_lines(path, file), size):
            yield Lines(path, first, len(lines), _joined(lines, meter), before)
            first += len(lines)
    if first == 1:
        raise DataError(f"{path}: the file is empty; there is nothing to read")


def whole_lines(path: Path, file: IO[bytes]) -> Iterator[bytes]:
    """Yield the lines of a file.

    Raises:
        DataError: if a line is too long, before much of it is in memory.
    """
    lines = iter(partial(file.readline, LONGEST_LINE + 1), b"")
    number = 1
    while block := list(islice(lines, _AT_ONCE)):
        if max(map(len, block)) > LONGEST_LINE:
            for at, line in enumerate(block, number):
                decode_line(path, at, line)  # says so
        yield from block
        number += len(block)


def _joined(lines: Sequence[bytes], meter: Meter | None) -> bytes:
    raw = b"".join(lines)
    if meter is not None:
        meter(len(raw))
    return raw


def shard_line_parts(
    path: Path, shards: Sequence[Path], meter: Meter | None = None, size: int = PART
) -> Iterator[ShardLines]:
    """Yield the lines of all shards in parts of one size, whatever the sizes of the shards.

    Raises:
        DataError: if a shard is empty or cannot be read, or if a line is too long.
    """
    before = n = 0
    raw, pieces = bytearray(), []
    for shard in shards:
        first = 1
        with open_source(shard) as file:
            lines = whole_lines(shard, file)
            while block := list(islice(lines, size - n)):
                pieces.append(Piece(n, shard, first))
                raw += _joined(block, meter)
                if not raw.endswith(b"\n"):
                    raw += b"\n"  # the last line of a shard may lack it
                n, first = n + len(block), first + len(block)
                if n == size:
                    yield ShardLines(path, before, n, bytes(raw), pieces)
                    before, n = before + n, 0
                    raw, pieces = bytearray(), []
        if first == 1:
            raise DataError(f"{shard}: the file is empty; there is nothing to read")
    if n:
        yield ShardLines(path, before, n, bytes(raw), pieces)


def read_once(*paths: Path | None) -> bool:
    """Return whether a source can be read only once: standard input, or a pipe."""
    return any(
        path is not None and (path == STANDARD_STREAM or (path.exists() and not path.is_file()))
        for path in paths
    )
