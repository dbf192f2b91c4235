"""Open the runs and scores that a command shows."""

from __future__ import annotations

from pathlib import Path

from mondegreen.cli.progress import count_progress
from mondegreen.report.opening import open_source
from mondegreen.report.source import Source


def open_with_progress(path: Path) -> Source:
    """Open a run or a score, and show how many rows are read."""
    with count_progress(f"rows of {path.name}", quiet=False) as on_progress:
        return open_source(path, on_progress)
