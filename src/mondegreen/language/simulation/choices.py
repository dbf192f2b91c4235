"""Which words replace a word in error."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from copy import copy
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mondegreen.draw import Draw
from mondegreen.language.hearing import mishear
from mondegreen.language.simulation.drawn import Around, Drawn, surprisal
from mondegreen.language.simulation.kinds import ONE, THREE, TWO, kind_of, reading
from mondegreen.language.simulation.profile import Counts, Habits
from mondegreen.language.simulation.units import Words
from mondegreen.language.simulation.vocabulary import FEATURES, UNLIKENESS, Vocabulary

NEIGHBOURS = (0.0, 0.5, 1.0)
"""The feature of a word that has no, one or two neighbours in error."""
WEIGHTS = FEATURES + 6
"""How many weights a candidate has: of its features, of memory, of usage and of the context."""
_STEPS = (0.15, 0.3, 0.45, 0.6, 0.8)
STEPS = len(_STEPS) + 1
"""How many steps of unlikeness there are."""
_NEW = 0.7  # how many errors the unseen outcomes of a word are worth
_SPLITS = 24
_JOINS = 12
_FARTHEST_JOIN = 0.5
_TRUSTED = 10.0  # errors of a word that are half of full trust in what it was heard as
_REMEMBERED = 1 << 13  # words whose candidates are kept; a word takes about 25 kB

Floats = NDArray[np.float64]


def step_of(unlikeness: float) -> int:
    """Return the step of unlikeness of two words."""
    return bisect_right(_STEPS, unlikeness)


def mistaken(heard: Mapping[str, Counts]) -> Counter[str]:
    """Count the words that were heard where another one was said."""
    found = Counter[str]()
    for counts in heard.values():
        for words, count in counts.items():
            if kind_of(words) == ONE:
                found[words] += count
    return found


class Usage:
    """How usual two words in a row are for a recogniser.

    Args:
        bigrams: how often the hypotheses have two words in a row.
    """

    def __init__(self, bigrams: Counts) -> None:
        self._logs = {pair: math.log1p(count) for pair, count in bigrams.items()}

    def of(self, others: Iterable[str], around: Around) -> list[float]:
        """Return how usual each of some words is between its neighbours."""
        get, before, after = self._logs.get, around[0][-1], around[1][0]
        return [get(f"{before} {one}", 0.0) + get(f"{one} {after}", 0.0) for one in others]


class _Replacements(NamedTuple):
    """The words to draw from, how unlike each is, and the weights of usage and of the context."""

    drawn: Drawn
    steps: bytes
    usage: float
    context: float


class Candidates(NamedTuple):
    """Words that a word may be heard as, and their features, one row for each.

    ``seen`` is whether one of them was heard for the word before.
    """

    words: list[str]
    features: Floats
    seen: bool


def candidates_of(word: str, heard: Mapping[str, Counts], vocabulary: Vocabulary) -> Candidates:
    """Return the words that a word may be heard as."""
    seen = {other: n for other, n in heard.get(word, {}).items() if kind_of(other) == ONE}
    places = vocabulary.near(word, list(seen))
    others = [vocabulary.words[place] for place in places]
    counts = np.array([seen.get(other, 0) for other in others], float)
    features = _with_memory(vocabulary.features(word, places), counts)
    return Candidates(others, features, bool(counts.any()))


def _with_memory(features: Floats, counts: Floats) -> Floats:
    """Return features of candidates, with those of what a word was heard as before.

    The more often that was, the more they count.
    """
    total = counts.sum()
    share = np.log((counts + 0.05) / (total + 1.0))
    trust = total / (total + _TRUSTED)
    new = (counts == 0) & (total > 0)
    return np.column_stack([features, share, counts > 0, new, trust * share])


class Choices:
    """Draws which words replace a word, by the weights and the memory of a profile.

    The weights of a word are a row plus the next one as far as its neighbours are wrong; words for
    which another one was heard before have the last two rows.
    """

    def __init__(
        self,
        weights: Sequence[Sequence[float]],
        nearness: Sequence[Sequence[float]],
        heard: Mapping[str, Counts],
        joined: Mapping[str, Counts],
        habits: Habits,
        vocabulary: Vocabulary,
        usage: Usage,
    ) -> None:
        new, seen = weights[:2], weights[2:]
        self._rows = [
            np.array([np.add(base, wrong * np.array(more)) for wrong in NEIGHBOURS])
            for base, more in (new, seen)
        ]
        self.nearness = nearness
        self._heard, self._joined, self._habits = heard, joined, habits
        self._vocabulary, self._usage = vocabulary, usage
        self._ones = lru_cache(maxsize=_REMEMBERED)(self._replacements)
        self._splits = lru_cache(maxsize=_REMEMBERED)(self._split)
        self._joins = lru_cache(maxsize=_REMEMBERED)(self._join)

    def with_nearness(self, nearness: Sequence[Sequence[float]]) -> Choices:
        """Return choices of another nearness; both remember the candidates of words together."""
        other = copy(self)
        other.nearness = nearness
        return other

    def words(self, word: str, kind: int, around: Around, draw: Draw, wrong: int) -> Words:
        """Return what a word is heard as, for the kinds ``ONE`` to ``THREE``.

        Some candidates are drawn by their weights, which depend on how many neighbours are wrong;
        between these, the words around them decide, and how unlike they are.
        """
        if kind > ONE:
            split = self._splits(word, kind - ONE + 1)
            if split is not None:
                return tuple(split.draw(draw).split())
        drawn, steps, by_usage, by_context = self._ones(word)[wrong]
        tried = drawn.tried(draw)
        if tried[0] == tried[-1]:
            return (drawn.words[tried[0]],)
        near = self.nearness[min(wrong, 1)]
        usages = self._usage.of((drawn.words[i] for i in tried), around)
        gains = drawn.gains(tried, around)
        scores = [
            by_usage * usage + by_context * gain + near[steps[i]]
            for i, usage, gain in zip(tried, usages, gains, strict=True)
        ]
        return (drawn.pick(tried, scores, draw),)

    def _replacements(self, word: str) -> tuple[_Replacements, ...]:
        """Return the words that may replace a word, by how many of its neighbours are wrong."""
        others, features, seen = candidates_of(word, self._heard, self._vocabulary)
        alone = tuple(map(surprisal, others))
        steps = bytes(map(step_of, features[:, UNLIKENESS].tolist()))
        found = []
        for row in self._rows[seen]:
            scores = features @ row[:-2]
            sums = np.exp(scores - scores.max()).cumsum().tolist()
            found.append(_Replacements(Drawn(others, sums, alone), steps, *row[-2:].tolist()))
        return tuple(found)

    def _split(self, word: str, size: int) -> Drawn | None:
        kind = ONE + size - 1
        seen = {w: float(n) for w, n in self._heard.get(word, {}).items() if kind_of(w) == kind}
        found = [heard for heard in mishear(word.split(), n=_SPLITS) if len(heard.words) == size]
        scores = [math.exp(-20 * one.distance - one.surprise / 3) for one in found]
        new = {" ".join(one.words): score for one, score in zip(found, scores, strict=True)}
        own = written_otherwise(word, size, self._vocabulary)
        share = self._habits.read if reading(word) else self._habits.apart
        return _either(seen, _with(new, own, share))

    def join(self, first: str, second: str, draw: Draw) -> str | None:
        """Return what two words are heard as together; ``None`` if nothing is near enough."""
        drawn = self._joins(first, second)
        return drawn.draw(draw) if drawn is not None else None

    def _join(self, first: str, second: str) -> Drawn | None:
        vocabulary = self._vocabulary
        both = f"{first} {second}"
        seen = {w: float(n) for w, n in self._joined.get(both, {}).items()}
        near = zip(*vocabulary.nearest(both, _JOINS), strict=True)
        scores = {
            vocabulary.words[p]: math.exp(-8 * far - 6 * vocabulary.rarity[p])
            for p, far in near
            if far < _FARTHEST_JOIN and vocabulary.words[p] not in (first, second)
        }
        own = first + second if first + second in vocabulary.place else ""
        return _either(seen, _with(scores, own, self._habits.together))


def written_otherwise(word: str, size: int, vocabulary: Vocabulary) -> str:
    """Return a number as it is read, or a word divided into two of the vocabulary; else nothing.

    The parts of a word are the ones that are written most often.
    """
    read = reading(word)
    if read:
        return " ".join(read) if size == min(len(read), THREE - ONE + 1) else ""
    if size != TWO - ONE + 1:
        return ""
    parts = [(word[:k], word[k:]) for k in range(1, len(word))]
    known = [pair for pair in parts if all(part in vocabulary.written for part in pair)]
    return " ".join(max(known, key=vocabulary.usual_parts, default=()))


def _with(new: Mapping[str, float], own: str, share: float) -> dict[str, float]:
    """Return the weights of unseen outcomes: the same word written otherwise, and others."""
    others = {words: weight for words, weight in new.items() if words != own}
    total = sum(others.values())
    left = _NEW * (1 - share) if own else _NEW
    found = {words: left * weight / total for words, weight in others.items()}
    return found | {own: _NEW * share} if own else found


def _either(seen: Mapping[str, float], new: Mapping[str, float]) -> Drawn | None:
    both = {word: seen.get(word, 0) + new.get(word, 0) for word in (*seen, *new)}
    return Drawn.of(tuple(both), tuple(both.values())) if both else None
