"""``mondegreen demo``: train, test and report on embedded data, command by command."""

from __future__ import annotations

import shlex
import time
from collections import Counter
from collections.abc import Iterator
from itertools import count
from operator import itemgetter
from pathlib import Path

import click

from mondegreen.cli.main import INTERRUPTED, cli
from mondegreen.cli.parts.flips import ShownFlip, flips
from mondegreen.data import write
from mondegreen.data.sample import request_languages, requests
from mondegreen.language.languages import ENGLISH
from mondegreen.language.offers import offer
from mondegreen.perturbation.suite_recipe import OPERATOR
from mondegreen.runs.reading import Run, open_run
from mondegreen.runs.results import headline, table
from mondegreen.runs.run_slices import slices

_FOLDER = Path("mondegreen-demo")
_EXAMPLES = 4
_OPERATORS = (
    "fillers.bos", "fillers.postverb", "fillers.eos", "fillers", "repeats", "partials", "repairs",
    "restarts", "disfluencies", "keyboard",
)  # fmt: skip
"""The operators of the demo in other languages than English, whose default ones know only it."""

_NEXT = """
Take a closer look:
  mondegreen view {run}  # every utterance, in the browser
  mondegreen operators  # all operators, with examples

Now use your own model and test set (.jsonl .csv .tsv .parquet .conll, or seq.in seq.out label):
  mondegreen suite YOUR_TEST_SET -o suite
  mondegreen evaluate suite --model YOUR_MODEL -o my.run
  mondegreen report my.run -o report.html
YOUR_MODEL is a folder, a file of predictions, python:module:function, "command:…" or http://…
Train a model: mondegreen train crf YOUR_TRAINING_SET -o my-model
Test augmentation: mondegreen experiment YOUR_TRAINING_SET --test YOUR_TEST_SET -o both"""


@click.command()
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    default=_FOLDER,
    show_default=True,
    metavar="DIR",
    help="Folder to create; if it exists, DIR-2, DIR-3 and so on.",
)
@click.option(
    "--seed",
    type=int,
    default=7,
    show_default=True,
    help="Random seed; another seed gives other edits.",
)
@click.option(
    "--language",
    type=click.Choice(request_languages()),
    default=ENGLISH,
    show_default=True,
    help="Language of the data and of the operators.",
)
def command(output: Path, seed: int, language: str) -> None:
    """Train a small model on embedded data, and test it on natural variants.

    Each step is a command of this toolkit, which is printed and run; all files stay in the folder.
    The demo takes about ten seconds and needs no network.
    """
    start = time.perf_counter()
    folder = new_folder(output)
    try:
        _demo(folder, seed, language)
    except (click.Abort, KeyboardInterrupt):
        click.echo(f"mondegreen: interrupted; finished steps are in {folder}", err=True)
        raise SystemExit(INTERRUPTED) from None
    click.echo(f"\nDone in {time.perf_counter() - start:.0f} s; everything is in {folder}")


def _demo(folder: Path, seed: int, language: str) -> None:
    train, test = folder / "train.jsonl", folder / "test.jsonl"
    model, suite, run = folder / "model", folder / "suite", folder / "crf.run"
    for utterances, path in zip(requests(language=language), (train, test), strict=True):
        write(utterances, path)
        click.echo(f"{path}: {len(utterances):,} requests, such as: {utterances[0].text}")

    _step("Train a small model on them", "train", "crf", train, "-o", model)
    _step(
        "Make a test suite: ten operators, random mixes, and the variants hardest for this model",
        *("suite", test, "-o", suite, "--hard", model, "--seed", seed, "-q"),
        *_in_language(language),
    )
    _step("Evaluate the model on the suite", "evaluate", suite, "--model", model, "-o", run)
    with open_run(run) as done:
        _print_summary(done)
        _title("Understood as written, misunderstood after a natural change")
        for flip in _examples(done):
            _print_flip(flip)
    _step("Write a report", "report", run, "-o", folder / "report.html")
    click.echo(_NEXT.format(run=shlex.quote(str(run))))


def _in_language(language: str) -> list[str]:
    """Return the options of the suite in another language: operators that need no extra."""
    if language == ENGLISH:
        return []
    named = (part for name in _OPERATORS if offer(name, language) for part in ("--op", name))
    return [*named, "--language", language]


def new_folder(wanted: Path) -> Path:
    """Create a folder with that name or, if it exists, with the first free number after it."""
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


def _print_summary(run: Run) -> None:
    """Print the result in one sentence, and why utterances are lost."""
    click.echo(f"\n{headline(run)}")
    _title("Why it fails")
    for one in slices(run)[:_EXAMPLES]:
        click.echo(f"  {one.sentence}")


def _examples(run: Run) -> Iterator[ShownFlip]:
    """Yield flips from different sources, first of the worst operator of each family."""
    families: Counter[str] = Counter()
    order: list[tuple[int, str]] = []
    for line in reversed(table(run)):
        if line.kind == OPERATOR:
            family = line.name.partition(".")[0]
            order.append((families[family], line.name))
            families[family] += 1
    sources: set[str] = set()
    for _, name in sorted(order, key=itemgetter(0)):
        found = next((one for one in flips(run, name) if one.source not in sources), None)
        if found is not None and len(sources) < _EXAMPLES:
            sources.add(found.source)
            yield found


def _print_flip(flip: ShownFlip) -> None:
    click.echo(f"  {flip.marked}  ({flip.operator})")
    click.echo(f"    expected   {flip.expected}")
    click.echo(f"    predicted  {flip.predicted}")
