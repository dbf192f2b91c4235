"""The metrics: ``mg.score.words(refs, hyps)`` and its like."""

from mondegreen.metrics.correctness import correctness
from mondegreen.metrics.fluency import fluency
from mondegreen.metrics.meetings import meetings
from mondegreen.metrics.phonemes import phonemes
from mondegreen.metrics.slu import slu
from mondegreen.metrics.values import values
from mondegreen.metrics.words import words

__all__ = ["correctness", "fluency", "meetings", "phonemes", "slu", "values", "words"]
