"""The metrics: ``mg.score.words(refs, hyps)`` and its like, each loaded when it is first used."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from mondegreen.metrics import METRICS

if TYPE_CHECKING:
    from mondegreen.metrics.calls.metric import calls
    from mondegreen.metrics.conversations.metric import conversations
    from mondegreen.metrics.correctness import correctness
    from mondegreen.metrics.fluency.metric import fluency
    from mondegreen.metrics.meetings import meetings
    from mondegreen.metrics.phonemes import phonemes
    from mondegreen.metrics.slu.metric import slu
    from mondegreen.metrics.values.metric import values
    from mondegreen.metrics.words.scoring import words

__all__ = [
    "calls", "conversations", "correctness", "fluency", "meetings", "phonemes", "slu", "values",
    "words",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    """Load the function of a metric, so that a program waits only for the metrics that it uses."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module, _, _ = METRICS.own[name].partition(":")
    value = globals()[name] = getattr(import_module(module), name)
    return value


def __dir__() -> list[str]:
    return __all__
