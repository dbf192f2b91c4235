"""Make a suite: one pass over the data writes all sets."""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from itertools import count, islice
from pathlib import Path

import msgspec

from mondegreen.data import Item, Sink, format_of, open_sink
from mondegreen.data.hashing import hash_of
from mondegreen.data.lines import STANDARD_STREAM
from mondegreen.data.output import whole_path
from mondegreen.errors import DataError, OutputError
from mondegreen.models.loading import load_model
from mondegreen.models.protocol import Model
from mondegreen.operators import Operator, parse_all
from mondegreen.perturbation.preparation import check_language, in_language, learning_from
from mondegreen.perturbation.protection import Protection
from mondegreen.perturbation.suite_recipe import HARD, OPERATOR, SetPlan, SuiteEngine, SuiteRecipe
from mondegreen.provenance.manifest import File, file_of
from mondegreen.provenance.suite_manifest import (
    NAME,
    SetEntry,
    file_name,
    is_suite,
    make_suite_manifest,
)
from mondegreen.suites.hard import hardest
from mondegreen.suites.reading import Suite
from mondegreen.types import Utterance, Variant

_CHUNK = 256  # utterances among whose variants the hardest are chosen together
OnProgress = Callable[[int], object]
"""Called with the number of utterances done since the last call."""


@dataclass
class _Set:
    """A set that is being written, and its counts so far."""

    plan: SetPlan
    sink: Sink
    n: int = 0
    changed: int = 0
    edits: int = 0
    operators: Counter[str] = field(default_factory=Counter)

    def add(self, item: Item) -> None:
        self.sink(item)
        self.n += 1
        if isinstance(item, Variant) and item.edits:
            self.changed += 1
            self.edits += len(item.edits)
            self.operators[item.edits[0].operator] += 1

    def entry(self, folder: Path) -> SetEntry:
        name = file_name(self.plan.name)
        return SetEntry(
            **self.plan._asdict(),
            file=File(name, hash_of(folder / name), "jsonl"),
            n=self.n,
            changed=self.changed,
            edits=self.edits,
            operators=dict(self.operators),
        )


def suite(
    data: Path | str,
    folder: Path | str,
    operators: str | Operator | Sequence[str | Operator] = "nature",
    *,
    random: int = 10,
    hard: str | Model | None = None,
    severities: Sequence[float] = (),
    seed: int = 0,
    protect: Iterable[str] = (),
    protect_slots: bool | Iterable[str] = False,
    protect_codes: bool = True,
    language: str | None = None,
    format: str | None = None,
    force: bool = False,
    on_progress: OnProgress | None = None,
) -> Suite:
    """Make a suite from a test set: original, one set per operator, random, hard, severities.

    Args:
        data: labelled utterances, in any format.
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
        language: the language of the data; by default found out, with a warning if an operator
            does not know it.
        format: the format of the data; by default known from its name and content.
        force: replace an existing suite.
        on_progress: called with the number of utterances done since the last call.

    Raises:
        DataError: if the data is invalid, or has neither labels nor slots.
        ModelError: if the model of the hard set fails.
        OutputError: if the folder exists, or cannot be written.
    """
    source, target = Path(data), Path(folder)
    if source == STANDARD_STREAM:
        raise DataError("a suite needs its source for verification; give a file or a folder, not -")
    if source.resolve().is_relative_to(target.resolve()):
        raise OutputError(f"{target}: contains the source {source}; give another name")
    protection = Protection.of(protect, slots=protect_slots, codes=protect_codes)
    kind = format_of(source, format)
    found = in_language(parse_all(operators), language) if language else parse_all(operators)
    reason = check_language(found, kind.read(source, None), language)
    if reason is not None:
        warnings.warn(reason, stacklevel=2)
    learnt = learning_from(found, source)
    recipe = SuiteRecipe(learnt, seed, random, tuple(severities), protection)
    engine = SuiteEngine(recipe)
    slots = check_gold(kind.read(source, None), source)
    with ExitStack() as stack:
        model = stack.enter_context(_load(hard)) if hard is not None else None
        work = stack.enter_context(whole_path(target, force=force, ours=is_suite))
        work.mkdir()
        judge = _Judge(model, slots=slots) if model else None
        sets = _write(kind.read(source, None), engine, work, judge, on_progress or _no_progress)
        manifest = make_suite_manifest(
            engine,
            [one.entry(work) for one in sets],
            target,
            source=file_of(source, target, kind.name),
            hard=model.signature if model else "",
        )
        (work / NAME).write_bytes(msgspec.json.format(msgspec.json.encode(manifest)) + b"\n")
    return Suite(target, manifest)


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


def _write(
    data: Iterator[Utterance],
    engine: SuiteEngine,
    folder: Path,
    judge: _Judge | None,
    on_progress: OnProgress,
) -> list[_Set]:
    with ExitStack() as stack:
        sets = [_open(folder, plan, stack) for plan in engine.recipe.plans()]
        hard = _open(folder, SetPlan(HARD, HARD), stack) if judge is not None else None
        rows = engine.run(data)
        while chunk := list(islice(rows, _CHUNK)):
            for utterance, variants in chunk:
                items: list[Item] = [utterance, *variants]
                for one, item in zip(sets, items, strict=True):
                    one.add(item)
            if hard is not None and judge is not None:
                for worst in judge.worst([_candidates(sets, row) for _, row in chunk]):
                    hard.add(worst)
            on_progress(len(chunk))
    return [*sets, hard] if hard is not None else sets


def _open(folder: Path, plan: SetPlan, stack: ExitStack) -> _Set:
    path = folder / file_name(plan.name)
    path.parent.mkdir(exist_ok=True)
    return _Set(plan, stack.enter_context(open_sink(path)))


def _candidates(sets: Sequence[_Set], variants: Sequence[Variant]) -> list[Variant]:
    """Return the variants of an utterance in the operators' sets."""
    pairs = zip(sets[1:], variants, strict=True)
    return [variant for one, variant in pairs if one.plan.kind == OPERATOR]
