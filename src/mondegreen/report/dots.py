"""Dots with intervals, one drawing per row of a table: they stretch with the column they are in.

Coordinates are percentages of the width, so that a row is as readable on a phone as on a screen.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from itertools import pairwise
from math import ceil, floor
from typing import NamedTuple

from mondegreen.metrics.statistics.estimate import Estimate
from mondegreen.report.svg import element

HEIGHT = 22  # of a row, in pixels
_MIDDLE = HEIGHT / 2
_EDGE = 3.0  # per cent that stay free at both ends, for half a dot
_MOST_TICKS = 6
_STEPS = tuple(points / 100 for points in (1, 2, 5, 10, 20, 25, 50, 100))


class DotScale(NamedTuple):
    """The scale that all rows share: its ends, and its ticks."""

    low: float
    high: float
    ticks: tuple[float, ...]

    @classmethod
    def over(cls, rates: Iterable[Estimate]) -> DotScale:
        """Return a scale that shows all values and intervals.

        >>> DotScale.over([Estimate("f1", 0.93), Estimate("f1", 0.13, 0.1, 0.16)]).ticks
        (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)
        """
        known = [
            edge for rate in rates for edge in (rate.value, rate.low, rate.high) if edge is not None
        ] or [0.0, 1.0]
        low, high = min(known), max(known)
        step = next(
            (step for step in _STEPS if _ticks(low, high, step) <= _MOST_TICKS), ceil(high - low)
        )
        first, last = floor(low / step + 1e-9), max(ceil(high / step - 1e-9), 1)
        last = max(last, first + 1)
        ticks = tuple(round(number * step, 4) for number in range(first, last + 1))
        return cls(ticks[0], ticks[-1], ticks)

    def x(self, value: float) -> str:
        """Return where a value is, in per cent of the width."""
        share = (value - self.low) / ((self.high - self.low) or 1)
        return f"{_EDGE + share * (100 - 2 * _EDGE):.2f}%"


def _ticks(low: float, high: float, step: float) -> int:
    return ceil(high / step - 1e-9) - floor(low / step + 1e-9) + 1


def _row(title: str, parts: Sequence[str], height: int = HEIGHT) -> str:
    return element(
        "svg",
        (element("title", escape(title)) if title else "") + "".join(parts),
        xmlns="http://www.w3.org/2000/svg",
        width="100%",
        height=height,
        class_="dots",
        **({"role": "img"} if title else {"aria_hidden": "true"}),
    )


def axis(scale: DotScale) -> str:
    """Draw the ticks of a scale, for the head of the table.

    >>> axis(DotScale(0, 1, (0, 0.5, 1))).count("<text")
    3
    """
    parts = [
        element("text", f"{100 * tick:g}", x=scale.x(tick), y=14, text_anchor="middle")
        for tick in scale.ticks
    ]
    return _row("", parts, 18)


def _grid(scale: DotScale) -> list[str]:
    return [_upright("grid", scale.x(tick)) for tick in scale.ticks]


def _upright(name: str, x: str) -> str:
    return element("line", class_=name, x1=x, x2=x, y1=0, y2=HEIGHT)


def dot(scale: DotScale, rate: Estimate, original: Estimate | None, *, name: str, mark: str) -> str:
    """Draw a rate with its interval, and a line to the value of the original set.

    Args:
        scale: the scale of all rows.
        rate: the rate.
        original: the rate that it is compared with; ``None`` draws no line.
        name: what the rate is of, for the title.
        mark: the class of its colour.

    >>> row = dot(DotScale(0, 1, (0, 1)), Estimate("f1", 0.5), None, name="typo", mark="")
    >>> "typo: 50.0 %" in row
    True
    """
    parts = _grid(scale)
    if rate.value is None:
        return _row(f"{name}: denominator is 0", parts)
    x = scale.x(rate.value)
    if original is not None and original.value is not None:
        at = scale.x(original.value)
        parts.append(_upright("origin", at))
        parts.append(_level(f"drop {mark}", at, x))
    if rate.low is not None and rate.high is not None:
        parts.append(_level(f"interval {mark}", scale.x(rate.low), scale.x(rate.high)))
    parts.append(element("circle", class_=f"dot {mark}", cx=x, cy=_MIDDLE, r=5))
    return _row(f"{name}: {100 * rate.value:.1f} %", parts)


def _level(name: str, start: str, end: str) -> str:
    return element("line", class_=name, x1=start, x2=end, y1=_MIDDLE, y2=_MIDDLE)


def pair(scale: DotScale, values: Sequence[float | None], *, title: str) -> str:
    """Draw the values of two systems as dots that a line joins; the first one is hollow.

    >>> pair(DotScale(0, 1, (0, 1)), (0.5, 0.7), title="typo").count("<circle")
    2
    """
    places = [scale.x(value) for value in values if value is not None]
    parts = _grid(scale)
    parts += [_level("join", start, end) for start, end in pairwise(places)]
    for number, x in enumerate(places):
        parts.append(element("circle", class_=f"dot side{number}", cx=x, cy=_MIDDLE, r=5))
    return _row(title, parts)


def step(scale: DotScale, start: float, end: float, *, title: str, mark: str) -> str:
    """Draw a bar of a waterfall from one value to another.

    >>> step(DotScale(0, 1, (0, 1)), 0.7, 0.5, title="heard", mark="loss").count("<rect")
    1
    """
    low, high = sorted((start, end))
    x, right = (float(scale.x(value).rstrip("%")) for value in (low, high))
    bar = element(
        "rect",
        class_=f"fall {mark}",
        x=f"{x:.2f}%",
        y=3,
        width=f"{max(right - x, 0.3):.2f}%",
        height=HEIGHT - 6,
    )
    return _row(title, [*_grid(scale), bar])


def meter(share: float, *, title: str = "", mark: str = "", usual: float | None = None) -> str:
    """Draw a share from 0 to 1 as a bar, with a line at the share that is usual.

    >>> 'width="50%"' in meter(0.5)
    True
    """
    parts = []
    if usual is not None:
        parts.append(element("rect", class_="all", x=0, y=4, width="100%", height=HEIGHT - 8))
    width = _per_cent(share)
    parts.append(
        element("rect", class_=f"bar {mark}".strip(), x=0, y=4, width=width, height=HEIGHT - 8)
    )
    if usual is not None:
        parts.append(element("rect", class_="usual", x=_per_cent(usual), width=2, height=HEIGHT))
    return _row(title, parts)


def _per_cent(share: float) -> str:
    return f"{100 * min(max(share, 0.0), 1.0):.4g}%"
