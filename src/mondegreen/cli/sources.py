"""What the commands that show runs and scores share."""

from __future__ import annotations

from pathlib import Path

from mondegreen.cli.progress import counted
from mondegreen.report.opening import open_source
from mondegreen.report.source import Source


def opened_with_progress(path: Path) -> Source:
    """Open a run or a score; rows are counted as they are read."""
    with counted(f"rows of {path.name}", quiet=False) as told:
        return open_source(path, told)
