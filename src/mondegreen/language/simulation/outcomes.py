"""What becomes of a word in error: it is lost, joined with the next, or replaced by others."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections import Counter
from collections.abc import Container, Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import accumulate
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mondegreen.draw import UNIT, Draw
from mondegreen.language.hearing import mishear
from mondegreen.language.ngram import END, NAT, START, trigram
from mondegreen.language.pronunciations import dictionary
from mondegreen.language.reading import spoken
from mondegreen.language.simulation.odds import dot, rarity
from mondegreen.language.simulation.profile import Counts, Habits
from mondegreen.language.simulation.units import Words, sound
from mondegreen.language.simulation.vocabulary import FEATURES, Vocabulary

KINDS = ("lost", "joined", "one", "two", "three")
LOST, JOINED, ONE, TWO, THREE = range(5)
WORDS_WRONG = (1.0, 2.0, 1.0, 2.0, 3.0)
"""How many errors an error of each kind is counted as."""
OF_KIND, OF_PLACE = 9, 14
"""How many features of kinds depend on the word, and how many on its place."""

_TRIED = 16  # candidates that are drawn before the context decides
_PRIOR = 3.0  # how many errors of a word its kinds are worth before any was seen
_MOST = 20.0  # nats
_GRADES = (2, 3, 5)
NEIGHBOURS = (0.0, 0.5, 1.0)
"""The feature of a word that has no, one or two neighbours in error."""
_USUAL_PLACE = (0.15, 0.15, 2.0, 0.8, 0.02, 0.25, 0.25, 0.25, 0.2, 0.05, 0.1, 0.2, 0.05, 0.1)
_NEW = 0.7  # how many errors the unseen outcomes of a word are worth
_SPLITS = 24
_JOINS = 12
_FARTHEST_JOIN = 0.5
_TRUSTED = 10.0  # errors of a word that are half of full trust in what it was heard as
_REMEMBERED = 1 << 13  # words whose candidates are kept; a word takes about 25 kB
WEIGHTS = FEATURES + 5
"""How many weights a candidate has: those of its features, of memory and of the context."""

Floats = NDArray[np.float64]
Around = tuple[list[str], list[str]]


@lru_cache(maxsize=1 << 16)
def reading(word: str) -> Words:
    """Return how a word with digits is read aloud; empty for other words.

    >>> reading("25"), reading("jazz")
    (('twenty', 'five'), ())
    """
    return tuple(spoken(word)) if any(map(str.isdigit, word)) else ()


def kind_features(word: str) -> list[float]:
    """Return the features of a word that decide the kind of its error."""
    return [
        1.0,
        rarity(word),
        min(len(sound(word)), 12) / 5,
        float(len(word) == 1),
        float("'" in word),
        float(len(reading(word)) == 1),
        float(len(reading(word)) == 2),  # noqa: PLR2004 (two words)
        float(len(reading(word)) > 2),  # noqa: PLR2004
        float(word not in dictionary()),
    ]


def grade(wrong: int) -> int:
    """Return the grade of an utterance, by how many of its words are in error."""
    return bisect_right(_GRADES, wrong)


class Beside(NamedTuple):
    """The errors of the words before and after a word.

    Whether there will be one, of a kind that is not drawn yet; whether the word is lost; whether
    there is another error.
    """

    due_before: bool
    lost_before: bool
    wrong_before: bool
    due_after: bool
    lost_after: bool
    wrong_after: bool

    @property
    def wrong(self) -> int:
        """How many of both words are in error."""
        return sum(self)


def kind_place(
    words: Words, i: int, bad: int, beside: Beside, written: Container[str]
) -> tuple[float, ...]:
    """Return the features of the place that decide the kind of error.

    The fourth one is how surprising the next word is without the one at this place, the fifth
    whether both together are a word.

    Args:
        words: the words of the utterance.
        i: the place of the word in error.
        bad: the grade of the utterance.
        beside: the errors of its neighbours.
        written: the words that the recogniser writes.
    """
    before = [START, *words[max(0, i - 2) : i]][-2:]
    after = words[i + 1] if i + 1 < len(words) else END
    without = min(_MOST, -trigram().score(after, before) * NAT) / 10
    together = float(words[i] + after in written)
    ends = float(i == 0), float(after is END)
    return *ends, math.log(len(words)), without, together, *_IS_GRADE[bad], *map(float, beside)


_IS_GRADE = tuple(
    tuple(float(grade == bad) for grade in range(1, len(_GRADES) + 1))
    for bad in range(len(_GRADES) + 1)
)


class Drawn(NamedTuple):
    """Words to draw from, with the sums of their weights and how surprising each is by itself."""

    words: Sequence[str]
    sums: Sequence[float]
    alone: Sequence[float]

    @classmethod
    def of(cls, words: Sequence[str], weights: Iterable[float]) -> Drawn:
        """Sum up the weights."""
        return cls(words, tuple(accumulate(weights)), tuple(map(surprisal, words)))

    def draw(self, draw: Draw) -> str:
        """Return one of the words."""
        at = bisect_right(self.sums, uniform(draw) * self.sums[-1])
        return self.words[min(at, len(self.words) - 1)]

    def draw_in(self, around: Around, weight: float, draw: Draw) -> str:
        """Return one of the words, by its weight and by how well it suits its neighbours.

        Some words are taken at equal steps through all weights; of these, the neighbours decide.
        """
        sums, words, alone = self.sums, self.words, self.alone
        step = sums[-1] / _TRIED
        start, last = uniform(draw) * step, len(words) - 1
        tried = [min(bisect_right(sums, start + i * step), last) for i in range(_TRIED)]
        if tried[0] == tried[-1]:
            return words[tried[0]]
        ticks = trigram().surprises([words[i] for i in tried], *around)
        gains = [alone[i] - one * NAT for i, one in zip(tried, ticks, strict=True)]
        most = max(gains)
        shares = tuple(accumulate([math.exp((gain - most) * weight) for gain in gains]))
        at = bisect_right(shares, uniform(draw) * shares[-1])
        return words[tried[min(at, _TRIED - 1)]]


@lru_cache(maxsize=1 << 17)
def surprisal(words: str) -> float:
    """Return the surprisal of words without those around them, in nats."""
    ticks: int = trigram().surprises([words], [], [])[0]
    return ticks * NAT


def uniform(draw: Draw) -> float:
    """Return a number from 0 up to 1."""
    return draw.below(UNIT) / UNIT


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
        heard: Mapping[str, Counts],
        joined: Mapping[str, Counts],
        habits: Habits,
        vocabulary: Vocabulary,
    ) -> None:
        new, seen = weights[:2], weights[2:]
        self._rows = [
            np.array([np.add(base, wrong * np.array(more)) for wrong in NEIGHBOURS])
            for base, more in (new, seen)
        ]
        self._heard, self._joined, self._habits = heard, joined, habits
        self._vocabulary = vocabulary
        self._ones = lru_cache(maxsize=_REMEMBERED)(self._replacements)
        self._splits = lru_cache(maxsize=_REMEMBERED)(self._split)
        self._joins = lru_cache(maxsize=_REMEMBERED)(self._join)

    def words(self, word: str, kind: int, around: Around, draw: Draw, wrong: int) -> Words:
        """Return what a word is heard as, for the kinds ``ONE`` to ``THREE``.

        Its weights depend on how many of its neighbours are wrong.
        """
        if kind > ONE:
            split = self._splits(word, kind - ONE + 1)
            if split is not None:
                return tuple(split.draw(draw).split())
        drawn, context = self._ones(word)[wrong]
        return (drawn.draw_in(around, context, draw),)

    def _replacements(self, word: str) -> tuple[tuple[Drawn, float], ...]:
        """Return the words to draw from, and the weight of the context, by wrong neighbours."""
        others, features, seen = candidates_of(word, self._heard, self._vocabulary)
        alone = tuple(map(surprisal, others))
        found = []
        for row in self._rows[seen]:
            scores = features @ row[:-1]
            sums = np.exp(scores - scores.max()).cumsum().tolist()
            found.append((Drawn(others, sums, alone), float(row[-1])))
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


class Outcomes:
    """Draws the kind of an error, by a profile."""

    def __init__(
        self,
        kinds: Sequence[Sequence[float]],
        shifts: Sequence[float],
        heard: Mapping[str, Counts],
        joined: Mapping[str, Counts],
        written: Container[str],
    ) -> None:
        self._written = written
        self._kinds = [(tuple(row[:OF_KIND]), tuple(row[OF_KIND:])) for row in kinds]
        self._shifts, self._heard = shifts, heard
        self._joins_of = Counter[str]()
        for pair, counts in joined.items():
            self._joins_of[pair.split()[0]] += sum(counts.values())
        self._known: dict[str, list[float]] = {}
        self._costs: dict[str, float] = {}

    def cost(self, word: str) -> float:
        """Return how many errors an error of a word is counted as, on average."""
        found = self._costs.get(word)
        if found is None:
            found = self._costs[word] = dot(self._kinds_at(word, _USUAL_PLACE), WORDS_WRONG)
        return found

    def kinds(self, words: Words, i: int, bad: int, beside: Beside) -> list[float]:
        """Return the probability of each kind of error of word ``i``."""
        return self._kinds_at(words[i], kind_place(words, i, bad, beside, self._written))

    def _kinds_at(self, word: str, place: Sequence[float]) -> list[float]:
        known = self._known.get(word)
        if known is None:
            known = self._known[word] = self._scores(word)
        scores = (s + dot(row, place) for s, (_, row) in zip(known, self._kinds, strict=True))
        weights = [math.exp(score) for score in scores]
        total = sum(weights)
        return [weight / total for weight in weights]

    def _scores(self, word: str) -> list[float]:
        """Return the scores of the kinds of a word, without its place, by what was seen of it."""
        features = kind_features(word)
        scores = [dot(row, features) for row, _ in self._kinds]
        usual = [
            math.exp(score + dot(row, _USUAL_PLACE))
            for score, (_, row) in zip(scores, self._kinds, strict=True)
        ]
        seen = [0.0] * len(KINDS)
        seen[JOINED] = self._joins_of[word]
        for other, count in self._heard.get(word, {}).items():
            seen[kind_of(other)] += count
        expected = [(sum(seen) + _PRIOR) * weight / sum(usual) for weight in usual]
        return [
            score + math.log((_PRIOR / (sum(seen) + _PRIOR) * e + n) / e) + shift
            for score, e, n, shift in zip(scores, expected, seen, self._shifts, strict=True)
        ]


def kind_of(heard: str) -> int:
    """Return the kind of error by which one word was heard as other words."""
    return (LOST, ONE, TWO, THREE)[min(len(heard.split()), 3)]


def mistaken(heard: Mapping[str, Counts]) -> Counter[str]:
    """Count the words that were heard where another one was said."""
    found = Counter[str]()
    for counts in heard.values():
        for words, count in counts.items():
            if kind_of(words) == ONE:
                found[words] += count
    return found


def _either(seen: Mapping[str, float], new: Mapping[str, float]) -> Drawn | None:
    both = {word: seen.get(word, 0) + new.get(word, 0) for word in (*seen, *new)}
    return Drawn.of(tuple(both), tuple(both.values())) if both else None
