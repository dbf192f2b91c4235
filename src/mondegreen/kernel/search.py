"""Searches over word lists in plain Python: by spelling, by sound; and a set of ids."""

from __future__ import annotations

from collections.abc import Sequence


class Nearest:
    """The entries of a word list that are nearest to a word by Levenshtein distance.

    >>> Nearest(["which", "watch", "match", "banana"]).find("watch", 2)
    [(1, 0), (2, 1)]
    """

    def __init__(self, words: Sequence[str]) -> None:
        self._words = list(words)

    def find(self, word: str, n: int) -> list[tuple[int, int]]:
        """Return position and distance of the ``n`` nearest entries, the earlier of two equals."""
        distances = [(_distance(word, entry), i) for i, entry in enumerate(self._words)]
        return [(i, distance) for distance, i in sorted(distances)[:n]]


def _distance(one: str, other: str) -> int:
    """The Levenshtein distance of two words."""
    row = list(range(len(other) + 1))
    for i, left in enumerate(one, start=1):
        above, row = row, [i]
        for j, right in enumerate(other):
            row.append(min(above[j] + (left != right), above[j + 1] + 1, row[j] + 1))
    return row[-1]


class Alike:
    """The entries of a lexicon of symbol sequences nearest to a sequence under a table of costs."""

    def __init__(self, entries: list[list[int]], substitution: list[int], alone: list[int]) -> None:
        self._entries = entries
        self._substitution = substitution
        self._alone = alone

    def find(self, query: list[int], n: int) -> list[tuple[int, int]]:
        """Return cost and position of the ``n`` nearest entries, the earlier one of equals."""
        costs = [(self._cost(entry, query), i) for i, entry in enumerate(self._entries)]
        return sorted(costs)[:n]

    def _cost(self, entry: list[int], query: list[int]) -> int:
        size, alone = len(self._alone), self._alone
        row = [sum(alone[q] for q in query[:j]) for j in range(len(query) + 1)]
        for symbol in entry:
            above, row = row, [row[0] + alone[symbol]]
            for j, q in enumerate(query):
                substituted = above[j] + self._substitution[symbol * size + q]
                row.append(min(substituted, above[j + 1] + alone[symbol], row[j] + alone[q]))
        return row[-1]


class Ids:
    """A set of ids that tells a repeated one; the kernel keeps a fingerprint, not the id."""

    def __init__(self) -> None:
        self._seen: set[str] = set()

    def add(self, id: str) -> bool:
        """Add an id; return whether it is new."""
        before = len(self._seen)
        self._seen.add(id)
        return len(self._seen) > before
