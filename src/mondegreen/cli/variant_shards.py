"""Variants of many shards in one output; finished shards are not worked on again."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

import click
import msgspec

from mondegreen import __version__
from mondegreen.cli.parts.options import VariantOptions
from mondegreen.cli.variant_parts import Output, PartMade, SourcePart, shard_parts
from mondegreen.data import FORMATS, Format, Sink
from mondegreen.data.files.journal import Journal, open_journal
from mondegreen.data.files.lines import STANDARD_STREAM, Meter
from mondegreen.data.files.output import check_target
from mondegreen.data.files.shards import is_pattern, shards_of
from mondegreen.perturbation.augmentation import engine_of

Counts = Sequence[Sequence[int]]
"""Of each job: utterances read, variants written, variants changed, edits, and fail-overs."""


def is_resumable(outputs: Sequence[Output], options: VariantOptions) -> bool:
    """Return whether a job over shards can be resumed: it writes files of lines, of all shards."""
    return (
        is_pattern(options.source)
        and options.limit is None
        and all(one.lines and one.target.path != STANDARD_STREAM for one in outputs)
    )


class Shards:
    """Shards that are worked on one after the other, with the files that they are written to."""

    def __init__(self, journal: Journal, targets: Sequence[Path], options: VariantOptions) -> None:
        self._journal, self._targets, self._options = journal, targets, options
        self._ids = journal.begun(targets[0].with_name(f"{targets[0].name}.ids"))
        self._new_ids: IO[bytes] | None = None

    @property
    def are_finished(self) -> bool:
        """Whether all shards are finished, and some files may have their names already."""
        return self._journal.placing

    @property
    def counts(self) -> Counts:
        """The counts of all jobs, of the shards that are finished; empty if none is."""
        return self._journal.counts or ()

    def begin(self, job: dict[str, Any]) -> None:
        """Go on with a job, or start it."""
        self._journal.begin(job, [self._ids, *map(self._journal.begun, self._targets)])
        if not self._journal.placing:
            for target in self._targets:
                check_target(target, force=self._options.force)
        if (skipped := self._journal.skipped) and not self._options.quiet:
            click.echo(skipped, err=True)

    def open(self, path: Path) -> IO[bytes]:
        """Open a file of lines."""
        return self._journal.file(self._journal.begun(path))

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
        before = self.counts[0][0] if self.counts else 0
        return self._journal.parts(
            lambda shard, before: shard_parts(self._options.format_at(shard), shard, before, meter),
            before,
        )

    def after(self, made: PartMade, counts: Counts) -> None:
        """Record the shard that ends with a part, if one does, with its ids."""
        if made.ids and self._new_ids is not None:
            self._new_ids.write(msgspec.json.encode(made.ids) + b"\n")
        self._journal.after_part(counts)

    def forget(self) -> None:
        """Forget the finished shards: they lead to nothing."""
        self._journal.finished.clear()

    def place(self) -> None:
        """Give all files their names."""
        self._journal.place(self._targets, force=self._options.force)


@contextmanager
def open_shards(
    outputs: Sequence[Output], as_source: Format, options: VariantOptions
) -> Iterator[Shards]:
    """Yield the shards of a source that are not finished; what is recorded is removed at the end.

    Raises:
        OutputError: if an output exists, or another process writes it.
    """
    others = [path for path in (options.ledger, options.marked) if path is not None]
    targets = [*(output.target.path for output in outputs), *others]
    with open_journal(targets[0], shards_of(options.source)) as journal:
        shards = Shards(journal, targets, options)
        shards.begin(_job(outputs, as_source, options))
        yield shards
        journal.remove()


def _job(outputs: Sequence[Output], as_source: Format, options: VariantOptions) -> dict[str, Any]:
    """Return everything that decides what is written, apart from the shards."""
    return {
        "version": __version__,
        "format": FORMATS.name_of(as_source),
        "outputs": [
            {
                "path": str(output.target.path),
                "format": output.format,
                "recipe": output.recipe.record(),
                "versions": [operator.version for operator in output.recipe.operators],
                "files": {
                    str(path): sha256 for path, sha256 in engine_of(output.recipe).resources.items()
                },
            }
            for output in outputs
        ],
        "ledger": None if options.ledger is None else str(options.ledger),
        "marked": None if options.marked is None else str(options.marked),
    }
