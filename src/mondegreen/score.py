"""The metrics: ``mg.score.words(refs, hyps)`` and its like, each loaded when it is first used."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from mondegreen.metrics.calls import calls
    from mondegreen.metrics.correctness import correctness
    from mondegreen.metrics.fluency import fluency
    from mondegreen.metrics.meetings import meetings
    from mondegreen.metrics.phonemes import phonemes
    from mondegreen.metrics.slu import slu
    from mondegreen.metrics.values import values
    from mondegreen.metrics.words import words

__all__ = ["calls", "correctness", "fluency", "meetings", "phonemes", "slu", "values", "words"]


def __getattr__(name: str) -> Any:
    """Load the function of a metric, so that a program waits only for the metrics that it uses."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(f"mondegreen.metrics.{name}"), name)
    return value


def __dir__() -> list[str]:
    return __all__
