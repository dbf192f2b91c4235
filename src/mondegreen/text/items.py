"""What can be aligned: a text, or a list of tokens; and lists of them, Arrow arrays included."""

from __future__ import annotations

from collections.abc import Sequence

Item = str | Sequence[str]


def words_of(item: Item) -> list[str]:
    """Return the words of a text, or the tokens of a list.

    >>> words_of("play  jazz"), words_of(("play", "jazz"))
    (['play', 'jazz'], ['play', 'jazz'])
    """
    return item.split() if isinstance(item, str) else list(item)


def listed(items: Sequence[Item]) -> list[Item]:
    """Return items as a list, also those of an Arrow array."""
    to_list = getattr(items, "to_pylist", None)
    found: list[Item] = list(items) if to_list is None else to_list()
    return found
