"""Run recipes over a source, read once; each recipe has an output and a manifest."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

import click
import msgspec

from mondegreen.cli.parts.options import VariantOptions
from mondegreen.cli.parts.output_paths import OutputPath
from mondegreen.cli.parts.progress import bytes_progress
from mondegreen.cli.variant_parts import (
    TSV,
    Made,
    Output,
    PartMade,
    SourcePart,
    VariantWork,
    in_known_language,
    source_parts,
)
from mondegreen.cli.variant_shards import Counts, Shards, is_resumable, open_shards
from mondegreen.data import FORMATS, Format, Sink, open_sink
from mondegreen.data.files.lines import STANDARD_STREAM, Meter, newline_of
from mondegreen.data.files.output import whole_file
from mondegreen.data.files.places import real_target, together
from mondegreen.data.formats.format import Target
from mondegreen.errors import DataError, OutputError
from mondegreen.kernel import Ids
from mondegreen.perturbation.augmentation import engine_of
from mondegreen.perturbation.engine import Engine
from mondegreen.perturbation.recipe import Recipe
from mondegreen.provenance.manifest import File, file_of, make_manifest, manifest_path


@dataclass
class Job:
    """A recipe, its output, and the counts of its variants."""

    recipe: Recipe
    target: OutputPath
    engine: Engine = field(init=False)
    read: int = 0
    written: int = 0
    changed: int = 0
    edits: int = 0
    failed_over: int = 0

    def __post_init__(self) -> None:
        self.engine = engine_of(self.recipe)

    @property
    def name(self) -> str:
        """The names of the operators, for summaries."""
        return "+".join(operator.name for operator in self.recipe.operators)

    @property
    def unchanged(self) -> int:
        """The number of variants that could not be made, or have no edits."""
        per_utterance = self.recipe.variants * (
            1 if self.recipe.mix else len(self.recipe.operators)
        )
        return self.read * per_utterance - self.changed

    @property
    def promised(self) -> str:
        """What the name of the operator promises to change; empty if every edit is that."""
        kinds = {kind for operator in self.recipe.operators for kind in operator.kinds}
        return ", ".join(sorted(kinds))

    @property
    def unchanged_note(self) -> str:
        """The note on the variants without edits."""
        amounts = [self.recipe.amount or operator.default for operator in self.recipe.operators]
        reason = (
            "could not be changed" if all(amount.floor for amount in amounts) else "have no edit"
        )
        if self.recipe.skip:
            return f"{reason} and were left out"
        return f"{reason} and are kept unchanged; --skip-unchangeable leaves them out"


def run_jobs(as_source: Format, jobs: Sequence[Job], options: VariantOptions) -> None:
    """Read the source once, and write all outputs and their manifests.

    A job over shards that was interrupted goes on after the last finished shard.
    """
    _check_paths(jobs, options)
    newline = newline_of(options.source)
    outputs = [
        Output(
            job.recipe,
            Target(job.target.path, options.force, newline),
            FORMATS.name_of(job.target.format),
        )
        for job in jobs
    ]
    if is_resumable(outputs, options):
        with open_shards(outputs, as_source, options) as shards:
            _add_counts(jobs, shards.counts)
            if not shards.are_finished:
                _write(as_source, jobs, outputs, options, shards)
            shards.place()
            _write_manifests(as_source, jobs, options, {})
        return
    with together() as finished:
        with ExitStack() as stack:
            _write(as_source, jobs, outputs, options, _Whole(as_source, options, stack))
        if options.limit is None and options.source != STANDARD_STREAM:
            _write_manifests(as_source, jobs, options, finished)
        else:
            for job in jobs:  # the manifest of an earlier output would be wrong
                manifest_path(job.target.path).unlink(missing_ok=True)


def _check_paths(jobs: Sequence[Job], options: VariantOptions) -> None:
    """Check that all paths are different, and that none is the source."""
    others = [path for path in (options.ledger, options.marked) if path is not None]
    if STANDARD_STREAM in others:
        raise click.UsageError("--ledger and --marked need files, not standard output")
    paths = [path.resolve() for path in (*(job.target.path for job in jobs), *others)]
    if len(set(paths)) < len(paths):
        raise click.UsageError("outputs, --ledger and --marked need different names")
    if options.source != STANDARD_STREAM and options.source.resolve() in paths:
        raise click.UsageError(f"{options.source} is the source; give the output another name")


class _Whole:
    """A source that is read in one go, into files that appear together at the end."""

    def __init__(self, as_source: Format, options: VariantOptions, stack: ExitStack) -> None:
        self._source, self._options, self._stack = as_source, options, stack

    def open(self, path: Path) -> IO[bytes]:
        """Open a file of lines."""
        return self._stack.enter_context(whole_file(path, force=self._options.force))

    def open_sink(self, output: Output) -> Sink:
        """Open an output whose format is not one of lines."""
        target = output.target
        return self._stack.enter_context(open_sink(target.path, output.format, force=target.force))

    def known_ids(self) -> Iterator[Sequence[str]]:
        """Yield no ids: all are still to be read."""
        return iter(())

    def parts(self, meter: Meter | None) -> Iterator[SourcePart]:
        """Yield the parts of the source."""
        return source_parts(self._source, self._options, meter)

    def after(self, made: PartMade, counts: Counts) -> None:
        """Do nothing after a part."""

    def forget(self) -> None:
        """Do nothing: no part is recorded."""


def _write(
    as_source: Format,
    jobs: Sequence[Job],
    outputs: Sequence[Output],
    options: VariantOptions,
    way: _Whole | Shards,
) -> None:
    workers = options.open_workers()
    marked = None if options.marked is None else options.marked.suffix
    ledger = options.ledger is not None
    work = VariantWork(options.source, FORMATS.name_of(as_source), tuple(outputs), ledger, marked)
    files = _Files(jobs, outputs, options, way)
    ids = _SourceIds(as_source, options.source)
    for known in way.known_ids():
        ids.add(known)
    with bytes_progress(options.source, quiet=options.quiet) as meter:
        parts = way.parts(meter)
        if options.is_stream:
            parts = in_known_language(parts, as_source, [job.recipe for job in jobs])
        for made in workers.map(work, parts):
            ids.add(made.ids)
            files.write(made)
            _add_counts(jobs, [_counts(one, made.read) for one in made.outputs])
            way.after(made, [_counts(job, job.read) for job in jobs])
    for job in jobs:
        if job.read and not job.written:  # before any file gets its name
            way.forget()
            raise OutputError(
                f"{job.target.path}: nothing to write: none of the {job.read:,} utterances "
                f"could be changed by {job.name}"
            )


def _counts(found: Made | Job, read: int) -> Sequence[int]:
    return read, found.written, found.changed, found.edits, found.failed_over


def _add_counts(jobs: Sequence[Job], counts: Counts) -> None:
    for job, (read, written, changed, edits, failed_over) in zip(jobs, counts, strict=False):
        job.read += read
        job.written += written
        job.changed += changed
        job.edits += edits
        job.failed_over += failed_over


class _Files:
    """The files that are written part by part."""

    def __init__(
        self,
        jobs: Sequence[Job],
        outputs: Sequence[Output],
        options: VariantOptions,
        way: _Whole | Shards,
    ) -> None:
        self._sinks: list[IO[bytes] | Sink] = []
        for job, output in zip(jobs, outputs, strict=True):
            _make_folder(job.target)
            opened = way.open_sink(output) if output.lines is None else way.open(output.target.path)
            self._sinks.append(opened)
        self._ledger, self._marked = (
            None if path is None else way.open(path) for path in (options.ledger, options.marked)
        )
        tagged = options.marked is not None and options.marked.suffix == TSV
        if self._marked is not None and tagged and self._marked.tell() == 0:
            self._marked.write(b"id\twords\ttags\n")

    def write(self, made: PartMade) -> None:
        """Write what was made of a part."""
        for sink, found in zip(self._sinks, made.outputs, strict=True):
            if callable(sink):
                for variant in found.variants:
                    sink(variant)
            else:
                sink.write(found.lines)
        for file, lines in ((self._ledger, made.ledger), (self._marked, made.marked)):
            if file is not None:
                file.write(lines)


class _SourceIds:
    """Refuses an id that occurs twice in a source that workers read."""

    def __init__(self, format: Format, path: Path) -> None:
        self._format, self._path = format, path
        self._ids = Ids()

    def add(self, ids: Sequence[str]) -> None:
        """Add the ids of a part.

        Raises:
            DataError: naming the id that occurs twice, and its lines.
        """
        for id in ids:
            if not self._ids.add(id):
                if self._path == STANDARD_STREAM:
                    raise DataError(f"standard input: the id {id!r} occurs twice")
                for _ in self._format.read(self._path, None):
                    """The reader looks the id up and says where it occurs, if it really does."""


def _make_folder(target: OutputPath) -> None:
    if target.folder is not None and target.folder.parent.is_dir():
        target.folder.mkdir(exist_ok=True)


def _write_manifests(
    as_source: Format,
    jobs: Sequence[Job],
    options: VariantOptions,
    finished: Mapping[Path, Path],
) -> None:
    """Write the manifests of outputs, some of which may still lie elsewhere."""

    def described(path: Path, format: str = "") -> File:
        return file_of(path, folder, format, at=finished.get(real_target(path), path))

    for job in jobs:
        path = job.target.path
        if path == STANDARD_STREAM:
            continue
        folder = path.parent
        manifest = make_manifest(
            job.engine,
            folder,
            source=file_of(options.source, folder, FORMATS.name_of(as_source)),
            output=described(path, FORMATS.name_of(job.target.format)),
            ledger=described(options.ledger) if options.ledger is not None else None,
            left_out=job.unchanged if job.recipe.skip else 0,
        )
        _write_json(manifest_path(path), manifest)


def _write_json(path: Path, content: msgspec.Struct) -> None:
    with whole_file(path, force=True) as file:
        file.write(msgspec.json.format(msgspec.json.encode(content)) + b"\n")
