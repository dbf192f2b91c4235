"""Intervals, tests and comparisons, once for every metric."""
