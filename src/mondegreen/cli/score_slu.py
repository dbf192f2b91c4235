"""``mondegreen score slu``: slots, intents and whole frames."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from mondegreen.cli.score_output import Section, common_options, finish, refuse_one_stream
from mondegreen.metrics.frames import (
    Frames,
    check_common,
    read_frames,
    read_pairs,
    read_predictions,
)
from mondegreen.metrics.score import Score
from mondegreen.metrics.slu import PARTIAL, SlotType, by_type
from mondegreen.metrics.slu import slu as score_slu
from mondegreen.types import Prediction

_EXAMPLES = """\b
Examples:
  mondegreen score slu --ref snips/test --hyp predictions.jsonl
  mondegreen score slu --ref noisy.jsonl --hyp a.jsonl --against b.jsonl --by operator
  mondegreen score slu --pairs conlleval-input.txt
"""


@click.command("slu", epilog=_EXAMPLES)
@common_options(pairs="token, gold tag and predicted tag on each line, as conlleval reads it")
def command(**options: Any) -> None:
    """Slot precision, recall and F1, intent accuracy and end-to-end accuracy of HYP against REF.

    A slot is right if its span and its label are; tags are read as conlleval does, ill-formed ones
    too. HYP is of any labelled format, or JSON lines with id, tags or slots, and label. What HYP
    does not tell is not scored, nor are slots where REF has labels and not one slot.
    """
    refs, hyps = _sides(options)
    score = score_slu(refs.said, hyps)
    against = options["against"]
    other = None
    if against:
        others = read_predictions(refs, against, options["format"])
        check_common(refs, others, against)
        other = score_slu(refs.said, others)
    finish(score, other, refs.file, options, [_types(score)])


def _sides(options: dict[str, Any]) -> tuple[Frames, list[Prediction]]:
    ref, hyp, pairs = (options[name] for name in ("ref", "hyp", "pairs"))
    if bool(pairs) == bool(ref and hyp) or (pairs and (ref or hyp)):
        raise click.UsageError("give --ref and --hyp, or --pairs with both in one file")
    if pairs:
        return read_pairs(pairs)
    refuse_one_stream(ref, hyp, options["against"])
    refs = read_frames(ref, options["format"])
    hyps = read_predictions(refs, hyp, _hyp_format(options["format"], ref, hyp))
    check_common(refs, hyps, hyp)
    return refs, hyps


def _hyp_format(format: str | None, ref: Path, hyp: Path) -> str | None:
    """The format that was named holds for both files if they look alike."""
    return format if ref.suffix == hyp.suffix else None


def _types(score: Score) -> Section:
    types, sums = by_type(score), score.sums()
    partial = {name: sums[name] for name in PARTIAL}
    record = {
        name: {"precision": one.precision, "recall": one.recall, "f1": one.f1, **one._asdict()}
        for name, one in types.items()
    }
    return Section("types", record, lambda: _print_types(types, partial))


def _print_types(types: dict[str, SlotType], partial: dict[str, int]) -> None:
    if not types:
        return
    click.echo("  ".join(f"{name} {count:,}" for name, count in partial.items()))
    width = max(len("slot"), *map(len, types))
    heads = f"{'precision':>10} {'recall':>10} {'f1':>10} {'right':>8} {'said':>8} {'found':>8}"
    click.echo(f"\n{'slot':{width}} {heads}")
    for name, one in types.items():
        rates = " ".join(_share(rate) for rate in (one.precision, one.recall, one.f1))
        click.echo(f"{name:{width}} {rates} {one.right:8,} {one.said:8,} {one.found:8,}")


def _share(rate: float | None) -> str:
    return f"{'-':>10}" if rate is None else f"{100 * rate:8.2f} %"
