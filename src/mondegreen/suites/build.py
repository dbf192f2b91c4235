"""Make a suite: several recipes over one source, and the hard set; one pass writes all sets."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import ExitStack
from functools import cached_property
from itertools import count
from pathlib import Path
from typing import Any, overload

import msgspec

from mondegreen.data.files.hashing import hash_of
from mondegreen.data.files.lines import STANDARD_STREAM
from mondegreen.data.files.output import whole_path
from mondegreen.data.formats.format import Target
from mondegreen.data.formats.jsonl import JSONL
from mondegreen.data.layout import ReadOptions
from mondegreen.data.pairs.parts import parted
from mondegreen.engines import LOCAL, Workers, open_workers
from mondegreen.errors import DataError, OutputError
from mondegreen.models.loading import load_model
from mondegreen.models.protocol import Model
from mondegreen.perturbation.preparation import LearnFrom, prepare
from mondegreen.perturbation.recipe import Operators, Recipe
from mondegreen.perturbation.suite_recipe import (
    HARD,
    ORIGINAL,
    SetPlan,
    SuiteEngine,
    SuiteRecipe,
)
from mondegreen.provenance.manifest import File, file_of, write_manifest
from mondegreen.provenance.suite_manifest import (
    NAME,
    SetEntry,
    file_name,
    is_suite,
    make_suite_manifest,
)
from mondegreen.suites.hard import hardest
from mondegreen.suites.reading import Suite, open_suite
from mondegreen.types import Utterance, Variant
from mondegreen.variants.places import Shards, Whole, WrittenCounts, open_shards
from mondegreen.variants.sources import Data, FileSource, MemorySource, source_of
from mondegreen.variants.work import MadeOutput, Making, Output, VariantWork, promising
from mondegreen.variants.writing import Extras, Hard, write_parts

_CHUNK = 256  # utterances among whose variants the hardest are chosen together
OnProgress = Callable[[int], object]
"""Called with the number of utterances done since the last call."""


@overload
def suite(data: Data, folder: Path | str, *args: Any, **settings: Any) -> Suite: ...
@overload
def suite(data: Data, folder: None = None, *args: Any, **settings: Any) -> SuiteVariants: ...
def suite(
    data: Data,
    folder: Path | str | None = None,
    operators: Operators = "nature",
    *,
    random: int = 10,
    hard: str | Model | None = None,
    severities: Sequence[float] = (),
    seed: int = 0,
    protect: Iterable[str] = (),
    protect_slots: bool | Iterable[str] = False,
    protect_codes: bool = True,
    language: str | None = None,
    learn_from: LearnFrom | None = None,
    format: str | None = None,
    map: str | Mapping[str, str] = "",
    force: bool = False,
    on_progress: OnProgress | None = None,
    engine: str = LOCAL,
    workers: int | None = None,
    address: str | None = None,
) -> Suite | SuiteVariants:
    """Make a suite from a test set: original, one set per operator, random, hard, severities.

    Args:
        data: a file or folder of labelled utterances in any format; or the utterances themselves,
            or a data frame of them, whose copy in the original set is what verification reads.
        folder: the folder to write; it appears when the suite is complete. Without it, nothing is
            written before you call ``.write(folder)`` of the result.
        operators: names, signatures, groups of operators (``nature``), or operators.
        random: the number of random sets, in which each utterance is changed by a random operator.
        hard: a model, or its name; the hard set has the variants on which it does worst.
        severities: adds one set per operator and severity, for curves.
        seed: another seed gives other edits.
        protect: words or phrases to leave unchanged.
        protect_slots: leave slots unchanged: all of them, or those with the labels given.
        protect_codes: leave numbers, codes, e-mail addresses, URLs, file names and quotations
            unchanged.
        language: the code of the data's language, such as ``de``; by default it is found out, and
            operators that do not know it refuse.
        learn_from: what operators learn from: a file, utterances or texts; by default, the data.
        format: the format of a file; by default known from its name and content.
        map: the columns of a table that have other names than ours, such as ``{"text": "query"}``.
        force: replace an existing suite.
        on_progress: called with the number of utterances done since the last call.
        engine: where the work runs: ``local``, ``processes`` or ``ray``; the suite is the same.
        workers: how many processes or Ray workers; by default, as many as there are cores.
        address: the address of a Ray cluster.

    Raises:
        DataError: if the data is invalid, or has neither labels nor slots.
        ModelError: if the model of the hard set fails.
        OperatorError: if an operator does not know the language of the data.
        OutputError: if the folder exists, or cannot be written.
    """
    draft = Recipe.build(
        operators,
        seed=seed,
        protect=protect,
        protect_slots=protect_slots,
        protect_codes=protect_codes,
        language=language,
    )
    reading = ReadOptions.parse(map)
    if isinstance(data, str | Path):
        source: MemorySource = FileSource(reading, path=Path(data), named=format)
    else:
        source = source_of(data, format, reading)
    made = SuiteVariants(
        draft,
        source,
        random=random,
        severities=tuple(severities),
        hard=hard,
        learn_from=learn_from,
        workers=open_workers(engine, workers, address),
        on_progress=on_progress,
    )
    return made if folder is None else made.write(folder, force=force)


class SuiteVariants:
    """A suite that is not written yet: several recipes over one source.

    Args:
        draft: the operators, the seed and what is protected, before anything is learnt.
        source: the source.
        random: the number of random sets.
        severities: the severities of more sets.
        hard: a model, or its name, for the hard set.
        learn_from: what operators learn from; by default, the source.
        workers: where the work runs; ``None`` for this process.
        on_progress: called with the number of utterances done since the last call.
    """

    def __init__(
        self,
        draft: Recipe,
        source: MemorySource,
        *,
        random: int = 10,
        severities: tuple[float, ...] = (),
        hard: str | Model | None = None,
        learn_from: LearnFrom | None = None,
        workers: Workers | None = None,
        on_progress: OnProgress | None = None,
    ) -> None:
        if isinstance(source, FileSource) and source.is_stream and _is_pipe(source.path):
            raise DataError(
                "a suite needs its source for verification; give a file or a folder, not "
                f"{source.path}"
            )
        if not isinstance(source, FileSource):
            source.data = list(source.read())
        self._draft, self._source, self._hard = draft, source, hard
        self._random, self._severities, self._learn_from = random, severities, learn_from
        self._workers, self._on_progress = workers, on_progress

    @cached_property
    def recipe(self) -> SuiteRecipe:
        """The recipe of all sets, with what the operators have learnt."""
        one = prepare(self._draft, self._source.read, self._learn_from)
        return SuiteRecipe(one.operators, one.seed, self._random, self._severities, one.protection)

    def write(self, folder: Path | str, *, force: bool = False) -> Suite:
        """Write the suite into a folder, which appears when it is complete; return it.

        Raises:
            DataError: if the data is invalid, or has neither labels nor slots.
            ModelError: if the model of the hard set fails.
            OutputError: if the folder exists, or cannot be written.
        """
        target, source = Path(folder), self._source
        if isinstance(source, FileSource) and source.path.resolve().is_relative_to(
            target.resolve()
        ):
            raise OutputError(f"{target}: contains the source {source}; give another name")
        engine = SuiteEngine(self.recipe)
        slots = check_gold(source.read(), source)
        with ExitStack() as stack:
            model = None
            if self._hard is not None:
                found = load_model(self._hard) if isinstance(self._hard, str) else self._hard
                model = stack.enter_context(found)
            writing = _SuiteWriting(self, engine, model, target)
            judge = _Judge(model, self._draft, slots=slots) if model else None
            if isinstance(source, FileSource) and source.is_sharded:
                writing.write_shards(source, judge, force=force)
            else:
                with whole_path(target, force=force, ours=is_suite) as temporary:
                    temporary.mkdir()
                    writing.write_sets(temporary, judge)
        return open_suite(target)


class _SuiteWriting:
    """Writes the sets of a suite and its manifest."""

    def __init__(
        self, suite: SuiteVariants, engine: SuiteEngine, model: Model | None, target: Path
    ) -> None:
        self._suite, self._engine, self._model, self._target = suite, engine, model, target
        self._source = suite._source  # noqa: SLF001 (of this module)
        self._plans = engine.recipe.plans()

    def write_shards(self, source: FileSource, judge: _Judge | None, *, force: bool) -> None:
        """Write the suite shard by shard, from the first one that is not finished."""
        job = msgspec.to_builtins(self._manifest((), File(source.format_name, "")))
        with open_shards(source, [self._target], job, force=force, ours=is_suite) as shards:
            if not shards.is_finished:
                self.write_sets(shards.folder, judge, shards)
            shards.place(force=force)

    def write_sets(self, folder: Path, judge: _Judge | None, shards: Shards | None = None) -> None:
        """Write all sets and the manifest into a folder that gets its name afterwards."""
        for plan in self._plans:
            (folder / file_name(plan.name)).parent.mkdir(exist_ok=True)
        hard = None if judge is None else Hard(self._output(folder, HARD), judge.chosen)
        extras = Extras(hard=hard, on_part=self._suite._on_progress)  # noqa: SLF001
        with ExitStack() as stack:
            place = shards or Whole(self._source, stack, force=False)
            work = VariantWork(
                tuple(self._makings(folder)),
                self._source.format_name,
                self._source.is_sharded,
                choices=None if judge is None else 1,
            )
            workers = self._suite._workers  # noqa: SLF001
            written = write_parts(work, self._source, place, workers, extras)
        if self._model is not None:
            self._model.finish()
        plans = [*self._plans, *([SetPlan(HARD, HARD)] if judge else [])]
        source = self._source
        file = (
            file_of(source.path, self._target, source.format_name)
            if isinstance(source, FileSource)
            else file_of(folder / file_name(ORIGINAL), folder, JSONL.name)
        )
        write_manifest(folder / NAME, self._manifest(_entries(plans, written, folder), file))

    def _manifest(self, sets: Sequence[SetEntry], source: File) -> msgspec.Struct:
        hard = self._model.signature if self._model else ""
        return make_suite_manifest(self._engine, sets, self._target, source=source, hard=hard)

    def _makings(self, folder: Path) -> Iterable[Making]:
        """Yield the recipes with the files of their sets."""
        names = iter(self._plans)
        yield Making(None, (self._output(folder, next(names).name),))
        for recipe in self._engine.recipe.recipes():
            sets = recipe.variants if recipe.mix else len(recipe.operators)
            yield Making(recipe, tuple(self._output(folder, next(names).name) for _ in range(sets)))

    def _output(self, folder: Path, name: str) -> Output:
        return Output(Target(folder / file_name(name)), JSONL.name)


def _entries(plans: Sequence[SetPlan], written: WrittenCounts, folder: Path) -> list[SetEntry]:
    """Return the entries of the manifest."""
    return [
        SetEntry(
            **plan._asdict(),
            file=File(file_name(plan.name), hash_of(folder / file_name(plan.name)), JSONL.name),
            n=tally.written,
            changed=tally.changed,
            edits=tally.edits,
            operators=tally.operators,
            failed_over=tally.failed_over,
        )
        for plan, tally in zip(plans, written.tallies, strict=True)
    ]


def _is_pipe(path: Path) -> bool:
    return path == STANDARD_STREAM or path.exists()


def check_gold(data: Iterable[Utterance], place: object) -> bool:
    """Check that the data is labelled; return whether it has slots.

    Raises:
        DataError: if no utterance has a label or a slot, or if only some have a label.
    """
    slots = False
    first: Utterance | None = None
    for utterance in data:
        first = first or utterance
        slots = slots or bool(utterance.slots)
        if (utterance.label is None) != (first.label is None):
            without, other = (utterance, first) if utterance.label is None else (first, utterance)
            raise DataError(
                f"{place}: utterance {without.id!r} has no label, but {other.id!r} has one; label "
                "all utterances or none"
            )
    if not slots and (first is None or first.label is None):
        raise DataError(
            f"{place}: no utterance has a label or a slot; give columns label and tags, or a "
            "folder of seq.in, seq.out and label"
        )
    return slots


class _Judge:
    """Chooses the variants of the hard set, chunk by chunk."""

    def __init__(self, model: Model, recipe: Recipe, *, slots: bool) -> None:
        self._model, self._recipe = model, recipe
        self._slots = slots
        self._batches = count(1)

    def chosen(self, candidates: Sequence[Sequence[Variant]]) -> MadeOutput:
        """Return the hardest variant of each utterance, as lines."""
        made, output = MadeOutput(promising(self._recipe)), Output(Target(Path()), JSONL.name)
        for chunk in parted(candidates, _CHUNK):
            for worst in hardest(self._model, chunk, self._batches, slots=self._slots):
                made.add(worst, output)
        return made
