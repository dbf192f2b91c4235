"""``mondegreen demo``: the main job on data that the package carries, command by command."""

from __future__ import annotations

import shlex
import time
from collections import Counter
from collections.abc import Iterator
from itertools import count
from operator import itemgetter
from pathlib import Path

import click

from mondegreen.cli.flips import Flip, flips
from mondegreen.cli.main import INTERRUPTED, cli
from mondegreen.data import write
from mondegreen.runs.reading import Run, open_run
from mondegreen.runs.results import FRAME, table
from mondegreen.sample import requests
from mondegreen.suites.manifest import HARD, OPERATOR, ORIGINAL, RANDOM

_FOLDER = Path("mondegreen-demo")
_EXAMPLES = 4

_NEXT = """
Look closer:
  mondegreen view {run}  # every utterance, in the browser
  mondegreen operators  # what else there is to try

Now with your own model and test set (.jsonl .csv .tsv .parquet .conll, or seq.in seq.out label):
  mondegreen suite YOUR_TEST_SET -o suite
  mondegreen evaluate suite --model YOUR_MODEL -o my.run
  mondegreen report my.run -o report.html
YOUR_MODEL is a folder, a file of predictions, python:module:function, "command:…" or http://…
No model yet: mondegreen train crf YOUR_TRAINING_SET -o my-model
Does augmentation help: mondegreen experiment YOUR_TRAINING_SET --test YOUR_TEST_SET -o both"""


@click.command()
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    default=_FOLDER,
    show_default=True,
    metavar="DIR",
    help="Folder to make; where there is one, DIR-2, DIR-3 and so on.",
)
@click.option("--seed", type=int, default=7, show_default=True, help="Another seed, other edits.")
def command(output: Path, seed: int) -> None:
    """Train a model on data that the package carries, and see how it stands on how people talk.

    Each step is a command of this toolkit, shown and run; what they write is left in a folder to
    look at. Takes some ten seconds, and needs no network.
    """
    began = time.perf_counter()
    folder = fresh(output)
    try:
        _demo(folder, seed)
    except (click.Abort, KeyboardInterrupt):
        click.echo(f"mondegreen: interrupted; what was done is kept in {folder}", err=True)
        raise SystemExit(INTERRUPTED) from None
    click.echo(f"\nDone in {time.perf_counter() - began:.0f} s; all of it is in {folder}")


def _demo(folder: Path, seed: int) -> None:
    train, test = folder / "train.jsonl", folder / "test.jsonl"
    model, suite, run = folder / "model", folder / "suite", folder / "crf.run"
    for said, path in zip(requests(), (train, test), strict=True):
        write(said, path)
        click.echo(f"{path}: {len(said):,} requests, such as: {said[0].text}")

    _step("Train a small model on them", "train", "crf", train, "-o", model)
    _step(
        "Say the test set as people do: in ten ways, in random mixes, in the way worst for it",
        *("suite", test, "-o", suite, "--hard", model, "--seed", seed, "-q"),
    )
    _step("Ask the model for all of it", "evaluate", suite, "--model", model, "-o", run)
    with open_run(run) as done:
        _sum_up(done)
        _title("Right as they were written, wrong as people might say them")
        for flip in _shown(done):
            _show(flip)
    _step("Write it all down", "report", run, "-o", folder / "report.html")
    click.echo(_NEXT.format(run=shlex.quote(str(run))))


def fresh(wanted: Path) -> Path:
    """Make a folder by that name, or by the first number after it that is free."""
    base = wanted if wanted.name else wanted / _FOLDER.name  # "." and "/" are never free
    for number in count(1):
        folder = base if number == 1 else base.with_name(f"{base.name}-{number}")
        try:
            folder.mkdir(parents=True)
        except FileExistsError:
            continue
        return folder
    raise AssertionError("unreachable: there is always another number")


def _title(text: str) -> None:
    click.echo(click.style(f"\n{text}", bold=True))


def _step(title: str, *arguments: object) -> None:
    """Show a command and run it."""
    words = [str(argument) for argument in arguments]
    _title(title)
    click.echo(click.style(f"$ mondegreen {shlex.join(words)}", fg="cyan"))
    cli.main(words, prog_name="mondegreen", standalone_mode=False)


def _sum_up(run: Run) -> None:
    """Say in a sentence what the table says."""
    said = {line.kind: 100 * (line.rates[FRAME].value or 0.0) for line in table(run)}
    click.echo(
        f"\nWholly understood: {said[ORIGINAL]:.1f} % as they were written, {said[RANDOM]:.1f} % "
        f"with one natural change, {said[HARD]:.1f} % with the worst of ten."
    )


def _shown(run: Run) -> Iterator[Flip]:
    """Flips to show: of the worst operator of each family first, each of another source."""
    families: Counter[str] = Counter()
    turns: list[tuple[int, str]] = []
    for line in reversed(table(run)):
        if line.kind == OPERATOR:
            family = line.name.partition(".")[0]
            turns.append((families[family], line.name))
            families[family] += 1
    sources: set[str] = set()
    for _, name in sorted(turns, key=itemgetter(0)):
        found = next((one for one in flips(run, name) if one.source not in sources), None)
        if found is not None and len(sources) < _EXAMPLES:
            sources.add(found.source)
            yield found


def _show(flip: Flip) -> None:
    click.echo(f"  {flip.marked}  ({flip.operator})")
    click.echo(f"    right  {flip.right}")
    click.echo(f"    model  {flip.given}")
