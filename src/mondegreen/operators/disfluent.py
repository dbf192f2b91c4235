"""What the disfluencies have in common: words put in before a word, drawn from a profile."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import ClassVar, NamedTuple

from mondegreen.draw import Draw
from mondegreen.errors import OperatorError
from mondegreen.language.disfluency import EDITED
from mondegreen.language.profile import Profile, default_profile, read_profile
from mondegreen.language.word_classes import CONTENT, family
from mondegreen.operators.amounts import Amount, Rate
from mondegreen.operators.protocol import Operator
from mondegreen.types import Edit, Utterance

_PUNCTUATION = ".,!?;:…"
AVERAGE = 1000
_LEAST_RATE = 0.0001


Grammar = tuple[bool, ...]
"""Which words of an utterance are function words: on this depends where disfluencies stand."""


def grammar_of(utterance: Utterance) -> Grammar:
    """Tell which words are function words.

    >>> grammar_of(Utterance.of("1", "a table in london"))
    (True, False, True, False)
    """
    return tuple([family(token) != CONTENT for token in utterance.tokens])


class Weighted(NamedTuple):
    """Phrases with their weights."""

    phrases: tuple[tuple[str, ...], ...]
    weights: tuple[int, ...]

    def draw(self, draw: Draw) -> tuple[str, ...]:
        """Return one of the phrases."""
        return self.phrases[draw.weighted(self.weights)]


@dataclass(frozen=True)
class DisfluencyOperator(Operator):
    """Puts words in before a word. What is put in before word *i* belongs to site *i* alone."""

    kind: ClassVar[str]

    profile: str = ""

    def __post_init__(self) -> None:
        if self.profile:
            read_profile(self.profile)  # one that cannot be read is told of at once

    @property
    def default(self) -> Amount:
        """The rate of the profile."""
        return Rate(tidy(self._profile.rate(self.kind)))

    @cached_property
    def _profile(self) -> Profile:
        return read_profile(self.profile) if self.profile else default_profile()

    def sites(self, utterance: Utterance) -> range:
        """Before every word."""
        return range(len(utterance.tokens))

    def weights(self, grammar: Grammar) -> Sequence[int]:
        """Return how likely each place is, in thousandths of the average."""
        return (AVERAGE,) * len(grammar)

    def propose(self, utterance: Utterance, site: int, draw: Draw) -> Sequence[Edit]:
        """Put the disfluency in, unless the place is not as likely as others and drawn out."""
        weights = self.weights(grammar_of(utterance))
        if draw.below(max(weights)) >= weights[site]:
            return ()
        found = self.insertion(utterance, site, draw)
        if found is None:
            return ()
        kind, words = found
        return (Edit(site, site, words, self.name, kind),)

    def insertion(
        self, utterance: Utterance, site: int, draw: Draw
    ) -> tuple[str, tuple[str, ...]] | None:
        """Return the kind and the words to put in; ``None`` where there is nothing to say."""
        raise NotImplementedError

    def resources(self) -> Sequence[Path]:
        """Return the profile, where the user gave one."""
        return (Path(self.profile),) if self.profile else ()


@dataclass(frozen=True)
class ReparandumOperator(DisfluencyOperator):
    """Puts in words that the speaker takes back at once."""

    usual_terms: ClassVar[tuple[str, ...]] = ("i mean", "you know", "well", "sorry", "wait")
    """What is said between, where the user does not say."""

    terms: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        super().__post_init__()
        if isinstance(self.terms, str):
            raise OperatorError(f"{self.name}: terms must be a list, such as [{self.terms!r}]")

    def reparandum(
        self, utterance: Utterance, site: int, size: int, draw: Draw
    ) -> tuple[str, ...] | None:
        """Return ``size`` words to take back before the word at a site."""
        raise NotImplementedError

    def room(self, utterance: Utterance, site: int) -> int:
        """Return how many words a reparandum may have: as many as follow."""
        return len(utterance.tokens) - site

    def insertion(
        self, utterance: Utterance, site: int, draw: Draw
    ) -> tuple[str, tuple[str, ...]] | None:
        """Draw a length, take as many words, and what is said before they are put right."""
        size = self._size(len(utterance.tokens), self.room(utterance, site), draw)
        words = self.reparandum(utterance, site, size, draw)
        if words is None:
            return None
        term = self._term(draw)
        return (self.kind + EDITED, words + term) if term else (self.kind, words)

    def _size(self, words: int, room: int, draw: Draw) -> int:
        """Draw a length that fits.

        Only ``words - size + 1`` of the places have room for it, so its weight there is greater:
        over all places the lengths are those of the profile.
        """
        lengths = self._profile.reparanda[self.kind].lengths[:room]
        scaled = [
            count * words * 1000 // max(1, words - extra) for extra, count in enumerate(lengths)
        ]
        return draw.weighted(scaled) + 1 if any(scaled) else 1

    def _term(self, draw: Draw) -> tuple[str, ...]:
        seen = self._profile.reparanda[self.kind]
        rest = seen.count - seen.pauses - seen.terms
        if not seen.count:
            return ()
        drawn = draw.weighted((rest, seen.pauses, seen.terms))
        if drawn == 0:
            return ()
        return draw.choice(self._terms) if drawn == 2 else self._pauses.draw(draw)  # noqa: PLR2004

    @cached_property
    def _terms(self) -> tuple[tuple[str, ...], ...]:
        return tuple(tuple(term.split()) for term in self.terms or self.usual_terms)

    @cached_property
    def _pauses(self) -> Weighted:
        return weighted({phrase: later for phrase, (_, later) in self._profile.fillers.items()})


def weighted(counts: dict[str, int]) -> Weighted:
    """Return the phrases that occur, with how often; "uh" where none does."""
    seen = {phrase: count for phrase, count in counts.items() if count} or {"uh": 1}
    return Weighted(tuple(tuple(phrase.split()) for phrase in seen), tuple(seen.values()))


def tidy(rate: float) -> float:
    """Return a rate as an amount: to four digits, above 0 also where a corpus lacks the type.

    >>> tidy(0.0907617), tidy(0.0), tidy(1.7)
    (0.0908, 0.0001, 1.0)
    """
    return min(1.0, max(_LEAST_RATE, round(rate, 4)))


def only_at(places: Sequence[bool]) -> list[int]:
    """Return weights for what fits some places alone: the more likely there the fewer there are.

    >>> only_at([True, False, False, True])
    [2000, 0, 0, 2000]
    """
    each = AVERAGE * len(places) // max(1, sum(places))
    return [each if fits else 0 for fits in places]


def spoken(words: Sequence[str]) -> tuple[str, ...]:
    """Return words as they are said before a break: the last one without its punctuation.

    >>> spoken(("some", "jazz,")), spoken(("...",))
    (('some', 'jazz'), ('...',))
    """
    last = words[-1].rstrip(_PUNCTUATION) or words[-1]
    return (*words[:-1], last)
