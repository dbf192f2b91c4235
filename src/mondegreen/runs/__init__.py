"""Runs: a model's answers to every utterance of a suite, in one file that can be resumed."""

from mondegreen.runs.comparison import compare
from mondegreen.runs.evaluation import evaluate
from mondegreen.runs.reading import Filter, Run, open_run

__all__ = ["Filter", "Run", "compare", "evaluate", "open_run"]
