"""Making a suite: one pass over the data, all sets at once, whole or not at all."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from itertools import count, islice
from pathlib import Path

import msgspec

from mondegreen import __version__
from mondegreen.data import Item, Sink, format_of, open_sink
from mondegreen.data.lines import STANDARD_STREAM
from mondegreen.data.output import whole_path
from mondegreen.errors import DataError, OutputError
from mondegreen.manifest import File, file_of, hash_of
from mondegreen.models.loading import load_model
from mondegreen.models.protocol import Model
from mondegreen.operators import Operator, group_of, parse_all, signature
from mondegreen.suites.hard import hardest
from mondegreen.suites.manifest import (
    HARD,
    NAME,
    OPERATOR,
    SetEntry,
    SuiteManifest,
    file_name,
    is_suite,
    sha_of,
    signature_of,
)
from mondegreen.suites.reading import Suite
from mondegreen.suites.recipe import Make, Plan, Recipe
from mondegreen.types import Utterance, Variant

_CHUNK = 256  # utterances whose variants are held for the choice of the hardest
Told = Callable[[int], object]
"""Called as the work goes on, with the number of utterances done since."""


@dataclass
class _Set:
    """A set that is being written, and what has come into it."""

    plan: Plan
    sink: Sink
    n: int = 0
    changed: int = 0
    edits: int = 0
    operators: Counter[str] = field(default_factory=Counter)

    def take(self, item: Item) -> None:
        self.sink(item)
        self.n += 1
        if isinstance(item, Variant) and item.edits:
            self.changed += 1
            self.edits += len(item.edits)
            self.operators[item.edits[0].operator] += 1

    def entry(self, folder: Path) -> SetEntry:
        name = file_name(self.plan.name)
        return SetEntry(
            name=self.plan.name,
            kind=self.plan.kind,
            file=File(name, hash_of(folder / name), "jsonl"),
            n=self.n,
            changed=self.changed,
            edits=self.edits,
            operator=self.plan.operator,
            amount=self.plan.amount,
            draw=self.plan.draw,
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
    format: str | None = None,
    force: bool = False,
    told: Told | None = None,
) -> Suite:
    """Make a suite of a test set: original, one set an operator, random draws, hard, severities.

    Args:
        data: labelled utterances, in any format.
        folder: where the suite goes; it appears when all of it is there.
        operators: names, signatures, groups of operators (``nature``), or operators.
        random: how many random sets, each utterance changed by an operator drawn for it.
        hard: a model, or how to reach one; the hard set has the variants it does worst on.
        severities: one more set for each operator and severity, for curves.
        seed: another seed gives other edits.
        format: the data's format, if its name and look do not tell.
        force: replace a suite that is there.
        told: called with the number of utterances done.

    Raises:
        DataError: if the data has no labels, or is not what it should be.
        ModelError: if the model of the hard set fails.
        OutputError: if the folder exists, or cannot be written.
    """
    source, target = Path(data), Path(folder)
    if source == STANDARD_STREAM:
        raise DataError("a suite is proved from its source; give a file or a folder, not -")
    if source.resolve().is_relative_to(target.resolve()):
        raise OutputError(f"{target}: holds the source {source}; give another name")
    recipe = Recipe(parse_all(operators), seed, random, tuple(severities))
    plans = recipe.plans()
    kind = format_of(source, format)
    slots = check_gold(kind.read(source, None), source)
    with ExitStack() as stack:
        model = stack.enter_context(_model(hard)) if hard is not None else None
        scratch = stack.enter_context(whole_path(target, force=force, ours=is_suite))
        scratch.mkdir()
        judge = _Judge(model, slots=slots) if model else None
        sets = _write(kind.read(source, None), plans, scratch, judge, told or _quiet)
        manifest = _manifest(
            recipe,
            [made.entry(scratch) for made in sets],
            source=file_of(source, target, kind.name),
            hard=model.signature if model else "",
            folder=target,
        )
        (scratch / NAME).write_bytes(msgspec.json.format(msgspec.json.encode(manifest)) + b"\n")
    return Suite(target, manifest)


def _model(hard: str | Model) -> Model:
    return load_model(hard) if isinstance(hard, str) else hard


def _quiet(done: int) -> None:
    """Tell nobody."""


def check_gold(data: Iterable[Utterance], place: object) -> bool:
    """Refuse utterances of which nothing says what is right; tell whether there are slots.

    Raises:
        DataError: if none has a label or a slot, or if only some have a label.
    """
    slots = False
    first: Utterance | None = None
    for said in data:
        first = first or said
        slots = slots or bool(said.slots)
        if (said.label is None) != (first.label is None):
            without, other = (said, first) if said.label is None else (first, said)
            raise DataError(
                f"{place}: utterance {without.id!r} has no label, {other.id!r} has; label all or "
                "none"
            )
    if not slots and (first is None or first.label is None):
        raise DataError(
            f"{place}: no utterance has a label or a slot, so nothing says what is right; give "
            "columns label and tags, or a folder of seq.in, seq.out and label"
        )
    return slots


class _Judge:
    """Chooses the hard set, some utterances after the others."""

    def __init__(self, model: Model, *, slots: bool) -> None:
        self._model = model
        self._slots = slots
        self._batches = count(1)

    def worst(self, candidates: Sequence[Sequence[Variant]]) -> list[Variant]:
        return hardest(self._model, candidates, self._batches, slots=self._slots)


def _write(
    data: Iterator[Utterance],
    plans: dict[Plan, Make],
    folder: Path,
    judge: _Judge | None,
    told: Told,
) -> list[_Set]:
    with ExitStack() as stack:
        sets = [_open(folder, plan, stack) for plan in plans]
        hard = _open(folder, Plan(HARD, HARD), stack) if judge is not None else None
        for chunk in iter(lambda: list(islice(data, _CHUNK)), []):
            rows = [[make(said) for make in plans.values()] for said in chunk]
            for items in rows:
                for made, item in zip(sets, items, strict=True):
                    made.take(item)
            if hard is not None and judge is not None:
                for worst in judge.worst([_candidates(sets, row) for row in rows]):
                    hard.take(worst)
            told(len(chunk))
    return [*sets, hard] if hard is not None else sets


def _open(folder: Path, plan: Plan, stack: ExitStack) -> _Set:
    path = folder / file_name(plan.name)
    path.parent.mkdir(exist_ok=True)
    return _Set(plan, stack.enter_context(open_sink(path)))


def _candidates(sets: Sequence[_Set], row: Sequence[Item]) -> list[Variant]:
    return [
        item
        for made, item in zip(sets, row, strict=True)
        if made.plan.kind == OPERATOR and isinstance(item, Variant)
    ]


def _manifest(
    recipe: Recipe, sets: list[SetEntry], *, source: File, hard: str, folder: Path
) -> SuiteManifest:
    return SuiteManifest(
        signature=signature_of(
            group_of(recipe.operators) or "+".join(map(signature, recipe.operators)),
            random=recipe.random,
            severities=recipe.severities,
            hard=hard,
            seed=recipe.seed,
            sha=sha_of(sets),
        ),
        version=__version__,
        source=source,
        operators=tuple(map(signature, recipe.operators)),
        seed=recipe.seed,
        random=recipe.random,
        severities=tuple(recipe.severities),
        sets=tuple(sets),
        hard=hard,
        resources=tuple(
            file_of(path, folder, named=str(path))
            for operator in recipe.operators
            for path in operator.resources()
        ),
    )
