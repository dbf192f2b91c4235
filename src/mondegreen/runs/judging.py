"""How the answers of a suite are scored: as tool calls, or as slots and intents."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

from mondegreen.data.answers.conversations import expects_calls
from mondegreen.errors import DataError, PluginError
from mondegreen.metrics import METRICS
from mondegreen.metrics.calls.metric import CALLS, calls
from mondegreen.metrics.metric import Metric
from mondegreen.metrics.scores.score import Score
from mondegreen.metrics.slu.metric import SLU, slu
from mondegreen.suites.reading import Suite
from mondegreen.types import Prediction, Utterance


class Judge(NamedTuple):
    """How the answers of a suite are scored."""

    metric: Metric
    score: Callable[[list[Utterance], list[Prediction]], Score]


def judge_of(suite: Suite, metric: str = "") -> Judge:
    """Return how to score: by a metric that the user names, else by what a case expects.

    Raises:
        DataError: if there is no such metric.
    """
    if metric:
        try:
            found = METRICS.imported(metric)
        except PluginError as error:
            raise DataError(str(error)) from None
        return Judge(found, found.judged)
    first = suite.manifest.sets[0]
    if expects_calls(case.utterance for case in suite.cases(first, holding='"expected"')):
        return Judge(CALLS, calls)
    original = (case.utterance for case in suite.cases(first))
    slots = any(one.slots or one.label is None for one in original)
    return Judge(SLU, partial(slu, slots=slots, values=slots))
