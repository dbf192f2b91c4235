"""Run recipes over a source, read once; each recipe has an output and a manifest."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path

import click
import msgspec

from mondegreen.cli.fluency_reference import open_fluency_reference
from mondegreen.cli.options import VariantOptions
from mondegreen.cli.output_paths import OutputPath
from mondegreen.cli.progress import bytes_progress
from mondegreen.data import FORMATS, Format, Sink, open_sink
from mondegreen.data.lines import STANDARD_STREAM, newline_of
from mondegreen.data.output import whole_file
from mondegreen.errors import OutputError
from mondegreen.perturbation.augmentation import engine_of
from mondegreen.perturbation.engine import Engine, run_together
from mondegreen.perturbation.recipe import Recipe
from mondegreen.provenance.ledger import lines_of
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
    with ExitStack() as stack:
        sinks = [
            stack.enter_context(_open(job.target, newline, force=options.force)) for job in jobs
        ]
        ledger = (
            stack.enter_context(whole_file(options.ledger, force=options.force))
            if options.ledger
            else None
        )
        write_marked = stack.enter_context(
            open_fluency_reference(options.marked, force=options.force)
        )
        meter = stack.enter_context(bytes_progress(options.source, quiet=options.quiet))
        utterances = islice(as_source.read(options.source, meter), options.limit)
        for _, rows in run_together([job.engine for job in jobs], utterances):
            for job, sink, variants in zip(jobs, sinks, rows, strict=True):
                job.read += 1
                for variant in variants:
                    sink(variant)
                    job.written += 1
                    job.changed += bool(variant.edits)
                    job.edits += len(variant.edits)
                    if write_marked is not None:
                        write_marked(variant)
                    if ledger is not None:
                        ledger.write(lines_of(variant))
        for job in jobs:
            if job.read and not job.written:  # inside the block, so that no file is written
                raise OutputError(
                    f"{job.target.path}: nothing to write: none of the {job.read:,} utterances "
                    f"could be changed by {job.name}"
                )


def _open(target: OutputPath, newline: str, *, force: bool) -> AbstractContextManager[Sink]:
    if target.folder is not None and target.folder.parent.is_dir():
        target.folder.mkdir(exist_ok=True)
    return open_sink(target.path, FORMATS.name_of(target.format), force=force, newline=newline)


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
