"""The counts of each slot label, and the table of them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from mondegreen.metrics.slu.spans import Names, Numbers, Spans


class SlotType(NamedTuple):
    """The counts of one slot label: right, in the gold, found."""

    right: int
    said: int
    found: int

    @property
    def precision(self) -> float | None:
        """The share of the found slots that are right."""
        return self.right / self.found if self.found else None

    @property
    def recall(self) -> float | None:
        """The share of the gold slots that are right."""
        return self.right / self.said if self.said else None

    @property
    def f1(self) -> float | None:
        """The harmonic mean of precision and recall."""
        total = self.said + self.found
        return 2 * self.right / total if total else None


def slot_types(gold: Spans, given: Spans, right: Numbers, names: Names) -> dict[str, SlotType]:
    """Return the counts of each label that occurs."""
    labels = (gold.labels[right], gold.labels, given.labels)
    counts = [np.bincount(side, minlength=len(names)).tolist() for side in labels]
    types = {name: SlotType(*(column[names[name]] for column in counts)) for name in sorted(names)}
    return {name: one for name, one in types.items() if any(one)}


def type_lines(types: dict[str, SlotType], partial: dict[str, int]) -> list[str]:
    """Return the table of labels, below the counts of partly right slots."""
    if not types:
        return []
    width = max(len("slot"), *map(len, types))
    heads = f"{'precision':>10} {'recall':>10} {'f1':>10} {'right':>8} {'gold':>8} {'found':>8}"
    lines = ["  ".join(f"{name} {count:,}" for name, count in partial.items())]
    lines.append(f"\n{'slot':{width}} {heads}")
    for name, one in types.items():
        rates = " ".join(_share(rate) for rate in (one.precision, one.recall, one.f1))
        lines.append(f"{name:{width}} {rates} {one.right:8,} {one.said:8,} {one.found:8,}")
    return lines


def _share(rate: float | None) -> str:
    return f"{'-':>10}" if rate is None else f"{100 * rate:8.2f} %"
