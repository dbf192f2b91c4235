"""What becomes of a word in error: it is lost, joined with the next, or replaced by others."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import accumulate
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from rapidfuzz import process
from rapidfuzz.distance import Levenshtein

from mondegreen.draw import UNIT, Draw
from mondegreen.language.frequent import frequent_words
from mondegreen.language.hearing import mishear
from mondegreen.language.ngram import NAT, trigram
from mondegreen.language.pronunciations import dictionary
from mondegreen.language.simulation.odds import dot, rarity
from mondegreen.language.simulation.profile import Counts
from mondegreen.language.simulation.units import Words, sound

KINDS = ("lost", "joined", "one", "two", "three")
LOST, JOINED, ONE, TWO, THREE = range(5)
WORDS_WRONG = (1.0, 2.0, 1.0, 2.0, 3.0)
"""How many errors an error of each kind is counted as."""
OF_KIND = 7
"""How many features of kinds do not depend on the place."""

_VOCABULARY = 15_000  # frequent words that can be heard beside those of the pairs
_NEAR = 150  # candidates per word by sound
_USUAL = 200  # most frequent words of the hypotheses, which are candidates for every word
_TRIED = 12  # candidates that are drawn before the context decides
_PRIOR = 3.0  # how many errors of a word its kinds are worth before any was seen
BAD = 0.4
"""The share of words in error from which on an utterance is misheard as a whole."""
_NEW = 0.7  # how many errors the unseen outcomes of a word are worth
_SPLITS = 24
_JOINS = 12
_FARTHEST_JOIN = 0.5
_SOUND_BINS = (1e-6, 0.13, 0.21, 0.3, 0.4, 0.55, 0.75)
_SPELLING_BINS = (0.2, 0.4, 0.6, 0.8)
_REMEMBERED = 1 << 13  # words whose candidates are kept; a word takes about 25 kB
_UNSEEN = 0.02  # the count of a word that no hypothesis has

Floats = NDArray[np.float64]
Around = tuple[list[str], list[str]]


def kind_features(word: str) -> list[float]:
    """Return the features of a word that decide the kind of its error."""
    return [
        1.0,
        rarity(word),
        min(len(sound(word)), 12) / 5,
        float(len(word) == 1),
        float("'" in word),
        float(any(map(str.isdigit, word))),
        float(word not in dictionary()),
    ]


def kind_place(i: int, n: int, *, bad: bool) -> tuple[float, ...]:
    """Return the features of the place that decide the kind of error.

    ``bad`` is whether much of the utterance is in error.
    """
    return float(i == 0), float(i == n - 1), math.log(n), float(bad)


class Drawn(NamedTuple):
    """Words to draw from, with the sums of their weights."""

    words: Sequence[str]
    sums: Sequence[float]

    @classmethod
    def of(cls, words: Sequence[str], weights: Sequence[float]) -> Drawn:
        """Sum up the weights."""
        return cls(words, tuple(accumulate(weights)))

    def draw(self, draw: Draw) -> str:
        """Return one of the words."""
        at = bisect_right(self.sums, uniform(draw) * self.sums[-1])
        return self.words[min(at, len(self.words) - 1)]


def uniform(draw: Draw) -> float:
    """Return a number from 0 up to 1."""
    return draw.below(UNIT) / UNIT


class Vocabulary:
    """The words that can be heard, with their sounds and frequencies."""

    def __init__(self, hyp_words: Counts) -> None:
        self.counts = hyp_words
        more = (word for word in frequent_words(_VOCABULARY) if word not in hyp_words)
        self.words = sorted((*hyp_words, *more), key=lambda word: (len(sound(word)), word))
        self.place = {word: i for i, word in enumerate(self.words)}
        self.sounds = [sound(word) for word in self.words]
        self.lengths = np.array([len(s) for s in self.sounds])
        self.total = sum(hyp_words.values())
        known = np.array([hyp_words.get(word, 0) for word in self.words], float)
        self.frequency = self.log_frequency(known)
        self.heard = (known > 0).astype(float)
        self.rarity = np.array([rarity(word) for word in self.words])
        ranked = sorted(hyp_words, key=lambda word: (-hyp_words[word], word))
        self.usual = np.array([self.place[word] for word in ranked[:_USUAL]], int)

    def log_frequency(self, counts: Floats) -> Floats:
        """Return the logarithm of the share of words with these counts."""
        return np.log((counts + _UNSEEN) / self.total)

    def near(self, word: str, also: Sequence[str]) -> NDArray[np.int64]:
        """Return the places of the words that sound like a word, the usual ones, and ``also``."""
        near = self.nearest(word, _NEAR)[0]
        seen = np.array([self.place[other] for other in also if other in self.place], int)
        found: NDArray[np.int64] = np.unique(np.concatenate([near, self.usual, seen]))
        others: NDArray[np.int64] = found[found != self.place.get(word, -1)]
        return others

    def nearest(self, words: str, n: int) -> tuple[NDArray[np.int64], Floats]:
        """Return the places of the words that sound most alike, and their distances, 0 to 1."""
        mine = sound(words)
        low, high = np.searchsorted(self.lengths, (len(mine) * 0.5, len(mine) * 1.8 + 1))
        if high - low <= n:
            low, high = 0, len(self.words)
        scorer = Levenshtein.normalized_distance
        far = process.cdist([mine], self.sounds[low:high], scorer=scorer)[0].astype(float)
        ranked = far - 0.004 * self.frequency[low:high]
        near = np.argpartition(ranked, min(n, len(far) - 1))[:n]
        return near + low, far[near]

    def features(self, word: str, places: NDArray[np.int64]) -> Floats:
        """Return the features of candidates, without those of memory."""
        others = [self.words[place] for place in places]
        mine = sound(word)
        scorer = Levenshtein.normalized_distance
        by_sound = np.array([scorer(mine, self.sounds[place]) for place in places])
        by_letter = np.array([scorer(word, other) for other in others])
        same = np.array([other[:1] == word[:1] for other in others], float)
        within = np.array([o.startswith(word) or word.startswith(o) for o in others], float)
        return np.column_stack(
            [
                np.eye(len(_SOUND_BINS) + 1)[np.digitize(by_sound, _SOUND_BINS)],
                np.eye(len(_SPELLING_BINS) + 1)[np.digitize(by_letter, _SPELLING_BINS)],
                same,
                within,
                self.frequency[places],
                self.rarity[places],
                self.heard[places],
                np.abs(self.lengths[places] - len(mine)),
            ]
        )


FREQUENCY, HEARD = 15, 17
"""The columns of :meth:`Vocabulary.features` that depend on the counts of the hypotheses."""


def memory(counts: Floats, total: float) -> Floats:
    """Return the features of what a word was heard as before: one row per candidate."""
    return np.column_stack(
        [
            np.log((counts + 0.05) / (total + 1.0)),
            (counts > 0).astype(float),
            ((counts == 0) & (total > 0)).astype(float),
        ]
    )


class Choices:
    """Draws which words replace a word, by the weights and the memory of a profile.

    There are two sets of weights: for utterances with few errors, and for misheard ones.
    """

    def __init__(
        self,
        weights: Sequence[Sequence[float]],
        heard: Mapping[str, Counts],
        joined: Mapping[str, Counts],
        vocabulary: Vocabulary,
    ) -> None:
        self._static = [np.array(row[:-1]) for row in weights]
        self._context = [row[-1] for row in weights]
        self._heard, self._joined = heard, joined
        self._vocabulary = vocabulary
        self._ones = lru_cache(maxsize=_REMEMBERED)(self._replacements)
        self._splits = lru_cache(maxsize=_REMEMBERED)(self._split)
        self._joins = lru_cache(maxsize=_REMEMBERED)(self._join)

    def words(self, word: str, kind: int, around: Around, draw: Draw, *, bad: bool) -> Words:
        """Return what a word is heard as, for the kinds ``ONE`` to ``THREE``."""
        if kind > ONE:
            split = self._splits(word, kind - ONE + 1)
            if split is not None:
                return tuple(split.draw(draw).split())
        return (self._one(word, around, draw, bad=bad),)

    def _one(self, word: str, around: Around, draw: Draw, *, bad: bool) -> str:
        known = self._ones(word)[bad]
        tried = [known.draw(draw) for _ in range(_TRIED)]
        return in_context(tried, around, self._context[bad], uniform(draw))

    def _replacements(self, word: str) -> tuple[Drawn, ...]:
        vocabulary = self._vocabulary
        seen = {w: n for w, n in self._heard.get(word, {}).items() if kind_of(w) == ONE}
        places = vocabulary.near(word, list(seen))
        others = [vocabulary.words[place] for place in places]
        counts = np.array([seen.get(other, 0) for other in others], float)
        features = np.column_stack(
            [vocabulary.features(word, places), memory(counts, sum(seen.values()))]
        )
        scores = (features @ weights for weights in self._static)
        return tuple(Drawn.of(others, np.exp(row - row.max()).tolist()) for row in scores)

    def _split(self, word: str, size: int) -> Drawn | None:
        kind = ONE + size - 1
        seen = {w: float(n) for w, n in self._heard.get(word, {}).items() if kind_of(w) == kind}
        found = [heard for heard in mishear(word.split(), n=_SPLITS) if len(heard.words) == size]
        scores = [math.exp(-20 * one.distance - one.surprise / 3) for one in found]
        new = {
            " ".join(one.words): _NEW * score / sum(scores)
            for one, score in zip(found, scores, strict=True)
        }
        return _either(seen, new)

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
            vocabulary.words[p]: math.exp(-8 * far + 0.6 * vocabulary.frequency[p])
            for p, far in near
            if far < _FARTHEST_JOIN and vocabulary.words[p] not in (first, second)
        }
        total = sum(scores.values())
        return _either(seen, {word: _NEW * score / total for word, score in scores.items()})


class Outcomes:
    """Draws the kind of an error, by a profile."""

    def __init__(
        self,
        kinds: Sequence[Sequence[float]],
        heard: Mapping[str, Counts],
        joined: Mapping[str, Counts],
    ) -> None:
        self._kinds = [(tuple(row[:OF_KIND]), tuple(row[OF_KIND:])) for row in kinds]
        self._heard = heard
        self._joins_of = Counter[str]()
        for pair, counts in joined.items():
            self._joins_of[pair.split()[0]] += sum(counts.values())
        self._kind_scores: dict[str, tuple[list[float], list[float]]] = {}
        self._costs: dict[str, float] = {}

    def cost(self, word: str) -> float:
        """Return how many errors an error of a word is counted as, on average."""
        found = self._costs.get(word)
        if found is None:
            shares = self.kinds(word, 3, 7, bad=False)
            found = self._costs[word] = dot(shares, WORDS_WRONG)
        return found

    def kinds(self, word: str, i: int, n: int, *, bad: bool) -> list[float]:
        """Return the probability of each kind of error of word ``i`` of ``n``."""
        known = self._kind_scores.get(word)
        if known is None:
            features = kind_features(word)
            seen = [0.0] * len(KINDS)
            seen[JOINED] = self._joins_of[word]
            for other, count in self._heard.get(word, {}).items():
                seen[kind_of(other)] += count
            known = [dot(row, features) for row, _ in self._kinds], seen
            self._kind_scores[word] = known
        place = kind_place(i, n, bad=bad)
        scores = [s + dot(row, place) for s, (_, row) in zip(known[0], self._kinds, strict=True)]
        top = max(scores)
        weights = [math.exp(score - top) for score in scores]
        total = sum(weights)
        everything = sum(known[1]) + _PRIOR
        return [
            (_PRIOR * weight / total + count) / everything
            for weight, count in zip(weights, known[1], strict=True)
        ]


def kind_of(heard: str) -> int:
    """Return the kind of error by which one word was heard as other words."""
    return (LOST, ONE, TWO, THREE)[min(len(heard.split()), 3)]


def _either(seen: Mapping[str, float], new: Mapping[str, float]) -> Drawn | None:
    both = {word: seen.get(word, 0) + new.get(word, 0) for word in (*seen, *new)}
    return Drawn.of(tuple(both), tuple(both.values())) if both else None


def in_context(candidates: Sequence[str], around: Around, weight: float, drawn: float) -> str:
    """Draw one of several candidates by how well it suits the words before and after it."""
    nats = trigram().surprises(candidates, *around)
    least = min(nats)
    sums = tuple(accumulate(math.exp((least - ticks) * NAT * weight) for ticks in nats))
    return candidates[min(bisect_right(sums, drawn * sums[-1]), len(candidates) - 1)]
