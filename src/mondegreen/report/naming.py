"""A score in one sentence."""

from __future__ import annotations

from collections.abc import Sequence

from mondegreen.metrics.scores.score import Score
from mondegreen.metrics.statistics.estimate import Estimate, spaced


def sentence_of(score: Score, rates: Sequence[Estimate]) -> str:
    """Return a score in one sentence: its main rate, and how many utterances have an error.

    Args:
        score: the score.
        rates: its rates with their intervals.
    """
    main = next(rate for rate in rates if rate.name == score.main)
    if main.value is None:
        return f"{len(score):,} utterances; {main.name} has the denominator 0."
    name = spaced(main.name)
    wrong = int(score.sums()["wrong"])
    between = (
        "" if main.low is None or main.high is None
        else f" (95 %: {100 * main.low:.1f} to {100 * main.high:.1f})"
    )  # fmt: skip
    return (
        f"{name[:1].upper()}{name[1:]} {100 * main.value:.1f} %{between}; {wrong:,} of "
        f"{len(score):,} utterances have an error."
    )
