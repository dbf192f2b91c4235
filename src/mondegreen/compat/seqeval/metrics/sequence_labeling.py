"""seqeval's metrics: lenient as conlleval by default, strict with ``mode="strict"``."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from itertools import chain
from typing import Any

from mondegreen.compat.seqeval.metrics import v1
from mondegreen.compat.seqeval.metrics.averages import ALL, Options, Scores, averaged
from mondegreen.compat.seqeval.scheme import NO_LABEL, Tagged, Token

_PREFIXES = ("B", "I", "E", "S")
_ENDED = ("E", "S")
_STARTING = ("B", "S")


def get_entities(
    seq: list[str] | Tagged,
    suffix: bool = False,  # noqa: FBT001, FBT002 (as seqeval)
) -> list[tuple[str, int, int]]:
    """Return label, first and last token of each entity, by conlleval's lenient rules.

    >>> get_entities(["B-PER", "I-PER", "O", "B-LOC"])
    [('PER', 0, 1), ('LOC', 3, 3)]
    """
    tags: list[str] = []
    for one in seq:
        tags += [*one, "O"] if isinstance(one, list) else [one]
    found = []
    before, start = ("O", ""), 0
    for i, tag in enumerate([*tags, "O"]):
        part = _part(tag, suffix=suffix)
        if _ends(before, part):
            found.append((before[1], start, i - 1))
        if _starts(before, part):
            start = i
        before = part
    return found


def _part(tag: str, *, suffix: bool) -> tuple[str, str]:
    """Return prefix and label of a tag, and warn if it is not one."""
    if suffix:
        known = tag.endswith(tuple(f"-{letter}" for letter in _PREFIXES))
        part = tag[-1], tag[:-1].rsplit("-", maxsplit=1)[0] or NO_LABEL
    else:
        known = tag.startswith(tuple(f"{letter}-" for letter in _PREFIXES))
        part = tag[0], tag[1:].split("-", maxsplit=1)[-1] or NO_LABEL
    if not known and tag not in ("O", *_PREFIXES):
        warnings.warn(f"{tag} seems not to be NE tag.", stacklevel=4)
    return part


def _ends(before: tuple[str, str], part: tuple[str, str]) -> bool:
    inside = before[0] in ("B", "I")
    return (
        before[0] in _ENDED
        or (inside and part[0] in ("B", "S", "O"))
        or (before[0] != "O" and before[1] != part[1])
    )


def _starts(before: tuple[str, str], part: tuple[str, str]) -> bool:
    return (
        part[0] in _STARTING
        or (before[0] in (*_ENDED, "O") and part[0] in ("E", "I"))
        or (part[0] != "O" and before[1] != part[1])
    )


def _spans(tagged: Tagged, *, suffix: bool) -> dict[str, set[tuple[int, int]]]:
    found: dict[str, set[tuple[int, int]]] = {}
    for label, start, end in get_entities(tagged, suffix):
        found.setdefault(label, set()).add((start, end))
    return found


def precision_recall_fscore_support(
    y_true: Tagged,
    y_pred: Tagged,
    *,
    average: str | None = None,
    warn_for: tuple[str, ...] = ALL,
    beta: float = 1.0,
    sample_weight: list[int] | None = None,  # noqa: ARG001 (seqeval does not use it either)
    zero_division: str | int = "warn",
    suffix: bool = False,
) -> Scores:
    """Return precision, recall, F and support, per label or averaged."""
    options = Options(average, beta, zero_division, warn_for)
    options.check()
    v1.check_consistent_length(y_true, y_pred)
    return averaged(_spans(y_true, suffix=suffix), _spans(y_pred, suffix=suffix), options)


def _rate(place: int, y_true: Tagged, y_pred: Tagged, settings: dict[str, Any]) -> Any:
    mode, scheme = settings.pop("mode"), settings.pop("scheme")
    if (mode == "strict") != (scheme is not None):
        warnings.warn(
            "as in seqeval, a strict score needs both mode='strict' and a scheme; this one is "
            "lenient",
            stacklevel=3,
        )
    if mode == "strict" and scheme is not None:
        return v1.precision_recall_fscore_support(y_true, y_pred, scheme=scheme, **settings)[place]
    return precision_recall_fscore_support(y_true, y_pred, **settings)[place]


def _score(place: int, name: str, what: str) -> Callable[..., Any]:
    """Return the function of one of the rates, with seqeval's parameters."""

    def score(
        y_true: Tagged,
        y_pred: Tagged,
        *,
        average: str | None = "micro",
        suffix: bool = False,
        mode: str | None = None,
        sample_weight: list[int] | None = None,
        zero_division: str | int = "warn",
        scheme: type[Token] | None = None,
    ) -> Any:
        settings: dict[str, Any] = {
            "average": average,
            "suffix": suffix,
            "mode": mode,
            "scheme": scheme,
            "sample_weight": sample_weight,
            "zero_division": zero_division,
            "warn_for": (name,),
        }
        return _rate(place, y_true, y_pred, settings)

    score.__doc__ = f"Return the {what} of the entities."
    return score


precision_score = _score(0, "precision", "precision")
recall_score = _score(1, "recall", "recall")
f1_score = _score(2, "f-score", "F1 score")


def classification_report(
    y_true: Tagged,
    y_pred: Tagged,
    digits: int = 2,
    suffix: bool = False,  # noqa: FBT001, FBT002 (as seqeval)
    output_dict: bool = False,  # noqa: FBT001, FBT002
    mode: str | None = None,
    sample_weight: list[int] | None = None,
    zero_division: str | int = "warn",
    scheme: type[Token] | None = None,
) -> str | dict[str, Any]:
    """Return a table of precision, recall, F and support, by label and averaged."""
    if mode == "strict":
        return v1.classification_report(
            y_true,
            y_pred,
            digits=digits,
            suffix=suffix,
            output_dict=output_dict,
            sample_weight=sample_weight,
            zero_division=zero_division,
            scheme=scheme,
        )
    v1.check_consistent_length(y_true, y_pred)
    true, pred = _spans(y_true, suffix=suffix), _spans(y_pred, suffix=suffix)
    return v1.report(
        true, pred, digits=digits, output_dict=output_dict, zero_division=zero_division
    )


def accuracy_score(y_true: Any, y_pred: Any) -> float:
    """Return the share of tags that are right."""
    pairs = _pairs(y_true, y_pred)
    return sum(a == b for a, b in pairs) / len(pairs)


def performance_measure(y_true: Any, y_pred: Any) -> dict[str, int]:
    """Return true and false positives and negatives, tag by tag."""
    pairs = _pairs(y_true, y_pred)
    return {
        "TP": sum(a == b != "O" for a, b in pairs),
        "FP": sum(b not in (a, "O") for a, b in pairs),
        "FN": sum(a != "O" and b == "O" for a, b in pairs),
        "TN": sum(a == b == "O" for a, b in pairs),
    }


def _pairs(y_true: Any, y_pred: Any) -> list[tuple[str, str]]:
    nested = any(isinstance(one, list) for one in y_true)
    sides = [list(chain(*side)) if nested else side for side in (y_true, y_pred)]
    return list(zip(*sides, strict=True))
