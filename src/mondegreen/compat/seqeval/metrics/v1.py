"""seqeval's strict metrics: only well-formed entities of a scheme count."""

from __future__ import annotations

from typing import Any

from mondegreen.compat.seqeval.metrics.averages import ALL, Options, Scores, averaged, rows
from mondegreen.compat.seqeval.reporters import DictReporter, StringReporter
from mondegreen.compat.seqeval.scheme import Entities, Entity, Tagged, Token, auto_detect

Spans = dict[str, set[Any]]


def unique_labels(
    y_true: Tagged,
    y_pred: Tagged,
    scheme: type[Token],
    suffix: bool = False,  # noqa: FBT001, FBT002 (as seqeval)
) -> list[str]:
    """Return the labels of both sides, in order."""
    return sorted({*_spans(y_true, scheme, suffix=suffix), *_spans(y_pred, scheme, suffix=suffix)})


def check_consistent_length(y_true: Tagged, y_pred: Tagged) -> None:
    """Refuse sides that are not lists of lists of the same lengths.

    Raises:
        TypeError: if a side is not a list of lists.
        ValueError: if lengths differ.
    """
    lengths = [list(map(len, side)) for side in (y_true, y_pred)]
    if {type(one) for side in (y_true, y_pred) for one in side} != {list}:
        raise TypeError("Found input variables without list of list.")
    if lengths[0] != lengths[1]:
        raise ValueError(
            "Found input variables with inconsistent numbers of samples:\n"
            f"{lengths[0]}\n{lengths[1]}"
        )


def precision_recall_fscore_support(
    y_true: Tagged,
    y_pred: Tagged,
    *,
    average: str | None = None,
    warn_for: tuple[str, ...] = ALL,
    beta: float = 1.0,
    sample_weight: list[int] | None = None,  # noqa: ARG001 (seqeval does not use it either)
    zero_division: str | int = "warn",
    scheme: type[Token] | None = None,
    suffix: bool = False,
) -> Scores:
    """Return precision, recall, F and support, per label or averaged."""
    options = Options(average, beta, zero_division, warn_for)
    options.check()
    check_consistent_length(y_true, y_pred)
    known = scheme or auto_detect([*y_true, *y_pred], suffix)
    true, pred = (_spans(side, known, suffix=suffix) for side in (y_true, y_pred))
    return averaged(true, pred, options)


def classification_report(
    y_true: Tagged,
    y_pred: Tagged,
    *,
    sample_weight: list[int] | None = None,  # noqa: ARG001 (seqeval does not use it either)
    digits: int = 2,
    output_dict: bool = False,
    zero_division: str | int = "warn",
    suffix: bool = False,
    scheme: type[Token] | None = None,
) -> str | dict[str, Any]:
    """Return a table of precision, recall, F and support, by label and averaged."""
    check_consistent_length(y_true, y_pred)
    known = scheme or auto_detect([*y_true, *y_pred], suffix)
    true, pred = (_spans(side, known, suffix=suffix) for side in (y_true, y_pred))
    return report(true, pred, digits=digits, output_dict=output_dict, zero_division=zero_division)


def report(
    true: Spans, pred: Spans, *, digits: int, output_dict: bool, zero_division: str | int
) -> str | dict[str, Any]:
    """Return the report on the entities of both sides."""
    width = max(len("weighted avg"), digits, *map(len, [*true, *pred, ""]))
    reporter = DictReporter() if output_dict else StringReporter(width=width, digits=digits)
    for row in rows(true, pred, zero_division):
        if row is None:
            reporter.write_blank()
        else:
            reporter.write(*row)
    return reporter.report()


def _spans(tagged: Tagged, scheme: type[Token], *, suffix: bool) -> dict[str, set[Entity]]:
    entities = Entities(tagged, scheme, suffix)
    return {label: entities.filter(label) for label in entities.unique_tags}
