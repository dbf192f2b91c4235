"""Open the source of a report or of the viewer: a run, or the rows of a score."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from mondegreen.errors import DataError
from mondegreen.report.source import Source

_SQLITE = b"SQLite format 3\0"


def open_source(path: Path, on_progress: Callable[[int], object] | None = None) -> Source:
    """Open a run (``evaluate … -o RUN``) or rows (``score … --items FILE``).

    The content of the file decides which of them it is.

    Raises:
        DataError: if there is no such file, or if it is neither a run nor rows.
    """
    if not path.is_file():
        raise DataError(
            f"{path}: there is no such file; give a run (evaluate … -o RUN) or the rows of a score "
            "(score … --items FILE)"
        )
    with path.open("rb") as file:
        start = file.read(len(_SQLITE))
    if start == _SQLITE:
        from mondegreen.report.runs import RunSource

        return RunSource(path)
    from mondegreen.report.scores import ScoreSource

    return ScoreSource(path, on_progress)
