"""Run recipes over a source, read once; each recipe has an output and a manifest."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

import click
import msgspec

from mondegreen.cli.options import VariantOptions
from mondegreen.cli.output_paths import OutputPath
from mondegreen.cli.progress import bytes_progress
from mondegreen.cli.variant_parts import TSV, Output, PartMade, VariantWork, source_parts
from mondegreen.data import FORMATS, Format, Sink, open_sink
from mondegreen.data.formats import Target
from mondegreen.data.lines import STANDARD_STREAM, newline_of
from mondegreen.data.output import whole_file
from mondegreen.errors import DataError, OutputError
from mondegreen.kernel import Ids
from mondegreen.perturbation.augmentation import engine_of
from mondegreen.perturbation.engine import Engine
from mondegreen.perturbation.recipe import Recipe
from mondegreen.provenance.manifest import file_of, make_manifest, manifest_path


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
    """Read the source once, and write all outputs and their manifests."""
    _check_paths(jobs, options)
    _write(as_source, jobs, options)
    if options.limit is None and options.source != STANDARD_STREAM:
        _write_manifests(as_source, jobs, options)
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


def _write(as_source: Format, jobs: Sequence[Job], options: VariantOptions) -> None:
    newline = newline_of(options.source)
    workers = options.open_workers()
    outputs = [
        Output(
            job.recipe,
            Target(job.target.path, options.force, newline),
            FORMATS.name_of(job.target.format),
        )
        for job in jobs
    ]
    marked = None if options.marked is None else options.marked.suffix
    ledger = options.ledger is not None
    work = VariantWork(options.source, FORMATS.name_of(as_source), tuple(outputs), ledger, marked)
    with ExitStack() as stack:
        files = _Files(jobs, outputs, options, stack)
        meter = stack.enter_context(bytes_progress(options.source, quiet=options.quiet))
        ids = _SourceIds(as_source, options.source)
        for made in workers.map(work, source_parts(as_source, options, meter)):
            ids.add(made.ids)
            files.write(made)
            for job, found in zip(jobs, made.outputs, strict=True):
                job.read += made.read
                job.written += found.written
                job.changed += found.changed
                job.edits += found.edits
        for job in jobs:
            if job.read and not job.written:  # inside the block, so that no file is written
                raise OutputError(
                    f"{job.target.path}: nothing to write: none of the {job.read:,} utterances "
                    f"could be changed by {job.name}"
                )


class _Files:
    """The files that are written part by part."""

    def __init__(
        self,
        jobs: Sequence[Job],
        outputs: Sequence[Output],
        options: VariantOptions,
        stack: ExitStack,
    ) -> None:
        def opened(path: Path | None) -> IO[bytes] | None:
            if path is None:
                return None
            return stack.enter_context(whole_file(path, force=options.force))

        self._sinks: list[IO[bytes] | Sink] = []
        for job, output in zip(jobs, outputs, strict=True):
            _make_folder(job.target)
            target, format = output.target, output.format
            self._sinks.append(
                stack.enter_context(whole_file(target.path, force=target.force))
                if output.lines is not None
                else stack.enter_context(open_sink(target.path, format, force=target.force))
            )
        self._ledger, self._marked = opened(options.ledger), opened(options.marked)
        if self._marked is not None and options.marked and options.marked.suffix == TSV:
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


def _write_manifests(as_source: Format, jobs: Sequence[Job], options: VariantOptions) -> None:
    for job in jobs:
        path = job.target.path
        if path == STANDARD_STREAM:
            continue
        folder = path.parent
        manifest = make_manifest(
            job.engine,
            folder,
            source=file_of(options.source, folder, FORMATS.name_of(as_source)),
            output=file_of(path, folder, FORMATS.name_of(job.target.format)),
            ledger=file_of(options.ledger, folder) if options.ledger is not None else None,
            left_out=job.unchanged if job.recipe.skip else 0,
        )
        _write_json(manifest_path(path), manifest)


def _write_json(path: Path, content: msgspec.Struct) -> None:
    with whole_file(path, force=True) as file:
        file.write(msgspec.json.format(msgspec.json.encode(content)) + b"\n")
