"""The texts of a file, or of a part of it, with their ids and other columns."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from mondegreen.data.files.lines import STANDARD_STREAM
from mondegreen.data.formats.format import Format, Record
from mondegreen.data.layout import LABEL_COLUMNS
from mondegreen.errors import DataError
from mondegreen.types import Utterance

LENGTH = "length"
"""The column that every file has: groups of utterances by their number of words."""
_LENGTHS = (1, 4, 8, 16, 32, 64)


@lru_cache(maxsize=8)
def numbers(n: int) -> tuple[str, ...]:
    """Return the ids of utterances without ids: their numbers, from 1."""
    return tuple(map(str, range(1, n + 1)))


@dataclass(frozen=True)
class Transcripts:
    """The texts of a file, with their ids and other columns.

    ``has_ids`` is false where the ids are only line numbers; ``alternatives`` is true where texts
    may hold alternatives such as ``{ a / b / @ }``. ``entities`` are the class, the first token and
    the token after the last of each entity, if the file tags any. ``caseless`` is true where case
    does not count. ``times`` are when each word of each text begins and ends, in seconds, if the
    file has times of words. ``items`` are what is compared, if not the texts; ``None`` stands for
    one that is missing. ``tags`` are those of the words, if each word has one.
    """

    path: Path
    has_ids: bool
    ids: Sequence[str]
    texts: Sequence[str]
    extra: Sequence[Record] = field(default=())
    alternatives: bool = False
    entities: Sequence[Sequence[tuple[str, int, int]]] | None = None
    caseless: bool = False
    times: Sequence[Sequence[tuple[float, float]]] | None = None
    items: Sequence[Any] = ()
    tags: Sequence[Sequence[str]] | None = None

    @classmethod
    def of(cls, path: Path, format: Format, utterances: Sequence[Utterance]) -> Transcripts:
        """Make transcripts of the utterances of a file."""
        return cls(
            path,
            format.has_ids,
            [one.id for one in utterances],
            [one.text for one in utterances],
            [dict(one.extra) | ({"label": one.label} if one.label else {}) for one in utterances],
            format.alternatives,
            _entities(utterances),
            format.references_only,
            times=_times(utterances),
        )

    @property
    def compared(self) -> Sequence[Any]:
        """What is compared: the items, or the texts."""
        return self.items or self.texts

    def only(self, places: Sequence[int]) -> Transcripts:
        """Return some of the utterances."""
        return gathered(self, [(self, place) for place in places])

    def column(self, name: str) -> list[str]:
        """Return another column of the file, for groups; ``length`` groups by number of words.

        Raises:
            DataError: if an utterance lacks it.
        """
        if name == LENGTH and not (self.extra and name in self.extra[0]):
            return [_length_of(text) for text in self.texts]
        if not self.extra:
            raise DataError(f"{self.path}: a file of plain lines has no column {name!r}")
        if name in LABEL_COLUMNS and all(name not in columns for columns in self.extra):
            name = LABEL_COLUMNS[0]
        for id, columns in zip(self.ids, self.extra, strict=True):
            if name not in columns:
                known = ", ".join(columns) or "none"
                raise DataError(
                    f"{self.path}: utterance {id!r} has no column {name!r} (its columns: {known})"
                )
        return [group_name(columns[name], name) for columns in self.extra]


def group_name(value: object, column: str) -> str:
    """Return the group of an utterance by its value of a column, also if it has none.

    >>> group_name("wales", "accent"), group_name("", "accent"), group_name(None, "accent")
    ('wales', '(no accent)', '(no accent)')
    """
    return f"(no {column})" if value is None or value == "" else str(value)


def gathered(like: Transcripts, rows: Sequence[tuple[Transcripts, int] | None]) -> Transcripts:
    """Return utterances of several parts of a file, in a new order; one that is missing is empty.

    Args:
        like: a part of the file, which says what the others have.
        rows: the part and the place of each utterance; ``None`` where it is missing.
    """

    def column(name: str, empty: Any) -> list[Any]:
        return [empty if row is None else getattr(row[0], name)[row[1]] for row in rows]

    lists: dict[str, Any] = {"ids": "", "texts": "", "extra": {}, "items": None}
    lists |= {"entities": (), "times": (), "tags": ()}
    kept: dict[str, Any] = {
        name: column(name, empty) for name, empty in lists.items() if getattr(like, name)
    }
    return replace(like, **kept)


def concatenated(parts: Sequence[Transcripts]) -> Transcripts:
    """Return all parts of a file as one."""
    if len(parts) == 1:
        return parts[0]
    return gathered(parts[0], [(part, at) for part in parts for at in range(len(part.ids))])


def _length_of(text: str) -> str:
    """Return the group of a text by its number of words.

    >>> _length_of("play some jazz"), _length_of("")
    ('01-03 words', '00 words')
    """
    n = len(text.split())
    low = max((edge for edge in _LENGTHS if edge <= n), default=0)
    high = next((edge - 1 for edge in _LENGTHS if edge > n), None)
    return (
        f"{low:02}+ words" if high is None else f"{low:02}-{high:02} words" if low else "00 words"
    )


def _entities(utterances: Sequence[Utterance]) -> list[list[tuple[str, int, int]]] | None:
    """Return the entities of utterances: their own, or their slots; ``None`` if there are none."""
    found = [
        list(dict(one.extra).get("entities") or ())  # type: ignore[call-overload]
        if not one.slots
        else [(slot.label, slot.start, slot.end) for slot in one.slots]
        for one in utterances
    ]
    fits = all(isinstance(entity, tuple) for row in found for entity in row)
    return found if fits and any(found) else None


def _times(utterances: Sequence[Utterance]) -> list[Any] | None:
    """Return the times that records have in a column of that name; ``None`` if some have none."""
    found = [dict(one.extra).get("times") for one in utterances]
    return found if found and all(isinstance(row, list) for row in found) else None


def warn_same(refs: Transcripts, path: Path, texts: Sequence[Any]) -> None:
    """Warn if references and hypotheses are the same texts of the same file."""
    if refs.path == path and path != STANDARD_STREAM and list(refs.texts) == list(texts):
        warnings.warn(
            f"{refs.path}: references and hypotheses are the same texts of the same file, so there "
            "are no errors to find; if another column holds the hypotheses, name it: --hyp "
            f"{refs.path}:COLUMN",
            stacklevel=2,
        )
