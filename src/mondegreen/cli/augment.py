"""``mondegreen augment``: add noisy copies to a training set, with their labels."""

from __future__ import annotations

from dataclasses import dataclass

import click

from mondegreen.cli.parts import typed
from mondegreen.cli.parts.options import CHAIN_HELP, VariantOptions, in_order
from mondegreen.cli.parts.typed import option
from mondegreen.data.files.lines import STANDARD_STREAM
from mondegreen.operators import GROUPS
from mondegreen.perturbation.augmentation import AMOUNT, GROUP
from mondegreen.variants.jobs import WrittenOutput


@dataclass(frozen=True, kw_only=True)
class AugmentOptions(VariantOptions):
    """The options of ``mondegreen augment``."""

    operators: tuple[str, ...] = option(
        "--op",
        default=(GROUP,),
        help="Operator to draw from, by name or with parameters. Repeatable.  [default: the group "
        f"{GROUP}, whose operators keep slots and meaning: {', '.join(GROUPS[GROUP])}]",
        metavar="OPERATOR",
        show_default=False,
    )
    chain: bool = option(default=False, help=CHAIN_HELP)
    times: int = option(default=1, help="Number of copies per utterance.", metavar="N")


@typed.command(
    AugmentOptions,
    examples=(
        "augment train.jsonl -o more.jsonl --seed 7",
        "augment snips/train -o snips-more --protect-slots",
        "augment train.txt -o more.txt --op keyboard --op fillers --times 3",
    ),
)
def command(options: AugmentOptions) -> None:
    """Add noisy copies to the utterances of SOURCE (a file, a folder, or - for standard input).

    Each utterance is written unchanged, followed by its copies. Each copy is made by one operator
    drawn at random, at a severity of 0.3 unless you give another amount. Slots and intents are
    kept. If an operator cannot change an utterance, another one is drawn; every copy differs from
    its source. A manifest beside the output records how it was made (see: mondegreen verify).
    """
    (made,) = options.write(
        in_order(options.operators, chain=options.chain),
        amount=AMOUNT,
        variants=options.times,
        mix=True,
        augment=True,
    )
    if not options.quiet:
        _summary(made)


def _summary(made: WrittenOutput) -> None:
    where = "" if made.path == STANDARD_STREAM else f" → {made.path}"
    originals = made.written - made.changed
    click.echo(
        f"{made.name}: {originals:,} utterances, {made.changed:,} copies, {made.edits:,} "
        f"edits{where}",
        err=True,
    )
    if made.unchanged:
        what = "were left out" if made.recipe.skip else "are kept once"
        click.echo(
            f"{made.unchanged:,} copies could not be made; utterances without a copy {what}",
            err=True,
        )
