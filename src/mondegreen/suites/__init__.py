"""Suites: a test set, and variants of it by each operator, at random, hard, and by severity."""

from mondegreen.suites.build import SuiteVariants, suite
from mondegreen.suites.reading import Case, Suite, open_suite

__all__ = ["Case", "Suite", "SuiteVariants", "open_suite", "suite"]
