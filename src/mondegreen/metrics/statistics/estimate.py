"""A rate with its interval: one type from the metric to the plot."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec

METHOD = "95 % over utterances: Wilson's for shares of them, Student's with Hall's correction else"
"""How intervals are made, in a line for reports."""
FEW = 10
"""Units with an error, or without one; below, no interval of a rate can be relied on."""


class Estimate(msgspec.Struct, frozen=True):
    """A rate with its interval; ``value`` is ``None`` where the denominator is 0.

    ``mean`` and ``spread`` (the standard deviation) are those of repeated random draws, where a
    rate is an average over them. ``few`` says that the sample is too small to rely on the interval.
    """

    name: str
    value: float | None
    low: float | None = None
    high: float | None = None
    numerator: float = 0
    denominator: float = 0
    mean: float | None = None
    spread: float | None = None
    few: bool = False

    def record(self) -> dict[str, Any]:
        """Return the estimate as plain values, for JSON.

        >>> Estimate("wer", 0.5, 0.4, 0.6, 1, 2).record()
        {'value': 0.5, 'low': 0.4, 'high': 0.6, 'numerator': 1, 'denominator': 2}
        """
        record = msgspec.structs.asdict(self)
        del record["name"], record["few"]
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


def records(estimates: Iterable[Estimate]) -> dict[str, Any]:
    """Return rates as plain values, for JSON: ``scores``, and which have too small samples.

    >>> records([Estimate("wer", 0.5, few=True), Estimate("ser", 0.5)])["small_sample"]
    ['wer']
    """
    found = list(estimates)
    scores: dict[str, Any] = {"scores": {rate.name: rate.record() for rate in found}}
    few = [rate.name for rate in found if rate.few]
    return scores | ({"small_sample": few} if few else {})


def small_sample(estimates: Iterable[Estimate], unit: str = "utterances") -> str:
    """Return a sentence on the rates whose samples are too small; empty if there are none.

    >>> small_sample([Estimate("wer", 0.5, few=True), Estimate("ser", 0.5)]).partition(":")[0]
    'The sample is too small to rely on the interval of wer'
    """
    names = [rate.name for rate in estimates if rate.few]
    if not names:
        return ""
    of = f"interval of {names[0]}" if len(names) == 1 else f"intervals of {', '.join(names)}"
    return (
        f"The sample is too small to rely on the {of}: fewer than {FEW} {unit} have an error, or "
        f"fewer than {FEW} have none."
    )
