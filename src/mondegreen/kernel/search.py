"""Searches in word lists by spelling and by sound, and a set of ids, in plain Python."""

from __future__ import annotations

from collections.abc import Sequence


class Nearest:
    """Finds the entries of a word list with the smallest Levenshtein distance to a word.

    >>> Nearest(["which", "watch", "match", "banana"]).find("watch", 2)
    [(1, 0), (2, 1)]
    """

    def __init__(self, words: Sequence[str]) -> None:
        self._words = list(words)

    def find(self, word: str, n: int) -> list[tuple[int, int]]:
        """Return positions and distances of the ``n`` nearest entries; of equals, the earlier."""
        distances = [(_distance(word, entry), i) for i, entry in enumerate(self._words)]
        return [(i, distance) for distance, i in sorted(distances)[:n]]


def _distance(one: str, other: str) -> int:
    """Return the Levenshtein distance of two words."""
    row = list(range(len(other) + 1))
    for i, left in enumerate(one, start=1):
        above, row = row, [i]
        for j, right in enumerate(other):
            row.append(min(above[j] + (left != right), above[j + 1] + 1, row[j] + 1))
    return row[-1]


class Alike:
    """Finds the sequences of symbols that are nearest to another one under a table of costs."""

    def __init__(self, entries: list[list[int]], substitution: list[int], indel: list[int]) -> None:
        self._entries = entries
        self._substitution = substitution
        self._indel = indel

    def find(self, query: list[int], n: int) -> list[tuple[int, int]]:
        """Return costs and positions of the ``n`` nearest entries; of equals, the earlier."""
        costs = [(self._cost(entry, query), i) for i, entry in enumerate(self._entries)]
        return sorted(costs)[:n]

    def _cost(self, entry: list[int], query: list[int]) -> int:
        size, indel = len(self._indel), self._indel
        row = [sum(indel[q] for q in query[:j]) for j in range(len(query) + 1)]
        for symbol in entry:
            above, row = row, [row[0] + indel[symbol]]
            for j, q in enumerate(query):
                substituted = above[j] + self._substitution[symbol * size + q]
                row.append(min(substituted, above[j + 1] + indel[symbol], row[j] + indel[q]))
        return row[-1]


class FirstPlaces:
    """Where each 64-bit key was seen first."""

    def __init__(self) -> None:
        self._places: dict[int, int] = {}

    def add(self, key: int, place: int) -> None:
        """Keep the place of a new key; the place of a known one stays."""
        self._places.setdefault(key, place)

    def get(self, key: int) -> int:
        """Return the place of a key; -1 if it is not known."""
        return self._places.get(key, -1)


class Ids:
    """A set of ids, to find repeated ones. The compiled kernel stores hashes instead of ids."""

    def __init__(self) -> None:
        self._seen: set[str] = set()

    def add(self, id: str) -> bool:
        """Add an id and return whether it is new."""
        before = len(self._seen)
        self._seen.add(id)
        return len(self._seen) > before
