"""Which words are added in a gap: those of its place, and those added after the word before it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from typing import NamedTuple

import numpy as np

from mondegreen.draw import Draw
from mondegreen.language.simulation.drawn import Around, Drawn
from mondegreen.language.simulation.profile import PLACES, AddedWeights, Counts
from mondegreen.language.simulation.regression import Example, errors_around, gains, log_likelihood
from mondegreen.language.simulation.units import Words

_CONTEXT = (0.0, 0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5)
_USUAL = (0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0)
_SAMPLES = 1500  # additions from which the weights are learnt
_REMEMBERED = 1 << 10  # words after which words are added


class Added(NamedTuple):
    """How often words were added, by place and by the word before them."""

    places: Mapping[str, Counts]
    after: Mapping[str, Counts]

    def weights(self, place: str, before: str, usual: float) -> dict[str, float]:
        """Return the words that may be added and their weights.

        Those that were added at the place are worth ``usual`` additions after the word before.
        """
        at = self.places[place] or next(filter(None, self.places.values()), {})
        total = sum(at.values())
        found = {words: usual * count / total for words, count in at.items()}
        for words, count in self.after.get(before, {}).items():
            found[words] = found.get(words, 0.0) + count
        return found


def place_of(gap: int, words: int) -> str:
    """Return where a gap is among the words of an utterance."""
    return PLACES[0 if gap == 0 else 2 if gap == words else 1]


class Additions:
    """Draws the words that are added in a gap."""

    def __init__(self, added: Added, weights: AddedWeights) -> None:
        self._added, self._weights = added, weights
        self._after = lru_cache(maxsize=_REMEMBERED)(self._drawn)

    @cached_property
    def cost(self) -> float:
        """How many words are added in a gap, on average."""
        counts = [
            (len(words.split()), count)
            for place in self._added.places.values()
            for words, count in place.items()
        ]
        return sum(n * count for n, count in counts) / max(1, sum(count for _, count in counts))

    def words(self, spoken: Words, gap: int, around: Around, draw: Draw) -> Words | None:
        """Return words to add in a gap; ``None`` if words were never added."""
        before = spoken[gap - 1] if gap else ""
        known = before if before in self._added.after else ""
        drawn = self._after(place_of(gap, len(spoken)), known)
        if drawn is None:
            return None
        context = self._weights.context
        found = drawn.draw(
            draw, lambda tried: [context * gain for gain in drawn.gains(tried, around)]
        )
        return tuple(found.split())

    def _drawn(self, place: str, before: str) -> Drawn | None:
        weights = self._added.weights(place, before, self._weights.usual)
        return Drawn.of(tuple(weights), weights.values()) if weights else None


class _Addition(NamedTuple):
    """Words that were added, and where."""

    words: str
    place: str
    before: str
    around: Around


def _additions(examples: Sequence[Example]) -> Iterator[_Addition]:
    for ref, (start, end, heard), around in errors_around(examples):
        if start == end:
            before = ref[start - 1] if start else ""
            yield _Addition(" ".join(heard), place_of(start, len(ref)), before, around)


def fit_additions(parts: Sequence[tuple[Sequence[Example], Added]]) -> AddedWeights:
    """Fit how much the words beside a gap, and the usual additions, decide what is added.

    Args:
        parts: pairs to which the weights are fitted, each with the words that were added in pairs
            with other references.
    """
    found = [(one, added) for examples, added in parts for one in _additions(examples)]
    found = found[:: max(1, len(found) // _SAMPLES)]
    others = [list(added.weights(one.place, one.before, 1.0)) for one, added in found]
    suits = [gains(some, one.around) for some, (one, _) in zip(others, found, strict=True)]

    def likelihood(context: float, usual: float) -> float:
        problems = []
        for (one, added), some, gain in zip(found, others, suits, strict=True):
            weights = added.weights(one.place, one.before, usual)
            if weights:  # for words that were never added stand some that were added least
                gold = one.words if one.words in weights else min(weights, key=weights.__getitem__)
                features = np.column_stack([np.log(list(weights.values())), gain])
                problems.append((features, some.index(gold)))
        tried = np.array([1.0, context])
        return log_likelihood(problems, tried, tried)

    usual = max(_USUAL, key=lambda usual: likelihood(0.0, usual))
    context = max(_CONTEXT, key=lambda context: likelihood(context, usual))
    return AddedWeights(context=context, usual=usual)
