"""Runs: a model's answers to every utterance of a suite, in one file that can be resumed."""

from mondegreen.runs.comparison import compare
from mondegreen.runs.evaluation import evaluate
from mondegreen.runs.reading import Run, open_run
from mondegreen.runs.selection import Filter

__all__ = ["Filter", "Run", "compare", "evaluate", "open_run"]
