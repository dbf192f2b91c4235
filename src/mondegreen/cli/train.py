"""``mondegreen train``: train a reference model on labelled utterances."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import click

from mondegreen.cli.parts import typed
from mondegreen.cli.parts.formats import FORMAT_HELP, MAP_HELP
from mondegreen.cli.parts.options import TrainingOptions
from mondegreen.cli.parts.progress import bytes_progress, stage_progress
from mondegreen.cli.parts.typed import FILE, argument, option
from mondegreen.data import read
from mondegreen.errors import DataError
from mondegreen.metrics.slu.metric import slu
from mondegreen.models.protocol import Model
from mondegreen.models.reference import check_labelled, kind_of
from mondegreen.models.reference import train as train_model
from mondegreen.types import Utterance


@dataclass(frozen=True, kw_only=True)
class TrainOptions(TrainingOptions):
    """The options of ``mondegreen train``."""

    model: str = argument()
    data: Path = argument(type=FILE)
    output: Path = option("-o", "--output", help="Folder to write the model to.", metavar="DIR")
    format: str | None = option(default=None, help=f"{FORMAT_HELP}.", metavar="NAME")
    map: str = option(default="", help=MAP_HELP, metavar="PART=COLUMN,…")
    force: bool = option(default=False, help="Replace an existing folder.")
    quiet: bool = option("-q", "--quiet", default=False, help="Print no progress and no summary.")


@typed.command(
    TrainOptions,
    examples=(
        "train crf snips/train -o snips-crf --dev snips/valid",
        "train linear reviews.jsonl -o reviews-linear --set epochs=10",
        "train joint-bert train.jsonl -o bert --dev dev.jsonl --set encoder=bert-small",
    ),
)
def command(options: TrainOptions) -> None:
    """Train MODEL on DATA, utterances with slots, intents or classes, and write it to a folder.

    \b
    crf         slots and intents, without a GPU, in seconds
    linear      classes of texts, such as reviews
    bi-rnn      slots and intents by two LSTMs that read each other (pip install mondegreen[neural])
    joint-bert  slots and intents by a pretrained encoder (same extra)
    stack-prop  slots by an LSTM that reads the intent of each word (same extra)
    """  # noqa: D301 (click's mark for lines that are not rewrapped)
    start = time.perf_counter()
    kind_of(options.model)  # raises an error before the data is read
    data = _labelled(options.data, options)
    dev = _labelled(options.dev, options) if options.dev else []
    with stage_progress(quiet=options.quiet) as progress:
        trained = train_model(
            options.model,
            data,
            options.output,
            dev=dev,
            seed=options.seed,
            on_progress=progress,
            force=options.force,
            **options.model_settings,
        )
    if not options.quiet:
        _summary(trained, options.model, data, options.output, time.perf_counter() - start)
        if dev:
            click.echo(f"on {options.dev}: {_scores(trained, dev)}", err=True)


def _labelled(path: Path, options: TrainOptions) -> list[Utterance]:
    with bytes_progress(path, quiet=options.quiet) as meter:
        data = list(read(path, options.format, map=options.map, meter=meter))
    try:
        check_labelled(data)
    except DataError as error:
        raise DataError(f"{path}: {error}") from None
    return data


def _summary(
    trained: Model, name: str, data: Sequence[Utterance], output: Path, seconds: float
) -> None:
    types = {slot.label for one in data for slot in one.slots}
    labels = {one.label for one in data if one.label is not None}
    parts = [f"{len(data):,} utterances"]
    parts += [f"{len(types):,} slot types"] if types else []
    parts += [f"{len(labels):,} labels"] if labels else []
    click.echo(f"{name}: {', '.join(parts)}, {seconds:.1f} s → {output}", err=True)
    click.echo(trained.signature, err=True)


def _scores(trained: Model, data: Sequence[Utterance]) -> str:
    """Return the scores of a model on data, in one line."""
    found = []
    for start in range(0, len(data), trained.batch):
        found += trained.predict(data[start : start + trained.batch])
    score = slu(data, found)
    titled = (rate.name for rate in score.metric.rates if rate.title)
    values = ((name, score[name].value) for name in titled)
    return ", ".join(f"{name} {100 * value:.2f} %" for name, value in values if value is not None)
