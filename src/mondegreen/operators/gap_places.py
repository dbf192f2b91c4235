"""Where disfluencies are likely in an utterance, by the words around each place."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache, lru_cache
from math import log1p
from typing import NamedTuple

from mondegreen.data.files.by_content import by_content
from mondegreen.draw import MOST_CHANCE, Draw, gap_weights
from mondegreen.language.disfluency.gaps import END, START, GapModel, gap_rates
from mondegreen.language.disfluency.lexicon import ENGLISH, KIND_OF, REPARANDA, TYPES, Lexicon
from mondegreen.language.disfluency.marked import EDITED
from mondegreen.language.disfluency.profile import (
    ASSISTANT,
    CONVERSATION,
    DisfluencyProfile,
    named_profile,
    read_profile,
)
from mondegreen.operators.recent import recent
from mondegreen.text.words import core_of
from mondegreen.types import Utterance

_CACHED_LENGTHS = 1024
_SCALE = 1 << 24

Chances = tuple[float, ...]
"""One number per type of disfluency, in order of ``TYPES``."""


def _bits(kinds: Iterable[str]) -> int:
    return sum(1 << TYPES.index(kind) for kind in kinds)


_IN_SLOTS = _bits(("filler",))
_ANYWHERE = _bits(TYPES)
_NO_REPAIR = _bits(kind for kind in TYPES if kind != "repair")
_AT_END = _bits(kind for kind in TYPES if kind not in REPARANDA)


class _Scaled(NamedTuple):
    """Of an utterance, for each place: chances of each type, types allowed as bits, its weight."""

    chances: list[Chances]
    allowed: list[int]
    factors: Chances
    weights: list[float]


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
        return self._places(utterance).weights

    def draw_kind(self, utterance: Utterance, site: int, draw: Draw) -> int | None:
        """Draw the type of what is inserted at a place; ``None`` if nothing can be."""
        chances, allowed, factors, _ = self._places(utterance)
        weights = [
            round(chance * factor * _SCALE) if allowed[site] >> kind & 1 else 0
            for kind, (chance, factor) in enumerate(zip(chances[site], factors, strict=True))
        ]
        return draw.weighted(weights) if any(weights) else None

    def draw_content(self, utterance: Utterance, site: int, kind: int, draw: Draw) -> str:
        """Draw what is inserted at a place, of a type given by its position in ``TYPES``."""
        tokens = utterance.tokens
        left = core_of(tokens[site - 1]) if site else START
        right = core_of(tokens[site]) if site < len(tokens) else END
        return self._model.draw(left, right, kind, draw)

    def _scaled(self, utterance: Utterance) -> _Scaled:
        """Return the chances of each type at each place, scaled so that the rates hold."""
        tokens = utterance.tokens
        words = [START, *map(core_of, tokens), END]
        chances = list(map(self._model.chances, words, words[1:]))
        allowed = [_ANYWHERE if can else _NO_REPAIR for can in self._repairable(utterance)]
        allowed.append(_AT_END)
        for slot in utterance.slots:
            for at in range(slot.start + 1, slot.end):
                allowed[at] &= _IN_SLOTS
        factors, weights = gap_weights(chances, allowed, self._edges(len(tokens)), self._average)
        return _Scaled(chances, allowed, factors, weights)

    def _expected(self, words: int) -> Chances:
        """Return how many disfluencies of each type that many words have in the corpus."""
        start, middle, end = self._rates
        return tuple(start[kind] + (words - 1) * middle[kind] + end[kind] for kind in TYPES)


def edit_kind(content: str, lexicon: Lexicon = ENGLISH) -> str:
    """Return the kind of the edit that inserts a content: its parts, joined by "+".

    >>> edit_kind("uh"), edit_kind("uh @1"), edit_kind("@1 i mean"), edit_kind("well @1 uh")
    ('filler', 'filler+repeat', 'repeat+editing', 'discourse+repeat+editing')
    """
    pieces = content.split()
    marked = [at for at, piece in enumerate(pieces) if piece[0] in KIND_OF]
    if not marked:
        return lexicon.kind_of(content)
    before = lexicon.kind_of(" ".join(pieces[: marked[0]]))
    spoken = _has_words(pieces[marked[0] :])
    return (f"{before}+" if before else "") + lexicon.kind_of(content) + (EDITED if spoken else "")


def _has_words(pieces: Sequence[str]) -> bool:
    return any(piece[0] not in KIND_OF for piece in pieces)


def profile_gaps(name: str, language: str) -> ProfileGaps | None:
    """Return the gaps of a profile, kept for the next operator; ``None`` for version 1."""
    return _built_in(name, language) if name in (ASSISTANT, CONVERSATION) else _of_file(name)


@cache
def _built_in(name: str, language: str) -> ProfileGaps | None:
    return _gaps(named_profile(name, language))


@by_content
def _of_file(path: str) -> ProfileGaps | None:
    return _gaps(read_profile(path))


def _gaps(profile: DisfluencyProfile) -> ProfileGaps | None:
    if profile.gaps is None:
        return None
    average = log1p(-min(MOST_CHANCE, profile.total / profile.words))
    lexicon = profile.words_of_speech
    return ProfileGaps(GapModel(profile.gaps, lexicon), gap_rates(profile.gaps, lexicon), average)
