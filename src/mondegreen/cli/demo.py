"""``mondegreen demo``: the main job on embedded data, command by command."""

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
from mondegreen.data.sample import requests
from mondegreen.perturbation.suite_recipe import HARD, OPERATOR, ORIGINAL, RANDOM
from mondegreen.runs.reading import Run, open_run
from mondegreen.runs.results import main_rate, table

_FOLDER = Path("mondegreen-demo")
_EXAMPLES = 4

_NEXT = """
Look closer:
  mondegreen view {run}  # every utterance, in the browser
  mondegreen operators  # all operators, with examples

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
    help="Folder to make; if it exists, DIR-2, DIR-3 and so on.",
)
@click.option(
    "--seed",
    type=int,
    default=7,
    show_default=True,
    help="Random seed; another seed gives other edits.",
)
def command(output: Path, seed: int) -> None:
    """Train a small model on embedded data, and test it on the way people talk.

    Each step is a command of this toolkit, printed and run; what it writes stays in a folder for
    you to look at. The demo takes about ten seconds and needs no network.
    """
    began = time.perf_counter()
    folder = fresh(output)
    try:
        _demo(folder, seed)
    except (click.Abort, KeyboardInterrupt):
        click.echo(f"mondegreen: interrupted; finished steps are in {folder}", err=True)
        raise SystemExit(INTERRUPTED) from None
    click.echo(f"\nDone in {time.perf_counter() - began:.0f} s; everything is in {folder}")


def _demo(folder: Path, seed: int) -> None:
    train, test = folder / "train.jsonl", folder / "test.jsonl"
    model, suite, run = folder / "model", folder / "suite", folder / "crf.run"
    for utterances, path in zip(requests(), (train, test), strict=True):
        write(utterances, path)
        click.echo(f"{path}: {len(utterances):,} requests, such as: {utterances[0].text}")

    _step("Train a small model on them", "train", "crf", train, "-o", model)
    _step(
        "Make the test set sound natural: ten operators, random mixes, the worst for this model",
        *("suite", test, "-o", suite, "--hard", model, "--seed", seed, "-q"),
    )
    _step("Run the model on all of it", "evaluate", suite, "--model", model, "-o", run)
    with open_run(run) as done:
        _sum_up(done)
        _title("Understood as written, not understood as people might say it")
        for flip in _shown(done):
            _show(flip)
    _step("Write a report", "report", run, "-o", folder / "report.html")
    click.echo(_NEXT.format(run=shlex.quote(str(run))))


def fresh(wanted: Path) -> Path:
    """Make a folder by that name, or by the first number after it that is free."""
    base = wanted if wanted.name else wanted / _FOLDER.name  # "." and "/" always exist
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
    """Print a command and run it."""
    words = [str(argument) for argument in arguments]
    _title(title)
    click.echo(click.style(f"$ mondegreen {shlex.join(words)}", fg="cyan"))
    cli.main(words, prog_name="mondegreen", standalone_mode=False)


def _sum_up(run: Run) -> None:
    """Print in one sentence what the table shows."""
    rate = main_rate(run)
    shares = {line.kind: 100 * (line.rates[rate].value or 0.0) for line in table(run)}
    click.echo(
        f"\nUnderstood: {shares[ORIGINAL]:.1f} % as written, {shares[RANDOM]:.1f} % with one "
        f"natural change, {shares[HARD]:.1f} % in the worst of ten."
    )


def _shown(run: Run) -> Iterator[Flip]:
    """Yield flips of the worst operator of each family first, each of another source."""
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
