"""The laws of metrics: counts add, rates are ratios of sums, and a score is a value."""

from __future__ import annotations

import pickle
from collections.abc import Sequence
from typing import Any

import pytest

from mondegreen.metrics.metric import Metric, References
from mondegreen.metrics.scores.score import Score


class MetricLaws:
    """One test per law; see :func:`metric_laws`."""

    metric: Metric
    refs: References
    hyps: Sequence[Any]

    def score(self, start: int = 0, end: int | None = None) -> Score:
        """Score a part of the example."""
        end = len(self.hyps) if end is None else end
        file = self.refs.file
        part = type(file)(file.path, file.has_ids, file.ids[start:end], file.texts[start:end])
        tags = None if self.refs.tags is None else self.refs.tags[start:end]
        refs = References(part, self.refs.items[start:end], tags)
        return self.metric.score(refs, self.hyps[start:end], self.metric.settings())

    def test_counts_add_up(self) -> None:
        """The score of a whole is the sum of the scores of its parts."""
        whole, half = self.score(), len(self.hyps) // 2
        parts = self.score(0, half) + self.score(half)
        assert parts.table().tolist() == whole.table().tolist()
        for name in whole:
            assert parts[name].value == whole[name].value

    def test_its_columns_are_those_it_declares(self) -> None:
        """Each utterance has one row with the declared columns; the last is 1."""
        score = self.score()
        assert score.columns == self.metric.columns
        assert score.counts.shape == (len(self.hyps), len(self.metric.columns))
        assert (score.counts[:, -1] == 1).all()
        assert set(score.counts[:, -2].tolist()) <= {0, 1}

    def test_its_signature_names_it(self) -> None:
        """The signature begins with the name of the metric."""
        assert self.score().signature.startswith(f"mondegreen|{self.metric.name}|")

    def test_it_is_picklable(self) -> None:
        """A metric is one value in every process."""
        assert pickle.loads(pickle.dumps(self.metric)) is self.metric  # noqa: S301 (our own)

    def test_intervals_hold_their_value(self) -> None:
        """An interval has its low end below its high end."""
        for rate in self.score().estimates():
            if rate.low is not None and rate.high is not None:
                assert rate.low <= rate.high
            if rate.value is not None:
                assert rate.value == pytest.approx(rate.numerator / rate.denominator)


def metric_laws(metric: Metric, refs: References, hyps: Sequence[Any]) -> type[MetricLaws]:
    """Return a class of tests that runs all laws on a metric.

    Args:
        metric: the metric.
        refs: references of an example, as its ``read_refs`` returns them.
        hyps: hypotheses of the example, as its ``read_hyps`` returns them.
    """
    return type("MetricLaws", (MetricLaws,), {"metric": metric, "refs": refs, "hyps": hyps})
