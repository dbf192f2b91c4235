"""Open the source of a report or of the viewer: a run, the score of a file, or an analysis."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from mondegreen.report.analyses import is_analysis, open_analysis
from mondegreen.report.runs import RunSource
from mondegreen.report.scores import ScoreSource
from mondegreen.report.source import ShownRun
from mondegreen.runs.reading import open_run


def open_source(path: Path, on_progress: Callable[[int], object] | None = None) -> ShownRun:
    """Open a run (``evaluate … -o RUN``), a score (``score … --items FILE``) or an analysis.

    Raises:
        DataError: if there is no such file, or if it is none of them.
    """
    if is_analysis(path):
        return open_analysis(path)
    run = open_run(path, on_progress)
    try:
        return ScoreSource(run) if run.is_score else RunSource(run)
    except BaseException:
        run.close()
        raise
