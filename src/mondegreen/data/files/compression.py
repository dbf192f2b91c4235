"""Compressed files, by their endings: .gz, .bz2, .xz and .zst; and small files, read whole.

What comes out of a compressed file is limited, by its size and by how much it grows.
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, cast

from mondegreen.errors import DataError, MissingExtraError

_WRITTEN = 1 << 20  # bytes that are compressed at once, so that the result is the same every time
_PACKED = 1 << 16  # compressed bytes that are read at once
_SUSPICIOUS = 1 << 28  # decompressed bytes from which on the ratio is looked at
_MOST = 1 << 40  # decompressed bytes of a file that is read line by line
MOST_WHOLE = 1 << 29
"""Decompressed bytes of a file that is read whole."""
MOST_SMALL = 1 << 27
"""Bytes of a file that is never large: a profile, a table, rules."""
_RATIO = 200
"""A file that grows more than this is taken for a zip bomb; text grows three to ten times."""


ENDINGS = (".gz", ".bz2", ".xz", ".zst")


def _zstandard() -> Any:
    try:
        import zstandard
    except ImportError:
        raise MissingExtraError.of("zst", "Files compressed by Zstandard") from None
    return zstandard


def _reader(suffix: str, file: IO[bytes]) -> Any:
    """Return a stream that decompresses a file; its package is imported when it is needed."""
    if suffix == ".gz":
        import gzip

        return gzip.GzipFile(fileobj=file, mode="rb")
    if suffix == ".zst":
        return _Frames(file)
    import bz2
    import lzma

    return bz2.BZ2File(file) if suffix == ".bz2" else lzma.LZMAFile(file)


class _Frames:
    """Decompresses Zstandard frames; unlike the package's own stream, it notices a missing end."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self._new = _zstandard().ZstdDecompressor().decompressobj
        self._frame: Any = None
        self._found = bytearray()

    def read(self, size: int) -> bytes:
        """Return some bytes, at most ``size``; none at the end."""
        while not self._found:
            packed = self._file.read(_PACKED)
            if not packed:
                if self._frame is not None:
                    raise EOFError("the end of the last frame is missing")
                return b""
            while packed:
                self._frame = self._frame or self._new()
                self._found += self._frame.decompress(packed)
                packed = self._frame.unused_data
                if self._frame.eof:
                    self._frame = None
        found = bytes(self._found[:size])
        del self._found[:size]
        return found


def _writer(suffix: str, file: IO[bytes]) -> Any:
    """Return a stream that compresses what is written into a file."""
    if suffix == ".gz":
        import gzip

        # No name and no time, so that the same text gives the same bytes.
        return gzip.GzipFile("", "wb", compresslevel=6, fileobj=file, mtime=0)
    if suffix == ".zst":
        return _zstandard().ZstdCompressor(level=3).stream_writer(file, closefd=False)
    import bz2
    import lzma

    return bz2.BZ2File(file, "wb") if suffix == ".bz2" else lzma.LZMAFile(file, "wb")


def _bomb(place: object, most: int) -> DataError:
    return DataError(
        f"{place}: grows to more than {_RATIO} times its size, or to more than {most >> 20:,} MiB, "
        "when decompressed, as a zip bomb does; if it is not one, decompress it first"
    )


def unzipped(content: bytes, place: object, most: int = MOST_SMALL) -> bytes:
    """Return content, decompressed if it is in gzip's format.

    Raises:
        DataError: if it is damaged, or grows too much.
    """
    if content[:2] != b"\x1f\x8b":
        return content
    import gzip
    import zlib

    most = min(most, max(_WRITTEN, _RATIO * len(content)))
    try:
        with gzip.GzipFile(fileobj=io.BytesIO(content)) as file:
            found = file.read(most + 1)
    except (OSError, EOFError, zlib.error) as error:
        raise DataError(
            f"{place}: the compressed file is damaged or incomplete ({error}); copy it again"
        ) from None
    if len(found) > most:
        raise _bomb(place, most)
    return found


def read_small(path: Path, most: int = MOST_SMALL) -> bytes:
    """Read a file that is never large, decompressed if it is in gzip's format.

    Raises:
        DataError: if it is not a plain file, too large, or damaged.
        OSError: if it cannot be read.
    """
    with path.open("rb") as file:
        if not path.is_file() and not path.is_fifo():
            raise DataError(f"{path}: is neither a file nor a pipe but a device; name a file")
        content = file.read(most + 1)
    if len(content) > most:
        raise DataError(f"{path}: is larger than {most >> 20:,} MiB; it cannot be what it should")
    return unzipped(content, path, most)


def _is_damage(error: Exception) -> bool:
    names = {"EOFError", "BadGzipFile", "OSError", "error", "LZMAError", "ZstdError"}
    return type(error).__name__ in names


def is_compressed(path: Path) -> bool:
    """Return whether the ending of a file says that it is compressed."""
    return path.suffix in ENDINGS


def bare(path: Path) -> Path:
    """Return the name of a file without the ending of its compression.

    >>> bare(Path("train.jsonl.gz")).suffix
    '.jsonl'
    """
    return path.with_suffix("") if is_compressed(path) else path


def decompressed(path: Path, file: IO[bytes]) -> IO[bytes]:
    """Return the decompressed bytes of an open file.

    Raises:
        DataError: when it is read, if the file is damaged, truncated, or a zip bomb.
    """
    return io.BufferedReader(_Decompressed(path, file), _WRITTEN)


class _Decompressed(io.RawIOBase):
    """Reads a compressed file, and says what is wrong with it."""

    def __init__(self, path: Path, file: IO[bytes]) -> None:
        self._path, self._file = path, file
        self._stream = _reader(path.suffix, file)
        self._size = max(1, path.stat().st_size)
        self._read = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        try:
            found = self._stream.read(len(buffer))
        except Exception as error:  # each package has errors of its own
            if not _is_damage(error):
                raise
            raise DataError(
                f"{self._path}: the compressed file is damaged or incomplete ({error}); copy it "
                "again"
            ) from None
        self._read += len(found)
        if self._read > _MOST or (self._read > _SUSPICIOUS and self._read > _RATIO * self._size):
            raise _bomb(self._path, _MOST)
        buffer[: len(found)] = found
        return len(found)

    def close(self) -> None:
        if not self.closed:
            self._file.close()
        super().close()


@contextmanager
def compressing(path: Path, file: IO[bytes]) -> Iterator[IO[bytes]]:
    """Yield a file that compresses what is written, if the ending of the path says so."""
    if not is_compressed(path):
        yield file
        return
    with _writer(path.suffix, file) as stream:
        evenly = _Evenly(stream)
        yield cast("IO[bytes]", evenly)
        evenly.flush()


class _Evenly:
    """Writes in pieces of one size, whatever the sizes of what it is given."""

    def __init__(self, stream: IO[bytes]) -> None:
        self._stream = stream
        self._waiting = bytearray()

    def write(self, data: bytes) -> int:
        """Take bytes to write."""
        self._waiting += data
        while len(self._waiting) >= _WRITTEN:
            self._stream.write(bytes(self._waiting[:_WRITTEN]))
            del self._waiting[:_WRITTEN]
        return len(data)

    def writelines(self, lines: Any) -> None:
        """Take several pieces to write."""
        for line in lines:
            self.write(line)

    def flush(self) -> None:
        """Write what is left."""
        self._stream.write(bytes(self._waiting))
        self._waiting.clear()
