"""Which items of a run to select, and in which order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from mondegreen.runs.queries import Where
from mondegreen.runs.run_file import RunSet
from mondegreen.runs.schema import COLUMN

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
        id: the id of the utterance.
        columns: values of further columns of the data.
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
    id: str | None = None
    columns: Mapping[str, str] = field(default_factory=dict)
    search: str = ""
    numbers: Sequence[int] | None = None


def where_of(
    which: Filter, one: RunSet | None, *, searchable: bool, searched: Sequence[str] = ("text",)
) -> Where:
    """Return the condition that selects items.

    Args:
        which: what is asked for.
        one: the set of that name.
        searchable: whether the run has an index of words.
        searched: the columns to search otherwise.
    """
    where = Where()
    if one is not None:
        where = where.also(
            "set_number = ? AND number >= ? AND number < ?",
            one.number,
            one.first,
            one.first + one.n,
        )
    for column in ("label", "predicted", "operator", "state", "speaker", "flip", "parent", "id"):
        if (value := getattr(which, column)) is not None:
            where = where.equals(column, value)
    for name, value in which.columns.items():
        where = where.equals(COLUMN + name, value)
    if which.wrong:
        where = where.also("wrong = 1")
    if which.numbers is not None:
        where = where.among("number", which.numbers)
    words = which.search.split()
    if words and searchable:
        phrase = " ".join('"' + word.replace('"', '""') + '"' for word in words) + "*"
        return where.also("number IN (SELECT rowid FROM search WHERE search MATCH ?)", phrase)
    for word in words:
        where = where.contains(searched, word)
    return where
