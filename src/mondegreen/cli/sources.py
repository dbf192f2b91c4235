"""Opening the runs and scores that a command shows."""

from __future__ import annotations

from pathlib import Path

from mondegreen.cli.progress import counted
from mondegreen.report.opening import open_source
from mondegreen.report.source import Source


def opened_with_progress(path: Path) -> Source:
    """Open a run or a score; show how many rows are read."""
    with counted(f"rows of {path.name}", quiet=False) as on_progress:
        return open_source(path, on_progress)
