"""``mondegreen perturb``: make variants of utterances, with their labels."""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path

import click

from mondegreen.cli.parts import typed
from mondegreen.cli.parts.options import VariantOptions
from mondegreen.cli.parts.output_paths import output_paths
from mondegreen.cli.parts.typed import option
from mondegreen.cli.variant_jobs import Job, run_jobs
from mondegreen.data.files.lines import STANDARD_STREAM
from mondegreen.perturbation.recipe import Recipe


@dataclass(frozen=True, kw_only=True)
class Options(VariantOptions):
    """The options of ``mondegreen perturb``."""

    operators: tuple[str, ...] = option(
        "--op",
        help='Operator, by name or with parameters: "fillers(language=de)"; also a group, or '
        "python:package.module:Class. Repeatable.",
        metavar="OPERATOR",
    )
    chance: float | None = option(
        default=None,
        help="Probability of editing each site; an utterance may stay unchanged. Above 0, at most "
        "1.",
    )
    variants: int = option(
        default=1,
        help="Variants per utterance and operator, distinct while the text allows.",
        metavar="N",
    )
    mix: bool = option(
        default=False,
        help="Change each utterance by one operator drawn at random, into one output.",
    )
    output: Path = option(
        "-o",
        "--output",
        default=STANDARD_STREAM,
        help="File, or folder, to write. With several operators, a name with {op} in it, or a "
        "folder for one output per operator.  [default: standard output]",
        show_default=False,
    )

    @property
    def recipes(self) -> list[Recipe]:
        """One recipe per output."""
        recipe = self.recipe_of(
            self.operators, chance=self.chance, variants=self.variants, mix=self.mix
        )
        return [recipe] if self.mix else recipe.split_by_operator()


@typed.command(
    Options,
    examples=(
        "perturb test.txt -o noisy.txt --op fillers --seed 7",
        "perturb snips/test -o noisy --op typing --severity 0.3",
        "perturb test.jsonl -o 'noisy-{op}.jsonl' --op fillers --op typo",
        "perturb test.jsonl -o noisy.jsonl --op fillers --op typing --mix",
        'perturb test.jsonl -o noisy.jsonl --op "fillers(language=de)" --variants 5',
        "perturb test.csv -o noisy.csv --op fillers --map text=Query,label=Intent",
        "perturb test.txt -o noisy.txt --op disfluencies --marked marked.txt",
    ),
)
def command(options: Options) -> None:
    """Perturb the utterances of SOURCE (a file, a folder, or - for standard input).

    Slots and intents are kept. The same text gets the same edits wherever it occurs, and a higher
    amount makes every edit of a lower one. A manifest beside each output records how it was made
    (see: mondegreen verify), unless it was made from a part (--limit) or from standard input.
    """
    began = time.perf_counter()
    as_source = options.as_source
    recipes = options.recipes
    names = [recipe.operators[0].name for recipe in recipes]
    targets = output_paths(options.output, names, options.target_format, as_source)
    jobs = [Job(recipe, target) for recipe, target in zip(recipes, targets, strict=True)]
    run_jobs(as_source, jobs, options)
    if not options.quiet:
        _summary(jobs, time.perf_counter() - began)


def _summary(jobs: list[Job], seconds: float) -> None:
    for job in jobs:
        path = job.target.path
        where = "" if path == STANDARD_STREAM else f" → {path}"
        click.echo(f"{job.name}: {job.written:,} variants, {job.edits:,} edits{where}", err=True)
        if job.failed_over:
            click.echo(
                f"{job.name}: {job.failed_over:,} of the edits failed over: they change a word of "
                f"another class than {job.promised}; the ledger has the kind of each",
                err=True,
            )
        if job.unchanged:
            click.echo(f"{job.name}: {job.unchanged:,} {job.unchanged_note}", err=True)
    total = sum(job.written for job in jobs)
    click.echo(f"{seconds:.1f} s, {total / seconds:,.0f} variants per second", err=True)
