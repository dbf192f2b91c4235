"""Runs: a model's answers to every utterance of a suite, in one file that can be resumed."""

from typing import TYPE_CHECKING

from mondegreen.lazily import lazily

if TYPE_CHECKING:
    from mondegreen.runs.comparison import compare as compare
    from mondegreen.runs.evaluation import evaluate as evaluate
    from mondegreen.runs.reading import Run as Run
    from mondegreen.runs.reading import open_run as open_run
    from mondegreen.runs.selection import Filter as Filter

_HOMES = {
    "Filter": "mondegreen.runs.selection",
    "Run": "mondegreen.runs.reading",
    "compare": "mondegreen.runs.comparison",
    "evaluate": "mondegreen.runs.evaluation",
    "open_run": "mondegreen.runs.reading",
}
__all__ = [*_HOMES]
__getattr__ = lazily(__name__, _HOMES)
