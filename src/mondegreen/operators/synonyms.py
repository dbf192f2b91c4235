"""Synonyms in context: replace a word with the most probable other word of its part of speech."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import ClassVar

from mondegreen.draw import Draw
from mondegreen.errors import OperatorError, unknown
from mondegreen.language.vocabulary.names import kept_positions
from mondegreen.language.vocabulary.substitutes import SubstituteSource, WordPlace, source_of
from mondegreen.language.vocabulary.tagger import Tag, tagger
from mondegreen.operators.amounts import Amount, Once
from mondegreen.operators.protocol import Operator
from mondegreen.operators.recent import recent
from mondegreen.operators.synonym_search import (
    KINDS,
    LAST,
    NEVER,
    ByModel,
    ByThesaurus,
    SynonymSearch,
    WantedWord,
)
from mondegreen.types import Edit, Utterance

SOURCES = ("thesaurus", "mlm")
NAMES = ("keep", "change")
_AHEAD = 256  # utterances per batch of the model


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
    version: ClassVar[int] = 6

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
        if self.source == "mlm":  # a probable word need not be a synonym
            object.__setattr__(self, "keeps_meaning", False)

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
    def _source(self) -> SubstituteSource:
        return source_of(self.source, self.model)

    @cached_property
    def _search(self) -> SynonymSearch:
        change = self.names == "change"
        wanted = WantedWord(self.name, self.kinds, self.tagger, change)
        way = ByModel if self.source == "mlm" else ByThesaurus
        return way(wanted, self._source)

    def resources(self) -> Sequence[Path]:
        """Return the folder of the model, if the user gave one."""
        folder = Path(self.model)
        return (folder,) if self.model and folder.is_dir() else ()

    def sites(self, utterance: Utterance) -> range:
        """Return one site per word of the operator's class; without such words, per other word."""
        return range(len(self._read(utterance).first))

    def site_weights(self, utterance: Utterance) -> Sequence[float] | None:
        """Return weights that make each class equally likely, as NATURE draws the class first."""
        if self.source != "mlm" or len(self.kinds) == 1:
            return None
        read = self._read(utterance)
        classes = [read.kind(at) for at in read.first]
        share = len(classes) / len(set(classes)) if classes else 1.0
        return [share / classes.count(name) for name in classes]

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
        """Find the positions to replace; names only on request, or by a model as a last resort."""
        tokens = utterance.tokens
        parts = self._tag(tokens)
        tiers = self._search.tiers(tokens, parts)
        if self.names == "keep":
            kept = LAST if self.source == "mlm" else NEVER
            for at in kept_positions(utterance):
                if tiers[at] != NEVER:
                    tiers[at] = kept
        return _Read(self._search, self.kinds, tokens, parts, tiers)

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
            places.append(WordPlace(utterance.tokens, at, self._tag(utterance.tokens)[at]))
        self._source.prepare(places)


class _Read:
    """What was found out about an utterance: which words to replace, and edits as far as asked.

    Args:
        search: makes the edits.
        wanted: the classes of words to replace.
        tokens: the tokens of the utterance.
        parts: their parts of speech.
        tiers: their tiers.
    """

    def __init__(
        self,
        search: SynonymSearch,
        wanted: frozenset[str],
        tokens: tuple[str, ...],
        parts: tuple[str, ...],
        tiers: Sequence[int],
    ) -> None:
        self._search, self._wanted = search, wanted
        self._tokens, self._parts, self._tiers = tokens, parts, tiers
        self._judged: dict[int, Edit | None] = {}
        self._others: list[Edit] | None = None
        best = next((tier for tier in range(LAST + 1) if tier in tiers), None)
        self.first = [at for at, tier in enumerate(tiers) if tier == best]
        """The positions to replace."""
        if best == LAST:
            of_class = [at for at in self.first if search.kinds(tokens[at], parts[at]) & wanted]
            self.first = of_class or self.first

    def kind(self, at: int) -> str:
        """Return the class of the word at a position, one of those wanted if it has several."""
        kinds = self._search.kinds(self._tokens[at], self._parts[at])
        return min(kinds & self._wanted or kinds, default="")

    def judged(self, at: int) -> Edit | None:
        """Return the edit at a position whose word fits there; ``None`` if no word fits."""
        if at not in self._judged:
            self._judged[at] = self._search.edit_at(self._tokens, self._parts, at)
        return self._judged[at]

    def others(self) -> list[Edit]:
        """Return the edits where no word of the first tier fits: of other words that do, or any."""
        if self._others is None:
            tiers = self._tiers
            later = [at for tier in range(LAST) for at, found in enumerate(tiers) if found == tier]
            self._others = list(filter(None, map(self.judged, later)))
            if not self._others:
                self._others = self._search.last_resort(self._tokens, self._parts, tiers)
        return self._others


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
    kinds: ClassVar[frozenset[str]] = frozenset(KINDS.values())
    example: ClassVar[str] = "play some quiet music for dinner"


@dataclass(frozen=True)
class StopwordSynonyms(Synonyms):
    """Replace a stop word with another one that fits: "the song" becomes "this song"."""

    name: ClassVar[str] = "synonyms.stopword"
    english: ClassVar[bool] = True
    kinds: ClassVar[frozenset[str]] = frozenset(("stopword",))
    example: ClassVar[str] = "add this song to the playlist for me"
