"""Make a suite: one pass over the data writes all sets."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass, field
from functools import cached_property
from itertools import count
from pathlib import Path
from typing import IO, Protocol

import msgspec

from mondegreen.data import FORMATS, Format, Item, format_of
from mondegreen.data.dataframes import is_table, read_table
from mondegreen.data.files.hashing import hash_of
from mondegreen.data.files.lines import STANDARD_STREAM, can_be_read_again
from mondegreen.data.files.shards import is_pattern, numbered_on
from mondegreen.data.formats.jsonl import json_line
from mondegreen.data.layout import Reading
from mondegreen.data.pairs.parts import parted
from mondegreen.engines import LOCAL, Workers, open_workers
from mondegreen.engines.calls import Portable
from mondegreen.errors import DataError, OutputError
from mondegreen.models.loading import load_model
from mondegreen.models.protocol import Model
from mondegreen.operators import Operator
from mondegreen.operators.protocol import fail_overs
from mondegreen.perturbation.preparation import LearnFrom, numbered, prepare
from mondegreen.perturbation.recipe import Operators, Recipe
from mondegreen.perturbation.suite_recipe import (
    HARD,
    OPERATOR,
    ORIGINAL,
    SetPlan,
    SuiteEngine,
    SuiteRecipe,
)
from mondegreen.provenance.manifest import File, file_of
from mondegreen.provenance.suite_manifest import (
    NAME,
    SetEntry,
    file_name,
    make_suite_manifest,
)
from mondegreen.suites.hard import hardest
from mondegreen.suites.reading import Suite, open_suite
from mondegreen.suites.writing import Writing, write_shards, write_whole
from mondegreen.types import Utterance, Variant

_PART = 8 * 256  # utterances that are worked on together
_CHUNK = 256  # utterances among whose variants the hardest are chosen together
OnProgress = Callable[[int], object]
"""Called with the number of utterances done since the last call."""


@dataclass
class _Total:
    """The counts of a set."""

    n: int = 0
    changed: int = 0
    edits: int = 0
    operators: dict[str, int] = field(default_factory=dict)
    failed_over: int = 0

    def add(self, other: _Total) -> None:
        """Add the counts of another part."""
        self.n += other.n
        self.changed += other.changed
        self.edits += other.edits
        self.failed_over += other.failed_over
        for name, times in other.operators.items():
            self.operators[name] = self.operators.get(name, 0) + times


@dataclass
class _Made:
    """The lines of a set that were made of a part, and their counts."""

    operators: tuple[Operator, ...]
    lines: bytearray = field(default_factory=bytearray)
    total: _Total = field(default_factory=_Total)

    def add(self, item: Item) -> None:
        """Add an utterance or variant."""
        self.lines += json_line(item).encode() + b"\n"
        if isinstance(item, Variant) and item.edits:
            failed = fail_overs(self.operators, item.edits)
            self.total.add(_Total(1, 1, len(item.edits), {item.edits[0].operator: 1}, failed))
        else:
            self.total.n += 1


@dataclass
class _Set:
    """A set that is being written, and its counts so far."""

    plan: SetPlan
    file: IO[bytes]
    total: _Total

    def write(self, made: _Made) -> None:
        """Write what was made of a part."""
        self.file.write(made.lines)
        self.total.add(made.total)

    def entry(self, folder: Path) -> SetEntry:
        """Return the entry of the manifest."""
        name = file_name(self.plan.name)
        return SetEntry(
            **self.plan._asdict(),
            file=File(name, hash_of(folder / name), "jsonl"),
            n=self.total.n,
            changed=self.total.changed,
            edits=self.total.edits,
            operators=self.total.operators,
            failed_over=self.total.failed_over,
        )


@dataclass(frozen=True)
class _SuiteWork(Portable):
    """Makes all sets of a part of the data, wherever it is called.

    Returns the sets and, if there is a hard set, the variants to choose from per utterance.
    """

    recipe: SuiteRecipe
    hard: bool

    @cached_property
    def _engine(self) -> SuiteEngine:
        return SuiteEngine(self.recipe)

    def __call__(self, part: list[Utterance]) -> tuple[list[_Made], list[list[Variant]]]:
        plans = self.recipe.plans()
        sets = [_Made(self.recipe.operators) for _ in plans]
        candidates: list[list[Variant]] = []
        for utterance, variants in self._engine.run(part):
            items: list[Item] = [utterance, *variants]
            for one, item in zip(sets, items, strict=True):
                one.add(item)
            if self.hard:
                pairs = zip(plans[1:], variants, strict=True)
                candidates.append([made for plan, made in pairs if plan.kind == OPERATOR])
        return sets, candidates


def suite(
    data: Path | str | Iterable[Utterance | str],
    folder: Path | str,
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
) -> Suite:
    """Make a suite from a test set: original, one set per operator, random, hard, severities.

    Args:
        data: a file or folder of labelled utterances in any format; or the utterances themselves,
            or a data frame of them, whose copy in the original set is what verification reads.
        folder: the folder to write; it appears when the suite is complete.
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
    target = Path(folder)
    source = _source(data, target, format, Reading.parse(map))
    draft = Recipe.build(
        operators,
        seed=seed,
        protect=protect,
        protect_slots=protect_slots,
        protect_codes=protect_codes,
        language=language,
    )
    one = prepare(draft, source.read, learn_from)
    recipe = SuiteRecipe(one.operators, one.seed, random, tuple(severities), one.protection)
    suite_engine = SuiteEngine(recipe)
    pool = open_workers(engine, workers, address)
    slots = check_gold(source.read(), source)
    with ExitStack() as stack:
        model = stack.enter_context(_load(hard)) if hard is not None else None
        signature = model.signature if model else ""
        place = _place(source, target, suite_engine, signature, force=force)
        writing = stack.enter_context(place)
        if not writing.is_finished:
            judge = _Judge(model, slots=slots) if model else None
            sets = _write(writing, recipe, judge, on_progress or _no_progress, pool)
            if model is not None:
                model.finish()
            manifest = make_suite_manifest(
                suite_engine,
                [one.entry(writing.folder) for one in sets],
                target,
                source=source.file(writing.folder),
                hard=signature,
            )
            text = msgspec.json.format(msgspec.json.encode(manifest)) + b"\n"
            (writing.folder / NAME).write_bytes(text)
    return open_suite(target)


class _Source(Protocol):
    """Where the utterances of a suite come from."""

    def read(self) -> Iterator[Utterance]:
        """Yield the utterances; may be called again."""

    def file(self, folder: Path) -> File:
        """Describe the file that verification reads, given the folder of the sets."""


@dataclass(frozen=True)
class _FileSource:
    """A file or folder, which stays where it is."""

    path: Path
    format: Format
    target: Path
    named: str | None

    def read(self) -> Iterator[Utterance]:
        return self.format.read(self.path, None)

    def shard(self, path: Path, before: int) -> Iterator[Utterance]:
        """Yield the utterances of a shard, given how many come before it."""
        found = format_of(path, self.named, self.format.reading)
        utterances = found.read(path, None)
        return utterances if found.has_ids else numbered_on(utterances, before)

    def file(self, folder: Path) -> File:  # noqa: ARG002
        return file_of(self.path, self.target, FORMATS.name_of(self.format))

    def __str__(self) -> str:
        return str(self.path)


@dataclass(frozen=True)
class _ListSource:
    """Utterances in memory; the original set is their file."""

    utterances: list[Utterance]

    def read(self) -> Iterator[Utterance]:
        return iter(self.utterances)

    def file(self, folder: Path) -> File:
        return file_of(folder / file_name(ORIGINAL), folder, "jsonl")

    def __str__(self) -> str:
        return "the data"


def _source(
    data: Path | str | Iterable[Utterance | str],
    target: Path,
    format: str | None,
    reading: Reading,
) -> _Source:
    if not isinstance(data, str | Path):
        table = is_table(data) or isinstance(data, Mapping)
        return _ListSource(list(read_table(data, reading) if table else numbered(data)))
    path = Path(data)
    if path == STANDARD_STREAM or (path.exists() and not can_be_read_again(path)):
        raise DataError(
            f"a suite needs its source for verification; give a file or a folder, not {path}"
        )
    if path.resolve().is_relative_to(target.resolve()):
        raise OutputError(f"{target}: contains the source {path}; give another name")
    return _FileSource(path, format_of(path, format, reading), target, format)


def _load(hard: str | Model) -> Model:
    return load_model(hard) if isinstance(hard, str) else hard


def _no_progress(done: int) -> None:
    """Report no progress."""


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

    def __init__(self, model: Model, *, slots: bool) -> None:
        self._model = model
        self._slots = slots
        self._batches = count(1)

    def worst(self, candidates: Sequence[Sequence[Variant]]) -> list[Variant]:
        return hardest(self._model, candidates, self._batches, slots=self._slots)


def _place(
    source: _Source, target: Path, engine: SuiteEngine, hard: str, *, force: bool
) -> AbstractContextManager[Writing]:
    if not (isinstance(source, _FileSource) and is_pattern(source.path)):
        return write_whole(source.read(), target, force=force)
    job = make_suite_manifest(
        engine, (), target, source=File(FORMATS.name_of(source.format), ""), hard=hard
    )
    return write_shards(source.path, source.shard, target, msgspec.to_builtins(job), force=force)


def _write(
    writing: Writing,
    recipe: SuiteRecipe,
    judge: _Judge | None,
    on_progress: OnProgress,
    workers: Workers,
) -> list[_Set]:
    plans = recipe.plans() if judge is None else [*recipe.plans(), SetPlan(HARD, HARD)]
    totals = [msgspec.convert(one, _Total) for one in writing.counts] or [_Total() for _ in plans]
    work = _SuiteWork(recipe, hard=judge is not None)
    with ExitStack() as stack:
        sets = [
            _Set(plan, stack.enter_context(writing.open(file_name(plan.name))), total)
            for plan, total in zip(plans, totals, strict=True)
        ]
        for made, candidates in workers.map(work, writing.parts(_PART)):
            hard = [] if judge is None else [_hardest(judge, candidates, recipe.operators)]
            for one, part in zip(sets, [*made, *hard], strict=True):
                one.write(part)
            on_progress(made[0].total.n)
            writing.after_part([one.total for one in sets])
    return sets


def _hardest(
    judge: _Judge, candidates: list[list[Variant]], operators: tuple[Operator, ...]
) -> _Made:
    made = _Made(operators)
    for chunk in parted(candidates, _CHUNK):
        for worst in judge.worst(chunk):
            made.add(worst)
    return made
