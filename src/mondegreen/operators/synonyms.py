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
from mondegreen.language.substitutes import Place, Source, agrees, core_of, related, source_of
from mondegreen.language.tagger import GRAMMAR, stop_word, tagger
from mondegreen.operators.amounts import Amount, Once
from mondegreen.operators.protocol import Operator
from mondegreen.operators.recent import recent
from mondegreen.text.words import word_of
from mondegreen.types import Edit, Utterance

SOURCES = ("thesaurus", "mlm")
_KINDS = {"VERB": "verb", "ADJ": "adjective", "ADV": "adverb", "NOUN": "noun"}
_NAMING = frozenset(("NOUN", "PROPN", "NUM"))
_NOT_WORDS = frozenset(("PUNCT", "SYM", "X"))
_NEVER = -1  # the tier of a token that is never replaced
_CACHE_SIZE = 65_536
_AHEAD = 256  # utterances per batch of the model
_LONG, _AROUND = 512, 64  # tokens

Tiers = tuple[tuple[int, ...], ...]
"""Token positions by preference: words of the operator's class, then nouns, then other words."""


@dataclass(frozen=True)
class Synonyms(Operator):
    """Base class of the synonym operators, which differ in the class of words that they replace.

    Args:
        source: where candidates come from: ``thesaurus``, or ``mlm`` for a masked language model.
        model: a masked language model: a Hugging Face folder, or ``hub:NAME`` to download one;
            empty for the built-in one. ``source='mlm=MODEL'`` is a short form.
        tagger: part-of-speech tagger: empty for the built-in one, or ``spacy:MODEL``.
    """

    default: ClassVar[Amount] = Once()
    kinds: ClassVar[frozenset[str]]
    """The word classes that the operator replaces."""

    source: str = "thesaurus"
    model: str = ""
    tagger: str = ""

    def __post_init__(self) -> None:
        tagger(self.tagger)
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
        return source_of(self.source, self.model)

    def resources(self) -> Sequence[Path]:
        """Return the folder of the model, if the user gave one."""
        folder = Path(self.model)
        return (folder,) if self.model and folder.is_dir() else ()

    def sites(self, utterance: Utterance) -> range:
        """Return one site per word of the operator's class; without such words, per other word."""
        return range(len(self._tiers(utterance.tokens)[0]))

    def propose(self, utterance: Utterance, site: int, draw: Draw) -> Sequence[Edit]:  # noqa: ARG002 (the most probable word is taken)
        """Replace the word; if no word of the class has a synonym that fits, another word."""
        tokens = utterance.tokens
        first = self._tiers(tokens)[0]
        edit = self._edit(tokens, first[site])
        if edit is not None:
            return (edit,)
        rest = self._rest(tokens)
        if rest.first_fits:
            return ()
        if not rest.fits(0):
            edit = self._edit(tokens, first[site], strict=False)
            return () if edit is None else (edit,)
        return (rest.found[site],) if rest.fits(site) else ()

    @property
    def ahead(self) -> int:
        """How many utterances to see in advance: a model is faster in batches."""
        return _AHEAD if self.source == "mlm" else 1

    def prepare(self, asked: Sequence[tuple[Utterance, int]]) -> None:
        """Query the model about many words at once."""
        places = [
            self._place(utterance.tokens, self._tiers(utterance.tokens)[0][site])
            for utterance, site in asked
        ]
        self._source.prepare(places)

    def _place(self, tokens: tuple[str, ...], at: int) -> Place:
        return Place(tokens, at, tagger(self.tagger)(tokens)[at])

    @cached_property
    def _tiers(self) -> Callable[[tuple[str, ...]], Tiers]:
        """A function from tokens to the tiers that are not empty.

        A later tier is used where no word of the first one has a candidate that fits.
        """
        parts_of = tagger(self.tagger)
        tier_of = lru_cache(maxsize=_CACHE_SIZE)(self._tier)

        @recent
        @lru_cache(maxsize=_CACHE_SIZE)
        def tiers(tokens: tuple[str, ...]) -> Tiers:
            found: tuple[list[int], ...] = ([], [], [])
            for at, pair in enumerate(zip(tokens, parts_of(tokens), strict=True)):
                tier = tier_of(*pair)
                if tier != _NEVER:
                    found[tier].append(at)
            return tuple(tuple(tier) for tier in found if tier) or ((),)

        return tiers

    def _tier(self, token: str, part: str) -> int:
        if part in _NOT_WORDS or not self._source.could(core_of(token), part):
            return _NEVER
        kinds = kinds_of(token, part)
        return 0 if kinds & self.kinds else 1 if "noun" in kinds else 2

    def _edit(self, tokens: tuple[str, ...], at: int, *, strict: bool = True) -> Edit | None:
        """Return the edit to the most probable candidate; ``None`` if no candidate fits.

        If ``strict``, the candidate must be tagged with the same part of speech in the utterance.
        """
        part = _parts(self.tagger, tokens)[at]
        word = word_of(tokens[at], 1)
        if word is None:
            return None
        core = word.core.lower()
        for other in self._source.ranked(Place(tokens, at, part)):
            if not agrees(tokens, at, other) or related(core, other, part):
                continue
            new = word.dressed((other,))
            if not strict or self._part_with(tokens, at, new) == part:
                kind = self._kind(tokens[at], part) if strict else "other"
                return Edit(at, at + 1, new, self.name, kind)
        return None

    @recent
    def _rest(self, tokens: tuple[str, ...]) -> _Rest:
        return _Rest(self._tiers(tokens), partial(self._edit, tokens))

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


class _Rest:
    """The edits of the words outside the first tier, found one after the other."""

    def __init__(self, tiers: Tiers, edit_at: Callable[[int], Edit | None]) -> None:
        first, *others = tiers
        self.first_fits = any(map(edit_at, first))
        self.found: list[Edit] = []
        self._coming = filter(None, (edit_at(at) for tier in others for at in tier))

    def fits(self, number: int) -> bool:
        """Return whether there are more edits than a number."""
        self.found += islice(self._coming, max(0, number + 1 - len(self.found)))
        return len(self.found) > number


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
    kinds: ClassVar[frozenset[str]] = frozenset(("verb",))
    example: ClassVar[str] = "book a table for two and find me a cheap flight"


@dataclass(frozen=True)
class AdjectiveSynonyms(Synonyms):
    """Replace an adjective with a synonym that fits: "a large room" becomes "a big room"."""

    name: ClassVar[str] = "synonyms.adjective"
    kinds: ClassVar[frozenset[str]] = frozenset(("adjective",))
    example: ClassVar[str] = "find the nearest cheap restaurant with good food"


@dataclass(frozen=True)
class AdverbSynonyms(Synonyms):
    """Replace an adverb with a synonym that fits: "play it now" becomes "play it immediately"."""

    name: ClassVar[str] = "synonyms.adverb"
    kinds: ClassVar[frozenset[str]] = frozenset(("adverb",))
    example: ClassVar[str] = "is there a pharmacy nearby that is open now"


@dataclass(frozen=True)
class AnySynonyms(Synonyms):
    """Replace a verb, adjective, adverb or noun with a synonym that fits the utterance."""

    name: ClassVar[str] = "synonyms.any"
    kinds: ClassVar[frozenset[str]] = frozenset(_KINDS.values())
    example: ClassVar[str] = "play some quiet music for dinner"


@dataclass(frozen=True)
class StopwordSynonyms(Synonyms):
    """Replace a stop word with another one that fits: "the song" becomes "this song"."""

    name: ClassVar[str] = "synonyms.stopword"
    kinds: ClassVar[frozenset[str]] = frozenset(("stopword",))
    example: ClassVar[str] = "add this song to the playlist for me"
