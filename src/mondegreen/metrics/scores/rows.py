"""The rows of a score as they are written: all that a report or the viewer needs to show them."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from mondegreen.metrics import METRICS
from mondegreen.metrics.scores.score import Score
from mondegreen.metrics.words.steps import letters_of


def rows(
    score: Score,
    columns: Sequence[Mapping[str, object]] = (),
    repeated: Collection[str] | None = None,
) -> Iterator[dict[str, Any]]:
    """Yield one row per utterance: id, both sides as compared, rates, counts, recipe.

    A metric that was loaded by its place has the place in its rows, so that it is found again.

    Args:
        score: what a metric found.
        columns: the other columns of the reference, such as the speaker.
        repeated: those to leave out; by default, those that hold the id or the reference once
            more.

    >>> from mondegreen.score import words
    >>> row = next(rows(words(["play some jazz"], ["play jaws"]), [{"speaker": "ann"}]))
    >>> row["ref"], row["hyp"], row["deletions"], row["columns"]
    ('play some jazz', 'play jaws', 1, {'speaker': 'ann'})
    """
    left_out = repeated_columns(score, columns) if repeated is None else repeated
    name = METRICS.name_of(score.metric)
    recipe = {"signature": score.signature}
    if name != score.metric.name:
        recipe["metric"] = name
    for number, row in enumerate(score.items):
        found = {"id": row["id"], **_sides(score, number), **row, **recipe}
        if row["wrong"] and (alignment := letters_of(score, number)):
            found["alignment"] = alignment
        other = columns[number] if columns else {}
        if kept := {name: value for name, value in other.items() if name not in left_out}:
            found["columns"] = kept
        yield found


def repeated_columns(score: Score, columns: Sequence[Mapping[str, object]]) -> set[str]:
    """Return the columns that hold the id or the reference once more."""
    if not columns:
        return set()
    sides = [_sides(score, number) for number in range(len(score))]
    return {
        name
        for name in columns[0]
        if all(row.get(name) == id for row, id in zip(columns, score.ids, strict=True))
        or all(row.get(name) == side.get("ref") for row, side in zip(columns, sides, strict=True))
    }


def _sides(score: Score, number: int) -> dict[str, str]:
    """Return both sides as compared and, where that is different, as written."""
    if score.detail is None:
        return {}
    ref, hyp = score.detail.sides(number)
    sides = {"ref": ref, "hyp": hyp}
    for name, texts in zip(sides.copy(), getattr(score.detail, "written", ()), strict=False):
        text = texts[number] if isinstance(texts[number], str) else " ".join(texts[number])
        if " ".join(text.split()) != sides[name]:
            sides[f"written_{name}"] = text
    return sides
