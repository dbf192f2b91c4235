"""Scores of parts that are kept until a command ends well, so that the next start skips them.

A part is known by a hash of its content, so one that has changed is scored again. The file is named
after everything else that a score depends on, so that another command has another file.
"""

from __future__ import annotations

import hashlib
import os
import pickle
import time
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import asdict
from pathlib import Path
from typing import Any, NamedTuple, Self

import msgspec
import numpy as np

from mondegreen import __version__
from mondegreen.data.files.hashing import hash_of
from mondegreen.data.files.places import locked
from mondegreen.errors import OutputError
from mondegreen.metrics.metric import Part
from mondegreen.metrics.scores.tally import Tally
from mondegreen.metrics.scores.totals import MapParts, PartFound, WantedTotals

_SUFFIX = ".parts"
_OLD = 7 * 24 * 3600  # seconds after which nobody comes back to a command
_HEAD = 48  # bytes before a record: its size, the hash of its part, and the hash of itself


def cache_folder() -> Path:
    """Return the user's folder for what can be made again."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "mondegreen"


class KeptParts:
    """Scores parts, and keeps their scores in a folder until :meth:`remove` is called.

    Args:
        map_parts: where parts are scored.
        folder: where scores are kept.
    """

    def __init__(self, map_parts: MapParts, folder: Path) -> None:
        self._map_parts, self._folder = map_parts, folder
        self._stack = ExitStack()
        self._store: _Store | None = None
        self.skipped = 0
        """How many parts were scored at an earlier start."""

    def map(self, work: Callable[[Part], PartFound], parts: Iterable[Part]) -> Iterator[PartFound]:
        """Yield what is found in each part, in order: scored now, or at an earlier start."""
        if isinstance(work, WantedTotals):
            with suppress(OSError, OutputError):  # it is scored all the same, but not kept
                self._store = self._stack.enter_context(_open(self._folder, _name(work)))
        if self._store is None:
            yield from self._map_parts(work, parts)
            return
        store = self._store
        coming: deque[bytes] = deque()

        def unknown() -> Iterator[Part]:
            for part in parts:
                digest = _digest(part)
                coming.append(digest)
                if digest not in store:
                    yield part

        for found in self._map_parts(work, unknown()):
            yield from self._known(store, coming)
            store.put(coming.popleft(), found)
            yield found
        yield from self._known(store, coming)

    def _known(self, store: _Store, coming: deque[bytes]) -> Iterator[PartFound]:
        """Yield what is known of the next parts, up to the first one that is scored now."""
        while coming and (found := store.get(coming[0])) is not None:
            coming.popleft()
            self.skipped += 1
            yield found

    def remove(self) -> None:
        """Remove what was kept."""
        if self._store is None:
            return
        self._store.path.unlink(missing_ok=True)
        self._stack.close()
        with suppress(OSError):  # another command may keep something there
            self._folder.rmdir()


class _Place(NamedTuple):
    """Where a record is in the file."""

    start: int
    size: int


class _Store:
    """A file of records, each the score of a part; a record that was cut off is not there."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._file = path.open("a+b")
        self._places: dict[bytes, _Place] = {}
        end = self._read()
        self._file.truncate(end)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def _read(self) -> int:
        """Find the records; return the end of the last whole one."""
        self._file.seek(0)
        at = 0
        while len(head := self._file.read(_HEAD)) == _HEAD:
            size, digest, check = int.from_bytes(head[:8]), head[8:32], head[32:]
            record = self._file.read(size)
            if len(record) < size or _hash(record, len(check)) != check:
                break
            self._places[digest] = _Place(at + _HEAD, size)
            at += _HEAD + size
        return at

    def __contains__(self, digest: bytes) -> bool:
        return digest in self._places

    def get(self, digest: bytes) -> PartFound | None:
        place = self._places.get(digest)
        if place is None:
            return None
        self._file.seek(place.start)
        return _decoded(self._file.read(place.size))

    def put(self, digest: bytes, found: PartFound) -> None:
        record = _encoded(found)
        self._file.seek(0, os.SEEK_END)
        start = self._file.tell() + _HEAD
        check = _hash(record, _HEAD - 32)
        self._file.write(len(record).to_bytes(8) + digest + check + record)
        self._file.flush()
        self._places[digest] = _Place(start, len(record))


@contextmanager
def _open(folder: Path, name: str) -> Iterator[_Store]:
    """Yield a store that no other process uses meanwhile."""
    folder.mkdir(parents=True, exist_ok=True)
    _prune(folder)
    path = folder / (name + _SUFFIX)
    with locked(path, "scoring the same"), _Store(path) as store:
        yield store


def _prune(folder: Path) -> None:
    """Remove what commands have left to which nobody came back."""
    for path in folder.glob(f"*{_SUFFIX}"):
        with suppress(OSError):
            if time.time() - path.stat().st_mtime > _OLD:
                path.unlink()


def _name(work: WantedTotals) -> str:
    """Return a name for everything that the score of a part depends on, apart from the part."""
    settings = {**asdict(work.settings), **asdict(work.display)}
    files = {
        name: hash_of(Path(value))
        for name, value in settings.items()
        if isinstance(value, str | Path) and value and Path(value).is_file()
    }
    everything = (
        __version__,
        work.metric.name,
        work.settings,
        work.display,
        (work.by, work.blocks, work.items, work.lines, sorted(work.repeated)),
        files,
    )
    return hashlib.sha256(repr(everything).encode()).hexdigest()[:24]


def _digest(part: Part) -> bytes:
    return _hash(pickle.dumps(part, protocol=pickle.HIGHEST_PROTOCOL), 24)


def _hash(data: bytes, size: int) -> bytes:
    return hashlib.blake2b(data, digest_size=size).digest()


class _Array(NamedTuple):
    """An array as plain values."""

    type: str
    shape: tuple[int, ...]
    data: bytes


class _Record(NamedTuple):
    """What was found in a part, as plain values: counters are lists of pairs."""

    signature: str
    columns: tuple[str, ...]
    counts: tuple[_Array, _Array | None]
    gaps: list[tuple[int, int]] | None
    groups: dict[str, tuple[_Array, _Array | None]]
    blocks: dict[str, _Array]
    tallies: dict[str, list[tuple[Any, int]]]
    items: bytes
    lines: list[str]
    files: list[tuple[str, list[str]]]


def _encoded(found: PartFound) -> bytes:
    return msgspec.msgpack.encode(
        _Record(
            found.signature,
            found.columns,
            _plain_tally(found.counts),
            None if found.gaps is None else list(found.gaps.items()),
            {name: _plain_tally(one) for name, one in found.groups.items()},
            {name: _plain_array(one) for name, one in found.blocks.items()},
            {name: list(one.items()) for name, one in found.tallies.items()},
            found.items,
            found.lines,
            [(str(path), lines) for path, lines in found.files],
        )
    )


def _decoded(data: bytes) -> PartFound:
    record = msgspec.msgpack.decode(data, type=_Record)
    tallies: Mapping[str, Counter[Any]] = {
        name: Counter({_key(key): times for key, times in pairs})
        for name, pairs in record.tallies.items()
    }
    return PartFound(
        record.signature,
        record.columns,
        _tally(record.counts),
        None if record.gaps is None else Counter(dict(record.gaps)),
        {name: _tally(one) for name, one in record.groups.items()},
        {name: _array(one) for name, one in record.blocks.items()},
        tallies,
        record.items,
        record.lines,
        [(Path(path), lines) for path, lines in record.files],
    )


def _key(key: Any) -> Any:
    """Return a key of a counter: what was a tuple is one again."""
    return tuple(map(_key, key)) if isinstance(key, list) else key


def _plain_tally(tally: Tally) -> tuple[_Array, _Array | None]:
    return _plain_array(tally.rows), None if tally.times is None else _plain_array(tally.times)


def _tally(plain: tuple[_Array, _Array | None]) -> Tally:
    rows, times = plain
    return Tally(_array(rows), None if times is None else _array(times))


def _plain_array(array: Any) -> _Array:
    return _Array(array.dtype.str, array.shape, np.ascontiguousarray(array).tobytes())


def _array(plain: _Array) -> Any:
    return np.frombuffer(plain.data, plain.type).reshape(plain.shape)
