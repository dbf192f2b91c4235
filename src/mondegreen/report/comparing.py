"""Compare two results of one kind: two runs of a suite, or two scores of the same references."""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

from mondegreen.errors import DataError
from mondegreen.metrics.statistics.comparison import Comparison
from mondegreen.report.compare import compare_sources
from mondegreen.report.opening import open_source
from mondegreen.report.scores import ScoreSource
from mondegreen.runs.comparison import compare as compare_runs


def compare(first: Any, second: Any, **options: Any) -> Comparison:
    """Compare the second of two runs of one suite with the first; or of two files of scores.

    Args:
        first: a run (``evaluate … -o RUN``), or the rows of a score (``score … --items FILE``).
        second: one of the same kind.
        options: those of :func:`mondegreen.runs.comparison.compare`.

    Raises:
        DataError: if a run is not finished, or if the two are of different suites, references or
            recipes.
    """
    if not (isinstance(first, Path | str) and isinstance(second, Path | str)):
        return compare_runs(first, second, **options)
    paths = Path(first), Path(second)
    kinds = [_is_rows(path) for path in paths]
    if not any(kinds):
        return compare_runs(*paths)
    if not all(kinds):
        rows, run = paths if kinds[0] else reversed(paths)
        raise DataError(f"{rows} holds a score and {run} is a run; compare two of one kind")
    with closing(open_source(paths[0])) as one, closing(open_source(paths[1])) as other:
        return _compare_scores(one, other)  # type: ignore[arg-type]


def _is_rows(path: Path) -> bool:
    """Return whether a file has the rows of a score; anything else is left to be read as a run."""
    if not path.is_file():
        return False
    with path.open("rb") as file:
        return file.read(1) == b"{"


def _compare_scores(first: ScoreSource, second: ScoreSource) -> Comparison:
    found = compare_sources(first, second)
    flips = [
        flip._replace(text=(first if flip.better else second).brief({"id": flip.id}).plain)
        for flip in found.flips
    ]
    return replace(found, flips=flips)
