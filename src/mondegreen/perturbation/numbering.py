"""Texts and data frames as utterances."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import count

from mondegreen.data.dataframes import is_table, read_table
from mondegreen.errors import DataError
from mondegreen.types import Utterance


def numbered(data: Iterable[Utterance | str]) -> Iterator[Utterance]:
    """Return utterances as they are, texts as utterances whose ids are their numbers.

    A data frame, an Arrow table or a dataset gives the utterances of its rows.

    >>> [utterance.id for utterance in numbered(["play jazz", Utterance.of("u2", "stop")])]
    ['1', 'u2']

    Raises:
        DataError: if the data is a single text, or not a collection.
    """
    if isinstance(data, str):
        raise DataError("a single text is not a list of texts; put it into a list")
    if is_table(data) or isinstance(data, Mapping):
        return read_table(data)
    if not isinstance(data, Iterable):
        raise DataError(f"a list of utterances or texts is expected, got {data!r:.60}")
    return map(_numbered, data, count(1))


def _numbered(item: object, number: int) -> Utterance:
    if isinstance(item, Utterance):
        return item
    if isinstance(item, str):
        return Utterance.of(str(number), item)
    raise DataError(f"row {number} is {item!r:.60}; a text or an utterance is expected")
