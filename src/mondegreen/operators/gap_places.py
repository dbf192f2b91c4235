"""Where disfluencies are likely in an utterance, by the words around each place."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from math import log1p
from operator import mul
from typing import NamedTuple

from mondegreen.data.by_content import by_content
from mondegreen.draw import Draw
from mondegreen.language.disfluency import EDITED, REPARANDA, TYPES
from mondegreen.language.gaps import END, KIND_OF, START, GapModel, gap_rates, kind_of
from mondegreen.language.profile import default_profile, read_profile
from mondegreen.operators.recent import recent
from mondegreen.text.words import word_of
from mondegreen.types import Utterance

_MOST = 0.9  # the highest chance of a disfluency at one place
_LEAST_FACTOR, _GREATEST_FACTOR = 0.2, 5.0
_CACHED_LENGTHS = 1024
_SCALE = 1 << 24

Chances = tuple[float, ...]
"""One number per type of disfluency, in order of ``TYPES``."""
_IN_SLOTS = tuple(float(kind == "filler") for kind in TYPES)
_NO_REPAIR = tuple(float(kind != "repair") for kind in TYPES)
_AT_END = tuple(float(kind not in REPARANDA) for kind in TYPES)


class ProfileGaps(NamedTuple):
    """What a profile says about gaps: chances by words, by edge, and the weight of the average."""

    model: GapModel
    rates: tuple[Mapping[str, float], ...]
    average: float


class GapPlaces:
    """The chance of each disfluency at each place of an utterance.

    The chances depend on the words around a place. They are scaled, for each type, so that an
    utterance of n words has as many disfluencies of the type, on average, as n words of the
    corpus: other data has other words, and the rates of the profile still hold. The beginning and
    the end of an utterance are compared with those of the turns of the corpus.

    Args:
        gaps: the gaps of a profile.
        repairable: returns for each place of an utterance whether a word can be repaired there.
    """

    def __init__(self, gaps: ProfileGaps, repairable: Callable[[Utterance], list[bool]]) -> None:
        self._model, self._rates, self._average = gaps
        self._repairable = repairable
        self._edges = lru_cache(maxsize=_CACHED_LENGTHS)(self._expected)
        self._places = recent(self._scaled)

    def weights(self, utterance: Utterance) -> list[float]:
        """Return the weight of each place for :func:`~mondegreen.draw.weighted_walk`."""
        places, factors = self._places(utterance)
        average = self._average
        chances = [sum(map(mul, place, factors)) for place in places]
        return [log1p(-min(_MOST, chance)) / average for chance in chances]

    def draw(self, utterance: Utterance, site: int, draw: Draw) -> str:
        """Draw what is inserted at a place; empty if nothing can be."""
        places, factors = self._places(utterance)
        weights = [round(chance * _SCALE) for chance in map(mul, places[site], factors)]
        if not any(weights):
            return ""
        tokens = utterance.tokens
        left = _plain(tokens[site - 1]) if site else START
        right = _plain(tokens[site]) if site < len(tokens) else END
        return self._model.draw(left, right, draw.weighted(weights), draw)

    def _scaled(self, utterance: Utterance) -> tuple[list[Chances], Chances]:
        """Return the chances of each type at each place, and the factor of each type."""
        tokens = utterance.tokens
        words = [START, *map(_plain, tokens), END]
        places = list(map(self._model.chances, words, words[1:]))
        repairable = self._repairable(utterance)
        if not all(repairable):
            for at, can in enumerate(repairable):
                if not can:
                    places[at] = tuple(map(mul, places[at], _NO_REPAIR))
        for slot in utterance.slots:
            for at in range(slot.start + 1, slot.end):
                places[at] = tuple(map(mul, places[at], _IN_SLOTS))
        places[-1] = tuple(map(mul, places[-1], _AT_END))
        found = map(sum, zip(*places, strict=True))
        return places, tuple(map(_factor, self._edges(len(tokens)), found))

    def _expected(self, words: int) -> Chances:
        """Return how many disfluencies of each type that many words have in the corpus."""
        start, middle, end = self._rates
        return tuple(start[kind] + (words - 1) * middle[kind] + end[kind] for kind in TYPES)


def _factor(expected: float, found: float) -> float:
    return min(_GREATEST_FACTOR, max(_LEAST_FACTOR, expected / found)) if found else 1.0


@lru_cache(maxsize=1 << 16)
def _plain(token: str) -> str:
    word = word_of(token, 1)
    return token.lower() if word is None else word.core.lower()


def edit_kind(content: str) -> str:
    """Return the kind of the edit that inserts a content: its parts, joined by "+".

    >>> edit_kind("uh"), edit_kind("uh @1"), edit_kind("@1 i mean"), edit_kind("well @1 uh")
    ('filler', 'filler+repeat', 'repeat+editing', 'discourse+repeat+editing')
    """
    pieces = content.split()
    marked = [at for at, piece in enumerate(pieces) if piece[0] in KIND_OF]
    if not marked:
        return kind_of(content)
    before = kind_of(" ".join(pieces[: marked[0]]))
    spoken = _has_words(pieces[marked[0] :])
    return (f"{before}+" if before else "") + kind_of(content) + (EDITED if spoken else "")


def _has_words(pieces: Sequence[str]) -> bool:
    return any(piece[0] not in KIND_OF for piece in pieces)


@by_content
def profile_gaps(path: str) -> ProfileGaps | None:
    """Return the gaps of a profile, kept for the next operator; ``None`` for version 1."""
    profile = read_profile(path) if path else default_profile()
    if profile.gaps is None:
        return None
    average = log1p(-min(_MOST, profile.total / profile.words))
    return ProfileGaps(GapModel(profile.gaps), gap_rates(profile.gaps), average)
