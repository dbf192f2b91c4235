"""``mondegreen train``: a reference model from labelled utterances."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path

import click

from mondegreen.cli.options import learning, settings_of
from mondegreen.cli.progress import metered, staged
from mondegreen.data import read
from mondegreen.errors import DataError
from mondegreen.metrics.slu import slu
from mondegreen.models.protocol import Model
from mondegreen.models.reference import check_labelled, kind_of
from mondegreen.models.reference import train as train_model
from mondegreen.types import Utterance

_EXAMPLES = """\b
Examples:
  mondegreen train crf snips/train -o snips-crf --dev snips/valid
  mondegreen train linear reviews.jsonl -o reviews-linear --set epochs=10
  mondegreen train joint-bert train.jsonl -o bert --dev dev.jsonl --set encoder=bert-small
"""


@click.command(epilog=_EXAMPLES)
@click.argument("model", metavar="MODEL")
@click.argument("data", type=click.Path(path_type=Path, allow_dash=True))
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    required=True,
    metavar="DIR",
    help="Folder to keep the model in.",
)
@learning
@click.option("--format", "format", metavar="NAME", help="The data's format.")
@click.option("--force", is_flag=True, help="Replace a folder that exists.")
@click.option("-q", "--quiet", is_flag=True, help="No progress bar, no summary.")
def command(
    model: str,
    data: Path,
    output: Path,
    dev: Path | None,
    seed: int,
    settings: tuple[str, ...],
    format: str | None,
    *,
    force: bool,
    quiet: bool,
) -> None:
    """Train MODEL on DATA, utterances with slots, intents or classes, and keep it in a folder.

    \b
    crf         slots and intents, without a GPU, in seconds
    linear      classes of texts, such as reviews
    bi-rnn      slots and intents by two LSTMs that read each other (pip install mondegreen[neural])
    joint-bert  slots and intents by a pretrained encoder (likewise)
    stack-prop  slots by an LSTM that reads the intent of each word (likewise)
    """  # noqa: D301 (the backslash is click's mark for lines to keep)
    began = time.perf_counter()
    options = settings_of(settings)
    kind_of(model)  # an unknown one is told before the data is read
    said = _labelled(data, format, quiet=quiet)
    judged = _labelled(dev, format, quiet=quiet) if dev else []
    with staged(quiet=quiet) as progress:
        trained = train_model(
            model,
            said,
            output,
            dev=judged,
            seed=seed,
            progress=progress,
            force=force,
            **options,
        )
    if not quiet:
        _summary(trained, model, said, output, time.perf_counter() - began)
        if judged:
            click.echo(f"on {dev}: {_scores(trained, judged)}", err=True)


def _labelled(path: Path, format: str | None, *, quiet: bool) -> list[Utterance]:
    with metered(path, quiet=quiet) as meter:
        said = list(read(path, format, meter=meter))
    try:
        check_labelled(said)
    except DataError as error:
        raise DataError(f"{path}: {error}") from None
    return said


def _summary(
    trained: Model, name: str, said: Sequence[Utterance], output: Path, seconds: float
) -> None:
    types = {slot.label for one in said for slot in one.slots}
    labels = {one.label for one in said if one.label is not None}
    parts = [f"{len(said):,} utterances"]
    parts += [f"{len(types):,} slot types"] if types else []
    parts += [f"{len(labels):,} labels"] if labels else []
    click.echo(f"{name}: {', '.join(parts)}, {seconds:.1f} s → {output}", err=True)
    click.echo(trained.signature, err=True)


def _scores(trained: Model, judged: Sequence[Utterance]) -> str:
    """The rates that apply, in one line."""
    found = []
    for start in range(0, len(judged), trained.batch):
        found += trained.predict(judged[start : start + trained.batch])
    score = slu(judged, found)
    rates = ((name, score[name].value) for name in ("slot_f1", "intent_accuracy", "e2e_accuracy"))
    return ", ".join(f"{name} {100 * value:.2f} %" for name, value in rates if value is not None)
