"""Which word replaces a word in error."""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections import Counter
from collections.abc import Mapping, Sequence
from copy import copy
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mondegreen.draw import Draw
from mondegreen.language.simulation.drawn import Around, Drawn, Usage
from mondegreen.language.simulation.kinds import ONE, kind_of
from mondegreen.language.simulation.profile import Counts
from mondegreen.language.simulation.vocabulary import FEATURES, UNLIKENESS, Vocabulary

NEIGHBOURS = (0.0, 0.5, 1.0)
"""The feature of a word that has no, one or two neighbours in error."""
WEIGHTS = FEATURES + 6
"""How many weights a candidate has: of its features, of memory, of usage and of the context."""
USUAL = {
    0: 0.3,  # how often the hypotheses have the word
    17: -1.5,  # distance in sound
    18: 0.7,  # the same first letter
    20: 0.5,  # one word begins with the other
    25: -1.0,  # unlikeness
    26: -1.5,  # unlikeness of a rare word
    29: -1.5,  # unlikeness of a long word
    30: 1.0,  # how often the word was heard as this one
    34: 0.2,  # usage
    35: 0.3,  # context
}
"""Weights by the number of their feature, if there is nothing to learn from; all others are 0."""
_STEPS = (0.15, 0.3, 0.45, 0.6, 0.8)
STEPS = len(_STEPS) + 1
"""How many steps of unlikeness there are."""
NEARNESS = 4
"""How many rows of nearness there are."""
_SHORT = 5  # letters
_TRUSTED = 10.0  # errors of a word that are half of full trust in what it was heard as
_REMEMBERED = 1 << 12  # words whose candidates are kept; a word takes about 17 kB

Floats = NDArray[np.float64]


def step_of(unlikeness: float) -> int:
    """Return the step of unlikeness of two words."""
    return bisect_right(_STEPS, unlikeness)


def nearness_of(word: str, *, alone: bool) -> int:
    """Return which nearness applies to a word: short or long, without or with wrong neighbours."""
    return (len(word) > _SHORT) + 2 * (not alone)


def mistaken(heard: Mapping[str, Counts]) -> Counter[str]:
    """Count the words that were heard where another one was said."""
    found = Counter[str]()
    for counts in heard.values():
        for words, count in counts.items():
            if kind_of(words) == ONE:
                found[words] += count
    return found


class _Replacements(NamedTuple):
    """The words to draw from, how unlike each is, and the weights of usage and of the context.

    ``row`` is which nearness applies.
    """

    drawn: Drawn
    row: int
    steps: bytes
    usage: float
    context: float


class Candidates(NamedTuple):
    """Words that a word may be heard as, and their features, one row for each.

    ``seen`` is whether one of them was heard for the word before; ``alone`` is how surprising each
    is by itself.
    """

    words: list[str]
    features: Floats
    seen: bool
    alone: Floats


def candidates_of(word: str, heard: Mapping[str, Counts], vocabulary: Vocabulary) -> Candidates:
    """Return the words that a word may be heard as."""
    seen = {other: n for other, n in heard.get(word, {}).items() if kind_of(other) == ONE}
    places = vocabulary.near(word, list(seen))
    others = vocabulary.words_at(places)
    counts = np.array([seen.get(other, 0) for other in others], float)
    features = _with_memory(vocabulary.features(word, places), counts)
    return Candidates(others, features, bool(counts.any()), vocabulary.surprisal[places])


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
    """Draws which word replaces a word, by the weights and the memory of a profile.

    The weights of a word are a row plus the next one as far as its neighbours are wrong; words for
    which another one was heard before have the last two rows.
    """

    def __init__(
        self,
        weights: Sequence[Sequence[float]],
        nearness: Sequence[Sequence[float]],
        heard: Mapping[str, Counts],
        vocabulary: Vocabulary,
        usage: Usage,
    ) -> None:
        new, seen = weights[:2], weights[2:]
        self._rows = [
            np.array([np.add(base, wrong * np.array(more)) for wrong in NEIGHBOURS])
            for base, more in (new, seen)
        ]
        self.nearness = nearness
        self._heard, self._vocabulary, self._usage = heard, vocabulary, usage
        self._known = lru_cache(maxsize=_REMEMBERED)(self._replacements)

    def with_nearness(self, nearness: Sequence[Sequence[float]]) -> Choices:
        """Return choices of another nearness; both remember the candidates of words together."""
        other = copy(self)
        other.nearness = nearness
        return other

    def word(self, word: str, around: Around, draw: Draw, wrong: int) -> str:
        """Return the word that a word is heard as.

        Some candidates are drawn by their weights, which depend on how many neighbours are wrong;
        between these, the words around them decide, and how unlike they are.
        """
        drawn, row, steps, by_usage, by_context = self._known(word)[wrong]
        near = self.nearness[row]

        def score(tried: Sequence[int]) -> list[float]:
            usages = self._usage.of((drawn.words[i] for i in tried), around)
            gains = drawn.gains(tried, around)
            return [
                by_usage * usage + by_context * gain + near[steps[i]]
                for i, usage, gain in zip(tried, usages, gains, strict=True)
            ]

        return drawn.draw(draw, score)

    def _replacements(self, word: str) -> tuple[_Replacements, ...]:
        """Return the words that may replace a word, by how many of its neighbours are wrong."""
        others, features, seen, nats = candidates_of(word, self._heard, self._vocabulary)
        alone = array("d", nats)
        steps = np.searchsorted(_STEPS, features[:, UNLIKENESS], "right").astype(np.uint8).tobytes()
        found = []
        for wrong, weights in enumerate(self._rows[seen]):
            scores = features @ weights[:-2]
            drawn = Drawn(others, array("d", np.exp(scores - scores.max()).cumsum()), alone)
            row = nearness_of(word, alone=not wrong)
            found.append(_Replacements(drawn, row, steps, *weights[-2:].tolist()))
        return tuple(found)
