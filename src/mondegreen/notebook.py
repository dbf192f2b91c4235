"""How values show themselves in notebooks: drawn by the report (docs/design/0043-notebooks.md)."""

from __future__ import annotations

from importlib import import_module
from typing import Any


class ShownInNotebooks:
    """A value that notebooks show as HTML."""

    def _repr_html_(self) -> str:
        return html_of(self)


def html_of(value: Any) -> str:
    """Return a value as HTML, drawn by the report.

    The report is found by its name, so that types need not import it.
    """
    drawn: str = import_module("mondegreen.report.notebook").html(value)
    return drawn
