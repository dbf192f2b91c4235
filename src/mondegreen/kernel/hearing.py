"""The kernel's trigram model and hearing in plain Python: oracle of the tests, and fallback.

The search has two steps. Every word that sounds like a stretch of the phonemes is found by a walk
over a trie of pronunciations; then the best sequences of such words from the start to the end, by
sound and surprise. All costs are whole numbers, so that the kernel finds exactly the same.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from os.path import commonprefix
from typing import NamedTuple

_LOWEST = 220_000
_SPARE = 2  # a word may have so many phonemes more or less than the stretch it stands for
_FAR = 1 << 28


class Trigram:
    """A trigram model: logarithms to the base 1.0001 of the chances of words."""

    def __init__(self, path: str) -> None:
        from pocketsphinx import LogMath, NGramModel

        self._model = NGramModel(None, LogMath(), path)

    def score(self, word: str, before: Sequence[str]) -> int:
        """Return the logarithm of a word's chance after others, the oldest first."""
        return int(self._model.prob([word, *reversed(before[-2:])]))

    def surprises(
        self, candidates: Sequence[str], before: Sequence[str], after: Sequence[str]
    ) -> list[int]:
        """Return how much the words of each candidate surprise, with those after it."""
        return [self.surprise([*candidate.split(), *after], before) for candidate in candidates]

    def surprise(self, words: Sequence[str], before: Sequence[str]) -> int:
        """Return how much words surprise after others, in sum."""
        said = [*before, *words]
        start = len(before)
        scores = (self.score(said[i], said[max(0, i - 2) : i]) for i in range(start, len(said)))
        return sum(-max(score, -_LOWEST) for score in scores)


class Limits(NamedTuple):
    """What the search looks at, and how it weighs.

    The beginning of a word may be off by ``base``, and ``growth`` more for each of its phonemes.
    ``sound`` is what a unit of the costs weighs, ``surprise`` what one of the model's weighs;
    ``beam`` sequences are kept at each place.
    """

    base: int
    growth: int
    sound: int
    surprise: int
    beam: int


class _Node(NamedTuple):
    symbol: int
    depth: int
    skip: int  # the next node that is not below this one
    entries: list[int]


class _State(NamedTuple):
    total: int
    sound: int
    surprise: int
    words: tuple[str, ...]  # with those before the phonemes
    entries: tuple[int, ...]
    ends: tuple[int, ...]


class _Arc(NamedTuple):
    """A word that stands for the phonemes from some place to ``end``."""

    plain: int  # what it costs without a look at the words before it
    entry: int
    end: int
    sound: int


Heard = tuple[list[int], list[int], int, int]
Barred = tuple[str, tuple[int, int]]


class Hearing:
    """A lexicon of pronunciations, and the word sequences that phonemes may be heard as."""

    def __init__(
        self,
        ways: list[list[int]],
        words: list[str],
        substitution: list[int],
        alone: list[int],
        model: Trigram,
    ) -> None:
        self._nodes = _trie(ways)
        self._words = words
        self._substitution = substitution
        self._alone = alone
        self._model = model
        self._plain = [-model.score(word, ()) for word in words]

    def hear(
        self,
        phonemes: list[int],
        before: list[str],
        after: list[str],
        barred: list[Barred],
        limits: Limits,
        n: int,
    ) -> list[Heard]:
        """Return entries, where each ends, sound and surprise of the ``n`` best sequences."""
        kept: list[list[_State]] = [[] for _ in range(len(phonemes) + 1)]
        kept[0].append(_State(0, 0, 0, tuple(before), (), ()))
        for start, states in enumerate(kept[:-1]):
            if not states:
                continue
            arcs = [
                arc
                for arc in self._arcs(phonemes[start:], start, limits)
                if not self._is_barred(self._words[arc.entry], start, arc.end, barred)
            ]
            for arc in sorted(arcs, key=lambda arc: arc.plain):
                self._extend(states, arc, kept[arc.end], limits)
        return self._best(kept[-1], len(before), after, limits, n)

    def _arcs(self, phonemes: list[int], start: int, limits: Limits) -> Iterator[_Arc]:
        """Every word that sounds like the first of the phonemes; one walk over the trie."""
        left, alone, size = len(phonemes), self._alone, len(self._alone)
        rows = [[_FAR] * (left + 1) for _ in range(max(node.depth for node in self._nodes) + 1)]
        rows[0] = [sum(alone[p] for p in phonemes[:j]) for j in range(left + 1)]
        at = 1
        while at < len(self._nodes):
            symbol, depth, skip, entries = self._nodes[at]
            low, high = max(0, depth - _SPARE), min(depth + _SPARE, left)
            above, row, lone = rows[depth - 1], [_FAR] * (left + 1), alone[symbol]
            for j in range(low, high + 1):
                cost = above[j] + lone
                if j:
                    cost = min(
                        cost, above[j - 1] + self._substitution[symbol * size + phonemes[j - 1]]
                    )
                    cost = min(cost, row[j - 1] + alone[phonemes[j - 1]])
                row[j] = cost
            rows[depth] = row
            bound = limits.base + limits.growth * depth
            if min(row) > bound:
                at = skip
                continue
            for j in range(max(low, 1), high + 1):
                if row[j] <= bound:
                    for entry in entries:
                        plain = row[j] * limits.sound + self._plain[entry] * limits.surprise
                        yield _Arc(plain, entry, start + j, row[j])
            at += 1

    @staticmethod
    def _is_barred(word: str, start: int, end: int, barred: list[Barred]) -> bool:
        return any(word == bar and first < end and last > start for bar, (first, last) in barred)

    def _extend(self, states: list[_State], arc: _Arc, kept: list[_State], limits: Limits) -> None:
        word = self._words[arc.entry]
        for state in states:
            total = state.total + arc.sound * limits.sound
            if len(kept) == limits.beam and total >= kept[-1].total:
                return
            surprise = -self._model.score(word, state.words)
            extended = _State(
                total + surprise * limits.surprise,
                state.sound + arc.sound,
                state.surprise + surprise,
                (*state.words, word),
                (*state.entries, arc.entry),
                (*state.ends, arc.end),
            )
            _keep(kept, extended, limits.beam)

    def _best(
        self, states: list[_State], known: int, after: list[str], limits: Limits, n: int
    ) -> list[Heard]:
        """The sequences that reach the end, ranked with the words that follow."""
        found = []
        for state in states:
            if len(state.words) == known:
                continue
            surprise = state.surprise + self._model.surprise(after, state.words)
            total = state.sound * limits.sound + surprise * limits.surprise
            found.append((total, (list(state.entries), list(state.ends), state.sound, surprise)))
        found.sort(key=lambda item: item[0])
        return [heard for _, heard in found[:n]]


def _keep(kept: list[_State], state: _State, beam: int) -> None:
    """Keep a state among the cheapest, unless the same words are there at no higher cost."""
    if len(kept) == beam and state.total >= kept[-1].total:
        return
    for i, other in enumerate(kept):
        if other.words == state.words:
            if other.total <= state.total:
                return
            del kept[i]
            break
    kept.insert(bisect_right(kept, state.total, key=lambda other: other.total), state)
    del kept[beam:]


def _trie(ways: list[list[int]]) -> list[_Node]:
    """Pronunciations as a trie in the order of a walk: below a node is what comes right after."""
    nodes: list[tuple[int, int, list[int]]] = [(0, 0, [])]
    above: list[int] = []
    for entry in sorted(range(len(ways)), key=lambda entry: ways[entry]):
        way = ways[entry]
        shared = len(commonprefix([way, above]))  # noqa: RUF071 (of lists)
        nodes += [(way[depth], depth + 1, []) for depth in range(shared, len(way))]
        nodes[-1][2].append(entry)
        above = way
    skips = [0] * len(nodes)
    later: list[int] = []  # nodes to the right, the nearest last
    for at in reversed(range(len(nodes))):
        while later and nodes[later[-1]][1] > nodes[at][1]:
            later.pop()
        skips[at] = later[-1] if later else len(nodes)
        later.append(at)
    return [_Node(*node[:2], skip, node[2]) for node, skip in zip(nodes, skips, strict=True)]
