"""``mondegreen augment``: a training set in, twice as large out, labels kept."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from mondegreen.amounts import amount_of
from mondegreen.augmentation import AMOUNT, GROUP, Augmenter
from mondegreen.cli.jobs import Job, run
from mondegreen.cli.options import files, protected, protection
from mondegreen.cli.targets import places
from mondegreen.data import format_of
from mondegreen.data.lines import STANDARD_STREAM
from mondegreen.engine import Engine
from mondegreen.operators import parse_all

_EXAMPLES = """\b
Examples:
  mondegreen augment train.jsonl -o more.jsonl --seed 7
  mondegreen augment snips/train -o snips-more --protect-slots
  mondegreen augment train.txt -o more.txt --op keyboard --op fillers --times 3
"""


@click.command(epilog=_EXAMPLES)
@click.argument("source", type=click.Path(path_type=Path, allow_dash=True))
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    default=STANDARD_STREAM,
    help="File, or folder, to write.  [default: standard output]",
)
@click.option(
    "--op",
    "operators",
    multiple=True,
    default=(GROUP,),
    metavar="OPERATOR",
    help="Operator to draw from, by name or with parameters. Repeatable.  [default: augment, which "
    "is keyboard, spelling, synonym.naive, antonym, tfidf and contextual]",
)
@click.option("--seed", type=int, default=0, show_default=True, help="Another seed, other copies.")
@click.option("--once", is_flag=True, help="One edit a copy.")
@click.option("--rate", type=float, help="Chance of each site, at least one; above 0, at most 1.")
@click.option(
    "--severity",
    type=float,
    help="Share of the words, at least one; above 0, at most 1.  [default: 0.3]",
)
@click.option(
    "--times", type=int, default=1, show_default=True, metavar="N", help="Copies of each utterance."
)
@protection
@click.option(
    "--skip-unchangeable",
    is_flag=True,
    help="Leave out utterances without a copy, instead of keeping them once.",
)
@files
def command(source: Path, operators: tuple[str, ...], **options: Any) -> None:
    """Add noisy copies to the utterances of SOURCE (a file, a folder, or - for standard input).

    Each utterance comes as it is, then its copies, each by one operator drawn at random. Slots and
    intents are kept. An operator that cannot change an utterance gives way to another one, and
    no copy is like its source. Beside the output, a manifest says how it was made
    (see: mondegreen verify).
    """
    as_source = format_of(source, options["source_format"])
    engine = Engine(
        parse_all(operators),
        seed=options["seed"],
        amount=amount_of(once=options["once"], rate=options["rate"], severity=options["severity"])
        or AMOUNT,
        variants=options["times"],
        mix=True,
        protection=protected(options),
        skip=options["skip_unchangeable"],
    )
    (place,) = places(options["output"], ["augment"], options["target_format"], as_source)
    job = Job("augment", engine, Augmenter(engine).make, place)
    run(source, as_source, [job], options)
    if not options["quiet"]:
        _summary(job)


def _summary(job: Job) -> None:
    where = "" if job.place.path == STANDARD_STREAM else f" → {job.place.path}"
    kept = job.written - job.changed
    click.echo(
        f"{job.name}: {kept:,} utterances, {job.changed:,} copies, {job.edits:,} edits{where}",
        err=True,
    )
    if job.unchanged:
        fate = "were left out" if job.engine.skip else "are kept once"
        click.echo(
            f"{job.unchanged:,} copies could not be made; utterances without any {fate}", err=True
        )
