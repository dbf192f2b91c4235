"""Render content as HTML. Templates escape everything that comes from data."""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup, escape

from mondegreen import __version__
from mondegreen.metrics.estimate import Estimate
from mondegreen.report import svg
from mondegreen.report.content import Measured, Overview

_HERE = Path(__file__).parent
STYLE = _HERE / "style.css"
_SHORT = ("wer", "mer", "wil", "cer", "ser", "f1")
_LEAST_P = 0.001
_SHADES = ((10, "bad3"), (3, "bad2"), (0.5, "bad1"))


def _spaced(name: str) -> str:
    """Return the name of a rate for display."""
    words = name.replace("e2e", "end-to-end").split("_")
    return " ".join(word.upper() if word in _SHORT else word for word in words)


def _figure(value: Any) -> str:
    """Return a number for display."""
    if value is None:
        return "·"
    if isinstance(value, float):
        return f"{value:.3f}".rstrip("0").rstrip(".")
    return f"{value:,}" if isinstance(value, int) else str(value)


def _count(value: float) -> str:
    """Return a count for display; it may have halves."""
    return f"{value:,.2f}".rstrip("0").rstrip(".")


def _p_value(p: float) -> str:
    """Return a p-value for display; it is never 0."""
    return "< 0.001" if p < _LEAST_P else f"{p:.3f}"


def _ranked(found: Overview) -> list[Measured]:
    """Return the sets from best to worst."""

    def key(one: Measured) -> float:
        value = one.rate(found.main).value
        if value is None:
            return float("-inf")
        return -value if found.higher_is_better else value

    return sorted(found.sets, key=key)


def _shade(found: Overview, before: Estimate, after: Estimate) -> str:
    """Return the CSS class that shows how much worse a rate has become."""
    if before.value is None or after.value is None:
        return ""
    loss = 100 * (before.value - after.value) * (1 if found.higher_is_better else -1)
    shade = next((name for points, name in _SHADES if loss >= points), "")
    return shade or ("good1" if -loss >= _SHADES[-1][0] else "")


def _unique_ids(html: Markup, number: int) -> Markup:
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
    from mondegreen.language.phonology import to_ipa

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
        "p_value": _p_value,
        "count": _count,
        "figure": _figure,
        "ranked": _ranked,
        "shade": _shade,
        "spaced": _spaced,
        "unique_ids": _unique_ids,
    }
    templates.globals |= {
        "bar": _as_markup(svg.bar),
        "curves": _as_markup(svg.curves),
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


def report(found: Sequence[Overview], title: str) -> str:
    """Return a report as one HTML page, without scripts and links to other files."""
    page = environment().get_template("report.html")
    return page.render(found=found, title=title, no_link=lambda _: "", **inlined(style=STYLE))
