"""Correctness: whether predictions of right and wrong are right."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from mondegreen import __version__
from mondegreen.errors import DataError
from mondegreen.metrics.score import Ratio, Score, check_sides, numbers

COLUMNS = (
    "true_positives", "false_positives", "false_negatives", "true_negatives", "wrong", "utterances",
)  # fmt: skip
RATES: dict[str, Ratio] = {
    "f1": lambda s: (
        2 * s["true_positives"],
        2 * s["true_positives"] + s["false_positives"] + s["false_negatives"],
    ),
    "precision": lambda s: (s["true_positives"], s["true_positives"] + s["false_positives"]),
    "recall": lambda s: (s["true_positives"], s["true_positives"] + s["false_negatives"]),
    "accuracy": lambda s: (s["true_positives"] + s["true_negatives"], s["utterances"]),
    "specificity": lambda s: (s["true_negatives"], s["true_negatives"] + s["false_positives"]),
}
_WORDS = {"true": True, "1": True, "yes": True, "false": False, "0": False, "no": False}


def truth(text: str) -> bool:
    """Read True, true, 1, yes; False, false, 0, no.

    >>> truth("True"), truth("no")
    (True, False)

    Raises:
        DataError: if it is none of them.
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
        DataError: if there are not as many of both.
    """
    check_sides(refs, hyps, ids)
    said, given = np.array(refs, bool), np.array(hyps, bool)
    wrong = said != given
    table = [said & given, ~said & given, said & ~given, ~said & ~given, wrong]
    counts = np.ones((len(said), len(COLUMNS)), np.int64)
    counts[:, :-1] = np.column_stack(table) if len(said) else 0
    return Score(
        "correctness",
        f"mondegreen|correctness|v:{__version__}",
        COLUMNS,
        counts,
        RATES,
        tuple(ids) if ids is not None else numbers(len(said)),
    )
