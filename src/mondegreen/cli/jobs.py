"""Running what makes variants: one reading of the source, an output and a manifest for each job."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

import click
import msgspec

from mondegreen.cli.marks import open_marks
from mondegreen.cli.progress import metered
from mondegreen.cli.targets import Place
from mondegreen.data import Format, Sink, open_sink
from mondegreen.data.lines import STANDARD_STREAM, newline_of
from mondegreen.data.output import whole_file
from mondegreen.engine import Engine
from mondegreen.errors import OutputError
from mondegreen.ledger import lines_of
from mondegreen.manifest import file_of, make_manifest, manifest_path
from mondegreen.types import Utterance, Variant


@dataclass
class Job:
    """What a command makes of each utterance, where it goes, and what came of it."""

    command: str
    engine: Engine
    make: Callable[[Utterance], Iterator[Variant]]
    place: Place
    said: int = 0
    written: int = 0
    changed: int = 0
    edits: int = 0

    @property
    def name(self) -> str:
        """The operators, as a summary names them."""
        return "+".join(operator.name for operator in self.engine.operators)

    @property
    def unchanged(self) -> int:
        """How many variants could not be made, or came back as they were."""
        each = self.engine.variants * (1 if self.engine.mix else len(self.engine.operators))
        return self.said * each - self.changed

    @property
    def fate(self) -> str:
        """What became of those."""
        amounts = [self.engine.amount or operator.default for operator in self.engine.operators]
        why = "could not be changed" if all(amount.floor for amount in amounts) else "have no edit"
        if self.engine.skip:
            return f"{why} and were left out"
        return f"{why} and stand as they were; --skip-unchangeable leaves them out"

    def take(self, variant: Variant) -> None:
        """Count a variant."""
        self.written += 1
        self.changed += bool(variant.edits)
        self.edits += len(variant.edits)


def run(source: Path, as_source: Format, jobs: list[Job], options: dict[str, Any]) -> None:
    """Read once, write all outputs, which appear together at the end; then their manifests."""
    besides = [options[name] for name in ("ledger", "marked") if options[name] is not None]
    check_paths(source, [job.place.path for job in jobs], besides)
    _make(source, as_source, jobs, options)
    if options["limit"] is None and source != STANDARD_STREAM:
        _write_manifests(jobs, source, as_source.name, options["ledger"])
    else:
        for job in jobs:  # one from a run before would be false now
            manifest_path(job.place.path).unlink(missing_ok=True)


def check_paths(source: Path, targets: list[Path], besides: list[Path]) -> None:
    """Refuse to write two things to one place, or over what is being read."""
    if STANDARD_STREAM in besides:
        raise click.UsageError("the ledger and the marked text need a file of their own")
    places = [path.resolve() for path in (*targets, *besides)]
    if len(set(places)) < len(places):
        raise click.UsageError("outputs, ledger and marked text need different names")
    if source != STANDARD_STREAM and source.resolve() in places:
        raise click.UsageError(f"{source} is the source; give the output another name")


def _make(source: Path, as_source: Format, jobs: list[Job], options: dict[str, Any]) -> None:
    newline = newline_of(source)
    with ExitStack() as stack:
        sinks = [stack.enter_context(_open(job.place, newline, options["force"])) for job in jobs]
        ledger = options["ledger"]
        book = stack.enter_context(whole_file(ledger, force=options["force"])) if ledger else None
        mark = stack.enter_context(open_marks(options["marked"], force=options["force"]))
        meter = stack.enter_context(metered(source, quiet=options["quiet"]))
        reading: Iterator[Utterance] = islice(as_source.read(source, meter), options["limit"])
        for job in jobs:
            reading = job.engine.prepared(reading)
        for said in reading:
            for job, sink in zip(jobs, sinks, strict=True):
                job.said += 1
                for variant in job.make(said):
                    sink(variant)
                    job.take(variant)
                    mark(variant)
                    if book is not None:
                        book.write(lines_of(variant))
        for job in jobs:
            if job.said and not job.written:  # within the block, so that nothing is written
                raise OutputError(
                    f"{job.place.path}: nothing is left to write: none of the {job.said:,} "
                    f"utterances could be changed by {job.name}"
                )


def _open(place: Place, newline: str, force: bool) -> AbstractContextManager[Sink]:  # noqa: FBT001
    if place.folder is not None and place.folder.parent.is_dir():
        place.folder.mkdir(exist_ok=True)
    return open_sink(place.path, place.format.name, force=force, newline=newline)


def _write_manifests(jobs: list[Job], source: Path, format: str, ledger: Path | None) -> None:
    for job in jobs:
        path = job.place.path
        if path != STANDARD_STREAM:
            folder = path.parent
            manifest = make_manifest(
                job.engine,
                folder,
                source=file_of(source, folder, format),
                output=file_of(path, folder, job.place.format.name),
                ledger=file_of(ledger, folder) if ledger is not None else None,
                command=job.command,
                left_out=job.unchanged if job.engine.skip else 0,
            )
            with whole_file(manifest_path(path), force=True) as file:
                file.write(msgspec.json.format(msgspec.json.encode(manifest)) + b"\n")
