"""The rows of a score as they are written: all that a report or the viewer needs to show them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from mondegreen.metrics.score import Score


def rows(score: Score, columns: Sequence[Mapping[str, object]] = ()) -> Iterator[dict[str, Any]]:
    """Yield one row an utterance: id, both sides as they were compared, rates, counts, recipe.

    Args:
        score: what a metric found.
        columns: the other columns of the reference, such as the speaker.

    >>> from mondegreen.score import words
    >>> row = next(rows(words(["play some jazz"], ["play jaws"]), [{"speaker": "ann"}]))
    >>> row["ref"], row["hyp"], row["deletions"], row["columns"]
    ('play some jazz', 'play jaws', 1, {'speaker': 'ann'})
    """
    for number, row in enumerate(score.items):
        sides = {}
        if score.detail is not None:
            ref, hyp = score.detail.sides(number)
            sides = {"ref": ref, "hyp": hyp}
        found = {"id": row["id"], **sides, **row, "signature": score.signature}
        other = columns[number] if columns else {}
        known = (row["id"], sides.get("ref"))
        if kept := {name: value for name, value in other.items() if value not in known}:
            found["columns"] = kept
        yield found
