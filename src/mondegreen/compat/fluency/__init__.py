"""The published evaluator of fluent and disfluent error rates: its modes and its printed report.

On the command line, ``python -m mondegreen.compat.fluency --ref REF --hyp HYP --mode mod_align``.

>>> text, scores = MinDistance(Ref="THE the cat", Hyp="the cat", modified_weights=True).align()
>>> scores
[2, 0, 0, 0, 2, 0, 0, 1, 0, 1]
"""

from mondegreen.compat.fluency.distance import MinDistance, Test
from mondegreen.compat.fluency.report import MODES, evaluate

__all__ = ["MODES", "MinDistance", "Test", "evaluate"]
