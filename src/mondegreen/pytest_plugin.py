"""A pytest plugin: the fixture ``check_score`` fails a test whose transcripts are too wrong.

Switch it on in ``conftest.py`` with ``pytest_plugins = ["mondegreen.pytest_plugin"]``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from mondegreen.metrics.scores.score import Score

_WORST = 5  # utterances that a failure shows


@pytest.fixture
def check_score() -> Callable[..., Score]:
    """Return a function that scores, and fails the test where a rate is over its limit.

    ``check_score(refs, hyps, wer=0.1)`` scores words; name another metric with ``metric``, and pass
    its options with ``options``. Rates of which more is better are lower limits.
    """

    def check(
        refs: Sequence[Any],
        hyps: Sequence[Any],
        *,
        metric: str = "words",
        options: dict[str, Any] | None = None,
        **limits: float,
    ) -> Score:
        import mondegreen.score as metrics

        score: Score = getattr(metrics, metric)(refs, hyps, **(options or {}))
        broken = [_broken(score, name, limit) for name, limit in limits.items()]
        if any(broken):
            pytest.fail("\n".join([*filter(None, broken), *_worst(score)]), pytrace=False)
        return score

    return check


def _broken(score: Score, name: str, limit: float) -> str:
    """Return what is wrong with a rate; an empty text if it keeps its limit."""
    rate = score[name]
    lower = score.rates[name].lower_is_better
    if rate.value is None or (rate.value <= limit if lower else rate.value >= limit):
        return ""
    side = "at most" if lower else "at least"
    return f"{name} is {rate.value:.4f}, {side} {limit:.4f} is allowed ({score.signature})"


def _worst(score: Score) -> list[str]:
    if not score.is_aligned:
        return []
    errors = score.detail.alignment.counts[:, 1:4].sum(axis=1)
    worst = [place for place in (-errors).argsort(kind="stable").tolist() if errors[place]]
    sides = [(score.ids[place], *score.detail.sides(place)) for place in worst[:_WORST]]
    return [f"{id}\n  ref: {ref}\n  hyp: {hyp}" for id, ref, hyp in sides]
