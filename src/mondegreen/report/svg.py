"""Plots as SVG text: curves, and heat maps of attention.

Colours come from the page's style sheet by class, so that they follow the theme. There are no style
attributes, which a strict Content-Security-Policy forbids.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from itertools import pairwise
from math import ceil, floor
from typing import NamedTuple

from mondegreen.metrics.statistics.estimate import Estimate

_LINE = 14  # the height of a name, in pixels
_PLOT_WIDTH, _PLOT_HEIGHT = 640, 320
_LEFT, _RIGHT, _TOP, _BOTTOM = 52, 190, 28, 40  # margins for the axes and the names
_CELL = 26
_COLOURS = 8  # further curves have the same colours, dashed
_LETTER = 7.2  # the approximate width of a letter


class Curve(NamedTuple):
    """A named line through points."""

    name: str
    points: Sequence[tuple[float, Estimate]]


def _attributes(**values: object) -> str:
    return "".join(
        f' {name.rstrip("_").replace("_", "-")}="{escape(_short(value))}"'
        for name, value in values.items()
    )


def _short(value: object) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".") if isinstance(value, float) else str(value)


def element(name: str, content: str = "", **values: object) -> str:
    """Return an SVG element; a trailing ``_`` of an attribute's name is dropped."""
    return f"<{name}{_attributes(**values)}>{content}</{name}>"


_STANDALONE_STYLE = """<style>
text { font: 12px sans-serif; fill: #1d2329; } .heat { fill: #3d84b0; stroke: #d5d9dd; }
.grid { stroke: #d5d9dd; } .whisker { stroke-width: 1.5; } line { stroke-width: 2; }
.line0 { stroke: #3d84b0; } .line1 { stroke: #c5672d; } .line2 { stroke: #3f8f5b; }
.line3 { stroke: #8a63b5; } .line4 { stroke: #b5484c; } .line5 { stroke: #6d7680; }
.line6 { stroke: #9a8a1f; } .line7 { stroke: #2f9a93; } .name { stroke: none; }
.dash1 { stroke-dasharray: 6 4; } .dash2 { stroke-dasharray: 2 3; } .lead { stroke-width: .75; }
</style>"""


def standalone(drawing: str) -> str:
    """Return a drawing for a separate file, with a style sheet for its colours.

    >>> one = Curve("typing", [(0, Estimate("f1", 0.9)), (1, Estimate("f1", 0.6))])
    >>> drawing = curves([one], title="accuracy", x_name="severity", y_name="accuracy")
    >>> standalone(drawing).count("<style>")
    1
    """
    start, mark, rest = drawing.partition("</title>")
    return f"{start}{mark}{_STANDALONE_STYLE}{rest}\n"


def _drawing(width: float, height: float, title: str, parts: Sequence[str]) -> str:
    """Return an SVG element that screen readers announce as one image with a title."""
    return element(
        "svg",
        element("title", escape(title)) + "".join(parts),
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {_short(float(width))} {_short(float(height))}",
        width=float(width),
        height=float(height),
        role="img",
        class_="plot",
    )


def curves(lines: Sequence[Curve], *, title: str, x_name: str, y_name: str) -> str:
    """Draw curves over one horizontal axis, each with its points, intervals and name.

    >>> one = Curve("typing", [(0, Estimate("f1", 0.9)), (1, Estimate("f1", 0.6))])
    >>> curves([one], title="accuracy", x_name="severity", y_name="accuracy").count("<circle")
    2
    """
    xs = [x for line in lines for x, _ in line.points]
    ys = [
        edge
        for line in lines
        for _, estimate in line.points
        for edge in (estimate.value, estimate.low, estimate.high)
        if edge is not None
    ]
    if not ys:
        return _drawing(_PLOT_WIDTH, _TOP, f"{title}: no points", [])
    scale = _Scale(min(xs), max(xs), *_limits(min(ys), max(ys)))
    parts = [*_axes(scale, sorted(set(xs)), x_name, y_name)]
    styles = [f"line{n % _COLOURS} dash{n // _COLOURS}" for n in range(len(lines))]
    for line, style in zip(lines, styles, strict=True):
        parts += _line(line, scale, style)
    parts += _names(lines, styles, scale)
    return _drawing(_PLOT_WIDTH, _PLOT_HEIGHT, title, parts)


class _Scale(NamedTuple):
    left: float
    right: float
    low: float
    high: float

    def x(self, value: float) -> float:
        span = (self.right - self.left) or 1
        return _LEFT + (value - self.left) / span * (_PLOT_WIDTH - _LEFT - _RIGHT)

    def y(self, value: float) -> float:
        span = (self.high - self.low) or 1
        return _PLOT_HEIGHT - _BOTTOM - (value - self.low) / span * (_PLOT_HEIGHT - _TOP - _BOTTOM)


def _limits(low: float, high: float) -> tuple[float, float]:
    """Return the limits of an axis: multiples of 0.1 around the values."""
    below, above = floor(low * 10) / 10, ceil(high * 10) / 10
    return below, max(above, below + 0.1)


def _axes(scale: _Scale, xs: Sequence[float], x_name: str, y_name: str) -> list[str]:
    parts = []
    steps = max(1, round((scale.high - scale.low) * 10))
    for step in range(steps + 1):
        value = scale.low + step * (scale.high - scale.low) / steps
        y = scale.y(value)
        parts.append(
            element("line", class_="grid", x1=_LEFT, x2=_PLOT_WIDTH - _RIGHT, y1=y, y2=y)
            + element("text", f"{100 * value:.0f}", x=_LEFT - 8, y=y + 4, text_anchor="end")
        )
    parts += [
        element("text", f"{x:g}", x=scale.x(x), y=_PLOT_HEIGHT - _BOTTOM + 18, text_anchor="middle")
        for x in xs
    ]
    middle = (_LEFT + _PLOT_WIDTH - _RIGHT) / 2
    parts.append(
        element("text", escape(x_name), x=middle, y=_PLOT_HEIGHT - 4, text_anchor="middle")
    )
    parts.append(element("text", escape(f"{y_name}, %"), x=4, y=_TOP - 16))
    return parts


def _names(lines: Sequence[Curve], styles: Sequence[str], scale: _Scale) -> list[str]:
    """Write the name of each curve beside its last point, moved apart within the plot."""
    ends = []
    for line, style in zip(lines, styles, strict=True):
        known = [(x, rate.value) for x, rate in line.points if rate.value is not None]
        if known:
            ends.append((scale.y(known[-1][1]), scale.x(known[-1][0]), line.name, style))
    ends.sort()
    heights = spread([end[0] for end in ends], _LINE, _TOP, _PLOT_HEIGHT - _BOTTOM)
    parts = []
    for y, (at, x, name, style) in zip(heights, ends, strict=True):
        if abs(y - at) > 1:
            parts.append(element("line", class_=f"lead {style}", x1=x + 5, y1=at, x2=x + 18, y2=y))
        parts.append(element("text", escape(name), x=x + 22, y=y + 4, class_=f"name {style}"))
    return parts


def spread(places: Sequence[float], least: float, low: float, high: float) -> list[float]:
    """Move sorted places apart, so that neighbours are ``least`` apart, within limits if possible.

    >>> spread([10, 11, 12, 40], 10, 0, 45)
    [1.0, 11.0, 21.0, 40.0]
    """
    groups: list[tuple[float, int]] = []  # the sum of wished starts, and the size
    wished = [place - number * least for number, place in enumerate(places)]
    for start in wished:
        total, size = start, 1
        while groups and groups[-1][0] / groups[-1][1] >= total / size:
            before, n = groups.pop()
            total, size = total + before, size + n
        groups.append((total, size))
    starts = [total / size for total, size in groups for _ in range(size)]
    last = high - (len(places) - 1) * least
    return [max(low, min(start, last)) + n * least for n, start in enumerate(starts)]


def _line(line: Curve, scale: _Scale, style: str) -> list[str]:
    points = [(x, estimate) for x, estimate in line.points if estimate.value is not None]
    places = [(scale.x(x), scale.y(estimate.value or 0.0)) for x, estimate in points]
    parts = [
        element("line", class_=style, x1=x, y1=y, x2=to_x, y2=to_y)
        for (x, y), (to_x, to_y) in pairwise(places)
    ]
    for (x, y), (at, estimate) in zip(places, points, strict=True):
        if estimate.low is not None and estimate.high is not None:
            low, high = scale.y(estimate.low), scale.y(estimate.high)
            parts.append(element("line", class_=f"whisker {style}", x1=x, x2=x, y1=low, y2=high))
        title = f"{line.name} at {at:g}: {100 * (estimate.value or 0):.1f} %"
        dot = element("title", escape(title))
        parts.append(element("circle", dot, class_=style, cx=x, cy=y, r=3.5))
    return parts


def heat_map(weights: Sequence[Sequence[float]], tokens: Sequence[str], *, title: str) -> str:
    """Draw the attention from each token (row) to each token (column); darker is more.

    >>> heat_map([[0.9, 0.1], [0.5, 0.5]], ["play", "jazz"], title="attention").count("<rect")
    4
    """
    room = 12 + _LETTER * max(map(len, tokens), default=0)
    top = max((max(row) for row in weights if row), default=0) or 1
    parts = []
    for i, (row, token) in enumerate(zip(weights, tokens, strict=True)):
        y = room + i * _CELL
        parts.append(
            element("text", escape(token), x=room - 6, y=y + _CELL * 0.65, text_anchor="end")
        )
        for j, weight in enumerate(row):
            tooltip = element("title", escape(f"{token} attends to {tokens[j]}: {weight:.2f}"))
            parts.append(
                element(
                    "rect",
                    tooltip,
                    class_="heat",
                    x=room + j * _CELL,
                    y=y,
                    width=_CELL - 1,
                    height=_CELL - 1,
                    fill_opacity=float(weight / top),
                )
            )
    for j, token in enumerate(tokens):
        x, y = room + (j + 0.6) * _CELL, room - 6
        turn = f"rotate(-90 {_short(x)} {_short(y)})"
        parts.append(element("text", escape(token), x=x, y=y, transform=turn))
    size = room + _CELL * len(tokens)
    return _drawing(size, size, title, parts)
