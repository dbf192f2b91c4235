"""``mondegreen perturb``: utterances in, variants out, labels kept."""

from __future__ import annotations

import time
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

import click
import msgspec

from mondegreen.amounts import amount_of
from mondegreen.cli.progress import metered
from mondegreen.cli.targets import Place, places
from mondegreen.data import FORMATS, Format, Sink, format_of, open_sink
from mondegreen.data.lines import STANDARD_STREAM, newline_of
from mondegreen.data.output import whole_file
from mondegreen.engine import Engine
from mondegreen.ledger import lines_of
from mondegreen.manifest import file_of, make_manifest, manifest_path
from mondegreen.operators import Operator, parse
from mondegreen.protect import Protection, read_phrases
from mondegreen.types import Variant

_EXAMPLES = """\b
Examples:
  mondegreen perturb test.txt -o noisy.txt --op fillers --seed 7
  mondegreen perturb snips/test -o noisy --op typing --severity 0.3
  mondegreen perturb test.jsonl -o 'noisy-{op}.jsonl' --op fillers --op typo
  mondegreen perturb test.jsonl -o noisy.jsonl --op fillers --op typing --mix
  mondegreen perturb test.jsonl -o noisy.jsonl --op "fillers(language=de)" --variants 5
  echo 'play some jazz' | mondegreen perturb - --op keyboard
"""


@dataclass
class _Job:
    """An engine, its output, and what came of it."""

    engine: Engine
    place: Place
    sink: Sink
    utterances: int = 0
    changed: int = 0
    edits: int = 0

    def take(self, variant: Variant) -> None:
        self.sink(variant)
        self.utterances += 1
        self.changed += bool(variant.edits)
        self.edits += len(variant.edits)


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
@click.option(
    "--protect",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Words and phrases that stay as they are, one a line.",
)
@click.option("--protect-slots", is_flag=True, help="Leave the words of all slots as they are.")
@click.option(
    "--protect-slot",
    "protect_labels",
    multiple=True,
    metavar="LABEL",
    help="Leave the words of slots with this label as they are. Repeatable.",
)
@click.option(
    "--ledger",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Write every edit as a JSON line: where, what stood there, what stands there.",
)
@click.option(
    "--format",
    "source_format",
    metavar="NAME",
    help=f"The source's format, if its name and look do not tell: {', '.join(FORMATS)}.",
)
@click.option(
    "--to",
    "target_format",
    metavar="NAME",
    help="The output's format.  [default: by its name, else as the source]",
)
@click.option(
    "--limit", type=click.IntRange(min=1), metavar="N", help="Only the first N utterances."
)
@click.option("--force", is_flag=True, help="Replace outputs that exist.")
@click.option("-q", "--quiet", is_flag=True, help="No progress bar, no summary.")
def command(source: Path, operators: tuple[str, ...], **options: Any) -> None:
    """Perturb the utterances of SOURCE (a file, a folder, or - for standard input).

    Slots and intents are kept. The same text gets the same edits wherever it stands; a higher
    amount contains every edit of a lower one. Beside each output, a manifest says how it was
    made (see: mondegreen verify), unless it was made from a part (--limit) or standard input.
    """
    began = time.perf_counter()
    as_source = format_of(source, options["source_format"])
    engines = _engines([parse(text) for text in operators], options)
    names = [engine.operators[0].name for engine in engines]
    targets = places(options["output"], names, options["target_format"], as_source)
    _check_paths(source, [target.path for target in targets], options["ledger"])
    jobs = _run(source, as_source, list(zip(engines, targets, strict=True)), options)
    if options["limit"] is None and source != STANDARD_STREAM:
        _write_manifests(jobs, source, as_source.name, options["ledger"])
    else:
        for target in targets:  # one from a run before would be false now
            manifest_path(target.path).unlink(missing_ok=True)
    if not options["quiet"]:
        _summary(jobs, time.perf_counter() - began)


def _engines(operators: list[Operator], options: dict[str, Any]) -> list[Engine]:
    """One engine for each output."""
    settings = Engine(
        operators,
        seed=options["seed"],
        amount=amount_of(once=options["once"], rate=options["rate"], severity=options["severity"]),
        variants=options["variants"],
        mix=options["mix"],
        protection=Protection.of(
            read_phrases(options["protect"]) if options["protect"] else (),
            slots=options["protect_slots"] or options["protect_labels"],
        ),
    )
    return [settings] if options["mix"] else settings.apart()


def _run(
    source: Path,
    as_source: Format,
    work: list[tuple[Engine, Place]],
    options: dict[str, Any],
) -> list[_Job]:
    """Read once, write all outputs; they appear together at the end."""
    newline = newline_of(source)
    with ExitStack() as stack:
        jobs = [
            _Job(engine, place, stack.enter_context(_open(place, newline, options["force"])))
            for engine, place in work
        ]
        ledger = options["ledger"]
        book = stack.enter_context(whole_file(ledger, force=options["force"])) if ledger else None
        meter = stack.enter_context(metered(source, quiet=options["quiet"]))
        for said in islice(as_source.read(source, meter), options["limit"]):
            for job in jobs:
                for variant in job.engine.run([said]):
                    job.take(variant)
                    if book is not None:
                        book.write(lines_of(variant))
    return jobs


def _open(place: Place, newline: str, force: bool) -> AbstractContextManager[Sink]:  # noqa: FBT001
    if place.path.parent.name and place.path != STANDARD_STREAM:
        place.path.parent.mkdir(parents=True, exist_ok=True)
    return open_sink(place.path, place.format.name, force=force, newline=newline)


def _check_paths(source: Path, targets: list[Path], ledger: Path | None) -> None:
    """Refuse to write two things to one place, or over what is being read."""
    if ledger == STANDARD_STREAM:
        raise click.UsageError("the ledger needs a file of its own")
    places = [path.resolve() for path in (*targets, *([ledger] if ledger else []))]
    if len(set(places)) < len(places):
        raise click.UsageError("outputs and ledger need different names")
    if source != STANDARD_STREAM and source.resolve() in places:
        raise click.UsageError(f"{source} is the source; give the output another name")


def _write_manifests(jobs: list[_Job], source: Path, format: str, ledger: Path | None) -> None:
    for job in jobs:
        path = job.place.path
        if path != STANDARD_STREAM:
            folder = path.parent
            manifest = make_manifest(
                job.engine,
                folder,
                source=file_of(source, folder, format),
                output=file_of(path, folder, job.place.format.name),
                ledger=file_of(ledger, folder) if ledger is not None else None,
            )
            with whole_file(manifest_path(path), force=True) as file:
                file.write(msgspec.json.format(msgspec.json.encode(manifest)) + b"\n")


def _summary(jobs: list[_Job], seconds: float) -> None:
    for job in jobs:
        name = "+".join(operator.name for operator in job.engine.operators)
        where = "" if job.place.path == STANDARD_STREAM else f" → {job.place.path}"
        click.echo(f"{name}: {job.utterances:,} variants, {job.edits:,} edits{where}", err=True)
        if job.changed < job.utterances:
            rest = job.utterances - job.changed
            click.echo(f"{name}: {rest:,} could not be changed and stand as they were", err=True)
    total = sum(job.utterances for job in jobs)
    click.echo(f"{seconds:.1f} s, {total / seconds:,.0f} variants a second", err=True)
