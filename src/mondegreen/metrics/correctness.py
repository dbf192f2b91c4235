"""Correctness: whether predictions of right and wrong are right."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from mondegreen import __version__
from mondegreen.data.layout import HYP, REF
from mondegreen.data.pairs.columns import Columns
from mondegreen.data.pairs.texts import Side
from mondegreen.data.pairs.transcripts import Transcripts, numbers
from mondegreen.errors import DataError
from mondegreen.metrics.metric import Metric, NoSettings, Ratio, References, Section
from mondegreen.metrics.scores.score import Score, both_sides

COLUMNS = (
    "true_positives", "false_positives", "false_negatives", "true_negatives", "wrong", "utterances",
)  # fmt: skip
RATES = (
    Ratio.of(
        "f1",
        "true_positives true_positives",
        "true_positives true_positives false_positives false_negatives",
    ),
    Ratio.of("precision", "true_positives", "true_positives false_positives"),
    Ratio.of("recall", "true_positives", "true_positives false_negatives"),
    Ratio.of("accuracy", "true_positives true_negatives", "utterances"),
    Ratio.of("specificity", "true_negatives", "true_negatives false_positives"),
)
_WORDS = {"true": True, "1": True, "yes": True, "false": False, "0": False, "no": False}


def truth(text: str) -> bool:
    """Read True, true, 1, yes; False, false, 0, no.

    >>> truth("True"), truth("no")
    (True, False)

    Raises:
        DataError: if the text is anything else.
    """
    try:
        return _WORDS[text.strip().lower()]
    except KeyError:
        raise DataError(f"{text!r} is neither true nor false; write True or False") from None


def correctness(
    refs: Sequence[bool], hyps: Sequence[bool], *, ids: Sequence[str] | None = None
) -> Score:
    """Score predictions of whether an utterance was right.

    >>> score = correctness([True, True, False], [True, False, False])
    >>> score["accuracy"].value, score["recall"].value
    (0.6666666666666666, 0.5)

    Raises:
        DataError: if the numbers of references and hypotheses differ.
    """
    gold, given = (np.array(side, bool) for side in both_sides(refs, hyps, ids))
    wrong = gold != given
    table = [gold & given, ~gold & given, gold & ~given, ~gold & ~given, wrong]
    counts = np.ones((len(gold), len(COLUMNS)), np.int64)
    counts[:, :-1] = np.column_stack(table) if len(gold) else 0
    return Score(
        CORRECTNESS,
        f"mondegreen|correctness|v:{__version__}",
        counts,
        tuple(ids) if ids is not None else numbers(len(gold)),
    )


class Correctness(Metric):
    """Whether predictions of right and wrong are right."""

    name = "correctness"
    summary = "F1, precision, recall and accuracy of predictions of right and wrong."
    help = """Score predictions of whether utterances are right: confusion matrix, F1, precision,
    recall, accuracy and specificity.

    REF has the columns utterance_id and correctness, HYP has utterance_id and prediction. Values
    are True or False, 1 or 0, yes or no."""
    examples = ("correctness --ref valid.tsv --hyp valid-correctness.tsv",)
    columns = COLUMNS
    rates = RATES
    main = ("f1",)
    said = Columns(REF, ("correctness",), needed=True)
    heard = Columns(HYP, ("prediction",), needed=True)
    both = "a table with the columns correctness and prediction"

    def references(self, side: Side, settings: NoSettings) -> Iterator[Transcripts]:
        """Yield whether utterances are right."""
        for part in super().references(side, settings):
            yield replace(part, items=_truths(part))

    def hypotheses(self, side: Side, refs: Side, settings: NoSettings) -> Iterator[Transcripts]:
        """Yield what is predicted."""
        for part in super().hypotheses(side, refs, settings):
            yield replace(part, items=_truths(part))

    def answers(self, refs: References, hyps: Transcripts, settings: NoSettings) -> Sequence[Any]:  # noqa: ARG002
        """Return what is predicted; a prediction that is missing is neither true nor false."""
        if None in hyps.items:
            raise DataError(
                f"{hyps.path}: a prediction is missing, and an empty one is neither true nor "
                "false; choose --missing skip"
            )
        return hyps.items

    def score(self, refs: References, hyps: Sequence[bool], settings: NoSettings) -> Score:  # noqa: ARG002
        """Score predictions."""
        return correctness(refs.items, hyps, ids=refs.file.ids)

    def sections(self, score: Score, refs: References, display: NoSettings) -> list[Section]:  # noqa: ARG002
        """Return the confusion matrix."""
        sums = score.sums()
        lines = ["                 predicted", "                 True      False      total"]
        rows = (
            ("actual True ", ("true_positives",), ("false_negatives",)),
            ("actual False", ("false_positives",), ("true_negatives",)),
            (
                "total       ",
                ("true_positives", "false_positives"),
                ("false_negatives", "true_negatives"),
            ),
        )
        for name, *columns in rows:
            yes, no = (sum(sums[column] for column in side) for side in columns)
            lines.append(f"{name}  {yes:8,}   {no:8,}   {yes + no:8,}")
        return [Section("", None, [*lines, ""], above=True)]


def _truths(side: Transcripts) -> list[bool]:
    found = []
    for id, text in zip(side.ids, side.texts, strict=True):
        try:
            found.append(truth(text))
        except DataError as error:
            raise DataError(f"{side.path}: utterance {id!r}: {error}") from None
    return found


CORRECTNESS = Correctness()
