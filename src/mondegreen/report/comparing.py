"""Compare two results of one kind: two runs of a suite, or two scores of the same references."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from mondegreen.errors import DataError
from mondegreen.report.opening import open_source
from mondegreen.report.scores import ScoreSource
from mondegreen.runs.comparison import Flip, RunComparison, Verdict
from mondegreen.runs.comparison import compare as compare_runs
from mondegreen.runs.reading import Run

ALL = "all utterances"


def compare(first: Path | str | Run, second: Path | str | Run) -> RunComparison:
    """Compare the second of two runs of one suite with the first; or of two files of scores.

    Args:
        first: a run (``evaluate … -o RUN``), or the rows of a score (``score … --items FILE``).
        second: one of the same kind.

    Raises:
        DataError: if a run is not finished, or if the two are of different suites, references or
            recipes.
    """
    if isinstance(first, Run) or isinstance(second, Run):
        return compare_runs(first, second)
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


def _compare_scores(first: ScoreSource, second: ScoreSource) -> RunComparison:
    if first.metric != second.metric:
        raise DataError(
            f"{first.path} is a score of {first.metric.name}, {second.path} of "
            f"{second.metric.name}; compare two scores of one metric"
        )
    one, other = first.scores(""), second.scores("")
    main, *_ = (name for name in first.metric.main if name in one.rates)
    return RunComparison(
        str(first.path),
        str(second.path),
        first.signature,
        (*(name for name in one.rates if name != main), main),
        [Verdict(ALL, len(one), one.compare(other, exact=True))],
        list(_flips(first, second)),
        frozenset(name for name, rate in one.rates.items() if rate.lower_is_better),
        main,
    )


def _flips(first: ScoreSource, second: ScoreSource) -> Iterator[Flip]:
    one, other = first.scores(""), second.scores("")
    was, now = (score.counts[:, score.columns.index("wrong")] > 0 for score in (one, other))
    for row in (was != now).nonzero()[0].tolist():
        shown = second if now[row] else first  # with its errors marked
        text = shown.brief(shown.key_at("", row)).plain
        yield Flip(ALL, one.ids[row], text, bool(was[row]))
