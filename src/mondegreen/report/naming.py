"""A score in one sentence."""

from __future__ import annotations

from mondegreen.metrics.scores.score import Score
from mondegreen.metrics.statistics.estimate import spaced

_MANY = 100_000  # utterances, above which a sentence does not wait for intervals


def sentence_of(score: Score) -> str:
    """Return a score in one sentence: its main rate, and how many utterances have an error."""
    rates = score.estimates(intervals=len(score) <= _MANY)
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
