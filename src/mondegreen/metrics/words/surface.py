"""Punctuation and case: errors in the marks around words, and in the case of words.

How they are counted is in :mod:`mondegreen.kernel.counting`.
"""

from __future__ import annotations

from mondegreen.metrics.metric import Ratio

COLUMNS = ("punctuation", "punctuation_errors", "cased_words", "case_errors")
RATES = (
    Ratio(
        "punctuation_error_rate",
        lambda s: (s["punctuation_errors"], s["punctuation"]),
        lower_is_better=True,
        columns=COLUMNS,
    ),
    Ratio(
        "case_error_rate",
        lambda s: (s["case_errors"], s["cased_words"]),
        lower_is_better=True,
        columns=COLUMNS,
    ),
)
