"""The trigram model and the search for mishearings in plain Python.

The search has two steps. A walk over a trie of pronunciations finds every word that sounds like a
part of the phonemes. A beam search then finds the best sequences of such words from the first
phoneme to the last, by distance in sound and by surprisal. All costs are integers, so that the
compiled kernel finds exactly the same sequences.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from os.path import commonprefix
from typing import NamedTuple

_LOWEST = 220_000
_SPARE = 2  # how many phonemes more or less a word may have than the part that it matches
_FAR = 1 << 28


class Trigram:
    """A trigram model. Its scores are logarithms of probabilities, to the base 1.0001."""

    def __init__(self, path: str) -> None:
        from pocketsphinx import LogMath, NGramModel

        self._model = NGramModel(None, LogMath(), path)

    def score(self, word: str, before: Sequence[str]) -> int:
        """Return the log probability of a word after the words ``before``, which are in order."""
        return int(self._model.prob([word, *reversed(before[-2:])]))

    def surprises(
        self, candidates: Sequence[str], before: Sequence[str], after: Sequence[str]
    ) -> list[int]:
        """Return the surprisal of each candidate together with the words after it."""
        return [self.surprise([*candidate.split(), *after], before) for candidate in candidates]

    def surprise(self, words: Sequence[str], before: Sequence[str]) -> int:
        """Return the summed surprisal of words after the words ``before``."""
        every = [*before, *words]
        start = len(before)
        scores = (self.score(every[i], every[max(0, i - 2) : i]) for i in range(start, len(every)))
        return sum(-max(score, -_LOWEST) for score in scores)


class SearchLimits(NamedTuple):
    """The limits and weights of the search.

    A word may differ from the phonemes by a cost of ``base``, plus ``growth`` per phoneme of the
    word. ``sound`` is the weight of the cost in sound, ``surprise`` the weight of the surprisal.
    ``beam`` is the number of sequences kept per position.
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
    words: tuple[str, ...]  # including the words before the phonemes
    entries: tuple[int, ...]
    ends: tuple[int, ...]


class _Arc(NamedTuple):
    """A word that matches the phonemes from some position up to ``end``."""

    plain: int  # its cost regardless of the words before it
    entry: int
    end: int
    sound: int


Heard = tuple[list[int], list[int], int, int]
Barred = tuple[str, tuple[int, int]]


class Hearing:
    """Finds the word sequences that phonemes can be heard as, in a lexicon of pronunciations."""

    def __init__(
        self,
        pronunciations: list[list[int]],
        words: list[str],
        substitution: list[int],
        indel: list[int],
        model: Trigram,
    ) -> None:
        self._nodes = _trie(pronunciations)
        self._words = words
        self._substitution = substitution
        self._indel = indel
        self._model = model
        self._plain = [-model.score(word, ()) for word in words]

    def hear(
        self,
        phonemes: list[int],
        before: list[str],
        after: list[str],
        barred: list[Barred],
        limits: SearchLimits,
        n: int,
    ) -> list[Heard]:
        """Return the ``n`` best sequences: their entries, ends, sound costs and surprisals."""
        beams: list[list[_State]] = [[] for _ in range(len(phonemes) + 1)]
        beams[0].append(_State(0, 0, 0, tuple(before), (), ()))
        for start, states in enumerate(beams[:-1]):
            if not states:
                continue
            arcs = [
                arc
                for arc in self._arcs(phonemes[start:], start, limits)
                if not self._is_barred(self._words[arc.entry], start, arc.end, barred)
            ]
            for arc in sorted(arcs, key=lambda arc: arc.plain):
                self._extend(states, arc, beams[arc.end], limits)
        return self._best(beams[-1], len(before), after, limits, n)

    def _arcs(self, phonemes: list[int], start: int, limits: SearchLimits) -> Iterator[_Arc]:
        """Yield every word that sounds like the first of the phonemes; walks over the trie once."""
        left, indel, size = len(phonemes), self._indel, len(self._indel)
        rows = [[_FAR] * (left + 1) for _ in range(max(node.depth for node in self._nodes) + 1)]
        rows[0] = [sum(indel[p] for p in phonemes[:j]) for j in range(left + 1)]
        at = 1
        while at < len(self._nodes):
            symbol, depth, skip, entries = self._nodes[at]
            low, high = max(0, depth - _SPARE), min(depth + _SPARE, left)
            above, row, deletion = rows[depth - 1], [_FAR] * (left + 1), indel[symbol]
            for j in range(low, high + 1):
                cost = above[j] + deletion
                if j:
                    cost = min(
                        cost, above[j - 1] + self._substitution[symbol * size + phonemes[j - 1]]
                    )
                    cost = min(cost, row[j - 1] + indel[phonemes[j - 1]])
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

    def _extend(
        self, states: list[_State], arc: _Arc, beam: list[_State], limits: SearchLimits
    ) -> None:
        word = self._words[arc.entry]
        for state in states:
            total = state.total + arc.sound * limits.sound
            if len(beam) == limits.beam and total >= beam[-1].total:
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
            _add_to_beam(beam, extended, limits.beam)

    def _best(
        self, states: list[_State], known: int, after: list[str], limits: SearchLimits, n: int
    ) -> list[Heard]:
        """Rank the sequences that reach the last phoneme, together with the words after them."""
        found = []
        for state in states:
            if len(state.words) == known:
                continue
            surprise = state.surprise + self._model.surprise(after, state.words)
            total = state.sound * limits.sound + surprise * limits.surprise
            found.append((total, (list(state.entries), list(state.ends), state.sound, surprise)))
        found.sort(key=lambda item: item[0])
        return [heard for _, heard in found[:n]]


def _add_to_beam(beam: list[_State], state: _State, size: int) -> None:
    """Add a state to a beam unless it costs too much or the same words are there for less."""
    if len(beam) == size and state.total >= beam[-1].total:
        return
    for i, other in enumerate(beam):
        if other.words == state.words:
            if other.total <= state.total:
                return
            del beam[i]
            break
    beam.insert(bisect_right(beam, state.total, key=lambda other: other.total), state)
    del beam[size:]


def _trie(pronunciations: list[list[int]]) -> list[_Node]:
    """Build a trie of pronunciations, with its nodes in depth-first order."""
    nodes: list[tuple[int, int, list[int]]] = [(0, 0, [])]
    above: list[int] = []
    for entry in sorted(range(len(pronunciations)), key=lambda entry: pronunciations[entry]):
        symbols = pronunciations[entry]
        shared = len(commonprefix([symbols, above]))  # noqa: RUF071 (lists, not paths)
        nodes += [(symbols[depth], depth + 1, []) for depth in range(shared, len(symbols))]
        nodes[-1][2].append(entry)
        above = symbols
    skips = [0] * len(nodes)
    later: list[int] = []  # nodes to the right, the nearest last
    for at in reversed(range(len(nodes))):
        while later and nodes[later[-1]][1] > nodes[at][1]:
            later.pop()
        skips[at] = later[-1] if later else len(nodes)
        later.append(at)
    return [_Node(*node[:2], skip, node[2]) for node, skip in zip(nodes, skips, strict=True)]
