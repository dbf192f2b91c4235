"""Lattices: all readings of a text in one graph, and whether two texts share a reading."""

from __future__ import annotations

from typing import NamedTuple

Edges = dict[str, list[tuple[int, int]]]
GUESS, FORM = 1, 2
"""How an edge may be weak: what may only be meant so, and what stands for any form of a word."""


class Meeting(NamedTuple):
    """How far two texts say the same: whether to the end, else up to which of their tokens."""

    same: bool
    left: int
    right: int


class Lattice:
    """A graph of labels. Nodes up to ``size`` stand between tokens, later ones inside readings.

    An edge that is a guess (a word taken letter by letter, a date whose order is unknown) agrees
    only with one that is not; so does one that leaves the form open ("premier", "première").
    ``stops`` are the nodes between words, at the start and at the end.
    """

    def __init__(self, size: int) -> None:
        self.size = size
        self.edges: list[Edges] = [{} for _ in range(size + 1)]
        self.stops: set[int] = {0, size}

    def add(self, start: int, end: int, labels: tuple[str, ...], *, weak: int = 0) -> None:
        """Add a reading of the tokens between two nodes."""
        for label in labels[:-1]:
            self.edges.append({})
            after = len(self.edges) - 1
            self._link(start, label, after, weak)
            start = after
        if labels:
            self._link(start, labels[-1], end, weak)

    def _link(self, start: int, label: str, end: int, weak: int) -> None:
        targets = self.edges[start].setdefault(label, [])
        if (end, weak) not in targets:
            targets.append((end, weak))


def meeting(left: Lattice, right: Lattice) -> Meeting:
    """Return whether two lattices share a reading, and how far they agree if not."""
    goal = (left.size, right.size)
    seen = {(0, 0)}
    waiting = [(0, 0)]
    furthest = (0, 0)
    while waiting:
        pair = waiting.pop()
        if pair == goal:
            return Meeting(same=True, left=left.size, right=right.size)
        at, beside = pair
        further = (at + beside, at) > (sum(furthest), furthest[0])
        if further and at in left.stops and beside in right.stops:
            furthest = pair
        for after in steps(left.edges[at], right.edges[beside]):
            if after not in seen:
                seen.add(after)
                waiting.append(after)
    return Meeting(same=False, left=furthest[0], right=furthest[1])


def steps(one: Edges, other: Edges) -> list[tuple[int, int]]:
    """Return the pairs of nodes that two nodes reach by a shared label."""
    found = []
    swapped = len(one) > len(other)
    few, many = (other, one) if swapped else (one, other)
    for label, targets in few.items():
        matching = many.get(label)
        if matching is None:
            continue
        for target, weak in targets:
            for partner, other_weak in matching:
                if not weak & other_weak:
                    found.append((partner, target) if swapped else (target, partner))
    return found
