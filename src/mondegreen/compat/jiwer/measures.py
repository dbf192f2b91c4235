"""jiwer's measures: one number each."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mondegreen.compat.jiwer.process import (
    Sentences,
    Transform,
    process_characters,
    process_words,
)
from mondegreen.compat.jiwer.transformations import cer_default, wer_default


def _measure(name: str, what: str, process: Callable[..., Any], default: Transform) -> Any:
    """Return the function of one measure, with jiwer's parameters."""

    def measure(
        reference: Sentences,
        hypothesis: Sentences,
        reference_transform: Transform = default,
        hypothesis_transform: Transform = default,
    ) -> float:
        found = process(reference, hypothesis, reference_transform, hypothesis_transform)
        return float(getattr(found, name))

    measure.__name__ = measure.__qualname__ = name
    measure.__doc__ = f"Return the {what}."
    return measure


wer = _measure("wer", "word error rate", process_words, wer_default)
mer = _measure("mer", "match error rate", process_words, wer_default)
wip = _measure("wip", "word information preserved", process_words, wer_default)
wil = _measure("wil", "word information lost", process_words, wer_default)
cer = _measure("cer", "character error rate; spaces count", process_characters, cer_default)
