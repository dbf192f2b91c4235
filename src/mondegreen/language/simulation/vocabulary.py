"""The words that a recogniser can write, and how near each is to a word that was said."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray
from rapidfuzz.distance import Levenshtein
from rapidfuzz.process import cdist

from mondegreen.language.languages import ENGLISH
from mondegreen.language.simulation.ears import ear_of
from mondegreen.language.simulation.odds import rarity
from mondegreen.language.simulation.profile import Counts
from mondegreen.language.vocabulary.ngram import NAT, trigram

_NEAR = 250  # candidates per word by sound
_USUAL = 150  # words most often heard by mistake, which are candidates for every word
_SOUND_BINS = (1e-6, 0.13, 0.21, 0.3, 0.4, 0.55, 0.75)
_SPELLING_BINS = (0.2, 0.4, 0.6, 0.8)
_LONGEST = 12  # phonemes
_UNSEEN = 0.02  # the count of a word that no hypothesis has

Floats = NDArray[np.float64]
Places = NDArray[np.int64]


def distances(said: str, heard: Sequence[str]) -> Floats:
    """Return how far some strings are from one, from 0 to 1."""
    found = cdist([said], heard, scorer=Levenshtein.normalized_distance, dtype=np.float64)
    first: Floats = found[0]
    return first


class Vocabulary:
    """The words that can be heard, with their sounds and frequencies.

    Args:
        written: how often the hypotheses have each word.
        mistaken: how often each word was heard where another one was said.
        code: the language.
    """

    def __init__(self, written: Counts, mistaken: Counts, code: str = ENGLISH) -> None:
        self.written, self.mistaken, self.ear = written, mistaken, ear_of(code)
        more = (word for word in self.ear.frequent() if word not in written)
        ranked = sorted(written, key=lambda word: (-written[word], word))
        self.words = [*ranked, *more]  # of equally near words, the search finds the first ones
        self.ear.prepare(set(self.words))  # in one batch
        self.place = {word: i for i, word in enumerate(self.words)}
        self._sounds = [self.ear.sound(word) for word in self.words]
        self._lengths = np.array([len(one) for one in self._sounds])
        self._first = np.array([word[:1] for word in self.words])
        self._last = np.array([word[-1:] for word in self.words])
        self._search = self.ear.search(self.words)
        self._counts = np.column_stack([self._shares(written), self._shares(mistaken)])
        self.rarity = np.array([rarity(word) for word in self.words])
        self.surprisal = np.array(trigram().surprises(self.words, [], [])) * NAT
        ranked = sorted(mistaken, key=lambda word: (-mistaken[word], word))
        self._usual = np.array(
            [self.place[word] for word in ranked if word in self.place][:_USUAL], int
        )

    def _shares(self, counts: Counts) -> Floats:
        """Return the logarithm of the share of each word, and whether it has any."""
        known = np.array([counts.get(word, 0) for word in self.words], float)
        total = max(1, sum(counts.values()))
        return np.column_stack([np.log((known + _UNSEEN) / total), known > 0])

    def usual_parts(self, words: Iterable[str]) -> int:
        """Return how often the rarest of some words is written."""
        return min(self.written.get(word, 0) for word in words)

    def near(self, word: str, also: Sequence[str]) -> Places:
        """Return the places of the words that sound like a word, the usual ones, and ``also``."""
        near = self.nearest(word, _NEAR)[0]
        seen = np.array([self.place[other] for other in also if other in self.place], int)
        found: Places = np.unique(np.concatenate([near, self._usual, seen]))
        others: Places = found[found != self.place.get(word, -1)]
        return others

    def nearest(self, words: str, n: int) -> tuple[Places, Floats]:
        """Return the places of the words that sound most alike, and their distances, 0 to 1."""
        found = np.array(self._search.find(words, n), int)
        places: Places = found[:, 1]
        return places, found[:, 0] / np.maximum(self._lengths[places], len(self.ear.sound(words)))

    def words_at(self, places: Places) -> list[str]:
        """Return the words at some places."""
        return [self.words[place] for place in places.tolist()]

    def features(self, word: str, places: Places) -> Floats:
        """Return the features of candidates, without those of memory and context."""
        mine = self.ear.sound(word)
        others, sounds = self.words_at(places), [self._sounds[place] for place in places.tolist()]
        by_sound = distances(mine, sounds)
        by_letter = distances(word, others)
        unlike = self.ear.unlike(by_sound, by_letter)
        rare, counts = rarity(word), self._counts[places]
        return np.column_stack(
            [
                counts,
                np.eye(len(_SOUND_BINS) + 1)[np.digitize(by_sound, _SOUND_BINS)],
                np.eye(len(_SPELLING_BINS) + 1)[np.digitize(by_letter, _SPELLING_BINS)],
                by_sound,
                self._first[places] == word[:1],
                self._last[places] == word[-1:],
                [o.startswith(word) or word.startswith(o) for o in others],
                (by_sound == 0) & any(map(str.isdigit, word)),  # the reading of a number
                self.rarity[places],
                self.rarity[places] >= 2,  # noqa: PLR2004 (words that the trigram model lacks)
                np.abs(self._lengths[places] - len(mine)),
                unlike,
                rare * unlike,
                rare * counts[:, 0] / 3,
                rare * counts[:, 2] / 3,
                min(len(mine), _LONGEST) / 5 * unlike,
            ]
        )


FEATURES = 30
"""How many features a candidate has."""
UNLIKENESS = 25
"""Which of them is how unlike the candidate is in sound and spelling."""
