"""Compare two sources: paired tests, and the utterances that flipped."""

from __future__ import annotations

from typing import Any

from mondegreen.errors import DataError
from mondegreen.report.source import Source

_SHOWN = 100  # maximum number of flips in each direction


def compare_sources(first: Source, second: Source, set: str = "") -> dict[str, Any]:
    """Return the comparison of two sources on one set, as plain values.

    Raises:
        DataError: if the sources are of different metrics or utterances.
    """
    if first.metric != second.metric:
        raise DataError(
            f"{first.name} is a score of {first.metric.name}, {second.name} of "
            f"{second.metric.name}; compare two scores of one metric"
        )
    if set not in second.sets():
        raise DataError(f"{second.name} has no set {set!r}; compare two runs of one suite")
    return first.scores(set).compare(second.scores(set), exact=True).record()


def flipped(
    first: Source, second: Source, set: str = ""
) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Return the utterances right only in the second source, and those right only in the first."""
    one, other = first.scores(set), second.scores(set)
    rows = {id: row for row, id in enumerate(one.ids)}
    wrong, wrong_now = (
        score.counts[:, score.columns.index("wrong")].tolist() for score in (one, other)
    )
    better: list[dict[str, Any]] = []
    worse: list[dict[str, Any]] = []
    for row, (id, is_wrong) in enumerate(zip(other.ids, wrong_now, strict=True)):
        lines = worse if is_wrong else better
        if bool(wrong[rows[id]]) == bool(is_wrong) or len(lines) == _SHOWN:
            continue
        key = second.key_at(set, row)
        reference, before = first.brief(first.key_at(set, rows[id]))
        texts = (
            ("reference", reference),
            (first.name, before),
            (second.name, second.brief(key)[1]),
        )
        lines.append({**key, "id": id, "texts": texts})
    return better, worse
