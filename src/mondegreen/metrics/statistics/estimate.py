"""A rate with its interval: one type from the metric to the plot."""

from __future__ import annotations

from typing import Any

import msgspec


class Estimate(msgspec.Struct, frozen=True):
    """A rate with its interval; ``value`` is ``None`` where the denominator is 0.

    ``mean`` and ``spread`` (the standard deviation) are those of repeated random draws, where a
    rate is an average over them.
    """

    name: str
    value: float | None
    low: float | None = None
    high: float | None = None
    numerator: float = 0
    denominator: float = 0
    mean: float | None = None
    spread: float | None = None

    def record(self) -> dict[str, Any]:
        """Return the estimate as plain values, for JSON.

        >>> Estimate("wer", 0.5, 0.4, 0.6, 1, 2).record()
        {'value': 0.5, 'low': 0.4, 'high': 0.6, 'numerator': 1, 'denominator': 2}
        """
        record = msgspec.structs.asdict(self)
        del record["name"]
        if self.mean is None:
            del record["mean"], record["spread"]
        return record


_SHORT = ("wer", "mer", "wil", "cer", "ser", "f1")


def spaced(name: str) -> str:
    """Return the name of a rate for display.

    >>> spaced("e2e_accuracy"), spaced("slot_f1")
    ('end-to-end accuracy', 'slot F1')
    """
    words = name.replace("e2e", "end-to-end").split("_")
    return " ".join(word.upper() if word in _SHORT else word for word in words)
