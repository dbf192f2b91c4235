"""Synonyms in context: replace a word with the most probable other word of its part of speech."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import repeat
from pathlib import Path
from typing import ClassVar

from mondegreen.draw import Draw
from mondegreen.errors import OperatorError, unknown
from mondegreen.language.vocabulary.names import kept_positions
from mondegreen.language.vocabulary.substitutes import (
    Judged,
    Place,
    Source,
    agrees,
    could_replace,
    loose_candidates,
    related,
    source_of,
    unjudged,
)
from mondegreen.language.vocabulary.tagger import GRAMMAR, Tag, part_in_place, stop_word, tagger
from mondegreen.language.vocabulary.word_classes import is_ordered
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
_EARLIER = frozenset(range(_LAST))
_NEVER = -1  # the tier of a token that is never replaced
_NAME_COST = 12.0  # nats, for a word of a name
_BEARABLE = 3.0  # nats that a word may cost which is not the best
_BEGINNING = 4  # letters that words of one family share
_CACHE_SIZE = 65_536
_AHEAD = 256  # utterances per batch of the model
_LONG, _AROUND = 512, 64  # tokens


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
    version: ClassVar[int] = 3
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
        return range(len(self._read(utterance).first))

    def propose(self, utterance: Utterance, site: int, draw: Draw) -> Sequence[Edit]:  # noqa: ARG002 (the most probable word is taken)
        """Replace the word; if no word of the class has a synonym that fits, another word."""
        read = self._read(utterance)
        edit = read.judged(read.first[site])
        if edit is not None:
            return (edit,)
        if any(map(read.judged, read.first)):
            return ()
        others = read.others()
        return (others[site],) if site < len(others) else ()

    @recent
    def _read(self, utterance: Utterance) -> _Read:
        """Find the positions to replace; names only if there is nothing else, or on request."""
        tokens = utterance.tokens
        parts = self._tag(tokens)
        tiers = list(map(_tier, tokens, parts, repeat(self.kinds)))
        if self.names == "keep":
            for at in kept_positions(utterance):
                if tiers[at] != _NEVER:
                    tiers[at] = _LAST
        if _LAST in tiers and _EARLIER.isdisjoint(tiers):
            tiers = [
                tier if _changeable(*pair) else _NEVER
                for tier, *pair in zip(tiers, tokens, parts, strict=True)
            ]
        return _Read(self, tokens, parts, tiers)

    @cached_property
    def _tag(self) -> Tag:
        return tagger(self.tagger)

    @property
    def ahead(self) -> int:
        """How many utterances to see in advance: a model is faster in batches."""
        return _AHEAD if self.source == "mlm" else 1

    def prepare(self, asked: Sequence[tuple[Utterance, int]]) -> None:
        """Query the model about many words at once."""
        places = []
        for utterance, site in asked:
            at = self._read(utterance).first[site]
            places.append(Place(utterance.tokens, at, self._tag(utterance.tokens)[at]))
        self._source.prepare(places)

    def edit_at(self, tokens: tuple[str, ...], parts: tuple[str, ...], at: int) -> Edit | None:
        """Return the edit to the most probable candidate; ``None`` if no candidate fits.

        The candidate must be tagged with the same part of speech in the utterance.
        """
        part = parts[at]
        word = word_of(tokens[at], 1)
        if word is None:
            return None
        core = word.core.lower()
        for other in self._source.ranked(Place(tokens, at, part)):
            if not agrees(tokens, at, other) or related(core, other, part):
                continue
            if _is_said_already(other, tokens):
                continue
            new = word.dressed((other,))
            if self._part_with(tokens, at, new[0]) == part:
                return Edit(at, at + 1, new, self.name, _kind(tokens[at], part, self.kinds))
        return None

    def last_resort(
        self, tokens: tuple[str, ...], parts: tuple[str, ...], tiers: Sequence[int]
    ) -> list[Edit]:
        """Return edits to words that fit nowhere well: the least surprising, and others near it."""
        found = []
        for at, tier in enumerate(tiers):
            word = word_of(tokens[at], 1)
            if tier == _NEVER or word is None:
                continue
            for cost, other in unjudged(Place(tokens, at, parts[at])):
                if agrees(tokens, at, other):
                    edit = Edit(at, at + 1, word.dressed((other,)), self.name, "other")
                    found.append((cost + _NAME_COST * (tier == _LAST), at, edit))
                    break
        found.sort()
        return [edit for cost, _, edit in found if cost <= max(_BEARABLE, found[0][0])]

    def _part_with(self, tokens: tuple[str, ...], at: int, new: str) -> str:
        """Return the part of speech of a word in place of another.

        Of a very long utterance only the words around it are read.
        """
        if len(tokens) > _LONG:
            start = max(0, at - _AROUND)
            tokens, at = tokens[start : at + _AROUND], at - start
        return part_in_place(tokens, at, new, self.tagger)


@lru_cache(maxsize=_CACHE_SIZE)
def _tier(token: str, part: str, wanted: frozenset[str]) -> int:
    """Return the tier of a token and its part of speech: of a wanted class, noun, other, the rest.

    A later tier is used where no word of the first one has a candidate that fits.
    """
    core = core_of(token)
    if part in _NOT_WORDS or is_ordered(core):
        return _NEVER
    if not could_replace(core, part):
        return _LAST
    kinds = kinds_of(token, part)
    return 0 if kinds & wanted else 1 if "noun" in kinds else 2


def _is_said_already(word: str, tokens: tuple[str, ...]) -> bool:
    """Return whether an utterance has a word that begins like another one: "book a booking"."""
    start = word[:_BEGINNING]
    return len(start) == _BEGINNING and any(token[:_BEGINNING].lower() == start for token in tokens)


def _changeable(token: str, part: str) -> bool:
    core = core_of(token)
    return could_replace(core, part) or bool(loose_candidates(core, part))


@lru_cache(maxsize=_CACHE_SIZE)
def _kind(token: str, part: str, wanted: frozenset[str]) -> str:
    """Return the class of the replaced word; if it has several, one of those wanted."""
    kinds = kinds_of(token, part)
    return min(kinds & wanted or kinds, default="other")


class _Read:
    """What was found out about an utterance: which words to replace, and edits as far as asked.

    Args:
        operator: makes the edits.
        tokens: the tokens of the utterance.
        parts: their parts of speech.
        tiers: their tiers.
    """

    def __init__(
        self,
        operator: Synonyms,
        tokens: tuple[str, ...],
        parts: tuple[str, ...],
        tiers: Sequence[int],
    ) -> None:
        self._operator = operator
        self._tokens, self._parts, self._tiers = tokens, parts, tiers
        self._judged: dict[int, Edit | None] = {}
        self._others: list[Edit] | None = None
        best = next((tier for tier in range(_LAST + 1) if tier in tiers), None)
        self.first = [at for at, tier in enumerate(tiers) if tier == best]
        """The positions to replace."""
        if best == _LAST:
            wanted = [at for at in self.first if kinds_of(tokens[at], parts[at]) & operator.kinds]
            self.first = wanted or self.first

    def judged(self, at: int) -> Edit | None:
        """Return the edit at a position whose word fits there; ``None`` if no word fits."""
        if at not in self._judged:
            self._judged[at] = self._operator.edit_at(self._tokens, self._parts, at)
        return self._judged[at]

    def others(self) -> list[Edit]:
        """Return the edits where no word of the first tier fits: of other words that do, or any."""
        if self._others is None:
            tiers = self._tiers
            later = [at for tier in range(_LAST) for at, found in enumerate(tiers) if found == tier]
            self._others = list(filter(None, map(self.judged, later)))
            if not self._others:
                self._others = self._operator.last_resort(self._tokens, self._parts, tiers)
        return self._others


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
