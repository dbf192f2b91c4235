"""Where errors fall: the log odds that a word is in error and that words are added beside it."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from mondegreen.language.simulation.profile import Counts, Offsets
from mondegreen.language.simulation.units import Words, sound
from mondegreen.language.sounds.pronunciations import dictionary
from mondegreen.language.vocabulary.ngram import END, NAT, START, UNKNOWN, trigram

_MOST = 20.0  # nats; rarer words are all alike
_LONGEST = 12
_NO_OFFSETS = (0.0, 0.0, 0.0)

OF_WORD = 18
"""How many features of a word do not depend on the words around it."""


@lru_cache(maxsize=1 << 17)
def rarity(word: str) -> float:
    """Return the surprisal of a word by itself, in units of ten nats."""
    return min(_MOST, UNKNOWN, -trigram().score(word, []) * NAT) / 10


def rarities(words: Words) -> list[float]:
    """Return how surprising each word is after the two before it, and the end after the last."""
    score = trigram().score
    before: list[str] = [START]
    found = []
    for word in (*words, END):
        found.append(min(_MOST, -score(word, before) * NAT) / 10)
        before = [before[-1], word]
    return found


def word_features(word: str, seen: int, written: int) -> list[float]:
    """Return the features of a word alone.

    Args:
        word: the word.
        seen: how often the references have it.
        written: how often the hypotheses have it.
    """
    rare, often, long = rarity(word), math.log1p(seen) / 3, min(len(sound(word)), _LONGEST) / 5
    return [
        1.0,
        rare,
        often,
        float(not seen),
        math.log1p(written) / 3,
        float(written and not seen),
        float(word not in dictionary()),
        long,
        min(len(word), _LONGEST) / 6,
        float(len(word) == 1),
        float(any(map(str.isdigit, word))),
        float("'" in word),
        rare * rare,
        often * often,
        long * long,
        rare * often,
        rare * long,
        often * long,
    ]


def bigrams(words: Words) -> list[str]:
    """Return each two words in a row, with the ends of the utterance.

    >>> bigrams(("play", "jazz"))
    ['<s> play', 'play jazz', 'jazz </s>']
    """
    return [f"{first} {second}" for first, second in pairwise((START, *words, END))]


class Surroundings(NamedTuple):
    """What surrounds the words of an utterance: the features of its words and of its gaps."""

    words: Sequence[tuple[float, ...]]
    gaps: Sequence[tuple[float, ...]]


def _lengths(n: int) -> tuple[float, float]:
    """Return the features of the length of an utterance; the second is for very short ones."""
    return math.log(max(n, 1)), 1 / max(n, 1)


def places(words: Words) -> Surroundings:
    """Return the features that depend on the neighbours, the place and the length."""
    n = len(words)
    fit = rarities(words)
    alone = [0.0, *map(rarity, words), 0.0]
    digits = [0.0, *(float(any(map(str.isdigit, word))) for word in words), 0.0]
    lengths = _lengths(n)
    around = [
        (
            fit[i],
            fit[i + 1],
            float(i == 0),
            float(i == n - 1),
            float(i == 1),
            float(i == n - 2),
            *lengths,
            alone[i],
            alone[i + 2],
            (i + 0.5) / n,
        )
        for i in range(n)
    ]
    between = [
        (
            1.0,
            float(i == 0),
            float(i == n),
            fit[i],
            alone[i],
            alone[i + 1],
            *lengths,
            digits[i],
            digits[i + 1],
        )
        for i in range(n + 1)
    ]
    return Surroundings(around, between)


def dot(weights: Sequence[float], features: Sequence[float]) -> float:
    """Return the weighted sum of features."""
    return sum(map(float.__mul__, weights, features))


class _Known(NamedTuple):
    """What of a word does not depend on the words around it."""

    odds: float
    before: float
    after: float
    rarity: float
    digits: float


class Odds:
    """The log odds of errors, by the weights of a profile.

    They are the weighted sums of :func:`word_features` and :func:`places`, and the offsets of
    words and bigrams.
    """

    def __init__(
        self,
        words: Sequence[float],
        gaps: Sequence[float],
        offsets: Mapping[str, Offsets],
        bigrams: Mapping[str, Offsets],
        seen: Counts,
        written: Counts,
    ) -> None:
        self._alone = tuple(words[:OF_WORD])
        self._around = tuple(words[OF_WORD:])
        self._gaps = tuple(gaps)
        self._offsets, self._bigrams = offsets, bigrams
        self._seen, self._written = seen, written
        self._known: dict[str, _Known] = {}

    def of(self, words: Words) -> list[float]:
        """Return the log odds of each gap and each word: gap, word, gap, …, gap."""
        n = len(words)
        known = self._known
        of_words = [known.get(word) or self._of_word(word) for word in words]
        fit = rarities(words)
        here, after, first, last, second, last_but_one, *by_length, left, right, place = (
            self._around
        )
        base, at_start, at_end, wait, lefts, rights, *by_lengths, digits, digits_after = self._gaps
        lengths = _lengths(n)
        of_length = dot(by_length, lengths)
        base += dot(by_lengths, lengths)
        found = [0.0] * (2 * n + 1)
        rare_before = digits_before = 0.0
        gap_before = self._offsets.get(START, _NO_OFFSETS)[2]
        for i, (odds, gap, gap_after, rare, has_digits) in enumerate(of_words):
            rare_after = of_words[i + 1].rarity if i + 1 < n else 0.0
            found[2 * i] = (
                base
                + gap_before
                + gap
                + wait * fit[i]
                + lefts * rare_before
                + rights * rare
                + digits * digits_before
                + digits_after * has_digits
            )
            found[2 * i + 1] = (
                odds
                + here * fit[i]
                + after * fit[i + 1]
                + of_length
                + left * rare_before
                + right * rare_after
                + place * (i + 0.5) / n
            )
            rare_before, digits_before, gap_before = rare, has_digits, gap_after
        found[-1] = (
            base
            + gap_before
            + self._offsets.get(END, _NO_OFFSETS)[0]
            + wait * fit[n]
            + lefts * rare_before
            + digits * digits_before
        )
        found[0] += at_start
        found[-1] += at_end
        if n:
            found[1] += first
            found[-2] += last
        if n > 1:
            found[3] += second
            found[-4] += last_but_one
        self._add_bigrams(words, found)
        return found

    def _add_bigrams(self, words: Words, found: list[float]) -> None:
        """Add the offsets of each two words in a row."""
        get, before, last = self._bigrams.get, START, len(found) - 1
        for gap, word in zip(range(0, last + 1, 2), (*words, END), strict=True):
            offsets = get(f"{before} {word}")
            before = word
            if offsets is None:
                continue
            found[gap] += offsets[1]
            if gap:
                found[gap - 1] += offsets[0]
            if gap < last:
                found[gap + 1] += offsets[2]

    def _of_word(self, word: str) -> _Known:
        features = word_features(word, self._seen.get(word, 0), self._written.get(word, 0))
        before, own, after = self._offsets.get(word, _NO_OFFSETS)
        odds = dot(self._alone, features) + own
        found = _Known(odds, before, after, rarity(word), float(any(map(str.isdigit, word))))
        self._known[word] = found
        return found
