"""A metric: how far the number of words is off."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from mondegreen.metrics.metric import Metric, NoSettings, Ratio, References
from mondegreen.metrics.scores.score import Score


def length(refs: Sequence[str], hyps: Sequence[str], *, ids: Sequence[str]) -> Score:
    """Score the numbers of words."""
    words, heard = (np.array([len(text.split()) for text in side]) for side in (refs, hyps))
    off = np.abs(words - heard)
    counts = np.column_stack([off, words, off > 0, np.ones(len(words))]).astype(np.int64)
    return Score(LENGTH, "mondegreen|length|v:0.1.0", counts, tuple(ids))


class Length(Metric):
    """How far the number of words is off."""

    name = "length"
    summary = "How far the number of words is off."
    help = "Score how many words HYP has too many or too few."
    examples = ("length --ref ref.txt --hyp hyp.txt",)
    columns = ("words_off", "words", "wrong", "utterances")
    rates = (
        Ratio("length_error_rate", lambda s: (s["words_off"], s["words"]), lower_is_better=True),
    )
    main = ("length_error_rate",)

    def score(self, refs: References, hyps: Sequence[str], settings: NoSettings) -> Score:  # noqa: ARG002
        """Score the numbers of words."""
        return length(refs.items, hyps, ids=refs.file.ids)


LENGTH = Length()
