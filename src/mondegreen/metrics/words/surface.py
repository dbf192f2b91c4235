"""Punctuation and case: errors in the marks around words, and in the case of words.

How they are counted is in :mod:`mondegreen.kernel.counting`.
"""

from __future__ import annotations

from mondegreen.metrics.metric import Ratio

COLUMNS = ("punctuation", "punctuation_errors", "cased_words", "case_errors")
RATES = (
    Ratio.of(
        "punctuation_error_rate",
        "punctuation_errors",
        "punctuation",
        lower_is_better=True,
        columns=COLUMNS,
    ),
    Ratio.of(
        "case_error_rate",
        "case_errors",
        "cased_words",
        lower_is_better=True,
        columns=COLUMNS,
    ),
)
