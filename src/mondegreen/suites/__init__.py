"""Suites: one test set as it is, by each operator, at random, at its hardest, by degrees."""

from mondegreen.suites.build import suite
from mondegreen.suites.reading import Case, Suite, open_suite

__all__ = ["Case", "Suite", "open_suite", "suite"]
