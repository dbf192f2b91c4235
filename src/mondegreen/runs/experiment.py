"""Test whether augmentation helps: train with and without it, evaluate both on one suite."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from mondegreen.data import read
from mondegreen.data.files.output import whole_file
from mondegreen.data.files.places import locked
from mondegreen.errors import DataError, renamed
from mondegreen.models.protocol import Progress, silent
from mondegreen.models.reference import data_sha, read_card, train
from mondegreen.models.trainers import FOLDER, Trainer
from mondegreen.provenance.suite_manifest import is_suite
from mondegreen.runs.evaluation import evaluate
from mondegreen.suites.build import suite
from mondegreen.types import Utterance
from mondegreen.variants import augment

PLAIN, AUGMENTED = "plain", "augmented"
SETTINGS = "experiment.json"
_DEFAULT = "crf"
OnStage = Callable[[str], object]
"""Called with a description of each stage when it starts."""


def no_stage(stage: str) -> None:
    """Report no stage."""


class Outcome(NamedTuple):
    """The runs of the model trained without augmentation, and with it; of several seeds, by seed.

    Either form can be given to :func:`mondegreen.compare`.
    """

    plain: Path | dict[str, Path]
    augmented: Path | dict[str, Path]


@renamed(progress="on_progress")
def experiment(
    data: Path | str,
    test: Path | str,
    folder: Path | str,
    *,
    kind: str = _DEFAULT,
    dev: Path | str | None = None,
    operators: str | Sequence[str] = "nature",
    augmenters: str | Sequence[str] = "augment",
    random: int = 10,
    hard: bool = True,
    seed: int = 0,
    seeds: int = 1,
    trainer: str | None = None,
    on_stage: OnStage = no_stage,
    on_progress: Progress = silent,
    **options: Any,
) -> Outcome:
    """Train a model with and without augmentation, and evaluate both on one suite.

    The folder gets the models and runs ``plain`` and ``augmented``, and the ``suite``. Parts that
    exist are not made again, so an interrupted experiment can be continued; ``experiment.json``
    says with which data and settings.

    Args:
        data: labelled utterances to train on.
        test: labelled utterances from which the suite is made.
        folder: the folder for models, suite and runs.
        kind: a reference model, such as ``crf`` or ``joint-bert``; with a trainer, the model that
            it has made, such as ``command:python answer.py {folder}`` (default: the folder).
        dev: development data to choose the best epoch by; augmented like the training data.
        operators: the operators of the suite.
        augmenters: the operators that augment the training data.
        random: the number of random sets.
        hard: add the hard set, chosen by the plain model.
        seed: random seed of the models, the suite and the augmentation.
        seeds: how many pairs of models to train, with this seed and those after it; all are
            evaluated on the suite of the first.
        trainer: a program or function that trains: ``command:python train.py {data} {folder}
            {seed}``, or ``python:package.module:function``, called with the keywords ``data``,
            ``dev``, ``folder`` and ``seed``. It reads JSON lines and writes the folder.
        on_stage: called with a description of each stage when it starts.
        on_progress: called during training.
        options: settings of the model.

    Raises:
        DataError: if the data cannot be read, or if the folder is that of another experiment.
    """
    own = None if trainer is None else Trainer(trainer, FOLDER if kind == _DEFAULT else kind)
    if own is not None:
        own.check()
    place = Path(folder)
    place.mkdir(parents=True, exist_ok=True)
    train_data, dev_data = list(read(data)), list(read(dev)) if dev is not None else []
    settings = ExperimentSettings(
        data=data_sha(train_data),
        test=data_sha(list(read(test))),
        dev=data_sha(dev_data),
        model=kind,
        op=_listed(operators),
        augment=_listed(augmenters),
        random=random,
        hard=hard,
        seed=seed,
        set={name: str(value) for name, value in options.items()},
        train=trainer or "",
        seeds=seeds,
    )
    with locked(place, "running this experiment"):
        _check_settings(place, settings)
        work = _Work(place, kind, own, {"data": train_data, "dev": dev_data}, augmenters, options)
        for number in range(seeds):
            work.train_pair(number, seed + number, on_stage, on_progress)
        if not is_suite(place / "suite"):
            on_stage("making the suite")
            model = work.model(PLAIN) if hard else None
            suite(test, place / "suite", operators, random=random, hard=model, seed=seed)
        for number in range(seeds):
            for name in (PLAIN, AUGMENTED):
                part = _numbered(name, number)
                on_stage(f"evaluating {part}")
                evaluate(place / "suite", work.model(part), place / f"{part}.run").close()
    if seeds == 1:
        return Outcome(place / f"{PLAIN}.run", place / f"{AUGMENTED}.run")
    plain, augmented = (
        {f"seed {seed + n}": place / f"{_numbered(name, n)}.run" for n in range(seeds)}
        for name in (PLAIN, AUGMENTED)
    )
    return Outcome(plain, augmented)


def _numbered(name: str, number: int) -> str:
    """Return the name of the model of a seed; the first has no number."""
    return f"{name}-{number + 1}" if number else name


class _Work(NamedTuple):
    """What is trained, where and how."""

    place: Path
    kind: str
    trainer: Trainer | None
    parts: dict[str, list[Utterance]]
    augmenters: str | Sequence[str]
    options: dict[str, Any]

    def train_pair(self, number: int, seed: int, stage: OnStage, progress: Progress) -> None:
        """Train a model without augmentation, and one with it."""
        parts = self.parts
        for name in (PLAIN, AUGMENTED):
            if name == AUGMENTED:
                stage("augmenting the training data")
                parts = {
                    part: [one.utterance for one in augment(data, self.augmenters, seed=seed)]
                    for part, data in parts.items()
                }
            folder, data = self.place / _numbered(name, number), parts["data"]
            what = self.kind if self.trainer is None else "by the trainer"
            stage(f"training {what}, {folder.name}, on {len(data):,} utterances")
            if self.trainer is not None:
                self.trainer.made(data, parts["dev"], folder, seed)
            else:
                _train(self.kind, data, parts["dev"], folder, seed, progress, self.options)

    def model(self, name: str) -> str:
        """Return how the model of a part is reached."""
        folder = str(self.place / name)
        return folder if self.trainer is None else self.trainer.model.replace(FOLDER, folder)


class ExperimentSettings(msgspec.Struct, frozen=True):
    """What decides the outcome of an experiment: hashes of the data, and the options."""

    data: str
    test: str
    dev: str
    model: str
    op: tuple[str, ...]
    augment: tuple[str, ...]
    random: int
    hard: bool
    seed: int
    set: dict[str, str]
    train: str = ""
    seeds: int = 1


def _listed(names: str | Sequence[str]) -> tuple[str, ...]:
    return (names,) if isinstance(names, str) else tuple(names)


def _check_settings(place: Path, settings: ExperimentSettings) -> None:
    """Check that the folder is new, or that of the same experiment.

    Raises:
        DataError: if it is that of another experiment, naming what differs.
    """
    path = place / SETTINGS
    if not path.exists():
        if any((place / part).exists() for part in (PLAIN, AUGMENTED, "suite")):
            raise DataError(
                f"{place}: contains an experiment without {SETTINGS}, so its settings are not "
                "known; give another folder"
            )
        with whole_file(path) as file:
            file.write(msgspec.json.format(msgspec.json.encode(settings)) + b"\n")
        return
    try:
        found = msgspec.json.decode(path.read_bytes(), type=ExperimentSettings)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise DataError(f"{path}: not the settings of an experiment: {error}") from None
    for name in ExperimentSettings.__struct_fields__:
        old, new = getattr(found, name), getattr(settings, name)
        if old != new:
            shown = "differs" if name in ("data", "test", "dev") else f"is {old!r}, not {new!r}"
            raise DataError(
                f"{place}: contains another experiment: {name} {shown}; give another folder"
            )


def _train(
    kind: str,
    data: Sequence[Utterance],
    dev: Sequence[Utterance],
    folder: Path,
    seed: int,
    progress: Progress,
    options: dict[str, Any],
) -> None:
    """Train a model, unless it exists already."""
    if not folder.is_dir():
        train(kind, data, folder, dev=dev, seed=seed, on_progress=progress, **options)
        return
    card = read_card(folder)
    if (card.kind, card.seed, card.data) != (kind, seed, data_sha(data)):
        raise DataError(f"{folder}: contains a model of another experiment; give another folder")
