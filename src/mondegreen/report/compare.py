"""Two sources side by side: paired tests, and which utterances flipped."""

from __future__ import annotations

from typing import Any

from mondegreen.errors import DataError
from mondegreen.report.source import Source

_SHOWN = 100  # flips of each kind


def compare_sources(first: Source, second: Source, set: str = "") -> dict[str, Any]:
    """Return the comparison of two sources on one set, as plain values.

    Raises:
        DataError: if the sources are of different metrics or utterances.
    """
    if first.metric != second.metric:
        raise DataError(
            f"{first.name} is a score of {first.metric.name}, {second.name} of "
            f"{second.metric.name}; compare two of one kind"
        )
    if set not in second.sets():
        raise DataError(f"{second.name} has no set {set!r}; compare two runs of one suite")
    return first.scores(set).compare(second.scores(set), exact=True).record()


def flipped(
    first: Source, second: Source, set: str = ""
) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Return the utterances right only in the second source, and those right only in the first."""
    one, other = first.scores(set), second.scores(set)
    places = {id: place for place, id in enumerate(one.ids)}
    wrong, now = (score.counts[:, score.columns.index("wrong")].tolist() for score in (one, other))
    better: list[dict[str, Any]] = []
    worse: list[dict[str, Any]] = []
    for place, (id, bad) in enumerate(zip(other.ids, now, strict=True)):
        lines = worse if bad else better
        if bool(wrong[places[id]]) == bool(bad) or len(lines) == _SHOWN:
            continue
        key = second.key_at(set, place)
        reference, before = first.brief(first.key_at(set, places[id]))
        texts = (
            ("reference", reference),
            (first.name, before),
            (second.name, second.brief(key)[1]),
        )
        lines.append({**key, "id": id, "texts": texts})
    return better, worse
