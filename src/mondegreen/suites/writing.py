"""Where a suite is written: whole in one go, or shard by shard, so that it can be resumed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import IO, Any, Protocol

import msgspec

from mondegreen.data.files.journal import Journal, open_journal
from mondegreen.data.files.output import check_target, whole_file, whole_path
from mondegreen.data.files.shards import shards_of
from mondegreen.data.pairs.parts import parted
from mondegreen.provenance.suite_manifest import is_suite
from mondegreen.types import Utterance


class Writing(Protocol):
    """A suite that is being written into a folder that gets its name at the end."""

    folder: Path
    is_finished: bool
    """Whether all sets are written, and the folder may have its name."""
    counts: Sequence[Any]
    """The counts of the sets, of the shards that are finished; empty at the start."""

    def open(self, name: str) -> AbstractContextManager[IO[bytes]]:
        """Open the file of a set."""

    def parts(self, size: int) -> Iterator[list[Utterance]]:
        """Yield the utterances in parts."""

    def after_part(self, counts: Sequence[Any]) -> None:
        """Take note of the counts after a part."""


class _Whole:
    """A suite that is written in one go."""

    is_finished = False
    counts: Sequence[Any] = ()

    def __init__(self, folder: Path, data: Iterator[Utterance]) -> None:
        self.folder, self._data = folder, data

    def open(self, name: str) -> AbstractContextManager[IO[bytes]]:
        (self.folder / name).parent.mkdir(exist_ok=True)
        return whole_file(self.folder / name)

    def parts(self, size: int) -> Iterator[list[Utterance]]:
        return parted(self._data, size)

    def after_part(self, counts: Sequence[Any]) -> None:
        """Do nothing."""


@contextmanager
def write_whole(data: Iterator[Utterance], target: Path, *, force: bool) -> Iterator[Writing]:
    """Yield a suite to write in one go; if that fails, nothing is left."""
    with whole_path(target, force=force, ours=is_suite) as folder:
        folder.mkdir()
        yield _Whole(folder, data)


class _Sharded:
    """A suite that is written shard by shard."""

    def __init__(
        self, journal: Journal, folder: Path, read: Callable[[Path, int], Iterator[Utterance]]
    ) -> None:
        self.folder, self._journal, self._read = folder, journal, read
        self.is_finished = journal.placing
        self.counts = journal.counts or ()

    def open(self, name: str) -> AbstractContextManager[IO[bytes]]:
        return self._journal.file(self.folder / name)

    def parts(self, size: int) -> Iterator[list[Utterance]]:
        before = self.counts[0]["n"] if self.counts else 0
        return self._journal.parts(lambda *shard: parted(self._read(*shard), size), before)

    def after_part(self, counts: Sequence[Any]) -> None:
        self._journal.after_part(msgspec.to_builtins(counts))


@contextmanager
def write_shards(
    pattern: Path,
    read: Callable[[Path, int], Iterator[Utterance]],
    target: Path,
    job: Mapping[str, Any],
    *,
    force: bool,
) -> Iterator[Writing]:
    """Yield a suite to write shard by shard, from the first one that is not finished.

    Args:
        pattern: the shards.
        read: yields the utterances of a shard, given how many come before it.
        target: the folder of the suite.
        job: everything that the suite depends on, apart from the shards.
        force: replace an existing suite.
    """
    with open_journal(target, shards_of(pattern)) as journal:
        folder = journal.begun(target)
        journal.begin(job, [folder])
        if not journal.placing:
            check_target(target, force=force, ours=is_suite)
            folder.mkdir(exist_ok=True)
        yield _Sharded(journal, folder, read)
        journal.place([target], force=force, ours=is_suite)
        journal.remove()
