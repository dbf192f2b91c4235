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
        "words": "mondegreen.metrics.words:WORDS",
        "fluency": "mondegreen.metrics.fluency:FLUENCY",
        "phonemes": "mondegreen.metrics.phonemes:PHONEMES",
        "correctness": "mondegreen.metrics.correctness:CORRECTNESS",
        "slu": "mondegreen.metrics.slu:SLU",
        "values": "mondegreen.metrics.values:VALUES",
    },
)
