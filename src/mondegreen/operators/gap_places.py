"""Where disfluencies are likely in an utterance, by the words around each place."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise
from math import log1p

from mondegreen.data.by_content import by_content
from mondegreen.draw import Draw
from mondegreen.language.disfluency import EDITED, REPARANDA, TYPES
from mondegreen.language.gaps import END, KIND_OF, START, GapModel, Option, gap_rates, kind_of
from mondegreen.language.profile import Profile, default_profile, read_profile
from mondegreen.operators.recent import recent
from mondegreen.text.words import word_of
from mondegreen.types import Utterance

_MOST = 0.9  # the highest chance of a disfluency at one place
_LEAST_FACTOR, _GREATEST_FACTOR = 0.2, 5.0
_CACHED_TEXTS = 1 << 14
_SCALE = 1 << 24

Site = tuple[tuple[Option, float], ...]
"""What may be inserted at a place: options, and the factor of the chance of each."""


class GapPlaces:
    """The chance of each disfluency at each place of an utterance.

    The chances depend on the words around a place. They are scaled, for each type, so that an
    utterance of n words has as many disfluencies of the type, on average, as n words of the
    corpus: other data has other words, and the rates of the profile still hold. The beginning and
    the end of an utterance are compared with those of the turns of the corpus.

    Args:
        profile: a profile with counts of gaps.
    """

    def __init__(self, profile: Profile) -> None:
        if profile.gaps is None:
            raise TypeError("a profile of version 1 has no gaps")
        self._model = GapModel(profile.gaps)
        self._rates = gap_rates(profile.gaps)
        self._average = log1p(-min(_MOST, profile.total / profile.words))
        scaled = lru_cache(maxsize=_CACHED_TEXTS)(self._scaled)
        self._sites = recent(lambda utterance: scaled(utterance.tokens, _within_slots(utterance)))

    def weights(self, utterance: Utterance) -> list[float]:
        """Return the weight of each place for :func:`~mondegreen.draw.weighted_walk`."""
        chances = (
            min(_MOST, sum(option.chance * factor for option, factor in site))
            for site in self._sites(utterance)
        )
        return [log1p(-chance) / self._average for chance in chances]

    def draw(self, utterance: Utterance, site: int, draw: Draw) -> str:
        """Draw what is inserted at a place; empty if nothing can be."""
        options = self._sites(utterance)[site]
        weights = [round(option.chance * factor * _SCALE) for option, factor in options]
        if not any(weights):
            return ""
        option = options[draw.weighted(weights)][0]
        return option.contents[draw.weighted(option.weights)]

    def _scaled(self, tokens: tuple[str, ...], within_slots: frozenset[int]) -> tuple[Site, ...]:
        words = [START, *map(_plain, tokens), END]
        places = [self._model.options(left, right) for left, right in pairwise(words)]
        for at in within_slots:
            places[at] = tuple(option for option in places[at] if option.kind == "filler")
        places[-1] = tuple(option for option in places[-1] if option.kind not in REPARANDA)
        expected = dict.fromkeys(TYPES, 0.0)
        for options in places:
            for option in options:
                expected[option.kind] += option.chance
        factors = {
            kind: _clipped(self._expected(kind, len(tokens)) / total) if total else 1.0
            for kind, total in expected.items()
        }
        return tuple(
            tuple((option, factors[option.kind]) for option in options) for options in places
        )

    def _expected(self, kind: str, words: int) -> float:
        start, middle, end = (rates[kind] for rates in self._rates)
        return start + (words - 1) * middle + end


def _within_slots(utterance: Utterance) -> frozenset[int]:
    """Return the places inside slots, where only filled pauses keep the slots clean."""
    return frozenset(at for slot in utterance.slots for at in range(slot.start + 1, slot.end))


def _clipped(factor: float) -> float:
    return min(_GREATEST_FACTOR, max(_LEAST_FACTOR, factor))


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
def gap_places(path: str) -> GapPlaces | None:
    """Return the places of a profile, kept for the next operator; ``None`` for version 1."""
    profile = read_profile(path) if path else default_profile()
    return GapPlaces(profile) if profile.gaps else None
