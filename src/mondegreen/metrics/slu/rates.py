"""What the metric slu counts, by span and by value, and its rates."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from mondegreen.metrics.metric import Ratio
from mondegreen.metrics.scores.score import Counts
from mondegreen.metrics.values.matching import exact_values
from mondegreen.types import Prediction, Utterance

COLUMNS = (
    "slots_right", "slots_said", "slots_found", "intents_right", "intents", "frames_right",
    "frames", "values_right", "values_said", "values_found", "value_frames_right", "value_frames",
    "wrong", "utterances",
)  # fmt: skip
PARTIAL = ("slots_other_span", "slots_other_label", "slots_spurious", "slots_missed")
"""What became of the slots that are not right; computed on first use."""
RATES = (
    *Ratio.agreement("slot", "slots_right", "slots_found", "slots_said", title="slot F1"),
    *(
        replace(rate, beside=rate.name.replace("value", "slot"))
        for rate in Ratio.agreement(
            "value", "values_right", "values_found", "values_said", title="value F1"
        )
    ),
    Ratio.of(
        "intent_accuracy",
        "intents_right",
        "intents",
        title="intent accuracy",
        title_alone="accuracy",
        verb="Understands",
    ),
    Ratio.of(
        "frame_accuracy",
        "value_frames_right",
        "value_frames",
        title="frame accuracy",
        beside="e2e_accuracy",
        verb="Understands",
    ),
    Ratio.of(
        "e2e_accuracy",
        "frames_right",
        "frames",
        title="end-to-end",
        needs="slot_f1",
        verb="Understands",
    ),
)


def value_counts(refs: Sequence[Any], hyps: Sequence[Any], *, wanted: bool | None) -> Counts:
    """Return the counts by value: right, said, found, right frames, frames.

    They are 0 where nothing can differ from the counts by span: no slot means anything else than
    its words, and no prediction has values without spans; unless they are ``wanted``.
    """
    table = np.zeros((len(refs), 5), np.int64)
    if wanted is False or not _comparable(refs, hyps):
        return table
    if wanted is None and not _may_differ(refs, hyps):
        return table
    for row, (ref, hyp) in enumerate(zip(refs, hyps, strict=True)):
        if hyp.slots is None and hyp.values is None:
            continue
        right, said, found = exact_values(ref, hyp)
        frame = ref.label is not None and hyp.label is not None
        right_frame = frame and right == said == found and ref.label == hyp.label
        table[row] = right, said, found, right_frame, frame
    return table


def _comparable(refs: Sequence[Any], hyps: Sequence[Any]) -> bool:
    """Return whether there are words to compare: lists of tags have none."""
    return all(isinstance(ref, Utterance) for ref in refs) and all(
        isinstance(hyp, Prediction) for hyp in hyps
    )


def _may_differ(refs: Sequence[Utterance], hyps: Sequence[Prediction]) -> bool:
    return any(hyp.values is not None for hyp in hyps) or any(
        slot.value is not None for ref in refs for slot in ref.slots
    )
