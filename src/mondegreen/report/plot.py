"""The curves of a run as an SVG file: a rate by severity, one line per operator."""

from __future__ import annotations

from mondegreen.errors import DataError
from mondegreen.report.run_overview import curves_of
from mondegreen.report.svg import curves as draw_curves
from mondegreen.report.svg import standalone
from mondegreen.runs.reading import Run
from mondegreen.runs.results import shown


def curve_svg(run: Run, rate: str | None = None) -> str:
    """Return the curves of a run as SVG: of the given rate, or of the last one in its table.

    Raises:
        DataError: if the suite has no severity sets.
    """
    name, title = list(shown(run).items())[-1]
    if rate is not None:
        name, title = rate, shown(run).get(rate, rate)
    lines = curves_of(run, name)
    if not lines:
        raise DataError(
            f"{run.path}: there are no severity sets; make the suite with --severity 0.1,0.3"
        )
    return standalone(
        draw_curves(lines, title=f"{title} by severity", x_name="severity", y_name=title)
    )
