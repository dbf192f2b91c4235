"""Hallucinations: loops, text for silence, and long runs far from anything that was said.

What they are, utterance by utterance, is in :mod:`mondegreen.kernel.counting`.
"""

from __future__ import annotations

from mondegreen.kernel.counting import Hallucination, hallucinations, loops
from mondegreen.metrics.metric import Ratio

__all__ = ["COLUMNS", "RATES", "Hallucination", "hallucinations", "loops"]

COLUMNS = ("hallucinated", "looped", "spoke_in_silence", "strayed", "hallucinated_words")
RATES = (
    Ratio.of(
        "hallucination_rate",
        "hallucinated",
        "utterances",
        lower_is_better=True,
        columns=COLUMNS,
    ),
)
