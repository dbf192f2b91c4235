"""The metrics: ``mg.score.words(refs, hyps)`` and its like."""

from mondegreen.metrics.fluency import fluency
from mondegreen.metrics.words import words

__all__ = ["fluency", "words"]
