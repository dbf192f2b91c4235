"""Render content as HTML. Templates escape everything that comes from data."""

from __future__ import annotations

import base64
import csv
import hashlib
import io
import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import quote

import msgspec
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup, escape

from mondegreen import __version__
from mondegreen.metrics.metric import PLAIN_NUMBERS, Table
from mondegreen.metrics.statistics.comparison import Comparison, shown_p
from mondegreen.metrics.statistics.estimate import Estimate, spaced
from mondegreen.report import dots, svg
from mondegreen.report.compare import Compared, comparable_groups
from mondegreen.report.content import Causes, ListLine, Measured, Overview, cause_rows
from mondegreen.report.dots import DotScale
from mondegreen.report.waterfall import Waterfall

_HERE = Path(__file__).parent
STYLE = _HERE / "style.css"
_SHADES = ((10, "bad3"), (3, "bad2"), (0.5, "bad1"))
_HEATS = (0.5, 3, 8, 15, 25, 40)  # points lost: the limits of the six shades of a heat map
_MINUS = "\N{MINUS SIGN}"
_MATRIX = 14  # rows and columns of a matrix


def _figure(value: Any) -> str:
    """Return a number for display."""
    if value is None:
        return "·"
    if isinstance(value, float):
        return f"{value:.3f}".rstrip("0").rstrip(".")
    return f"{value:,}" if isinstance(value, int) else str(value)


def _share(value: float | None) -> str:
    """Return a rate in per cent for display."""
    return "·" if value is None else f"{100 * value:.1f}".removesuffix(".0") + " %"


def _counted(n: int, noun: str) -> str:
    """Return how many there are of something.

    >>> _counted(1, "utterance"), _counted(2000, "utterance")
    ('1 utterance', '2,000 utterances')
    """
    return f"{n:,} {noun}" + ("" if n == 1 else "s")


def _count(value: float) -> str:
    """Return a count for display; it may have halves."""
    return f"{value:,.2f}".rstrip("0").rstrip(".")


def _grouped(found: Overview) -> list[tuple[str, list[Measured]]]:
    """Return the sets by group, those of a group from best to worst."""

    def key(one: Measured) -> float:
        value = one.rate(found.main).value
        if value is None:
            return float("inf")
        return -value if found.higher_is_better else value

    groups: dict[str, list[Measured]] = {}
    for one in found.sets:
        groups.setdefault(one.group, []).append(one)
    return [(name, sorted(members, key=key)) for name, members in groups.items()]


def _points(value: float, digits: int = 1) -> str:
    """Return a difference with its sign.

    >>> _points(16.25), _points(0.02)
    ('+16.2', '0.0')
    """
    text = f"{value:+.{digits}f}"
    return text.lstrip("+-") if float(text) == 0 else text.replace("-", _MINUS)


def _heat_class(change: float) -> str:
    """Return the class of a cell of a heat map, by the points that it lost or gained."""
    if change > _HEATS[0]:
        return "gain"
    return f"heat{sum(-change >= limit for limit in _HEATS)}"


def _breakable(name: str) -> Markup:
    """Return a name that may be broken after its dots."""
    return Markup(".<wbr>").join(name.split("."))


def _capitalise(text: str) -> str:
    return text[:1].upper() + text[1:]


def _top(table: Table, n: int) -> Table:
    """Return the first rows of a table; a matrix keeps all."""
    return table if table.form == "matrix" else table._replace(rows=table.rows[:n])


class Crossed(NamedTuple):
    """A matrix of counts; ``top`` is the largest."""

    columns: list[str]
    rows: list[tuple[str, list[int]]]
    top: int

    @property
    def totals(self) -> list[int]:
        """The sum of each column."""
        return [sum(column) for column in zip(*(cells for _, cells in self.rows), strict=True)]


def crossed(table: Table) -> Crossed:
    """Return rows of row, column and count as a matrix of the most frequent ones."""
    counts = {(row, column): n for row, column, n in table.rows}
    rows = list(dict.fromkeys(row for row, _ in counts))[:_MATRIX]
    columns = sorted(dict.fromkeys(c for r, c in counts if r in rows))
    cells = [(row, [counts.get((row, column), 0) for column in columns]) for row in rows]
    return Crossed(columns, cells, max(counts.values(), default=1))


def csv_address(rows: Iterable[Sequence[object]]) -> str:
    """Return the address of a CSV file that is part of the page."""
    text = io.StringIO()
    csv.writer(text).writerows(rows)
    return f"data:text/csv;charset=utf-8,{quote(text.getvalue())}"


def _dot_scale(found: Overview) -> DotScale:
    rates = ((one.rate(found.main), one.judged(found.main)) for one in found.sets)
    return DotScale.over(
        rate if judged else Estimate(rate.name, rate.value) for rate, judged in rates
    )


def _known_rates(found: Overview) -> list[Estimate]:
    """Return the rates that any set has: some say nothing of utterances as they are written."""
    known = {rate.name for one in found.sets for rate in one.rates if rate.value is not None}
    return [rate for rate in found.sets[0].rates if rate.name in known]


def _pair_scale(found: Comparison) -> DotScale:
    rates = [one.rates[found.main] for one in found.sets]
    values = (value for rate in rates for value in (rate.first, rate.second))
    return DotScale.over(Estimate(found.main, value) for value in values)


class Links:
    """The addresses behind figures; a file has none."""

    def item(self, line: ListLine) -> str:  # noqa: ARG002
        """Return the address of an utterance."""
        return ""

    def items(self, filters: Mapping[str, str]) -> str:  # noqa: ARG002
        """Return the address of the utterances behind a figure."""
        return ""

    def compare(self, set: str) -> str:  # noqa: ARG002
        """Return the address of a comparison on one set."""
        return ""

    def why(self) -> str:
        """Return the address of the slices."""
        return ""


def _shade(found: Overview, before: Estimate, after: Estimate) -> str:
    """Return the CSS class that shows how much worse a rate has become."""
    if before.value is None or after.value is None:
        return ""
    loss = 100 * (before.value - after.value) * (1 if found.higher_is_better else -1)
    shade = next((name for points, name in _SHADES if loss >= points), "")
    return shade or ("good1" if -loss >= _SHADES[-1][0] else "")


def _unique_ids(html: Markup, number: int | str) -> Markup:
    """Add a number to the ids of one part of a page, so that ids are unique in the page."""
    pattern = re.compile(r'( (?:id|aria-labelledby)=")([a-z0-9-]+)(")')
    return Markup(pattern.sub(rf"\g<1>\g<2>-of-{number}\g<3>", str(html)))  # noqa: S704 (escaped already)


def _as_markup(plot: Any) -> Any:
    def draw(*values: Any, **named: Any) -> Markup:
        return Markup(plot(*values, **named))  # noqa: S704 (svg.py escapes its input)

    return draw


def phone(symbol: str) -> Markup:
    """Return a phoneme in both alphabets; the page shows one of them."""
    from mondegreen.errors import DataError
    from mondegreen.language.sounds.phonology import to_ipa

    try:
        (ipa,) = to_ipa([symbol])
    except DataError:
        return escape(symbol)
    return Markup('<span class="arpabet">{}</span><span class="ipa">{}</span>').format(symbol, ipa)


@cache
def environment() -> Environment:
    """Return the environment of the templates."""
    templates = Environment(
        loader=FileSystemLoader(_HERE / "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    templates.filters |= {
        "p_value": shown_p,
        "count": _count,
        "counted": _counted,
        "figure": _figure,
        "breakable": _breakable,
        "capitalise": _capitalise,
        "cause_rows": cause_rows,
        "comparable_groups": comparable_groups,
        "crossed": crossed,
        "grouped": _grouped,
        "heat_class": _heat_class,
        "points": _points,
        "top": _top,
        "shade": _shade,
        "share": _share,
        "spaced": spaced,
        "unique_ids": _unique_ids,
        "known_rates": _known_rates,
        "unjudged": lambda found: not all(one.judged(found.main) for one in found.sets),
    }
    templates.globals |= {
        "axis": _as_markup(dots.axis),
        "csv_address": csv_address,
        "curves": _as_markup(svg.curves),
        "dot": _as_markup(dots.dot),
        "dot_scale": _dot_scale,
        "meter": _as_markup(dots.meter),
        "rate_scale": DotScale.over,
        "step": _as_markup(dots.step),
        "pair": _as_markup(dots.pair),
        "pair_scale": _pair_scale,
        "plain_numbers": PLAIN_NUMBERS,
        "heat_map": _as_markup(svg.heat_map),
        "version": __version__,
    }
    return templates


def inlined(**files: Path) -> dict[str, Markup]:
    """Return files to embed in a page, and their hashes for its Content-Security-Policy."""
    values: dict[str, Markup] = {}
    for name, path in files.items():
        text = path.read_text(encoding="utf-8")
        digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
        values |= {name: Markup(text), f"{name}_hash": Markup(digest)}  # noqa: S704 (files of this package)
    return values


class ReportPart(NamedTuple):
    """A part of a report: an overview, and why failures happen."""

    overview: Overview
    causes: Causes


def page_of(
    found: Sequence[ReportPart],
    title: str,
    compared: Compared | None = None,
    chain: Waterfall | None = None,
) -> str:
    """Return a report as one HTML page, without scripts and links to other files.

    Args:
        found: its parts.
        title: the title of the page.
        compared: the comparison of two parts, which then comes first.
        chain: where requests are lost along a chain, which comes before everything else.
    """
    page = environment().get_template("report.html")
    return page.render(
        found=found,
        title=title,
        compared=compared,
        chain=chain,
        links=Links(),
        no_links=lambda _: Links(),
        **inlined(style=STYLE),
    )


def record(
    found: Sequence[ReportPart], compared: Compared | None = None, chain: Waterfall | None = None
) -> dict[str, Any]:
    """Return the content of a report as plain values, for JSON; slices are under ``causes``."""
    parts = [
        {
            **msgspec.to_builtins(part.overview),
            "causes": [
                {**cause.slice.record(), "examples": [one.marked.plain for one in cause.examples]}
                for cause in part.causes.found
            ],
        }
        for part in found
    ]
    extra = {"comparison": compared and compared.record(), "chain": msgspec.to_builtins(chain)}
    return {"reports": parts} | {name: value for name, value in extra.items() if value is not None}
