"""``mondegreen perturb``: make variants of utterances, with their labels."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import click

from mondegreen.cli.parts import typed
from mondegreen.cli.parts.options import CHAIN_HELP, VariantOptions, in_order
from mondegreen.cli.parts.typed import option
from mondegreen.data.files.lines import STANDARD_STREAM
from mondegreen.perturbation.recipe import UNLEARNT, Recipe
from mondegreen.variants.jobs import WrittenOutput


@dataclass(frozen=True, kw_only=True)
class PerturbOptions(VariantOptions):
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
    chain: bool = option(default=False, help=CHAIN_HELP)
    output: Path = option(
        "-o",
        "--output",
        default=STANDARD_STREAM,
        help="File, or folder, to write. With several operators, a name with {op} in it, or a "
        "folder for one output per operator.  [default: standard output]",
        show_default=False,
    )


@typed.command(
    PerturbOptions,
    examples=(
        "perturb test.txt -o noisy.txt --op fillers --seed 7",
        "perturb snips/test -o noisy --op typing --severity 0.3",
        "perturb test.jsonl -o 'noisy-{op}.jsonl' --op fillers --op typo",
        "perturb test.jsonl -o noisy.jsonl --op fillers --op typing --mix",
        'perturb test.jsonl -o noisy.jsonl --op "fillers(language=de)" --variants 5',
        'perturb test.jsonl -o noisy.jsonl --op fillers --op "recogniser(wer=0.1)" --chain',
        "perturb test.csv -o noisy.csv --op fillers --map text=Query,label=Intent",
        "perturb test.txt -o noisy.txt --op disfluencies --marked marked.txt",
    ),
)
def command(options: PerturbOptions) -> None:
    """Perturb the utterances of SOURCE (a file, a folder, or - for standard input).

    Slots and intents are kept. The same text gets the same edits wherever it occurs, and a higher
    amount makes every edit of a lower one. A manifest beside each output records how it was made
    (see: mondegreen verify), unless it was made from a part (--limit) or from standard input.
    """
    began = time.perf_counter()
    operators = in_order(options.operators, chain=options.chain)
    made = options.write(
        operators, chance=options.chance, variants=options.variants, mix=options.mix
    )
    if not options.quiet:
        _summary(made, time.perf_counter() - began)


def _summary(made: Sequence[WrittenOutput], seconds: float) -> None:
    for one in made:
        where = "" if one.path == STANDARD_STREAM else f" → {one.path}"
        click.echo(f"{one.name}: {one.written:,} variants, {one.edits:,} edits{where}", err=True)
        if one.failed_over:
            kinds = {kind for operator in one.recipe.operators for kind in operator.kinds}
            click.echo(
                f"{one.name}: {one.failed_over:,} of the edits failed over: they change a word of "
                f"another class than {', '.join(sorted(kinds))}; the ledger has the kind of each",
                err=True,
            )
        if one.unchanged:
            click.echo(f"{one.name}: {one.unchanged:,} {_unchanged_note(one.recipe)}", err=True)
        if UNLEARNT in one.recipe.signature and one.recipe.language == "":
            click.echo(f"{one.name}: learnt nothing from a stream; see --learn-from", err=True)
    total = sum(one.written for one in made)
    click.echo(f"{seconds:.1f} s, {total / seconds:,.0f} variants per second", err=True)


def _unchanged_note(recipe: Recipe) -> str:
    """Return the note on the variants without edits."""
    amounts = [recipe.amount or operator.default for operator in recipe.operators]
    reason = "could not be changed" if all(amount.floor for amount in amounts) else "have no edit"
    if recipe.skip:
        return f"{reason} and were left out"
    return f"{reason} and are kept unchanged; --skip-unchangeable leaves them out"
