"""From content to HTML. Text from data is always text: templates escape whatever they are given."""

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
    """A rate as people say it."""
    words = name.replace("e2e", "end-to-end").split("_")
    return " ".join(word.upper() if word in _SHORT else word for word in words)


def _figure(value: Any) -> str:
    """A number as people read it."""
    if value is None:
        return "·"
    if isinstance(value, float):
        return f"{value:.3f}".rstrip("0").rstrip(".")
    return f"{value:,}" if isinstance(value, int) else str(value)


def _count(value: float) -> str:
    """A count, which may have halves."""
    return f"{value:,.2f}".rstrip("0").rstrip(".")


def _chance(p: float) -> str:
    """The p of a test; none is quite 0."""
    return "< 0.001" if p < _LEAST_P else f"{p:.3f}"


def _ranked(found: Overview) -> list[Measured]:
    """Sets from the best to the worst."""

    def badness(one: Measured) -> float:
        value = one.rate(found.main).value
        if value is None:
            return float("-inf")
        return -value if found.higher_is_better else value

    return sorted(found.sets, key=badness)


def _shade(found: Overview, before: Estimate, after: Estimate) -> str:
    """How much worse a rate has become, as a class of the style sheet."""
    if before.value is None or after.value is None:
        return ""
    lost = 100 * (before.value - after.value) * (1 if found.higher_is_better else -1)
    shade = next((name for points, name in _SHADES if lost >= points), "")
    return shade or ("good1" if -lost >= _SHADES[-1][0] else "")


def _unique_ids(html: Markup, number: int) -> Markup:
    """Tell the parts of one file apart: the ids of each get its number."""
    pattern = re.compile(r'( (?:id|aria-labelledby)=")([a-z0-9-]+)(")')
    return Markup(pattern.sub(rf"\g<1>\g<2>-of-{number}\g<3>", str(html)))  # noqa: S704 (escaped already)


def _drawn(plot: Any) -> Any:
    def draw(*values: Any, **named: Any) -> Markup:
        return Markup(plot(*values, **named))  # noqa: S704 (svg.py escapes what it is given)

    return draw


def phone(symbol: str) -> Markup:
    """Return a phoneme in both alphabets, one of which the page shows."""
    from mondegreen.errors import DataError
    from mondegreen.language.phonology import to_ipa

    try:
        (ipa,) = to_ipa([symbol])
    except DataError:
        return escape(symbol)
    return Markup('<span class="arpabet">{}</span><span class="ipa">{}</span>').format(symbol, ipa)


@cache
def environment() -> Environment:
    """Return the templates, ready to be filled."""
    made = Environment(
        loader=FileSystemLoader(_HERE / "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters |= {
        "chance": _chance,
        "count": _count,
        "figure": _figure,
        "ranked": _ranked,
        "shade": _shade,
        "spaced": _spaced,
        "unique_ids": _unique_ids,
    }
    made.globals |= {
        "bar": _drawn(svg.bar),
        "curves": _drawn(svg.curves),
        "heat_map": _drawn(svg.heat_map),
        "version": __version__,
    }
    return made


def inlined(**files: Path) -> dict[str, Markup]:
    """Return files of our own to stand in a page, with the hashes that its policy lets pass."""
    filled: dict[str, Markup] = {}
    for name, path in files.items():
        text = path.read_text(encoding="utf-8")
        digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
        filled |= {name: Markup(text), f"{name}_hash": Markup(digest)}  # noqa: S704 (our own)
    return filled


def report(found: Sequence[Overview], title: str) -> str:
    """Return one page that needs nothing else: no script, no network."""
    page = environment().get_template("report.html")
    return page.render(found=found, title=title, no_link=lambda _: "", **inlined(style=STYLE))
