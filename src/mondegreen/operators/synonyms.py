"""Synonyms in context: replace a word with the most probable other word of its part of speech."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache, partial
from itertools import islice
from pathlib import Path
from typing import ClassVar

from mondegreen.draw import Draw
from mondegreen.errors import OperatorError, unknown
from mondegreen.language.names import kept_positions
from mondegreen.language.substitutes import (
    Judged,
    Place,
    Source,
    agrees,
    candidate_words,
    loose_candidates,
    related,
    source_of,
)
from mondegreen.language.tagger import GRAMMAR, stop_word, tagger
from mondegreen.language.word_classes import is_ordered
from mondegreen.operators.amounts import Amount, Once
from mondegreen.operators.protocol import Operator
from mondegreen.operators.recent import recent
from mondegreen.text.words import core_of, word_of
from mondegreen.types import Edit, Utterance

SOURCES = ("thesaurus", "mlm")
NAMES = ("keep", "change")
_KINDS = {"VERB": "verb", "ADJ": "adjective", "ADV": "adverb", "NOUN": "noun"}
_NAMING = frozenset(("NOUN", "PROPN", "NUM"))
_NOT_WORDS = frozenset(("PUNCT", "SYM", "X"))
_LAST = 3  # the tier of names, and of words with doubtful candidates only
_NEVER = -1  # the tier of a token that is never replaced
_CACHE_SIZE = 65_536
_AHEAD = 256  # utterances per batch of the model
_LONG, _AROUND = 512, 64  # tokens

Unjudged = Callable[[str, str], Sequence[str]]
"""Returns other words for a word and its part of speech, whatever is around it."""
Tiers = tuple[tuple[int, ...], ...]
"""Token positions by preference: the operator's class, nouns, other words, names and the like."""


@dataclass(frozen=True)
class Synonyms(Operator):
    """Base class of the synonym operators, which differ in the class of words that they replace.

    Args:
        source: where candidates come from: ``thesaurus``, or ``mlm`` for a masked language model.
        model: a masked language model: a Hugging Face folder, or ``hub:NAME`` to download one;
            empty for the built-in one. ``source='mlm=MODEL'`` is a short form.
        tagger: part-of-speech tagger: empty for the built-in one, or ``spacy:MODEL``.
        names: ``keep`` to leave titles, places, companies and people alone, ``change`` to replace
            their words like others, as NATURE does.
    """

    default: ClassVar[Amount] = Once()
    version: ClassVar[int] = 2
    kinds: ClassVar[frozenset[str]]
    """The word classes that the operator replaces."""

    source: str = "thesaurus"
    model: str = ""
    tagger: str = ""
    names: str = "keep"

    def __post_init__(self) -> None:
        tagger(self.tagger)
        if self.names not in NAMES:
            raise OperatorError(f"{self.name}: {unknown('names', self.names, NAMES)}")
        self._split_source()
        if self.source not in SOURCES:
            raise OperatorError(f"{self.name}: {unknown('source', self.source, SOURCES)}")
        if self.model and self.source != "mlm":
            raise OperatorError(
                f"{self.name}: a model is given, but the source is the thesaurus; set source=mlm"
            )
        source_of(self.source, self.model)  # so that a missing model is an error at once

    def _split_source(self) -> None:
        """Split ``source='mlm=MODEL'`` into source and model."""
        source, _, model = self.source.partition("=")
        if source != "mlm" or not model:
            return
        if self.model:
            raise OperatorError(
                f"{self.name}: two models are given, {model!r} and {self.model!r}; give one"
            )
        object.__setattr__(self, "source", source)
        object.__setattr__(self, "model", model)

    @cached_property
    def _source(self) -> Source:
        found = source_of(self.source, self.model)
        return found if self.source == "thesaurus" else Judged(found)

    def resources(self) -> Sequence[Path]:
        """Return the folder of the model, if the user gave one."""
        folder = Path(self.model)
        return (folder,) if self.model and folder.is_dir() else ()

    def sites(self, utterance: Utterance) -> range:
        """Return one site per word of the operator's class; without such words, per other word."""
        return range(len(self._tiers_of(utterance)[0]))

    def propose(self, utterance: Utterance, site: int, draw: Draw) -> Sequence[Edit]:  # noqa: ARG002 (the most probable word is taken)
        """Replace the word; if no word of the class has a synonym that fits, another word."""
        tokens = utterance.tokens
        first = self._tiers_of(utterance)[0]
        edit = self._edit(tokens, first[site])
        if edit is not None:
            return (edit,)
        rest = self._rest(utterance)
        if rest.first_fits:
            return ()
        for number in range(len(_RESORTS)):
            if rest.fits(0, number):
                return (rest.found[number][site],) if rest.fits(site, number) else ()
        return ()

    @recent
    def _tiers_of(self, utterance: Utterance) -> Tiers:
        """Return the positions to replace; names only if there is nothing else, or on request."""
        kept = frozenset() if self.names == "change" else kept_positions(utterance)
        return self._tiers(utterance.tokens, kept)

    @property
    def ahead(self) -> int:
        """How many utterances to see in advance: a model is faster in batches."""
        return _AHEAD if self.source == "mlm" else 1

    def prepare(self, asked: Sequence[tuple[Utterance, int]]) -> None:
        """Query the model about many words at once."""
        places = [
            self._place(utterance.tokens, self._tiers_of(utterance)[0][site])
            for utterance, site in asked
        ]
        self._source.prepare(places)

    def _place(self, tokens: tuple[str, ...], at: int) -> Place:
        return Place(tokens, at, tagger(self.tagger)(tokens)[at])

    @cached_property
    def _tiers(self) -> Callable[[tuple[str, ...], frozenset[int]], Tiers]:
        """A function from tokens and positions to keep to the tiers that are not empty.

        A later tier is used where no word of the first one has a candidate that fits.
        """
        parts_of = tagger(self.tagger)
        tier_of = lru_cache(maxsize=_CACHE_SIZE)(self._tier)

        @lru_cache(maxsize=_CACHE_SIZE)
        def tiers(tokens: tuple[str, ...], kept: frozenset[int]) -> Tiers:
            found: tuple[list[int], ...] = ([], [], [], [])
            for at, pair in enumerate(zip(tokens, parts_of(tokens), strict=True)):
                tier = tier_of(*pair)
                if tier != _NEVER:
                    found[_LAST if at in kept else tier].append(at)
            return tuple(tuple(tier) for tier in found if tier) or ((),)

        return tiers

    def _tier(self, token: str, part: str) -> int:
        core = core_of(token)
        if part in _NOT_WORDS or is_ordered(core):
            return _NEVER
        if not self._source.could(core, part):
            return _LAST if loose_candidates(core, part) else _NEVER
        kinds = kinds_of(token, part)
        return 0 if kinds & self.kinds else 1 if "noun" in kinds else 2

    def _edit(
        self, tokens: tuple[str, ...], at: int, unjudged: Unjudged | None = None
    ) -> Edit | None:
        """Return the edit to the most probable candidate; ``None`` if no candidate fits.

        The candidate must be tagged with the same part of speech in the utterance. As a last
        resort, it comes from ``unjudged``, whatever is around it.
        """
        part = _parts(self.tagger, tokens)[at]
        word = word_of(tokens[at], 1)
        if word is None:
            return None
        core = word.core.lower()
        others = unjudged(core, part) if unjudged else self._source.ranked(Place(tokens, at, part))
        for other in others:
            if not agrees(tokens, at, other) or related(core, other, part):
                continue
            new = word.dressed((other,))
            if unjudged or self._part_with(tokens, at, new) == part:
                kind = "other" if unjudged else self._kind(tokens[at], part)
                return Edit(at, at + 1, new, self.name, kind)
        return None

    @recent
    def _rest(self, utterance: Utterance) -> _Rest:
        return _Rest(self._tiers_of(utterance), partial(self._edit, utterance.tokens))

    def _part_with(self, tokens: tuple[str, ...], at: int, new: tuple[str, ...]) -> str:
        """Return the part of speech of a word in place of another.

        Of a very long utterance only the words around it are read.
        """
        start, end = 0, len(tokens)
        if end > _LONG:
            start, end = max(0, at - _AROUND), min(end, at + _AROUND)
        read = (*tokens[start:at], *new, *tokens[at + 1 : end])
        return tagger(self.tagger)(read)[at - start]

    def _kind(self, token: str, part: str) -> str:
        """Return the class of the replaced word; if it has several, one of the operator's."""
        kinds = kinds_of(token, part)
        return min(kinds & self.kinds or kinds, default="other")


@recent
def _parts(name: str, tokens: tuple[str, ...]) -> tuple[str, ...]:
    return tagger(name)(tokens)


_RESORTS: tuple[Unjudged | None, ...] = (None, candidate_words, loose_candidates)
"""Where the words outside the first tier come from: judged, everyday words, all of WordNet."""


class _Rest:
    """The edits of the words outside the first tier, found one after the other, by resort."""

    def __init__(
        self, tiers: Tiers, edit_at: Callable[[int, Unjudged | None], Edit | None]
    ) -> None:
        first, *others = tiers
        self.first_fits = any(edit_at(at, None) for at in first)
        later = [at for tier in others for at in tier]
        places = (later, [*first, *later], [*first, *later])
        self.found: list[list[Edit]] = [[] for _ in _RESORTS]
        self._coming = [
            filter(None, (edit_at(at, resort) for at in ats))
            for resort, ats in zip(_RESORTS, places, strict=True)
        ]

    def fits(self, number: int, resort: int) -> bool:
        """Return whether a resort has more edits than a number."""
        found = self.found[resort]
        found += islice(self._coming[resort], max(0, number + 1 - len(found)))
        return len(found) > number


@lru_cache(maxsize=_CACHE_SIZE)
def kinds_of(token: str, part: str) -> frozenset[str]:
    """Return the classes that a word belongs to; empty if it belongs to none of the five.

    >>> sorted(kinds_of("get", "VERB")), sorted(kinds_of("the", "DET")), sorted(kinds_of("x", "X"))
    (['verb'], ['stopword'], [])
    """
    kinds = {_KINDS[part]} if part in _KINDS else set()
    if part in GRAMMAR or (stop_word(token) and part not in _NAMING):  # not "city", a common noun
        kinds.add("stopword")
    return frozenset(kinds)


@dataclass(frozen=True)
class VerbSynonyms(Synonyms):
    """Replace a verb with a synonym that fits: "book a table" becomes "reserve a table"."""

    name: ClassVar[str] = "synonyms.verb"
    english: ClassVar[bool] = True
    kinds: ClassVar[frozenset[str]] = frozenset(("verb",))
    example: ClassVar[str] = "book a table for two and find me a cheap flight"


@dataclass(frozen=True)
class AdjectiveSynonyms(Synonyms):
    """Replace an adjective with a synonym that fits: "a large room" becomes "a big room"."""

    name: ClassVar[str] = "synonyms.adjective"
    english: ClassVar[bool] = True
    kinds: ClassVar[frozenset[str]] = frozenset(("adjective",))
    example: ClassVar[str] = "find the nearest cheap restaurant with good food"


@dataclass(frozen=True)
class AdverbSynonyms(Synonyms):
    """Replace an adverb with a synonym that fits: "play it now" becomes "play it immediately"."""

    name: ClassVar[str] = "synonyms.adverb"
    english: ClassVar[bool] = True
    kinds: ClassVar[frozenset[str]] = frozenset(("adverb",))
    example: ClassVar[str] = "is there a pharmacy nearby that is open now"


@dataclass(frozen=True)
class AnySynonyms(Synonyms):
    """Replace a verb, adjective, adverb or noun with a synonym that fits the utterance."""

    name: ClassVar[str] = "synonyms.any"
    english: ClassVar[bool] = True
    kinds: ClassVar[frozenset[str]] = frozenset(_KINDS.values())
    example: ClassVar[str] = "play some quiet music for dinner"


@dataclass(frozen=True)
class StopwordSynonyms(Synonyms):
    """Replace a stop word with another one that fits: "the song" becomes "this song"."""

    name: ClassVar[str] = "synonyms.stopword"
    english: ClassVar[bool] = True
    kinds: ClassVar[frozenset[str]] = frozenset(("stopword",))
    example: ClassVar[str] = "add this song to the playlist for me"
