"""``mondegreen demo``: the toolkit at work on the data that it carries."""

from __future__ import annotations

import click

from mondegreen.cli.show import marked, slots_line
from mondegreen.engine import perturb
from mondegreen.operators import OPERATORS, parse
from mondegreen.sample import sample
from mondegreen.types import Variant

_NEXT = """
Now with your own data:
  mondegreen perturb YOUR_TEST_SET -o noisy.jsonl --op fillers --seed 7
  mondegreen verify noisy.jsonl
  mondegreen operators            # what else there is
Formats: .txt .jsonl .csv .tsv .parquet .conll .trn, Kaldi text, folders of seq.in seq.out label."""


@click.command()
@click.option("--seed", type=int, default=7, show_default=True, help="Another seed, other edits.")
def command(seed: int) -> None:
    """Perturb the embedded sample with every operator, and show what became of the labels."""
    data = list(sample())
    labels = {said.label for said in data}
    slots = sum(len(said.slots) for said in data)
    click.echo(f"Embedded test set: {len(data)} utterances, {len(labels)} intents, {slots} slots.")
    for number, name in enumerate(OPERATORS):
        variants = list(perturb(data, name, seed=seed))
        _show(name, variants, first=3 * number)
    click.echo(_NEXT)


def _show(name: str, variants: list[Variant], first: int) -> None:
    changed = sum(bool(variant.edits) for variant in variants)
    edits = sum(len(variant.edits) for variant in variants)
    slots = sum(len(variant.utterance.slots) for variant in variants)
    click.echo(
        f"\n{click.style(name, bold=True)} ({parse(name).default}): {changed} of {len(variants)} "
        f"changed, {edits} edits, {slots} slots kept"
    )
    with_slots = [variant for variant in variants if variant.utterance.slots and variant.edits]
    for variant in with_slots[first : first + 3]:
        click.echo(f"  {variant.parent.text}")
        click.echo(f"→ {marked(variant)}")
        click.echo(click.style(f"    {slots_line(variant)}", dim=True))
