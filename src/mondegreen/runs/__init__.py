"""Runs: a model asked for every utterance of a suite, kept in one file that can be gone on with."""

from mondegreen.runs.comparison import compare
from mondegreen.runs.evaluation import evaluate
from mondegreen.runs.reading import Filter, Run, open_run

__all__ = ["Filter", "Run", "compare", "evaluate", "open_run"]
