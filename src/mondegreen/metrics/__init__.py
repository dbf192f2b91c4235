"""The metrics, by name. This is the only table of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mondegreen.plugins import Registry

if TYPE_CHECKING:
    from mondegreen.metrics.metric import Metric

METRICS: Registry[Metric] = Registry(
    "metric",
    "mondegreen.metrics",
    {
        "words": "mondegreen.metrics.words.metric:WORDS",
        "fluency": "mondegreen.metrics.fluency.metric:FLUENCY",
        "phonemes": "mondegreen.metrics.phonemes:PHONEMES",
        "correctness": "mondegreen.metrics.correctness:CORRECTNESS",
        "slu": "mondegreen.metrics.slu.metric:SLU",
        "meetings": "mondegreen.metrics.meetings:MEETINGS",
        "values": "mondegreen.metrics.values.metric:VALUES",
        "calls": "mondegreen.metrics.calls.metric:CALLS",
        "conversations": "mondegreen.metrics.conversations.metric:CONVERSATIONS",
    },
)
