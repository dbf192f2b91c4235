"""Synonyms in context: a word becomes the most probable other word of its part of speech."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import islice
from pathlib import Path
from typing import ClassVar

from mondegreen.draw import Draw
from mondegreen.errors import OperatorError, unknown
from mondegreen.language.substitutes import Place, Source, agrees, core_of, related, source_of
from mondegreen.language.tagger import GRAMMAR, stop_word, tagger
from mondegreen.operators.amounts import Amount, Once
from mondegreen.operators.protocol import Operator
from mondegreen.text.words import word_of
from mondegreen.types import Edit, Utterance

SOURCES = ("thesaurus", "mlm")
_KINDS = {"VERB": "verb", "ADJ": "adjective", "ADV": "adverb", "NOUN": "noun"}
_NAMING = frozenset(("NOUN", "PROPN", "NUM"))
_NO_WORDS = frozenset(("PUNCT", "SYM", "X"))
_NEVER = -1  # the tier of a token that is left alone
_REMEMBERED = 65_536
_AHEAD = 256

Tiers = tuple[tuple[int, ...], ...]


@dataclass(frozen=True)
class Synonyms(Operator):
    """What the five have in common: they differ in the class of words that they replace.

    Args:
        source: where candidates come from: ``thesaurus``, or ``mlm`` for a masked language model.
        model: a masked language model: a Hugging Face folder, or ``hub:NAME`` to have it fetched;
            empty for the package's own. ``source='mlm=MODEL'`` names it as well.
        tagger: who tells the parts of speech: empty for our own, or ``spacy:MODEL``.
    """

    default: ClassVar[Amount] = Once()
    kinds: ClassVar[frozenset[str]]
    """The classes of words that are replaced."""

    source: str = "thesaurus"
    model: str = ""
    tagger: str = ""

    def __post_init__(self) -> None:
        tagger(self.tagger)
        self._take_apart()
        if self.source not in SOURCES:
            raise OperatorError(f"{self.name}: {unknown('source', self.source, SOURCES)}")
        if self.model and self.source != "mlm":
            raise OperatorError(
                f"{self.name}: a model is named, but the source is the thesaurus; say source=mlm"
            )
        source_of(self.source, self.model)  # a model that is not there is an error now

    def _take_apart(self) -> None:
        """Read ``source='mlm=MODEL'`` as source and model."""
        source, _, model = self.source.partition("=")
        if source != "mlm" or not model:
            return
        if self.model:
            raise OperatorError(
                f"{self.name}: two models are named, {model!r} and {self.model!r}; name one"
            )
        object.__setattr__(self, "source", source)
        object.__setattr__(self, "model", model)

    @cached_property
    def _source(self) -> Source:
        return source_of(self.source, self.model)

    def resources(self) -> Sequence[Path]:
        """The model, where it is a folder of the user's."""
        folder = Path(self.model)
        return (folder,) if self.model and folder.is_dir() else ()

    def sites(self, utterance: Utterance) -> range:
        """The words of the class that may have candidates; where there are none, other words."""
        return range(len(self._tiers(utterance.tokens)[0]))

    def propose(self, utterance: Utterance, site: int, draw: Draw) -> Sequence[Edit]:  # noqa: ARG002 (the most probable word is taken)
        """Replace the word; where no word of the class has a synonym here, one of the others."""
        tokens = utterance.tokens
        first, *others = self._tiers(tokens)
        edit = self._edit(tokens, first[site])
        if edit is not None:
            return (edit,)
        if any(self._edit(tokens, at) for at in first):
            return ()
        rest = (self._edit(tokens, at) for tier in others for at in tier)
        fitting = list(islice(filter(None, rest), site + 1))
        if not fitting:
            edit = self._edit(tokens, first[site], strict=False)
            return () if edit is None else (edit,)
        return fitting[site:]

    @property
    def ahead(self) -> int:
        """A model answers many questions sooner than each alone."""
        return _AHEAD if self.source == "mlm" else 1

    def prepare(self, asked: Sequence[tuple[Utterance, int]]) -> None:
        """Ask the model about many words at once."""
        places = [
            self._place(said.tokens, self._tiers(said.tokens)[0][site]) for said, site in asked
        ]
        self._source.prepare(places)

    def _place(self, tokens: tuple[str, ...], at: int) -> Place:
        return Place(tokens, at, tagger(self.tagger)(tokens)[at])

    @cached_property
    def _tiers(self) -> Callable[[tuple[str, ...]], Tiers]:
        """Where words may be replaced: those of the class, nouns, others; the first that are any.

        The later ones stand in where none of the first has a candidate that fits.
        """
        parts_of = tagger(self.tagger)
        tier_of = lru_cache(maxsize=_REMEMBERED)(self._tier)

        @lru_cache(maxsize=_REMEMBERED)
        def tiers(tokens: tuple[str, ...]) -> Tiers:
            sorted_out: tuple[list[int], ...] = ([], [], [])
            for at, pair in enumerate(zip(tokens, parts_of(tokens), strict=True)):
                tier = tier_of(*pair)
                if tier != _NEVER:
                    sorted_out[tier].append(at)
            return tuple(tuple(tier) for tier in sorted_out if tier) or ((),)

        return tiers

    def _tier(self, token: str, part: str) -> int:
        if part in _NO_WORDS or not self._source.could(core_of(token), part):
            return _NEVER
        kinds = kinds_of(token, part)
        return 0 if kinds & self.kinds else 1 if "noun" in kinds else 2

    def _edit(self, tokens: tuple[str, ...], at: int, *, strict: bool = True) -> Edit | None:
        """Put the most probable candidate in that is the same part of speech here.

        Not ``strict``, as the last resort, any part of speech will do.
        """
        parts_of = tagger(self.tagger)
        part = parts_of(tokens)[at]
        word = word_of(tokens[at], 1)
        if word is None:
            return None
        core = word.core.lower()
        for other in self._source.ranked(Place(tokens, at, part)):
            if not agrees(tokens, at, other) or related(core, other, part):
                continue
            new = word.dressed((other,))
            if not strict or parts_of((*tokens[:at], *new, *tokens[at + 1 :]))[at] == part:
                kind = self._kind(tokens[at], part) if strict else "other"
                return Edit(at, at + 1, new, self.name, kind)
        return None

    def _kind(self, token: str, part: str) -> str:
        """The class of a word that is replaced; that of the operator where it is one of it."""
        kinds = kinds_of(token, part)
        return min(kinds & self.kinds or kinds, default="other")


@lru_cache(maxsize=_REMEMBERED)
def kinds_of(token: str, part: str) -> frozenset[str]:
    """Return the classes that a word belongs to.

    >>> sorted(kinds_of("get", "VERB")), sorted(kinds_of("the", "DET")), sorted(kinds_of("x", "X"))
    (['verb'], ['stopword'], [])
    """
    kinds = {_KINDS[part]} if part in _KINDS else set()
    if part in GRAMMAR or (stop_word(token) and part not in _NAMING):  # "city" is common, too
        kinds.add("stopword")
    return frozenset(kinds)


@dataclass(frozen=True)
class VerbSynonyms(Synonyms):
    """Replace a verb by another verb that fits the utterance: "book a table", "reserve a table"."""

    name: ClassVar[str] = "synonyms.verb"
    kinds: ClassVar[frozenset[str]] = frozenset(("verb",))
    example: ClassVar[str] = "book a table for two and find me a cheap flight"


@dataclass(frozen=True)
class AdjectiveSynonyms(Synonyms):
    """Replace an adjective by another one that fits: "a cheap flight", "an inexpensive flight"."""

    name: ClassVar[str] = "synonyms.adjective"
    kinds: ClassVar[frozenset[str]] = frozenset(("adjective",))
    example: ClassVar[str] = "find the nearest cheap restaurant with good food"


@dataclass(frozen=True)
class AdverbSynonyms(Synonyms):
    """Replace an adverb by another one that fits: "play it now", "play it immediately"."""

    name: ClassVar[str] = "synonyms.adverb"
    kinds: ClassVar[frozenset[str]] = frozenset(("adverb",))
    example: ClassVar[str] = "is there a pharmacy nearby that is open now"


@dataclass(frozen=True)
class AnySynonyms(Synonyms):
    """Replace a verb, adjective, adverb or noun by another word that fits the utterance."""

    name: ClassVar[str] = "synonyms.any"
    kinds: ClassVar[frozenset[str]] = frozenset(_KINDS.values())
    example: ClassVar[str] = "play some quiet music for dinner"


@dataclass(frozen=True)
class StopwordSynonyms(Synonyms):
    """Replace a word of grammar or a most common one by another: "the song", "this song"."""

    name: ClassVar[str] = "synonyms.stopword"
    kinds: ClassVar[frozenset[str]] = frozenset(("stopword",))
    example: ClassVar[str] = "add this song to the playlist for me"
