"""Precision, recall and F from counts per label, averaged as scikit-learn averages them."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Spans = Mapping[str, set[Any]]
"""The entities of each label; anything that can be compared."""
Scores = tuple[Any, Any, Any, Any]
"""Precision, recall, F and support: numbers, or one of each per label."""
AVERAGES = (None, "micro", "macro", "weighted")
ALL = ("precision", "recall", "f-score")


def _undefined() -> type[Warning]:
    try:
        from sklearn.exceptions import UndefinedMetricWarning
    except ImportError:
        return UserWarning
    found: type[Warning] = UndefinedMetricWarning
    return found


class Options(NamedTuple):
    """How rates are averaged, and what happens where a denominator is 0."""

    average: str | None
    beta: float = 1.0
    zero_division: str | int = "warn"
    warn_for: tuple[str, ...] = ALL

    def check(self) -> None:
        """Refuse what seqeval refuses."""
        if self.beta < 0:
            raise ValueError("beta should be >=0 in the F-beta score")
        if self.average not in AVERAGES:
            raise ValueError(f"average has to be one of {AVERAGES}")

    @property
    def where_undefined(self) -> float:
        """The value of a rate whose denominator is 0."""
        return 0.0 if self.zero_division in ("warn", 0) else 1.0


def averaged(true: Spans, pred: Spans, options: Options) -> Scores:
    """Return precision, recall, F and support, per label or averaged."""
    labels = sorted({*true, *pred})
    rows = [_counts(true.get(label, set()), pred.get(label, set())) for label in labels]
    counts = np.array(rows, np.int64).reshape(-1, 3)
    if options.average == "micro":
        counts = counts.sum(axis=0, keepdims=True)
    right, given, support = counts.T
    precision = _quotients(right, given, "precision", "predicted", options)
    recall = _quotients(right, support, "recall", "true", options)
    if options.warn_for == ("f-score",) and ((given == 0) & (support == 0)).any():
        _warn("F-score is", "true nor predicted", len(counts), options)
    f = _f(precision, recall, options.beta)
    if options.average is None:
        return precision, recall, f, support
    if options.average == "weighted" and not support.sum():
        at_zero = options.where_undefined if not given.sum() else 0.0
        return at_zero, options.where_undefined, at_zero, 0
    weights = support if options.average == "weighted" else None
    rates = (_mean(rate, weights) for rate in (precision, recall, f))
    return (*rates, int(support.sum()))  # type: ignore[return-value]


def _counts(true: set[Any], pred: set[Any]) -> tuple[int, int, int]:
    return len(true & pred), len(pred), len(true)


def _mean(rates: Floats, weights: npt.NDArray[np.int64] | None) -> float:
    if not len(rates):
        warnings.warn("Mean of no labels.", RuntimeWarning, stacklevel=4)
        return float("nan")
    return float(np.average(rates, weights=weights))


def _f(precision: Floats, recall: Floats, beta: float) -> Floats:
    if np.isposinf(beta):
        return recall
    below = beta**2 * precision + recall
    below[below == 0] = 1
    found: Floats = (1 + beta**2) * precision * recall / below
    return found


def _quotients(
    above: npt.NDArray[np.int64],
    below: npt.NDArray[np.int64],
    name: str,
    what: str,
    options: Options,
) -> Floats:
    undefined = below == 0
    rates: Floats = above / np.where(undefined, 1, below)
    rates[undefined] = options.where_undefined
    if undefined.any() and name in options.warn_for:
        start = f"{name.title()} and F-score are" if "f-score" in options.warn_for else ""
        _warn(start or f"{name.title()} is", what, len(rates), options)
    return rates


def _warn(start: str, what: str, labels: int, options: Options) -> None:
    if options.zero_division != "warn":
        return
    where = "due to" if labels == 1 else "in labels with"
    warnings.warn(
        f"{start} ill-defined and being set to 0.0 {where} no {what} samples. Use "
        "`zero_division` parameter to control this behavior.",
        _undefined(),
        stacklevel=5,
    )


def rows(
    true: Spans, pred: Spans, zero_division: str | int
) -> Iterable[tuple[str, Any, Any, Any, Any] | None]:
    """Yield the rows of a report: one per label, ``None`` for a blank one, and the averages."""
    by_label = averaged(true, pred, Options(None, zero_division=zero_division))
    for label, *rates in zip(sorted({*true, *pred}), *by_label, strict=True):
        yield (label, *rates)
    yield None
    for average in AVERAGES[1:]:
        found = averaged(true, pred, Options(average, zero_division=zero_division))
        yield (f"{average} avg", *found)
    yield None
