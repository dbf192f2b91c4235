"""Rows of counts, gathered part by part: few in order, of many each distinct one once."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

Table = npt.NDArray[np.int64]
FEW = 1 << 15
"""Rows that are kept in order; of more, each distinct row is kept once."""
_WIDEST = 2**62


class Tally(NamedTuple):
    """Rows of counts, and how often each occurs; ``None``: once each."""

    rows: Table
    times: Table | None = None

    @property
    def n(self) -> int:
        """How many rows were counted."""
        return len(self.rows) if self.times is None else int(self.times.sum())

    @property
    def often(self) -> Table:
        """How often each row occurs."""
        return np.ones(len(self.rows), np.int64) if self.times is None else self.times

    def sums(self) -> Table:
        """The sum of each column."""
        found: Table = self.rows.sum(axis=0) if self.times is None else self.times @ self.rows
        return found


def tally(table: Table) -> Tally:
    """Return the rows of a table: as they are if they are few, else the distinct ones.

    >>> tally(np.array([[2, 0], [1, 3], [2, 0]])).n
    3
    """
    return Tally(table) if len(table) <= FEW else distinct(table)


def joined(parts: Sequence[Tally]) -> Tally:
    """Return the rows of all parts; the same ones however they were parted."""
    rows = np.concatenate([part.rows for part in parts])
    if sum(part.n for part in parts) <= FEW and all(part.times is None for part in parts):
        return Tally(rows)
    return distinct(rows, np.concatenate([part.often for part in parts]))


class Gathering:
    """Gathers the rows of many parts, and joins them now and then."""

    def __init__(self) -> None:
        self._parts: list[Tally] = []

    def add(self, part: Tally) -> None:
        """Add the rows of a part."""
        self._parts.append(part)
        if sum(len(one.rows) for one in self._parts[1:]) > max(8 * FEW, len(self._parts[0].rows)):
            self._parts = [joined(self._parts)]

    def total(self) -> Tally:
        """Return the rows of all parts."""
        return joined(self._parts)


def distinct(table: Table, times: Table | None = None) -> Tally:
    """Return the distinct rows of a table, sorted, and how often each occurs.

    >>> distinct(np.array([[2, 0], [1, 3], [2, 0]])).rows.tolist()
    [[1, 3], [2, 0]]
    """
    if not len(table):
        return Tally(table, np.zeros(0, np.int64))
    low = table.min(axis=0)
    sizes = [int(size) for size in table.max(axis=0) - low + 1]
    if prod(sizes) > _WIDEST:  # a row does not fit into one number
        rows, places = np.unique(table, axis=0, return_inverse=True)
        return Tally(rows, _counted(places.ravel(), len(rows), times))
    steps = np.array([prod(sizes[at + 1 :]) for at in range(len(sizes))], np.int64)
    codes, places = np.unique((table - low) @ steps, return_inverse=True)
    rows = codes[:, None] // steps % np.array(sizes, np.int64) + low
    return Tally(rows, _counted(places, len(rows), times))


def _counted(places: Table, n: int, times: Table | None) -> Table:
    if times is None:
        return np.bincount(places, minlength=n)
    counts = np.zeros(n, np.int64)
    np.add.at(counts, places, times)
    return counts
