"""Queries over a table of items: conditions, order and page, for runs and for scores.

Names of columns come from this package and are quoted; values are always bound.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

import msgspec

_LITERAL = str.maketrans({"%": "!%", "_": "!_", "!": "!!"})


def quoted(name: str) -> str:
    """Return the name of a column, quoted for SQL.

    >>> print(quoted("by speaker"))
    "by speaker"
    """
    return '"' + name.replace('"', '""') + '"'


@dataclass(frozen=True)
class Where:
    """Conditions joined by AND, with the values that they bind."""

    conditions: tuple[str, ...] = ()
    values: tuple[Any, ...] = ()

    def also(self, condition: str, *values: Any) -> Where:
        """Add a condition."""
        return replace(
            self,
            conditions=(*self.conditions, condition),
            values=(*self.values, *values),
        )

    def equals(self, column: str, value: object) -> Where:
        """Add the condition that a column has a value."""
        return self.also(f"{quoted(column)} = ?", value)

    def among(self, column: str, numbers: Iterable[int]) -> Where:
        """Add the condition that a column has one of many numbers."""
        bound = msgspec.json.encode(list(numbers)).decode()
        return self.also(f"{quoted(column)} IN (SELECT value FROM json_each(?))", bound)

    def contains(self, columns: Iterable[str], text: str) -> Where:
        """Add the condition that one of the columns contains a text."""
        names = list(map(quoted, columns))
        either = " OR ".join(f"{name} LIKE ? ESCAPE '!'" for name in names)
        return self.also(f"({either})", *[f"%{text.translate(_LITERAL)}%"] * len(names))

    @property
    def clause(self) -> str:
        """The conditions as a WHERE clause; empty if there are none."""
        return f" WHERE {' AND '.join(self.conditions)}" if self.conditions else ""


def count(where: Where) -> tuple[str, tuple[Any, ...]]:
    """Return the statement that counts the items that meet the conditions."""
    return f"SELECT COUNT(*) FROM items{where.clause}", where.values


def select(
    columns: str,
    where: Where,
    *,
    order: Iterable[str],
    descending: bool = False,
    limit: int = -1,
    offset: int = 0,
) -> tuple[str, tuple[Any, ...]]:
    """Return the statement that selects a page of the items, sorted by the terms of ``order``."""
    direction = " DESC" if descending else ""
    by = ", ".join(f"{term}{direction}" for term in dict.fromkeys(order))
    statement = f"SELECT {columns} FROM items{where.clause} ORDER BY {by} LIMIT ? OFFSET ?"
    return statement, (*where.values, limit, offset)
