"""Two sources side by side: paired tests, and which utterances flipped."""

from __future__ import annotations

from typing import Any

from mondegreen.errors import DataError
from mondegreen.report.source import Source
from mondegreen.runs.comparison import verdict

_SHOWN = 100  # flips of each kind


def compare_sources(first: Source, second: Source, set: str = "") -> dict[str, Any]:
    """Return the comparison of two sources on one set, as plain values.

    Raises:
        DataError: if they are not of one metric, or not of the same utterances.
    """
    if first.metric != second.metric:
        raise DataError(
            f"{first.name} is a score of {first.metric}, {second.name} of {second.metric}; "
            "compare two of one kind"
        )
    if set not in second.sets():
        raise DataError(f"{second.name} has no set {set!r}; compare two runs of one suite")
    one, two = first.scores(set), second.scores(set)
    if first.metric != "slu":
        record: dict[str, Any] = one.compare(two).record()
        return record
    found = verdict(set, one, two)  # the tests that mondegreen compare makes
    record = found.comparison.record()
    for rate, p in found.p.items():
        record["rates"][rate]["p"] = p
    return record


def flipped(
    first: Source, second: Source, set: str = ""
) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Return the utterances right only in the second source, and those only in the first."""
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
        said, before = first.brief(first.key_at(set, places[id]))
        texts = (("reference", said), (first.name, before), (second.name, second.brief(key)[1]))
        lines.append({**key, "id": id, "texts": texts})
    return better, worse
