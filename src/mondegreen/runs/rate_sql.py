"""Rates of single items in SQL, computed from their counts, to sort by."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from typing import Any

from mondegreen.metrics.metric import Ratio
from mondegreen.runs.queries import quoted

_UNFIT = (TypeError, KeyError, ValueError, ZeroDivisionError, AttributeError, sqlite3.Error)


class _Term:
    """A term of SQL that can be calculated with, like a number."""

    def __init__(self, text: str) -> None:
        self.text = text

    def __add__(self, other: _Term | float) -> _Term:
        return self._with("+", other)

    def __sub__(self, other: _Term | float) -> _Term:
        return self._with("-", other)

    def __mul__(self, other: _Term | float) -> _Term:
        return self._with("*", other)

    def __truediv__(self, other: _Term | float) -> _Term:
        return self._with("* 1.0 /", other)

    def __gt__(self, other: _Term | float) -> _Term:
        return self._with(">", other)

    def __and__(self, other: _Term | float) -> _Term:
        return self._with("AND", other)

    def __eq__(self, other: object) -> _Term:  # type: ignore[override]  # as numpy's arrays do
        return self._with("=", other)  # type: ignore[arg-type]  # another type is not implemented

    __radd__, __rmul__ = __add__, __mul__
    __hash__ = None  # type: ignore[assignment]  # it has no truth value

    def _with(self, sign: str, other: _Term | float) -> _Term:
        if not isinstance(other, _Term | int | float):
            return NotImplemented
        return _Term(f"({self.text} {sign} {other.text if isinstance(other, _Term) else other})")


def rate_sql(connection: sqlite3.Connection, rate: Ratio, counts: Sequence[str]) -> str:
    """Return the SQL that computes a rate of an item.

    If its ratio cannot be written in SQL, or if that gives another value for the first item, the
    SQL calls the ratio itself.

    Args:
        connection: the run, which learns the function.
        rate: the rate.
        counts: the columns of the items that hold counts.
    """
    names = ", ".join(map(quoted, counts))

    def value(*numbers: int) -> float | None:
        number, of = rate.ratio(dict(zip(counts, numbers, strict=True), utterances=1))
        return float(number / of) if of else None

    try:
        terms: dict[str, Any] = {name: _Term(quoted(name)) for name in counts}
        above, below = rate.ratio(terms | {"utterances": _Term("1")})
        if isinstance(above, _Term) and isinstance(below, _Term):
            formula = f"CAST({above.text} AS REAL) / NULLIF({below.text}, 0)"
            first = connection.execute(f"SELECT {formula}, {names} FROM items LIMIT 1").fetchone()
            if first is None or first[0] == value(*first[1:]):
                return formula
    except _UNFIT:
        """It is called instead."""
    connection.create_function(f"rate_{rate.name}", len(counts), value, deterministic=True)
    return f"rate_{rate.name}({names})"
