"""Of which kind errors are: a word is lost, joined with the next, or replaced by others."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections import Counter
from collections.abc import Container, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from mondegreen.language.ngram import END, NAT, START, trigram
from mondegreen.language.pronunciations import dictionary
from mondegreen.language.reading import spoken
from mondegreen.language.simulation.odds import dot, rarity
from mondegreen.language.simulation.profile import Counts
from mondegreen.language.simulation.units import Words, sound

KINDS = ("lost", "joined", "one", "two", "three")
LOST, JOINED, ONE, TWO, THREE = range(5)
WORDS_WRONG = (1.0, 2.0, 1.0, 2.0, 3.0)
"""How many errors an error of each kind is counted as."""
OF_KIND, OF_PLACE = 12, 14
"""How many features of kinds depend on the word, and how many on its place."""

_PRIOR = 40.0  # how many errors of a word its kinds are worth before any was seen
_MOST = 20.0  # nats
_LONGEST = 12
_GRADES = (2, 3, 5)
_USUAL_PLACE = (0.15, 0.15, 2.0, 0.8, 0.02, 0.25, 0.25, 0.25, 0.2, 0.05, 0.1, 0.2, 0.05, 0.1)


def kind_of(heard: str) -> int:
    """Return the kind of error by which one word was heard as other words."""
    return (LOST, ONE, TWO, THREE)[min(len(heard.split()), 3)]


@lru_cache(maxsize=1 << 16)
def reading(word: str) -> Words:
    """Return how a word with digits is read aloud; empty for other words.

    >>> reading("25"), reading("jazz")
    (('twenty', 'five'), ())
    """
    return tuple(spoken(word)) if any(map(str.isdigit, word)) else ()


def kind_features(word: str) -> list[float]:
    """Return the features of a word that decide the kind of its error."""
    rare, long = rarity(word), min(len(sound(word)), _LONGEST) / 5
    return [
        1.0,
        rare,
        long,
        rare * rare,
        long * long,
        rare * long,
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


class Kinds:
    """How likely each kind of error is, by a profile."""

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

    def of(self, words: Words, i: int, bad: int, beside: Beside) -> list[float]:
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
