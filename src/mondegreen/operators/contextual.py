"""Contextual substitution: replace a word with one that a masked language model expects there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import ClassVar

from mondegreen.draw import Draw
from mondegreen.errors import OperatorError
from mondegreen.language.vocabulary.substitutes import (
    CANDIDATES,
    SubstituteSource,
    WordPlace,
    source_of,
)
from mondegreen.operators.amounts import Amount, Severity
from mondegreen.operators.protocol import Operator
from mondegreen.text.words import TokenParts, word_of
from mondegreen.types import Edit, Utterance

_GAP = "[]"  # marks where a word is to be inserted; it is not a word, so nothing of it is kept
_WEIGHT = 720_720  # divisible by 1 to 16, so that the weights 1/rank are nearly exact integers
_AHEAD = 256  # utterances per batch of the model


@dataclass(frozen=True)
class Contextual(Operator):
    """Replace a word with one that is probable in its place: "some jazz" becomes "some music".

    A masked language model ranks the words for this place, and one of the most probable is drawn
    with weight 1/rank. The meaning may change. Needs the extra ``mlm``.

    Args:
        model: a masked language model: a Hugging Face folder, or ``hub:NAME`` to download one;
            empty for the built-in one.
        insert: insert words instead of replacing them.
        top: how many of the most probable words to draw from.
    """

    name: ClassVar[str] = "contextual"
    version: ClassVar[int] = 2
    english: ClassVar[bool] = True
    keeps_slots: ClassVar[bool] = False
    keeps_meaning: ClassVar[bool] = False
    default: ClassVar[Amount] = Severity(0.3)
    example: ClassVar[str] = "find a table at the new restaurant in boston"

    model: str = ""
    insert: bool = False
    top: int = 10

    def __post_init__(self) -> None:
        if not 1 <= self.top < CANDIDATES:
            raise OperatorError(
                f"contextual: top must be 1 or more and below {CANDIDATES}, got {self.top}"
            )

    @cached_property
    def _source(self) -> SubstituteSource:
        return source_of("mlm", self.model)

    @cached_property
    def _weights(self) -> tuple[int, ...]:
        return tuple(_WEIGHT // rank for rank in range(1, self.top + 1))

    def sites(self, utterance: Utterance) -> range:
        """Return every token position; with ``insert``, every gap, including both ends."""
        n = len(utterance.tokens)
        return range(n + 1) if self.insert and n else range(n)

    def propose(self, utterance: Utterance, site: int, draw: Draw) -> Sequence[Edit]:
        """Replace the word, or insert one."""
        query = self._query(utterance, site)
        if query is None:
            return ()
        word, place = query
        same = "" if self.insert else word.core.lower()
        found = [other for other in self._source.ranked(place) if other != same]
        if not found:
            return ()
        weights = self._weights[: len(found)]
        other = word.dressed((found[draw.weighted(weights)],))
        return (Edit(site, site if self.insert else site + 1, other, self.name, self.name),)

    def _query(self, utterance: Utterance, site: int) -> tuple[TokenParts, WordPlace] | None:
        """Return the word at a site and the model's query; ``None`` if it is not a plain word."""
        tokens = utterance.tokens
        if self.insert:
            with_gap = (*tokens[:site], _GAP, *tokens[site:])
            return TokenParts("", "word", ""), WordPlace(with_gap, site, "")
        word = word_of(tokens[site])
        if word is None or not word.core.isalpha():
            return None
        return word, WordPlace(tokens, site, "")

    @property
    def ahead(self) -> int:
        """How many utterances to see in advance: a model is faster in batches."""
        return _AHEAD

    def prepare(self, asked: Sequence[tuple[Utterance, int]]) -> None:
        """Query the model about many sites at once."""
        queries = [self._query(utterance, site) for utterance, site in asked]
        self._source.prepare([place for _, place in filter(None, queries)])

    def resources(self) -> Sequence[Path]:
        """Return the folder of the model, if the user gave one."""
        folder = Path(self.model)
        return (folder,) if self.model and folder.is_dir() else ()
