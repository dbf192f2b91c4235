"""Which items of a run to select, and in which order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from mondegreen.runs.queries import Where
from mondegreen.runs.run_file import RunSet

ORDERS = {
    "position": "number",
    **{
        name: name
        for name in (
            "label", "predicted", "text", "operator", "state", "speaker", "loss", "wrong",
            "flip",
        )
    },
}  # fmt: skip
"""The orders that every run has, and the column of each."""


@dataclass(frozen=True)
class Filter:
    """Which items to select; a field that is not set selects all.

    Args:
        set: the name of a set.
        label: the gold intent or class.
        predicted: the predicted intent or class.
        operator: the operator that made the variant.
        state: the worst state of its slots: kept, split, corrected or lost.
        speaker: the speaker, if the data has a column ``speaker``.
        wrong: only items whose frame is wrong.
        flip: -1 for items that are wrong though the original is right, 1 for the reverse.
        parent: the id of the source utterance.
        search: words that the text contains; the last one may be incomplete.
        numbers: the numbers of the items.
    """

    set: str | None = None
    label: str | None = None
    predicted: str | None = None
    operator: str | None = None
    state: str | None = None
    speaker: str | None = None
    wrong: bool = False
    flip: int | None = None
    parent: str | None = None
    search: str = ""
    numbers: Sequence[int] | None = None


def where_of(which: Filter, one: RunSet | None, *, searchable: bool) -> Where:
    """Return the condition that selects items.

    Args:
        which: what is asked for.
        one: the set of that name.
        searchable: whether the run has an index of words.
    """
    where = Where()
    if one is not None:
        where = where.also(
            "set_number = ? AND number >= ? AND number < ?",
            one.number,
            one.first,
            one.first + one.n,
        )
    for column in ("label", "predicted", "operator", "state", "speaker", "flip", "parent"):
        if (value := getattr(which, column)) is not None:
            where = where.equals(column, value)
    if which.wrong:
        where = where.also("wrong = 1")
    if which.numbers is not None:
        where = where.among("number", which.numbers)
    words = which.search.split()
    if words and searchable:
        phrase = " ".join('"' + word.replace('"', '""') + '"' for word in words) + "*"
        return where.also("number IN (SELECT rowid FROM search WHERE search MATCH ?)", phrase)
    for word in words:
        where = where.contains(["text"], word)
    return where
