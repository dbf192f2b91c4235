"""Timing and tables, shared by the benchmarks."""

from __future__ import annotations

import os
import platform
import time
from collections.abc import Callable
from importlib.metadata import version
from typing import TypeVar

T = TypeVar("T")


def best(
    work: Callable[[], T], *, runs: int = 3, clock: Callable[[], float] = time.perf_counter
) -> tuple[float, T]:
    """Return the shortest time of several runs, and the result of the last one."""
    seconds = float("inf")
    for _ in range(runs - 1):
        seconds = min(seconds, _timed(work, clock)[0])
    last, result = _timed(work, clock)
    return min(seconds, last), result


def _timed(work: Callable[[], T], clock: Callable[[], float]) -> tuple[float, T]:
    start = clock()
    result = work()
    return clock() - start, result


def machine(*packages: str) -> str:
    """Describe the machine and the versions of packages."""
    versions = ", ".join(f"{package} {version(package)}" for package in packages)
    return (
        f"{os.cpu_count()} cores, {platform.machine()}, {platform.system()}, "
        f"Python {platform.python_version()}; {versions}"
    )


def row(what: str, ours: float, theirs: float, unit: str, wanted: float) -> str:
    """Return one line of a table: both speeds and their ratio."""
    ratio = ours / theirs
    verdict = "met" if ratio >= wanted else "short"
    return (
        f"| {what} | {ours:,.0f} | {theirs:,.0f} | {unit} | {ratio:.1f} | {wanted:g} | {verdict} |"
    )
