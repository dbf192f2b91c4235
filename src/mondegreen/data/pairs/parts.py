"""References and hypotheses in parts, side by side, so that memory does not grow with the files."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property, partial
from itertools import islice, zip_longest
from pathlib import Path
from typing import IO, NamedTuple, TypeVar, overload

from mondegreen.data import format_of
from mondegreen.data.files.lines import (
    LONGEST_LINE,
    STANDARD_STREAM,
    Meter,
    decode_line,
    open_source,
)
from mondegreen.data.files.shards import is_pattern, shards_of
from mondegreen.data.formats.plain import TXT
from mondegreen.data.pairs.transcripts import (
    Transcripts,
    column_rows,
    columns_of,
    is_table,
    preferring,
)
from mondegreen.errors import DataError

PART = 1 << 14
"""Utterances of a part."""
_AT_ONCE = 16
"""Lines that are read before their lengths are looked at."""
T = TypeVar("T")


class OutOfStep(Exception):  # noqa: N818 (not an error of the user's: the files are read whole)
    """The ids of two files are in different orders, so that they cannot be read side by side."""


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
        for lines in parted(_lines(path, file), size):
            yield Lines(path, first, len(lines), _joined(lines, meter), before)
            first += len(lines)
    if first == 1:
        raise DataError(f"{path}: the file is empty; there is nothing to read")


def _lines(path: Path, file: IO[bytes]) -> Iterator[bytes]:
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
            lines = _lines(shard, file)
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


def transcript_parts(
    path: Path,
    format: str | None = None,
    meter: Meter | None = None,
    prefer: Sequence[str] = (),
) -> Iterator[Transcripts]:
    """Yield the texts of a file in parts, with their ids and other columns.

    Args:
        path: the file.
        format: its format; by default known from its name and content.
        meter: called with the number of bytes that each step has read.
        prefer: the columns to read, if the file has one of them and the user has named none.

    Raises:
        DataError: naming the file, the line, what is wrong and what to do.
    """
    found = preferring(format_of(path, format), path, prefer)
    sharded = is_pattern(path) and found.name == TXT.name
    if found is TXT or sharded:
        parts = shard_line_parts(path, shards_of(path), meter) if sharded else None
        for lines in parts or line_parts(path, meter):
            yield Transcripts(path, has_ids=False, ids=lines.ids, texts=lines)
        return
    for utterances in parted(found.read(path, meter)):
        yield Transcripts.of(path, found, utterances)


def column_parts(
    path: Path, names: tuple[str, ...], format: str | None = None
) -> Iterator[Transcripts]:
    """Yield one of several columns of a table in parts, with the ids.

    Raises:
        DataError: if the column, an id, or a field is missing, or if an id occurs twice.
    """
    for rows in parted(column_rows(path, names, format)):
        yield columns_of(path, rows)


def side_parts(
    path: Path, names: tuple[str, ...], format: str | None = None
) -> Iterator[Transcripts]:
    """Yield in parts one of several columns of a table; of any other format, the texts."""
    if is_table(path, format):
        return column_parts(path, names, format)
    return transcript_parts(path, format)


def in_step(
    refs: Iterator[Transcripts],
    *sides: Iterator[Transcripts],
    key: Callable[[str], str] | None = None,
) -> Iterator[tuple[Transcripts, ...]]:
    """Yield the parts of references and hypotheses side by side.

    Args:
        refs: the references.
        sides: the hypotheses of each system.
        key: what is compared of an id, if not all of it.

    Raises:
        DataError: if files without ids have different numbers of lines.
        OutOfStep: if the ids are not the same in the same order.
    """
    totals = [0] * (1 + len(sides))
    paths: list[Path | None] = [None] * (1 + len(sides))
    uneven = False
    for parts in zip_longest(refs, *sides):
        for at, part in enumerate(parts):
            if part is not None:
                totals[at] += len(part.ids)
                paths[at] = part.path
        ref, *hyps = parts
        if ref is None or any(hyp is None or len(hyp.ids) != len(ref.ids) for hyp in hyps):
            if any(part is not None and part.has_ids for part in parts):
                raise OutOfStep
            uneven = True  # the message says how many lines there are
        elif not uneven:
            for hyp in hyps:
                _check_ids(ref, hyp, key)
            yield ref, *hyps
    for total, path in zip(totals, paths, strict=True):
        if total != totals[0]:
            raise DataError(
                f"{paths[0]} has {totals[0]:,} lines, {path} has {total:,}; write an empty line "
                "for silence, leave no line out"
            )


def _check_ids(ref: Transcripts, hyp: Transcripts, key: Callable[[str], str] | None) -> None:
    if not (ref.has_ids and hyp.has_ids):
        return
    one, two = (list(map(key, side.ids)) if key else list(side.ids) for side in (ref, hyp))
    if one != two:
        raise OutOfStep


def read_once(*paths: Path | None) -> bool:
    """Return whether a source can be read only once: standard input, or a pipe."""
    return any(
        path is not None and (path == STANDARD_STREAM or (path.exists() and not path.is_file()))
        for path in paths
    )
