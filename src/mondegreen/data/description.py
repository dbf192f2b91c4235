"""The size of a data set: utterances, words, vocabulary, slots and intents."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import msgspec

from mondegreen.data import read
from mondegreen.types import Utterance


class Description(msgspec.Struct, frozen=True, kw_only=True):
    """How large a data set is, and how many different words and labels it has."""

    utterances: int
    words: int
    vocabulary: int
    """Different words, as they are written."""
    slots: int
    slot_labels: int
    intents: int
    """Different intents, or classes."""

    @property
    def words_per_utterance(self) -> float | None:
        """The mean length of an utterance in words; ``None`` without utterances."""
        return self.words / self.utterances if self.utterances else None


def describe(
    data: Path | str | Iterable[Utterance | str], *, format: str | None = None, map: str = ""
) -> Description:
    """Count the utterances, words, different words, slots, labels of slots and intents of data.

    Args:
        data: a file or folder in any format, or utterances or texts.
        format: the format of a file; by default known from its name and content.
        map: the columns of a table that has other names, such as ``text=Query``.

    >>> describe(["play some jazz", "play it"])
    ... # doctest: +NORMALIZE_WHITESPACE
    Description(utterances=2, words=5, vocabulary=4, slots=0, slot_labels=0, intents=0)

    Raises:
        DataError: if the data is invalid.
    """
    utterances: Iterable[Utterance | str]
    utterances = read(data, format, map=map) if isinstance(data, str | Path) else data
    total = words = slots = 0
    vocabulary: set[str] = set()
    labels: set[str] = set()
    intents: set[str] = set()
    for item in utterances:
        one = Utterance.of("", item) if isinstance(item, str) else item
        total += 1
        words += len(one.tokens)
        vocabulary.update(one.tokens)
        slots += len(one.slots)
        labels.update(slot.label for slot in one.slots)
        if one.label is not None:
            intents.add(one.label)
    return Description(
        utterances=total,
        words=words,
        vocabulary=len(vocabulary),
        slots=slots,
        slot_labels=len(labels),
        intents=len(intents),
    )
