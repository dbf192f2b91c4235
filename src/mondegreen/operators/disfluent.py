"""Base classes of the disfluency operators, which insert words drawn from a profile."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from typing import ClassVar, NamedTuple

from mondegreen.draw import Draw
from mondegreen.errors import OperatorError
from mondegreen.language.detection import ENGLISH
from mondegreen.language.disfluency.borrowed import profile_in
from mondegreen.language.disfluency.fillers import filler_list
from mondegreen.language.disfluency.marked import EDITED
from mondegreen.language.disfluency.profile import ASSISTANT, CONVERSATION, DisfluencyProfile
from mondegreen.language.english import english_words
from mondegreen.language.languages import language as language_of
from mondegreen.language.segmentation import word_edges
from mondegreen.language.vocabulary.tagger import tag
from mondegreen.language.vocabulary.word_classes import CONTENT, family
from mondegreen.operators.amounts import Amount, Rate
from mondegreen.operators.capitals import with_capital
from mondegreen.operators.protocol import Operator
from mondegreen.operators.recent import recent
from mondegreen.text.words import ALL_MARKS, core_of, is_any_mark
from mondegreen.types import Edit, Utterance

AVERAGE = 1000
"""The weight of a position that is as likely as the average one."""
_LOWEST_RATE = 0.0001
_CACHED = 16_384
_NAMING = frozenset(("NOUN", "PROPN", "NUM", "X", "INTJ"))
"""The parts of speech of words that may be names: they keep their capital."""


FunctionFlags = tuple[bool, ...]
"""For each token, whether it is a function word, which decides where disfluencies are likely."""


@recent
def function_flags(utterance: Utterance) -> FunctionFlags:
    """Return for each token whether it is a function word.

    >>> function_flags(Utterance.of("1", "a table in london"))
    (True, False, True, False)
    """
    return tuple(map(_is_function, utterance.tokens))


@lru_cache(maxsize=65_536)
def _is_function(token: str) -> bool:
    return family(token) != CONTENT


def flags_in(utterance: Utterance, code: str) -> FunctionFlags:
    """Return for each token whether it is a function word of a language.

    >>> flags_in(Utterance.of("1", "ein tisch in london"), "de")
    (True, False, True, False)
    """
    if code == ENGLISH:
        return function_flags(utterance)
    tongue = language_of(code)
    if tongue.segments:  # particles belong to the words before them
        return (False,) * len(utterance.tokens)
    known = tongue.function_words
    return tuple(core_of(token) in known for token in utterance.tokens)


class Insertion(NamedTuple):
    """What to insert: the kind of the edit, the words, and how many of them are taken back."""

    kind: str
    words: tuple[str, ...]
    taken_back: int = 0


class Weighted(NamedTuple):
    """Phrases with their weights."""

    phrases: tuple[tuple[str, ...], ...]
    weights: tuple[int, ...]

    def draw(self, draw: Draw) -> tuple[str, ...]:
        """Return one of the phrases."""
        return self.phrases[draw.weighted(self.weights)]


@dataclass(frozen=True)
class DisfluencyOperator(Operator):
    """Inserts words before a token; site *i* is the position before token *i*."""

    kind: ClassVar[str]
    spoken_to: ClassVar[str] = ASSISTANT
    """The built-in profile that is used unless the user names another."""

    profile: str = ""

    def __post_init__(self) -> None:
        if self.profile:
            _ = self._profile  # so that an unreadable profile is an error at once

    @property
    def default(self) -> Amount:
        """The rate of this type of disfluency in the profile."""
        return Rate(rounded_rate(self._profile.rate(self.kind)))

    @property
    def _profile_name(self) -> str:
        return self.profile or self.spoken_to

    @cached_property
    def _profile(self) -> DisfluencyProfile:
        return profile_in(self._profile_name, self.code)

    @cached_property
    def code(self) -> str:
        """The code of the language that is spoken."""
        return str(getattr(self, "language", ENGLISH))

    def sites(self, utterance: Utterance) -> range:
        """Return the position before every token."""
        return range(len(utterance.tokens))

    def weights(self, flags: FunctionFlags) -> Sequence[int]:
        """Return how likely each position is, in thousandths of the average."""
        return (AVERAGE,) * len(flags)

    @cached_property
    def known_weights(self) -> Callable[[FunctionFlags], Sequence[int]]:
        """The function :meth:`weights`, which remembers what it returned."""
        return lru_cache(maxsize=_CACHED)(self.weights)

    def propose(self, utterance: Utterance, site: int, draw: Draw) -> Sequence[Edit]:
        """Insert the disfluency outside slots; a position with a low weight is often rejected."""
        weights, highest = _weights(self, utterance)
        if draw.below(highest) >= weights[site]:
            return ()
        return self.inserted(utterance, site, draw)

    def inserted(self, utterance: Utterance, site: int, draw: Draw) -> Sequence[Edit]:
        """Return the edits that insert the disfluency; none before a punctuation mark.

        The first word of a sentence gives its capital to what is inserted before it.
        """
        tokens = utterance.tokens
        if site < len(tokens) and is_any_mark(tokens[site]):
            return ()
        if self.code != ENGLISH and not word_edges(tokens, self.code)[site]:
            return ()
        found = self.insertion(utterance, site, draw)
        if found is None:
            return ()
        edit = Edit(site, site, found.words, self.name, found.kind, found.taken_back)
        if site > 0:
            return (edit,)
        edits = with_capital(utterance, edit, self.code)
        if self.code != ENGLISH:
            return edits
        return edits if len(edits) == 1 or tag(tokens)[0] not in _NAMING else edits[:1]

    def insertion(self, utterance: Utterance, site: int, draw: Draw) -> Insertion | None:
        """Return what to insert; ``None`` if no words fit here."""
        raise NotImplementedError

    def resources(self) -> Sequence[Path]:
        """Return the profile, if the user gave a file."""
        return (Path(self.profile),) if self._has_own_profile else ()

    @property
    def _has_own_profile(self) -> bool:
        return self.profile not in ("", ASSISTANT, CONVERSATION)


@recent
def _weights(operator: DisfluencyOperator, utterance: Utterance) -> tuple[Sequence[int], int]:
    """Return the weights of the positions, and the highest of them; 0 within slots."""
    flags = flags_in(utterance, operator.code)
    weights = operator.known_weights(flags)
    if operator.code != ENGLISH and language_of(operator.code).clinging and any(flags):
        edges = word_edges(utterance.tokens, operator.code)
        weights = [weight * edge for weight, edge in zip(weights, edges, strict=False)]
    if utterance.slots:
        weights = list(weights)
        for slot in utterance.slots:
            weights[slot.start + 1 : slot.end] = [0] * (slot.end - slot.start - 1)
    return weights, max(weights) or 1


@dataclass(frozen=True)
class ReparandumOperator(DisfluencyOperator):
    """Inserts a reparandum: words that the speaker takes back at once.

    An editing term, such as "i mean", or a filled pause may follow the reparandum.
    """

    default_terms: ClassVar[tuple[str, ...]] = english_words("terms", "repairs")
    """The editing terms to draw from if the user gives no ``terms``."""
    corrects: ClassVar[bool] = False
    """Whether the reparandum says something else than what follows it."""

    terms: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        super().__post_init__()
        if isinstance(self.terms, str):
            raise OperatorError(f"{self.name}: terms must be a list, such as [{self.terms!r}]")

    def reparandum(
        self, utterance: Utterance, site: int, size: int, draw: Draw
    ) -> tuple[str, ...] | None:
        """Return about ``size`` words to insert before a site; ``None`` if no words fit here."""
        raise NotImplementedError

    def max_size(self, utterance: Utterance, site: int) -> int:
        """Return the maximum number of words of a reparandum: as many as follow the site."""
        return len(utterance.tokens) - site

    def insertion(self, utterance: Utterance, site: int, draw: Draw) -> Insertion | None:
        """Draw the length of the reparandum, its words, and what follows it, if anything."""
        weights = self._sizes(len(utterance.tokens), self.max_size(utterance, site))
        size = draw.weighted(weights) + 1 if weights else 1
        words = self.reparandum(utterance, site, size, draw)
        if words is None:
            return None
        term = self._term(draw)
        taken_back = len(words) if self.corrects else 0
        return Insertion(self.kind + EDITED if term else self.kind, words + term, taken_back)

    @cached_property
    def _sizes(self) -> Callable[[int, int], tuple[int, ...]]:
        return lru_cache(maxsize=_CACHED)(self._weights_of_sizes)

    def _weights_of_sizes(self, words: int, max_size: int) -> tuple[int, ...]:
        """Return the weights of the lengths that fit; empty if the profile has none of them.

        A length fits at ``words - size + 1`` positions only, so it gets a greater weight there:
        over all positions the lengths are distributed as in the profile.
        """
        lengths = self._profile.reparanda[self.kind].lengths[:max_size]
        scaled = [
            count * words * 1000 // max(1, words - extra) for extra, count in enumerate(lengths)
        ]
        return tuple(scaled) if any(scaled) else ()

    def _term(self, draw: Draw) -> tuple[str, ...]:
        """Draw an editing term or a filled pause; often neither, which gives an empty tuple."""
        counts = self._profile.reparanda[self.kind]
        rest = counts.count - counts.pauses - counts.terms
        if not counts.count:
            return ()
        drawn = draw.weighted((rest, counts.pauses, counts.terms))
        if drawn == 0:
            return ()
        return draw.choice(self._terms) if drawn == 2 else self._pauses.draw(draw)  # noqa: PLR2004

    @cached_property
    def _terms(self) -> tuple[tuple[str, ...], ...]:
        known = self.default_terms if self.code == ENGLISH else language_of(self.code).terms
        return tuple(tuple(term.split()) for term in self.terms or known) or self._pauses.phrases

    @cached_property
    def _pauses(self) -> Weighted:
        counts = {phrase: later for phrase, (_, later) in self._profile.fillers.items()}
        if (
            self.code != ENGLISH and not self._has_own_profile
        ):  # without the odd spellings of a text
            known = language_of(self.code).fillers.pauses
            counts = {phrase: counts[phrase] for phrase in known if phrase in counts} or counts
        return weighted(counts)


@dataclass(frozen=True)
class RepeatingOperator(ReparandumOperator):
    """Inserts words that follow, or a part of them, so that it works in any language.

    Only what may come between the two depends on the language.
    """

    language: str = ENGLISH

    def __post_init__(self) -> None:
        super().__post_init__()
        filler_list(self.language)  # so that an unknown language is an error at once

    @property
    def languages(self) -> frozenset[str] | None:
        """The language of the pauses; any language if the user gives a profile."""
        return None if self._has_own_profile else frozenset((self.language,))

    @cached_property
    def _terms(self) -> tuple[tuple[str, ...], ...]:
        """Editing terms; in other languages than English, a repetition has pauses only."""
        if self.terms or self.language == ENGLISH:
            return super()._terms
        return self._pauses.phrases


def weighted(counts: dict[str, int]) -> Weighted:
    """Return the phrases with a count above 0, weighted by it; only "uh" if all counts are 0."""
    positive = {phrase: count for phrase, count in counts.items() if count} or dict.fromkeys(
        english_words("terms", "pause"), 1
    )
    return Weighted(tuple(tuple(phrase.split()) for phrase in positive), tuple(positive.values()))


def rounded_rate(rate: float) -> float:
    """Round a rate to four digits, and clip it so that it is a valid amount: above 0, at most 1.

    >>> rounded_rate(0.0907617), rounded_rate(0.0), rounded_rate(1.7)
    (0.0908, 0.0001, 1.0)
    """
    return min(1.0, max(_LOWEST_RATE, round(rate, 4)))


def weights_at(fits: Sequence[bool]) -> list[int]:
    """Return equal weights for the positions that fit and 0 for the others, ``AVERAGE`` on average.

    >>> weights_at([True, False, False, True])
    [2000, 0, 0, 2000]
    """
    each = AVERAGE * len(fits) // max(1, sum(fits))
    return [each if fit else 0 for fit in fits]


def within_slot(utterance: Utterance, site: int) -> bool:
    """Return whether words that are inserted at a site would become part of a slot."""
    for slot in utterance.slots:  # noqa: SIM110 (twice as fast as any)
        if slot.start < site < slot.end:
            return True
    return False


def without_final_punctuation(words: Sequence[str]) -> tuple[str, ...]:
    """Return words with the punctuation removed from the end of the last one.

    >>> without_final_punctuation(("some", "jazz,")), without_final_punctuation(("...",))
    (('some', 'jazz'), ('...',))
    """
    last = words[-1].rstrip(ALL_MARKS) or words[-1]
    return (*words[:-1], last)
