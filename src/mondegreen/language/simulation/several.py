"""Which words a word is heard as if it becomes several, and which one two words become."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mondegreen.draw import Draw
from mondegreen.language.simulation.drawn import Around, Drawn, Usage
from mondegreen.language.simulation.kinds import ONE, THREE, TWO, kind_of
from mondegreen.language.simulation.profile import Counts, Habits, SeveralWeights
from mondegreen.language.simulation.regression import (
    Example,
    NewPairs,
    Problem,
    conditional_logit,
    errors_around,
    gains,
    nearest,
)
from mondegreen.language.simulation.units import Words
from mondegreen.language.simulation.vocabulary import Vocabulary, distances
from mondegreen.language.vocabulary.ngram import NAT, trigram

_NEW = 0.7  # how many errors the unseen outcomes of a word are worth
_NEAR = 20  # words that are candidates for a part
_PARTNERS = 16  # words that are usual as the other part
_JOINS = 60
_PARTS = 15
_UNSEEN = 0.02  # the count of a word that no hypothesis has
_REMEMBERED = 1 << 12  # words whose candidates are kept
_SAMPLES = 200  # words that were divided, and that were joined, from which weights are learnt
_USUAL = (-6.0, 0.0, -3.0, -1.0, 0.2, 0.2, -0.5, 0.3, 0.2)  # weights if there is nothing to learn

Floats = NDArray[np.float64]
Candidates = tuple[list[str], Floats]


class Proposals:
    """Proposes words for what was never seen, with their features.

    Args:
        heard: what words were heard as.
        vocabulary: the words that the recogniser writes.
        usage: how usual two words in a row are.
    """

    def __init__(self, heard: Mapping[str, Counts], vocabulary: Vocabulary, usage: Usage) -> None:
        self.vocabulary, self.usage = vocabulary, usage
        parts = Counter[str]()
        for word, counts in heard.items():
            for words, count in counts.items():
                if kind_of(words) > ONE and _letters(words) != _letters(word):
                    parts.update(dict.fromkeys(words.split(), count))
        ranked = sorted(parts, key=lambda word: (-parts[word], word))
        self._partners = list(dict.fromkeys([*ranked, *vocabulary.words]))[:_PARTNERS]
        self._total = max(1, sum(vocabulary.written.values()))

    def of_word(self, word: str, size: int) -> Candidates | None:
        """Return several words that one may be heard as.

        They sound like the word as a whole, or are a word that sounds like it beside a usual one.
        """
        found = self.vocabulary.ear.as_a_whole(word, size)
        if size == TWO - ONE + 1:
            words, places = self.vocabulary.words, self.vocabulary.nearest(word, _NEAR)[0]
            near = [words[place] for place in places if words[place] != word]
            partners = [one for one in self._partners if one != word]
            found += [f"{one} {other}" for one in near for other in partners if one != other]
            found += [f"{other} {one}" for one in near for other in partners if one != other]
        return self._with_features((word,), found)

    def of_pair(self, first: str, second: str) -> Candidates | None:
        """Return words that two words may be heard as together."""
        words = self.vocabulary.words
        sizes = {f"{first} {second}": _JOINS, first: _PARTS, second: _PARTS}
        near = (words[i] for said, n in sizes.items() for i in self.vocabulary.nearest(said, n)[0])
        return self._with_features(
            (first, second), [word for word in near if word not in (first, second)]
        )

    def _with_features(self, said: Words, found: Sequence[str]) -> Candidates | None:
        """Return candidates with their features, except those of usage and of the context."""
        others = list(dict.fromkeys(found))
        if not others:
            return None
        parts = [tuple(other.split()) for other in others]
        single = list(dict.fromkeys(part for heard in parts for part in heard))
        near = dict(zip(single, self._least_unlike(said, single).tolist(), strict=True))
        shares = {part: self._log_share(part) for part in single}
        sound = self.vocabulary.ear.sound
        by_sound = distances("".join(map(sound, said)), ["".join(map(sound, p)) for p in parts])
        features = [
            by_sound,
            by_sound == 0,
            distances("".join(said), ["".join(heard) for heard in parts]),
            [min(map(near.__getitem__, heard)) for heard in parts],
            [self.usage.within(heard) for heard in parts],
            [min(map(shares.__getitem__, heard)) for heard in parts],
            np.array(trigram().surprises(others, [], [])) * NAT / 10,
        ]
        return others, np.column_stack(features)

    def _log_share(self, word: str) -> float:
        return math.log((self.vocabulary.written.get(word, 0) + _UNSEEN) / self._total)

    def _least_unlike(self, said: Words, parts: Sequence[str]) -> Floats:
        """Return how unlike the nearest of some words each part is, in sound and spelling."""
        sound, unlike = self.vocabulary.ear.sound, self.vocabulary.ear.unlike
        sounds = list(map(sound, parts))
        both = [unlike(distances(sound(one), sounds), distances(one, parts)) for one in said]
        found: Floats = np.min(both, axis=0)
        return found


def _letters(words: str) -> str:
    return words.replace(" ", "").replace("'", "")


class Several:
    """Draws what one word is heard as that becomes several, and what two words are together.

    Args:
        weights: the weights of what was never seen.
        heard: what words were heard as.
        joined: what two words together were heard as.
        habits: how the recogniser writes.
        proposals: what was never seen.
    """

    def __init__(
        self,
        weights: SeveralWeights,
        heard: Mapping[str, Counts],
        joined: Mapping[str, Counts],
        habits: Habits,
        proposals: Proposals,
    ) -> None:
        self._weights, self._proposals = weights, proposals
        self._heard, self._joined, self._habits = heard, joined, habits
        self._splits = lru_cache(maxsize=_REMEMBERED)(self._split)
        self._joins = lru_cache(maxsize=_REMEMBERED)(self._join)

    def split(self, word: str, size: int, around: Around, draw: Draw) -> Words | None:
        """Return the words that one word is heard as; ``None`` if there are none."""
        drawn = self._splits(word, size)
        return self._drawn(drawn, self._weights.splits, around, draw) if drawn else None

    def join(self, first: str, second: str, around: Around, draw: Draw) -> Words | None:
        """Return what two words are heard as together; ``None`` if there is nothing."""
        drawn = self._joins(first, second)
        return self._drawn(drawn, self._weights.joins, around, draw) if drawn else None

    def _drawn(self, drawn: Drawn, weights: Sequence[float], around: Around, draw: Draw) -> Words:
        """Draw some candidates by their weights; between these, the words around them decide."""
        by_usage, by_context = weights[-2:]

        def score(tried: Sequence[int]) -> list[float]:
            parts = [tuple(drawn.words[i].split()) for i in tried]
            usages = self._proposals.usage.of_several(parts, around)
            gains = zip(usages, drawn.gains(tried, around), strict=True)
            return [by_usage * usage + by_context * gain for usage, gain in gains]

        return tuple(drawn.draw(draw, score).split())

    def _split(self, word: str, size: int) -> Drawn | None:
        counts = self._heard.get(word, {})
        seen = {w: float(n) for w, n in counts.items() if kind_of(w) == ONE + size - 1}
        new = _weighed(self._proposals.of_word(word, size), self._weights.splits)
        own = written_otherwise(word, size, self._proposals.vocabulary)
        read = self._proposals.vocabulary.ear.reading(word)
        share = self._habits.read if read else self._habits.apart
        return _either(seen, _with(new, own, share))

    def _join(self, first: str, second: str) -> Drawn | None:
        counts = self._joined.get(f"{first} {second}", {})
        seen = {word: float(count) for word, count in counts.items()}
        new = _weighed(self._proposals.of_pair(first, second), self._weights.joins)
        own = written_together(first, second, self._proposals.vocabulary)
        return _either(seen, _with(new, own, self._habits.together))


def written_together(first: str, second: str, vocabulary: Vocabulary) -> str:
    """Return two words as one of the vocabulary; else nothing."""
    return first + second if first + second in vocabulary.place else ""


def written_otherwise(word: str, size: int, vocabulary: Vocabulary) -> str:
    """Return a number as it is read, or a word divided into two of the vocabulary; else nothing.

    The parts of a word are the ones that are written most often.
    """
    read = vocabulary.ear.reading(word)
    if read:
        return " ".join(read) if size == min(len(read), THREE - ONE + 1) else ""
    if size != TWO - ONE + 1:
        return ""
    parts = [(word[:k], word[k:]) for k in range(1, len(word))]
    known = [pair for pair in parts if all(part in vocabulary.written for part in pair)]
    return " ".join(max(known, key=vocabulary.usual_parts, default=()))


def _weighed(candidates: Candidates | None, weights: Sequence[float]) -> dict[str, float]:
    """Return the weights of candidates, without the words around them."""
    if candidates is None:
        return {}
    others, features = candidates
    scores = features @ np.array(weights[:-2])
    return dict(zip(others, np.exp(scores - scores.max()).tolist(), strict=True))


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


USUAL_SEVERAL = SeveralWeights(splits=_USUAL, joins=_USUAL)
"""The weights of divided and joined words if there is nothing to learn from."""


class _Heard(NamedTuple):
    """Words that were heard where others were said, and those around them."""

    said: Words
    heard: str
    around: Around


_Division = tuple[_Heard, Proposals]


def _heard_as_others(examples: Sequence[Example]) -> Iterator[_Heard]:
    """Yield the words that became several, and the two words that became one."""
    for ref, (start, end, heard), around in errors_around(examples):
        if start < end and heard and len(heard) != end - start:
            yield _Heard(ref[start:end], " ".join(heard), around)


def fit_several(parts: Sequence[NewPairs], usual: SeveralWeights = USUAL_SEVERAL) -> SeveralWeights:
    """Fit what decides which words one becomes, and which one two become.

    Args:
        parts: new pairs, and what is known of others; what was seen there is not learnt from.
        usual: the weights if there is nothing to learn from.
    """
    splits, joins = list[_Division](), list[_Division]()
    for new, heard, joined, vocabulary, usage in parts:
        proposals = Proposals(heard, vocabulary, usage)
        for one in _heard_as_others(new):
            said, text, _ = one
            if len(said) == 1:
                size = len(text.split())
                known = text in heard.get(said[0], {})
                if not known and text != written_otherwise(said[0], size, vocabulary):
                    splits.append((one, proposals))
            elif text not in joined.get(" ".join(said), {}) and text != "".join(said):
                joins.append((one, proposals))
    return SeveralWeights(splits=_fitted(splits, usual.splits), joins=_fitted(joins, usual.joins))


def _fitted(found: Sequence[_Division], usual: Sequence[float]) -> tuple[float, ...]:
    """Fit weights; for words that are no candidates stands the nearest one in spelling."""
    problems: list[Problem] = []
    for (said, text, around), proposals in found[:: max(1, len(found) // _SAMPLES)]:
        size = len(text.split())
        new = proposals.of_pair(*said) if size == 1 else proposals.of_word(said[0], size)
        if new is not None:
            others, features = new
            gold = others.index(text if text in others else nearest(text, others))
            usages = proposals.usage.of_several([tuple(other.split()) for other in others], around)
            problems.append((np.column_stack([features, usages, gains(others, around)]), gold))
    return conditional_logit(problems, np.array(usual))
