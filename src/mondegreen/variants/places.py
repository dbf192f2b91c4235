"""Where variants are written: files that appear together, or shard by shard to be resumed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import IO, Any

import msgspec

from mondegreen.data import Sink, open_sink
from mondegreen.data.files.journal import Journal, open_journal
from mondegreen.data.files.lines import Meter
from mondegreen.data.files.output import Ours, check_target, whole_file
from mondegreen.data.files.shards import shards_of
from mondegreen.variants.sources import FileSource, MemorySource, SourcePart
from mondegreen.variants.work import Output, PartMade, WrittenTally


class WrittenCounts(msgspec.Struct):
    """How much was read, and written to each output."""

    read: int
    tallies: list[WrittenTally]

    def add(self, made: PartMade) -> None:
        """Add what was made of a part."""
        self.read += made.read
        for tally, found in zip(self.tallies, made.outputs, strict=True):
            tally.add(found.tally)


class Whole:
    """A source that is read in one go, into files that get their names at the end of a block."""

    is_finished = False

    def __init__(self, source: MemorySource, stack: ExitStack, *, force: bool) -> None:
        self._source, self._stack, self._force = source, stack, force

    def written(self, outputs: int) -> WrittenCounts:
        """Return what is written already: nothing."""
        return WrittenCounts(0, [WrittenTally() for _ in range(outputs)])

    def open(self, path: Path) -> IO[bytes]:
        """Open a file of lines."""
        return self._stack.enter_context(whole_file(path, force=self._force))

    def open_sink(self, output: Output) -> Sink:
        """Open an output whose format is not one of lines."""
        target = output.target
        opened = open_sink(target.path, output.format, force=target.force, like=target.like)
        return self._stack.enter_context(opened)

    def known_ids(self) -> Iterator[Sequence[str]]:
        """Yield no ids: all are still to be read."""
        return iter(())

    def parts(self, meter: Meter | None) -> Iterator[SourcePart]:
        """Yield the parts of the source."""
        return self._source.parts(meter)

    def after(self, made: PartMade, written: WrittenCounts) -> None:
        """Do nothing after a part."""

    def forget(self) -> None:
        """Do nothing: no part is recorded."""


class Shards:
    """Shards that are worked on one after the other; those that are finished are kept.

    Args:
        journal: says which are finished.
        source: the shards.
        targets: the files to write, or one folder.
        ours: for a folder, whether it may be replaced; ``None`` for files.
    """

    def __init__(
        self, journal: Journal, source: FileSource, targets: Sequence[Path], ours: Ours | None
    ) -> None:
        self._journal, self._source, self._targets, self._ours = journal, source, targets, ours
        self._ids = journal.begun(targets[0].with_name(f"{targets[0].name}.ids"))
        self._new_ids: IO[bytes] | None = None

    @property
    def folder(self) -> Path:
        """Where the first target is while it is written."""
        return self._journal.begun(self._targets[0])

    @property
    def is_finished(self) -> bool:
        """Whether all shards are finished, and some files may have their names already."""
        return self._journal.placing

    @property
    def skipped(self) -> str:
        """What an earlier start has finished, in words; empty if nothing."""
        return self._journal.skipped

    def begin(self, job: dict[str, Any], *, force: bool) -> None:
        """Go on with a job, or start it."""
        self._journal.begin(job, [self._ids, *map(self._journal.begun, self._targets)])
        if not self._journal.placing:
            for target in self._targets:
                check_target(target, force=force, ours=self._ours)
            if self._ours is not None:
                self.folder.mkdir(exist_ok=True)

    def written(self, outputs: int) -> WrittenCounts:
        """Return what the finished shards have written."""
        if self._journal.counts is None:
            return WrittenCounts(0, [WrittenTally() for _ in range(outputs)])
        return msgspec.convert(self._journal.counts, WrittenCounts)

    def open(self, path: Path) -> IO[bytes]:
        """Open a file of lines: a target, or a file in the folder."""
        return self._journal.file(path if self._ours else self._journal.begun(path))

    def open_sink(self, output: Output) -> Sink:
        """Refuse an output whose format is not one of lines."""
        raise AssertionError(f"unreachable: {output.format} is a format of lines")

    def known_ids(self) -> Iterator[Sequence[str]]:
        """Yield the ids of the shards that are finished."""
        self._new_ids = self._journal.file(self._ids)
        with self._ids.open("rb") as file:
            for line in file:
                yield msgspec.json.decode(line, type=list[str])

    def parts(self, meter: Meter | None) -> Iterator[SourcePart]:
        """Yield the parts of the shards that are not finished."""
        before = self.written(0).read
        return self._journal.parts(
            lambda shard, before: self._source.shard_parts(shard, before, meter), before
        )

    def after(self, made: PartMade, written: WrittenCounts) -> None:
        """Record the shard that ends with a part, if one does, with its ids."""
        if made.ids and self._new_ids is not None:
            self._new_ids.write(msgspec.json.encode(made.ids) + b"\n")
        self._journal.after_part(msgspec.to_builtins(written))

    def forget(self) -> None:
        """Forget the finished shards: they lead to nothing."""
        self._journal.finished.clear()

    def place(self, *, force: bool) -> None:
        """Give all files their names."""
        self._journal.place(self._targets, force=force, ours=self._ours)


@contextmanager
def open_shards(
    source: FileSource,
    targets: Sequence[Path],
    job: dict[str, Any],
    *,
    force: bool,
    ours: Ours | None = None,
) -> Iterator[Shards]:
    """Yield the shards of a source that are not finished; what is recorded is removed at the end.

    Args:
        source: the shards.
        targets: the files to write, or one folder.
        job: everything that decides what is written, apart from the shards.
        force: replace existing targets.
        ours: for a folder, whether it may be replaced.

    Raises:
        OutputError: if a target exists, or another process writes it.
    """
    with open_journal(targets[0], shards_of(source.path)) as journal:
        shards = Shards(journal, source, targets, ours)
        shards.begin(job, force=force)
        yield shards
        journal.remove()
