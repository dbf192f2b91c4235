"""``mondegreen perturb``: utterances in, variants out, labels kept."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import click

from mondegreen.amounts import amount_of
from mondegreen.cli.jobs import Job, run
from mondegreen.cli.options import files, protected, protection
from mondegreen.cli.targets import places
from mondegreen.data import format_of
from mondegreen.data.lines import STANDARD_STREAM
from mondegreen.engine import Engine
from mondegreen.operators import Operator, parse_all

_EXAMPLES = """\b
Examples:
  mondegreen perturb test.txt -o noisy.txt --op fillers --seed 7
  mondegreen perturb snips/test -o noisy --op typing --severity 0.3
  mondegreen perturb test.jsonl -o 'noisy-{op}.jsonl' --op fillers --op typo
  mondegreen perturb test.jsonl -o noisy.jsonl --op fillers --op typing --mix
  mondegreen perturb test.jsonl -o noisy.jsonl --op "fillers(language=de)" --variants 5
  mondegreen perturb test.txt -o noisy.txt --op disfluencies --marked marked.txt
  echo 'play some jazz' | mondegreen perturb - --op keyboard
"""
_AMOUNTS = ("once", "rate", "chance", "severity")


@click.command(epilog=_EXAMPLES)
@click.argument("source", type=click.Path(path_type=Path, allow_dash=True))
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    default=STANDARD_STREAM,
    help="File, or folder, to write; several operators need {op} in it, or get a folder "
    "with one output each.  [default: standard output]",
)
@click.option(
    "--op",
    "operators",
    multiple=True,
    required=True,
    metavar="OPERATOR",
    help='Operator, by name or with parameters: "fillers(language=de)". Repeatable.',
)
@click.option("--seed", type=int, default=0, show_default=True, help="Another seed, other edits.")
@click.option("--once", is_flag=True, help="One edit an utterance.")
@click.option("--rate", type=float, help="Chance of each site, at least one; above 0, at most 1.")
@click.option("--chance", type=float, help="Chance of each site, also none; above 0, at most 1.")
@click.option(
    "--severity", type=float, help="Share of the words, at least one; above 0, at most 1."
)
@click.option(
    "--variants",
    type=int,
    default=1,
    show_default=True,
    metavar="N",
    help="Variants of each utterance, distinct while the text allows.",
)
@click.option("--mix", is_flag=True, help="One operator an utterance, at random; one output.")
@protection
@click.option(
    "--skip-unchangeable",
    is_flag=True,
    help="Leave out what comes back without an edit, instead of keeping it as it was.",
)
@files
def command(source: Path, operators: tuple[str, ...], **options: Any) -> None:
    """Perturb the utterances of SOURCE (a file, a folder, or - for standard input).

    Slots and intents are kept. The same text gets the same edits wherever it stands; a higher
    amount contains every edit of a lower one. Beside each output, a manifest says how it was
    made (see: mondegreen verify), unless it was made from a part (--limit) or standard input.
    """
    began = time.perf_counter()
    as_source = format_of(source, options["source_format"])
    engines = _engines(parse_all(operators), options)
    names = [engine.operators[0].name for engine in engines]
    targets = places(options["output"], names, options["target_format"], as_source)
    jobs = [
        Job("perturb", engine, engine.make, target)
        for engine, target in zip(engines, targets, strict=True)
    ]
    run(source, as_source, jobs, options)
    if not options["quiet"]:
        _summary(jobs, time.perf_counter() - began)


def _engines(operators: list[Operator], options: dict[str, Any]) -> list[Engine]:
    """One engine for each output."""
    settings = Engine(
        operators,
        seed=options["seed"],
        amount=amount_of(**{name: options[name] for name in _AMOUNTS}),
        variants=options["variants"],
        mix=options["mix"],
        protection=protected(options),
        skip=options["skip_unchangeable"],
    )
    return [settings] if options["mix"] else settings.apart()


def _summary(jobs: list[Job], seconds: float) -> None:
    for job in jobs:
        where = "" if job.place.path == STANDARD_STREAM else f" → {job.place.path}"
        click.echo(f"{job.name}: {job.written:,} variants, {job.edits:,} edits{where}", err=True)
        if job.unchanged:
            click.echo(f"{job.name}: {job.unchanged:,} {job.fate}", err=True)
    total = sum(job.written for job in jobs)
    click.echo(f"{seconds:.1f} s, {total / seconds:,.0f} variants a second", err=True)
