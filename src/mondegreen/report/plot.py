"""Curves of a run as a file: a rate by severity, one line per operator."""

from __future__ import annotations

from mondegreen.errors import DataError
from mondegreen.report.runs import curves_of
from mondegreen.report.svg import alone
from mondegreen.report.svg import curves as drawn
from mondegreen.runs.reading import Run
from mondegreen.runs.results import shown


def curve_svg(run: Run, rate: str | None = None) -> str:
    """Draw the curves of a run: of the given rate, or of the last one that its table shows.

    Raises:
        DataError: if the suite has no severity sets.
    """
    name, title = list(shown(run).items())[-1]
    if rate is not None:
        name, title = rate, shown(run).get(rate, rate)
    lines = curves_of(run, name)
    if not lines:
        raise DataError(
            f"{run.path}: there is no severity set to draw; make the suite with --severity 0.1,0.3"
        )
    return alone(drawn(lines, title=f"{title} by severity", x_name="severity", y_name=title))
