"""The items that can be aligned: texts or lists of tokens, in lists or Arrow arrays."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

Item = str | Sequence[str]


def words_of(item: Item) -> list[str]:
    """Return the words of a text, or a copy of a list of tokens.

    >>> words_of("play  jazz"), words_of(("play", "jazz"))
    (['play', 'jazz'], ['play', 'jazz'])
    """
    return item.split() if isinstance(item, str) else list(item)


def listed(items: Iterable[Item]) -> list[Item]:
    """Return items, or the items of an Arrow array, as a list."""
    to_list = getattr(items, "to_pylist", None)
    found: list[Item] = list(items) if to_list is None else to_list()
    return found
