"""``mondegreen score correctness``: predictions of right and wrong."""

from __future__ import annotations

from typing import Any

import click

from mondegreen.cli.score_output import common_options, finish
from mondegreen.errors import DataError
from mondegreen.metrics.columns import read_columns
from mondegreen.metrics.correctness import correctness as score_correctness
from mondegreen.metrics.correctness import truth
from mondegreen.metrics.pairs import Transcripts, paired
from mondegreen.metrics.score import Score

_EXAMPLES = """\b
Example:
  mondegreen score correctness --ref valid.tsv --hyp valid-correctness.tsv
"""


@click.command("correctness", epilog=_EXAMPLES)
@common_options()
def command(**options: Any) -> None:
    """Confusion matrix, F1, precision, recall, accuracy and specificity of predictions.

    Files have columns: utterance_id and correctness for REF, utterance_id and prediction for HYP;
    True or False, 1 or 0, yes or no.
    """
    refs = read_columns(options["ref"], ("correctness",), options["format"])
    said = _truths(refs, refs.texts)

    def scored(path: Any) -> Score:
        hyps = read_columns(path, ("prediction",), options["format"])
        return score_correctness(said, _truths(hyps, paired(refs, hyps)), ids=refs.ids)

    score = scored(options["hyp"])
    if not options["as_json"]:
        _print_matrix(score)
    finish(score, scored(options["against"]) if options["against"] else None, refs, options)


def _truths(side: Transcripts, texts: list[str]) -> list[bool]:
    found = []
    for id, text in zip(side.ids, texts, strict=True):
        try:
            found.append(truth(text))
        except DataError as error:
            raise DataError(f"{side.path}: utterance {id!r}: {error}") from None
    return found


def _print_matrix(score: Score) -> None:
    sums = score.sums()
    click.echo("                 predicted")
    click.echo("                 True      False")
    for name, yes, no in (
        ("actual True ", "true_positives", "false_negatives"),
        ("actual False", "false_positives", "true_negatives"),
    ):
        click.echo(f"{name}  {sums[yes]:8,}   {sums[no]:8,}")
    click.echo("")
