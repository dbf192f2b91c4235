"""Curves as SVG: a rate against severity, one line an operator, with the interval behind it."""

from __future__ import annotations

from html import escape

from mondegreen.errors import DataError
from mondegreen.runs.reading import Run
from mondegreen.runs.results import Point, curves, shown

_WIDTH, _HEIGHT = 640, 400
_LEFT, _RIGHT, _TOP, _BOTTOM = 60, 170, 30, 50
_COLOURS = (
    "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000", "#7f7f7f",
)  # fmt: skip


def curve_svg(run: Run, rate: str | None = None) -> str:
    """Draw the curves of a run: of the rate named, or of the last one that its table shows.

    Raises:
        DataError: if the suite has no severity sets.
    """
    name, title = list(shown(run).items())[-1]
    if rate is not None:
        name, title = rate, shown(run).get(rate, rate)
    lines = curves(run, name)
    if not lines:
        raise DataError(
            f"{run.path}: there is no severity set to draw; make the suite with --severity 0.1,0.3"
        )
    drawn = [*_frame(title)]
    for number, (operator, points) in enumerate(lines.items()):
        drawn += _line(operator, points, number)
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" '
        'font-family="sans-serif" font-size="12">'
    )
    return "\n".join((head, *drawn, "</svg>", ""))


def _x(severity: float) -> float:
    return _LEFT + severity * (_WIDTH - _LEFT - _RIGHT)


def _y(value: float) -> float:
    return _TOP + (1 - value) * (_HEIGHT - _TOP - _BOTTOM)


def _frame(title: str) -> list[str]:
    drawn = [f'<rect width="{_WIDTH}" height="{_HEIGHT}" fill="white"/>']
    for step in range(6):
        share = step / 5
        x, y = _x(share), _y(share)
        drawn += [
            f'<path d="M{_x(0):.1f} {y:.1f}H{_x(1):.1f}" stroke="#ddd"/>',
            f'<text x="{_LEFT - 8}" y="{y + 4:.1f}" text-anchor="end">{100 * share:.0f} %</text>',
            f'<text x="{x:.1f}" y="{_y(0) + 18:.1f}" text-anchor="middle">{share:g}</text>',
        ]
    middle = (_x(0) + _x(1)) / 2
    return [
        *drawn,
        f'<text x="{middle:.1f}" y="{_HEIGHT - 12}" text-anchor="middle">severity</text>',
        f'<text x="{_LEFT}" y="{_TOP - 12}">{escape(title)}</text>',
    ]


def _line(operator: str, points: list[Point], number: int) -> list[str]:
    colour = _COLOURS[number % len(_COLOURS)]
    known = [point for point in points if point.value is not None]
    path = " ".join(f"{_x(p.severity):.1f},{_y(p.value or 0):.1f}" for p in known)
    upper = [f"{_x(p.severity):.1f},{_y(p.high):.1f}" for p in known if p.high is not None]
    lower = [f"{_x(p.severity):.1f},{_y(p.low):.1f}" for p in known if p.low is not None]
    band = " ".join((*upper, *reversed(lower)))
    y = _TOP + 10 + 18 * number
    return [
        f'<polygon points="{band}" fill="{colour}" opacity="0.15"/>',
        f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"/>',
        f'<path d="M{_x(1) + 14:.1f} {y}h18" stroke="{colour}" stroke-width="2"/>',
        f'<text x="{_x(1) + 38:.1f}" y="{y + 4}">{escape(operator)}</text>',
    ]
