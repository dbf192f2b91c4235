"""``mondegreen augment``: add noisy copies to a training set, with their labels."""

from __future__ import annotations

from dataclasses import dataclass

import click

from mondegreen.cli.parts import typed
from mondegreen.cli.parts.options import VariantOptions
from mondegreen.cli.parts.output_paths import output_paths
from mondegreen.cli.parts.typed import option
from mondegreen.cli.variant_jobs import Job, run_jobs
from mondegreen.data.files.lines import STANDARD_STREAM
from mondegreen.operators import GROUPS
from mondegreen.perturbation.augmentation import AMOUNT, GROUP
from mondegreen.perturbation.recipe import Recipe


@dataclass(frozen=True, kw_only=True)
class Options(VariantOptions):
    """The options of ``mondegreen augment``."""

    operators: tuple[str, ...] = option(
        "--op",
        default=(GROUP,),
        help="Operator to draw from, by name or with parameters. Repeatable.  [default: the group "
        f"{GROUP}, whose operators keep slots and meaning: {', '.join(GROUPS[GROUP])}]",
        metavar="OPERATOR",
        show_default=False,
    )
    times: int = option(default=1, help="Number of copies per utterance.", metavar="N")

    @property
    def recipe(self) -> Recipe:
        """The recipe of the copies."""
        return self.recipe_of(
            self.operators, amount=AMOUNT, variants=self.times, mix=True, augment=True
        )


@typed.command(
    Options,
    examples=(
        "augment train.jsonl -o more.jsonl --seed 7",
        "augment snips/train -o snips-more --protect-slots",
        "augment train.txt -o more.txt --op keyboard --op fillers --times 3",
    ),
)
def command(options: Options) -> None:
    """Add noisy copies to the utterances of SOURCE (a file, a folder, or - for standard input).

    Each utterance is written unchanged, followed by its copies. Each copy is made by one operator
    drawn at random, at a severity of 0.3 unless you give another amount. Slots and intents are
    kept. If an operator cannot change an utterance, another one is drawn; every copy differs from
    its source. A manifest beside the output records how it was made (see: mondegreen verify).
    """
    as_source = options.as_source
    (target,) = output_paths(options.output, [GROUP], options.target_format, as_source)
    job = Job(options.recipe, target)
    run_jobs(as_source, [job], options)
    if not options.quiet:
        _summary(job)


def _summary(job: Job) -> None:
    path = job.target.path
    where = "" if path == STANDARD_STREAM else f" → {path}"
    originals = job.written - job.changed
    click.echo(
        f"{job.name}: {originals:,} utterances, {job.changed:,} copies, {job.edits:,} edits{where}",
        err=True,
    )
    if job.unchanged:
        what = "were left out" if job.recipe.skip else "are kept once"
        click.echo(
            f"{job.unchanged:,} copies could not be made; utterances without a copy {what}",
            err=True,
        )
