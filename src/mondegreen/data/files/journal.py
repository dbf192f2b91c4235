"""Jobs over shards that are resumed: which shards are finished, and what was written of them.

While a job runs, its journal ``.NAME.journal`` and what it has written, ``.NAME.begun``, are beside
its target. A journal is a file of JSON lines: the job, then the finished shards, each with the
sizes of all files when it was finished. A job that is started again cuts the files to these sizes
and goes on from there. At the end the files get their names, and the journal is removed.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import warnings
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence, Sized
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any, TypeVar

import msgspec

from mondegreen.data.files.compression import is_compressed
from mondegreen.data.files.hashing import hash_of
from mondegreen.data.files.output import Ours, check_target, whole_file
from mondegreen.data.files.places import flush, locked, put, real_target, remove
from mondegreen.errors import OutputError

_BEGUN = ".begun"
_PIECE = 1 << 20
P = TypeVar("P", bound=Sized)
Job = Mapping[str, Any]
"""Everything that decides what is written, as plain values."""


class Finished(msgspec.Struct, tag="finished"):
    """A finished shard: its hash, the sizes of all files after it, and the counts so far.

    ``written`` has the hash of what was added to each file since the shard before it.
    """

    shard: str
    sha256: str
    sizes: dict[str, int]
    counts: Any = None
    written: dict[str, str] = {}


class _Begun(msgspec.Struct, tag="begun"):
    """The first line of a journal: the job, and what it writes before it gets its name."""

    job: Any
    files: list[str]


class _Placing(msgspec.Struct, tag="placing"):
    """The last line of a journal: what gets its name now, by the numbers of their inodes."""

    placing: dict[str, int]


class Journal:
    """What is finished of a job over shards.

    Args:
        target: the first output, beside which the journal is kept.
        shards: the shards of the source, in order.
    """

    def __init__(self, target: Path, shards: Sequence[Path]) -> None:
        self._target = real_target(target)
        self._path = self._target.with_name(f".{self._target.name}.journal")
        self._shards = shards
        self._files: dict[Path, IO[bytes]] = {}
        self._ends: deque[tuple[Path, str] | None] = deque()
        self.finished: list[Finished] = []
        self._placing: dict[str, int] | None = None

    @property
    def placing(self) -> bool:
        """Whether all shards are finished, and files get their names."""
        return self._placing is not None

    @property
    def sizes(self) -> Mapping[str, int]:
        """The sizes of all files after the last finished shard."""
        return self.finished[-1].sizes if self.finished else {}

    @property
    def counts(self) -> Any:
        """The counts of all finished shards; ``None`` at the start."""
        return self.finished[-1].counts if self.finished else None

    @property
    def skipped(self) -> str:
        """What an earlier start has finished, in words; empty if nothing."""
        if not self.finished:
            return ""
        done = f"{len(self.finished):,} of {len(self._shards):,} shards"
        return f"{done} were finished at an earlier start and are skipped"

    def begin(self, job: Job, files: Sequence[Path]) -> None:
        """Go on with a job, or start it if the journal is that of another one.

        Args:
            job: the job.
            files: the files and folders that it writes, whose names :meth:`begun` has made.

        Raises:
            OutputError: if the journal cannot be written.
        """
        names = [str(path) for path in files]
        wanted = msgspec.json.decode(msgspec.json.encode(_Begun(dict(job), names)), type=_Begun)
        begun, found, placing = _read(self._path)
        if begun is not None and begun.job != wanted.job:
            warnings.warn(
                f"{self._target}: shards that another command had finished are removed",
                stacklevel=2,
            )
            _remove_begun(begun.files)
        elif begun is not None:
            self.finished = _unchanged(found, self._shards)
            if len(self.finished) == len(found) == len(self._shards):
                self._placing = placing
            if not (self.placing or (_are_there(self.sizes) and _as_written(self.finished))):
                warnings.warn(
                    f"{self._target}: what was written of it has changed; all shards are worked on "
                    "again",
                    stacklevel=2,
                )
                self.finished = []
        try:
            if not self.placing:
                lines = [msgspec.json.encode(one) + b"\n" for one in (wanted, *self.finished)]
                with whole_file(self._path, force=True) as file:
                    file.writelines(lines)
        except OSError as error:
            raise self.cannot(error) from None

    def begun(self, target: Path) -> Path:
        """Return where a file or folder is while it is written: beside its target."""
        target = real_target(target)
        return target.with_name(f".{target.name}{_BEGUN}")

    def file(self, path: Path) -> IO[bytes]:
        """Open a file to write on, as long as it was after the last finished shard."""
        size = self.sizes.get(str(path), 0)
        try:
            path.parent.mkdir(exist_ok=True)
            file = path.open("r+b" if size else "wb")
            file.truncate(size)
            file.seek(size)
        except OSError as error:
            raise self.cannot(error) from None
        self._files[path] = file
        return file

    def parts(self, read: Callable[[Path, int], Iterator[P]], before: int = 0) -> Iterator[P]:
        """Yield the parts of the shards that are still to be worked on.

        Args:
            read: yields the parts of a shard, given how many utterances come before it.
            before: how many utterances the finished shards have.
        """
        for shard in self._shards[len(self.finished) :]:
            sha256 = hash_of(shard)  # before it is read: what it contains then is recorded
            waiting: P | None = None
            for part in read(shard, before):
                if waiting is not None:
                    self._ends.append(None)
                    yield waiting
                before, waiting = before + len(part), part
            if waiting is not None:
                self._ends.append((shard, sha256))
                yield waiting

    def after_part(self, counts: Any) -> None:
        """Record the shard that ends with the part that was worked on, if one does.

        Args:
            counts: what was counted so far, in all parts.

        Raises:
            OutputError: if a disk is full.
        """
        end = self._ends.popleft()
        if end is not None:
            self._finish(*end, counts)

    def _finish(self, shard: Path, sha256: str, counts: Any) -> None:
        sizes = {}
        try:
            for path, file in self._files.items():
                file.flush()
                os.fsync(file.fileno())
                sizes[str(path)] = file.tell()
            written = {
                name: _hash_part(Path(name), self.sizes.get(name, 0), size)
                for name, size in sizes.items()
            }
            done = Finished(str(shard), sha256, sizes, counts, written)
            self._append(msgspec.json.encode(done))
        except OSError as error:
            raise self.cannot(error) from None
        self.finished.append(done)

    def place(self, targets: Sequence[Path], *, force: bool, ours: Ours | None = None) -> None:
        """Give files and folders the names of their targets.

        Raises:
            OutputError: if a target has appeared meanwhile, or cannot be written.
        """
        try:
            self._close_all()
            if self._placing is None:
                for target in targets:
                    check_target(real_target(target), force=force, ours=ours)
                begun = map(self.begun, targets)
                self._placing = {str(path): path.stat().st_ino for path in begun}
                self._append(msgspec.json.encode(_Placing(self._placing)))
            for target in targets:
                self._place(target, self.begun(target), self._placing)
        except OSError as error:
            raise self.cannot(error) from None

    def _place(self, target: Path, begun: Path, inodes: Mapping[str, int]) -> None:
        if not begun.exists() or begun.stat().st_ino != inodes.get(str(begun)):
            return  # it has its name already; a folder that it has replaced may be here instead
        if is_compressed(target):
            with begun.open("rb") as plain, whole_file(target, force=True) as packed:
                shutil.copyfileobj(plain, packed, 1 << 20)
            begun.unlink()
        else:
            put(begun, real_target(target))

    def close(self) -> None:
        """Close all files; what cannot be written any more is not finished anyway."""
        with suppress(OSError):
            self._close_all()

    def _close_all(self) -> None:
        for file in self._files.values():
            file.close()

    def remove(self) -> None:
        """Remove the files of the job that have no names of their own, then the journal."""
        self.close()
        begun, _, _ = _read(self._path)
        if begun is not None:
            _remove_begun(begun.files)
        remove(self._path)

    def _append(self, line: bytes) -> None:
        with self._path.open("ab") as file:
            file.write(line + b"\n")
        flush(self._path)

    def cannot(self, error: OSError) -> OutputError:
        """Return the error to raise if a file cannot be written."""
        return OutputError(f"{self._target}: cannot be written: {error.strerror or error}")


@contextmanager
def open_journal(target: Path, shards: Sequence[Path]) -> Iterator[Journal]:
    """Yield the journal of a job; nobody else writes the same target meanwhile.

    If the job fails, what is finished is kept for the next start; if nothing is, nothing is kept.

    Args:
        target: the first output, a file or a folder.
        shards: the shards of the source, in order.
    """
    with locked(real_target(target), "writing it"):
        journal = Journal(target, shards)
        try:
            yield journal
        except BaseException as error:
            journal.close()
            cannot = journal.cannot(error) if isinstance(error, OSError) else error
            if journal.finished:
                cannot.add_note(_kept(journal, shards))
            else:
                journal.remove()
            if cannot is error:
                raise
            raise cannot from None


def _kept(journal: Journal, shards: Sequence[Path]) -> str:
    done = len(journal.finished)
    return (
        f"{done:,} of {len(shards):,} shards are finished and kept; the same command goes on from "
        "there"
    )


def _read(path: Path) -> tuple[_Begun | None, list[Finished], dict[str, int] | None]:
    """Read a journal as far as it was written: the job, the finished shards, and the last step."""
    found: list[Finished] = []
    try:
        first, *rest = path.read_bytes().split(b"\n")[:-1]
        begun = msgspec.json.decode(first, type=_Begun)
    except (OSError, ValueError, msgspec.DecodeError):
        return None, found, None
    for line in rest:
        try:
            entry = msgspec.json.decode(line, type=Finished | _Placing)
        except msgspec.DecodeError:
            break
        if isinstance(entry, _Placing):
            return begun, found, entry.placing
        found.append(entry)
    return begun, found, None


def _remove_begun(names: Sequence[str]) -> None:
    """Remove what was written; whatever a journal says, nothing with a name of its own."""
    for path in map(Path, names):
        if path.name.startswith(".") and path.name.endswith(_BEGUN):
            remove(path)


def _are_there(sizes: Mapping[str, int]) -> bool:
    """Return whether files are at least as long as they should be."""
    paths = {Path(name): size for name, size in sizes.items()}
    return all(path.is_file() and path.stat().st_size >= size for path, size in paths.items())


def _as_written(finished: Sequence[Finished]) -> bool:
    """Return whether files still hold what was written of each finished shard."""
    before: Mapping[str, int] = {}
    for one in finished:
        for name, sha in one.written.items():
            if _hash_part(Path(name), before.get(name, 0), one.sizes[name]) != sha:
                return False
        before = one.sizes
    return True


def _hash_part(path: Path, start: int, end: int) -> str:
    """Return the hash of a part of a file."""
    digest = hashlib.sha256()
    with path.open("rb") as file:
        file.seek(start)
        while start < end and (piece := file.read(min(_PIECE, end - start))):
            digest.update(piece)
            start += len(piece)
    return digest.hexdigest()


def _unchanged(found: Sequence[Finished], shards: Sequence[Path]) -> list[Finished]:
    """Return the finished shards up to the first one that has changed since."""
    kept: list[Finished] = []
    for one, shard in zip(found, shards, strict=False):
        if one.shard != str(shard) or one.sha256 != hash_of(shard):
            break
        kept.append(one)
    return kept
