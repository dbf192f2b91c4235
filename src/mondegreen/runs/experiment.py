"""An experiment: does augmentation help? Train with and without, evaluate both on one suite."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from mondegreen.data import read
from mondegreen.errors import DataError
from mondegreen.models.protocol import Progress, silent
from mondegreen.models.reference import data_sha, read_card, train
from mondegreen.perturbation.augmentation import GROUP, augment
from mondegreen.provenance.suite_manifest import is_suite
from mondegreen.runs.evaluation import evaluate
from mondegreen.suites.build import suite
from mondegreen.types import Utterance

PLAIN, AUGMENTED = "plain", "augmented"
OnStage = Callable[[str], object]
"""Called with the name of each stage as it begins."""


class Outcome(NamedTuple):
    """The two runs: of the model trained on the data alone, and with augmentation."""

    plain: Path
    augmented: Path


def experiment(
    data: Path | str,
    test: Path | str,
    folder: Path | str,
    *,
    kind: str = "crf",
    dev: Path | str | None = None,
    operators: str | Sequence[str] = "nature",
    augmenters: str | Sequence[str] = GROUP,
    random: int = 10,
    hard: bool = True,
    seed: int = 0,
    on_stage: OnStage = lambda _: None,
    progress: Progress = silent,
    **options: Any,
) -> Outcome:
    """Train a model with and without augmentation, and evaluate both on one suite.

    Everything lies in the folder: ``plain`` and ``augmented`` (models and runs), ``suite``. What is
    there already is not made again, so that an experiment that was interrupted goes on.

    Args:
        data: labelled utterances to train on.
        test: labelled utterances that the suite is made of.
        folder: where everything goes.
        kind: a reference model, such as ``crf`` or ``joint-bert``.
        dev: utterances to choose the best epoch by; they are augmented as the training data are.
        operators: what the suite's sets are made by.
        augmenters: what the training data are augmented by.
        random: how many random sets.
        hard: also the hard set, chosen by the plain model.
        seed: of models, suite and augmentation.
        on_stage: called with the name of each stage as it begins.
        progress: called as training goes on.
        options: for the model.

    Raises:
        DataError: if the data cannot be read, or if the folder is of another experiment.
    """
    place = Path(folder)
    place.mkdir(parents=True, exist_ok=True)
    parts = {"data": list(read(data)), "dev": list(read(dev)) if dev is not None else []}
    for name in (PLAIN, AUGMENTED):
        if name == AUGMENTED:
            on_stage("augmenting the training data")
            parts = {
                part: [one.utterance for one in augment(data, augmenters, seed=seed)]
                for part, data in parts.items()
            }
        on_stage(f"training {kind}, {name}, on {len(parts['data']):,} utterances")
        _train(kind, parts["data"], parts["dev"], place / name, seed, progress, options)
    if not is_suite(place / "suite"):
        on_stage("making the suite")
        harder = str(place / PLAIN) if hard else None
        suite(test, place / "suite", operators, random=random, hard=harder, seed=seed)
    outcome = Outcome(place / f"{PLAIN}.run", place / f"{AUGMENTED}.run")
    for name, run in zip((PLAIN, AUGMENTED), outcome, strict=True):
        on_stage(f"evaluating {name}")
        evaluate(place / "suite", place / name, run).close()
    return outcome


def _train(
    kind: str,
    data: Sequence[Utterance],
    dev: Sequence[Utterance],
    folder: Path,
    seed: int,
    progress: Progress,
    options: dict[str, Any],
) -> None:
    """Train a model, unless it is there."""
    if not folder.is_dir():
        train(kind, data, folder, dev=dev, seed=seed, progress=progress, **options)
        return
    card = read_card(folder)
    if (card.kind, card.seed, card.data) != (kind, seed, data_sha(data)):
        raise DataError(f"{folder}: a model of another experiment; give another folder")
