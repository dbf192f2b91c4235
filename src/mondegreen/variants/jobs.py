"""Write the variants of a source: one output per operator, each with its manifest."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import ExitStack
from copy import copy
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from mondegreen import __version__
from mondegreen.data import FORMATS, target_format
from mondegreen.data.files.lines import STANDARD_STREAM
from mondegreen.data.files.places import real_target, together
from mondegreen.data.formats.format import Format, Like, Target, like_source
from mondegreen.data.formats.jsonl import JSONL
from mondegreen.engines import Workers
from mondegreen.errors import OutputError, OutputNameError
from mondegreen.perturbation.augmentation import GROUP, engine_of
from mondegreen.perturbation.recipe import Recipe
from mondegreen.provenance.manifest import (
    File,
    file_of,
    make_manifest,
    manifest_path,
    write_manifest,
)
from mondegreen.variants.each_shard import EACH, is_made, named, shard_names
from mondegreen.variants.outputs import OutputPath, output_paths
from mondegreen.variants.places import Shards, Whole, WrittenCounts, open_shards
from mondegreen.variants.sources import FileSource, MemorySource
from mondegreen.variants.work import Making, Output, VariantWork, WrittenTally
from mondegreen.variants.writing import Extras, write_parts

_COPY = ".source.jsonl"
OnNote = Callable[[str], object]


class WrittenOutput(NamedTuple):
    """An output that was written: its path, its recipe and its counts.

    ``unchanged`` is the number of variants that could not be made, or have no edits.
    """

    path: Path
    recipe: Recipe
    read: int
    written: int
    changed: int
    edits: int
    failed_over: int

    @property
    def name(self) -> str:
        """The names of the operators."""
        return "+".join(operator.name for operator in self.recipe.operators)

    @property
    def unchanged(self) -> int:
        """The number of variants that could not be made, or have no edits."""
        operators = 1 if self.recipe.mix else len(self.recipe.operators)
        return self.read * self.recipe.variants * operators - self.changed


class WriteJob:
    """Writes the variants of a source to one output per operator, or to one for a mixture.

    Args:
        recipe: the recipe.
        source: the source.
        workers: where the work runs; ``None`` for this process.
        learnt_from: the file that operators have learnt from, if it is not the source.
        extras: the ledger and the fluency reference.
        force: replace existing outputs.
    """

    def __init__(
        self,
        recipe: Recipe,
        source: MemorySource,
        workers: Workers | None,
        learnt_from: Path | None,
        extras: Extras,
        *,
        force: bool,
    ) -> None:
        self._source, self._workers = source, workers
        self._learnt_from, self._extras, self._force = learnt_from, extras, force
        self._recipes = [recipe] if recipe.mix else recipe.split_by_operator()
        self._engines = [engine_of(one) for one in self._recipes]
        self._targets: list[OutputPath] = []

    def write(
        self, path: Path, to: str | None, on_note: OnNote | None
    ) -> tuple[WrittenOutput, ...]:
        """Write all outputs and their manifests; see :meth:`Variants.write`."""
        source = self._source
        if EACH in str(path) and isinstance(source, FileSource) and source.is_sharded:
            return self._write_each(source, path, to, on_note)
        format = source.format if isinstance(source, FileSource) else JSONL
        self._targets = output_paths(path, self._names, to, format)
        self._check_paths()
        work = self._work()
        lines = all(one.lines and one.target.path != STANDARD_STREAM for one in work.outputs)
        if isinstance(source, FileSource) and source.is_sharded and lines:
            return self._report(self._write_shards(source, work, on_note))
        with together() as finished:
            with ExitStack() as stack:
                written = self._write_parts(work, Whole(source, stack, force=self._force))
            limited = isinstance(source, FileSource) and source.limit is not None
            if limited or source.is_stream:
                for target in self._targets:  # the manifest of an earlier output would be wrong
                    manifest_path(target.path).unlink(missing_ok=True)
            else:
                self._write_manifests(written, finished)
        return self._report(written)

    def _write_each(
        self, source: FileSource, path: Path, to: str | None, on_note: OnNote | None
    ) -> tuple[WrittenOutput, ...]:
        """Write an output for each shard, unless it is there already."""
        names = shard_names(source.path)
        made: list[tuple[WrittenOutput, ...]] = []
        for shard, name in names:
            job = self._of_shard(FileSource(source.reading, path=shard, named=source.named), name)
            if not job.is_made(named(path, name), to):
                made.append(job.write(named(path, name), to, None))
        if on_note is not None and len(made) < len(names):
            done = f"{len(names) - len(made):,} of {len(names):,} shards"
            on_note(f"{done} were finished at an earlier start and are skipped")
        written = WrittenCounts(0, [WrittenTally() for _ in self._recipes])
        for outputs in made:
            written.read += outputs[0].read
            for tally, one in zip(written.tallies, outputs, strict=True):
                tally.add(WrittenTally(one.written, one.changed, one.edits, one.failed_over))
        format = target_format(named(path, ""), to, otherwise=source.format.plain)
        self._targets = [
            OutputPath(Path(str(path).replace("{op}", name)), format) for name in self._names
        ]
        return self._report(written)

    def _of_shard(self, source: FileSource, name: str) -> WriteJob:
        extras = self._extras
        for file in (extras.ledger, extras.marked):
            if file is not None and EACH not in file.name:
                raise OutputNameError(
                    f"{file}: each shard has an output; write * in this name, too"
                )
        extras = extras._replace(
            ledger=extras.ledger and named(extras.ledger, name),
            marked=extras.marked and named(extras.marked, name),
        )
        job = copy(self)
        job._source, job._extras = source, extras  # noqa: SLF001 (one of our own kind)
        return job

    @property
    def _names(self) -> list[str]:
        return [GROUP if one.augment else one.operators[0].name for one in self._recipes]

    def is_made(self, path: Path, to: str | None) -> bool:
        """Return whether all outputs are there, made by the same recipes from the same source."""
        source = self._source
        if not isinstance(source, FileSource):
            return False
        targets = output_paths(path, self._names, to, source.format)
        rows = [(one.path, recipe) for one, recipe in zip(targets, self._recipes, strict=True)]
        return is_made(rows, source.path, self._extras.ledger)

    @property
    def _copy(self) -> Path | None:
        """Where utterances in memory are written."""
        first = self._targets[0].path
        if isinstance(self._source, FileSource) or first == STANDARD_STREAM:
            return None
        return first.with_name(first.name + _COPY)

    def _check_paths(self) -> None:
        """Check that all paths are different, and that none is the source."""
        others = [path for path in (self._extras.ledger, self._extras.marked) if path is not None]
        if STANDARD_STREAM in others:
            raise OutputNameError("--ledger and --marked need files, not standard output")
        paths = [path.resolve() for path in (*(one.path for one in self._targets), *others)]
        if len(set(paths)) < len(paths):
            raise OutputNameError("outputs, --ledger and --marked need different names")
        source = self._source.path if isinstance(self._source, FileSource) else STANDARD_STREAM
        if source != STANDARD_STREAM and source.resolve() in paths:
            raise OutputNameError(f"{source} is the source; give the output another name")

    def _work(self) -> VariantWork:
        newline = self._source.newline
        rows = [
            (recipe, target.path, FORMATS.name_of(target.format), self._like(target.format))
            for recipe, target in zip(self._recipes, self._targets, strict=True)
        ]
        kept = [] if self._copy is None else [(None, self._copy, JSONL.name, None)]
        marked = self._extras.marked
        return VariantWork(
            tuple(
                Making(recipe, (Output(Target(path, self._force, newline, like), format),))
                for recipe, path, format, like in [*rows, *kept]
            ),
            self._source.format_name,
            self._source.is_sharded,
            ledger=self._extras.ledger is not None,
            marked=None if marked is None else marked.suffix,
        )

    def _like(self, format: Format) -> Like | None:
        source = self._source
        if not isinstance(source, FileSource):
            return None
        return like_source(source.path, source.format, format)

    def _write_shards(
        self, source: FileSource, work: VariantWork, on_note: OnNote | None
    ) -> WrittenCounts:
        more = (self._extras.ledger, self._extras.marked)
        targets = [*(one.path for one in self._targets), *(path for path in more if path)]
        with open_shards(source, targets, self._job(), force=self._force) as shards:
            if shards.skipped and on_note is not None:
                on_note(shards.skipped)
            written = shards.written(len(self._targets))
            if not shards.is_finished:
                written = self._write_parts(work, shards)
            shards.place(force=self._force)
            self._write_manifests(written, {})
        return written

    def _write_parts(self, work: VariantWork, place: Whole | Shards) -> WrittenCounts:
        for target in self._targets:
            if target.folder is not None and target.folder.parent.is_dir():
                target.folder.mkdir(exist_ok=True)
        written = write_parts(work, self._source, place, self._workers, self._extras)
        for one in self._report(written):
            if one.read and not one.written:  # before any file gets its name
                place.forget()
                raise OutputError(
                    f"{one.path}: nothing to write: none of the {one.read:,} utterances could be "
                    f"changed by {one.name}"
                )
        return written

    def _report(self, written: WrittenCounts) -> tuple[WrittenOutput, ...]:
        rows = zip(self._recipes, self._targets, written.tallies, strict=False)
        return tuple(
            WrittenOutput(
                target.path,
                recipe,
                written.read,
                tally.written,
                tally.changed,
                tally.edits,
                tally.failed_over,
            )
            for recipe, target, tally in rows
        )

    def _job(self) -> dict[str, Any]:
        """Return everything that decides what is written, apart from the shards."""
        rows = zip(self._recipes, self._targets, self._engines, strict=True)
        return {
            "version": __version__,
            "format": self._source.format_name,
            "outputs": [
                {
                    "path": str(target.path),
                    "format": FORMATS.name_of(target.format),
                    "recipe": recipe.record(),
                    "versions": [operator.version for operator in recipe.operators],
                    "files": {str(path): sha256 for path, sha256 in engine.resources.items()},
                }
                for recipe, target, engine in rows
            ],
            **{name: str(getattr(self._extras, name)) for name in ("ledger", "marked")},
        }

    def _write_manifests(self, written: WrittenCounts, finished: Mapping[Path, Path]) -> None:
        """Write the manifests of outputs, some of which may still lie elsewhere."""
        source, ledger, learnt_from = self._source, self._extras.ledger, self._learnt_from
        origin = source.path if isinstance(source, FileSource) else self._copy
        for one, target, engine in zip(
            self._report(written), self._targets, self._engines, strict=True
        ):
            if one.path == STANDARD_STREAM or origin is None:
                continue
            described = partial(_described, one.path.parent, finished)
            manifest = make_manifest(
                engine,
                one.path.parent,
                source=described(origin, source.format_name or JSONL.name),
                output=described(one.path, FORMATS.name_of(target.format)),
                ledger=described(ledger) if ledger is not None else None,
                learnt_from=described(learnt_from) if learnt_from is not None else None,
                left_out=one.unchanged if one.recipe.skip else 0,
            )
            write_manifest(manifest_path(one.path), manifest)


def _described(folder: Path, finished: Mapping[Path, Path], path: Path, format: str = "") -> File:
    return file_of(path, folder, format, at=finished.get(real_target(path), path))
