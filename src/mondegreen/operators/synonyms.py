"""Synonyms in context: replace a word with the most probable other word of its part of speech."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache, partial
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
    loose_candidates,
    related,
    source_of,
    unjudged,
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
_NAME_COST = 6.0  # nats, for a word of a name
_BEARABLE = 3.0  # nats that a word may cost which is not the best
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
        parts = tagger(self.tagger)(tokens)
        tiers = list(map(self._tier_of, tokens, parts))
        if self.names == "keep":
            for at in kept_positions(utterance):
                if tiers[at] != _NEVER:
                    tiers[at] = _LAST
        if not any(0 <= tier < _LAST for tier in tiers):
            tiers = [
                tier if self._changeable(*pair) else _NEVER
                for tier, *pair in zip(tiers, tokens, parts, strict=True)
            ]
        judged = partial(self._edit, tokens, parts)
        return _Read(tiers, judged, partial(self._last_resort, tokens, parts))

    @property
    def ahead(self) -> int:
        """How many utterances to see in advance: a model is faster in batches."""
        return _AHEAD if self.source == "mlm" else 1

    def prepare(self, asked: Sequence[tuple[Utterance, int]]) -> None:
        """Query the model about many words at once."""
        places = []
        for utterance, site in asked:
            at = self._read(utterance).first[site]
            places.append(Place(utterance.tokens, at, tagger(self.tagger)(utterance.tokens)[at]))
        self._source.prepare(places)

    @cached_property
    def _tier_of(self) -> Callable[[str, str], int]:
        """The tier of a token and its part of speech: of the class, nouns, others, the rest.

        A later tier is used where no word of the first one has a candidate that fits.
        """
        return lru_cache(maxsize=_CACHE_SIZE)(self._tier)

    def _tier(self, token: str, part: str) -> int:
        core = core_of(token)
        if part in _NOT_WORDS or is_ordered(core):
            return _NEVER
        if not self._source.could(core, part):
            return _LAST
        kinds = kinds_of(token, part)
        return 0 if kinds & self.kinds else 1 if "noun" in kinds else 2

    def _changeable(self, token: str, part: str) -> bool:
        core = core_of(token)
        return self._source.could(core, part) or bool(loose_candidates(core, part))

    def _edit(self, tokens: tuple[str, ...], parts: tuple[str, ...], at: int) -> Edit | None:
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
            new = word.dressed((other,))
            if self._part_with(tokens, at, new) == part:
                return Edit(at, at + 1, new, self.name, self._kind(tokens[at], part))
        return None

    def _last_resort(
        self, tokens: tuple[str, ...], parts: tuple[str, ...], tiers: Sequence[int]
    ) -> list[Edit]:
        """Return edits to words that fit nowhere well: the least surprising, and others near it."""
        found = []
        for at, tier in enumerate(tiers):
            word = word_of(tokens[at], 1)
            if tier == _NEVER or word is None:
                continue
            for other, cost in unjudged(Place(tokens, at, parts[at])):
                if agrees(tokens, at, other):
                    edit = Edit(at, at + 1, word.dressed((other,)), self.name, "other")
                    found.append((cost + _NAME_COST * (tier == _LAST), at, edit))
                    break
        found.sort()
        return [edit for cost, _, edit in found if cost <= max(_BEARABLE, found[0][0])]

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


class _Read:
    """What was found out about an utterance: which words to replace, and edits as far as asked.

    Args:
        tiers: the tier of each token.
        edit: returns the edit at a position to a word that fits there.
        last_resort: returns edits to words that fit less well.
    """

    def __init__(
        self,
        tiers: Sequence[int],
        edit: Callable[[int], Edit | None],
        last_resort: Callable[[Sequence[int]], list[Edit]],
    ) -> None:
        self._tiers = tiers
        self._edit = edit
        self._last_resort = last_resort
        self._judged: dict[int, Edit | None] = {}
        self._others: list[Edit] | None = None
        best = min((tier for tier in tiers if tier != _NEVER), default=_NEVER)
        self.first = [at for at, tier in enumerate(tiers) if tier == best != _NEVER]
        """The positions to replace."""

    def judged(self, at: int) -> Edit | None:
        """Return the edit at a position whose word fits there; ``None`` if no word fits."""
        if at not in self._judged:
            self._judged[at] = self._edit(at)
        return self._judged[at]

    def others(self) -> list[Edit]:
        """Return the edits where no word of the first tier fits: of other words that do, or any."""
        if self._others is None:
            tiers = self._tiers
            later = (
                at
                for at in sorted(range(len(tiers)), key=tiers.__getitem__)
                if 0 <= tiers[at] < _LAST
            )
            self._others = list(filter(None, map(self.judged, later))) or self._last_resort(tiers)
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
