"""Words that the context makes probable, by a masked language model, whatever they mean."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import ClassVar

from mondegreen.draw import Draw
from mondegreen.errors import OperatorError
from mondegreen.language.substitutes import CANDIDATES, Place, Source, source_of
from mondegreen.operators.amounts import Amount, Severity
from mondegreen.operators.protocol import Operator
from mondegreen.text.words import Word, word_of
from mondegreen.types import Edit, Utterance

_ROOM = "[]"  # stands where a word is to be put in; no word, so that nothing of it is kept
_WEIGHT = 720_720  # a multiple of 1 to 16: the weights 1/rank are near enough whole numbers
_AHEAD = 256


@dataclass(frozen=True)
class Contextual(Operator):
    """Replace a word by one that is probable in its place: "some jazz" becomes "some music".

    The more probable, the likelier: each of the most probable words is drawn with a weight of
    1/rank. Needs the extra ``mlm``.

    Args:
        model: a masked language model: a Hugging Face folder, or ``hub:NAME`` to have it fetched;
            empty for the package's own.
        insert: put words in, instead of replacing them.
        top: how many of the most probable words to draw from.
    """

    name: ClassVar[str] = "contextual"
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
    def _source(self) -> Source:
        return source_of("mlm", self.model)

    @cached_property
    def _weights(self) -> tuple[int, ...]:
        return tuple(_WEIGHT // rank for rank in range(1, self.top + 1))

    def sites(self, utterance: Utterance) -> range:
        """Every token, or before and after every token."""
        n = len(utterance.tokens)
        return range(n + 1) if self.insert and n else range(n)

    def propose(self, utterance: Utterance, site: int, draw: Draw) -> Sequence[Edit]:
        """Replace the word, or put one in."""
        asked = self._asked(utterance, site)
        if asked is None:
            return ()
        word, place = asked
        same = "" if self.insert else word.core.lower()
        found = [other for other in self._source.ranked(place) if other != same]
        if not found:
            return ()
        ranks = self._weights[: len(found)]
        other = word.dressed((found[draw.weighted(ranks)],))
        return (Edit(site, site if self.insert else site + 1, other, self.name, self.name),)

    def _asked(self, utterance: Utterance, site: int) -> tuple[Word, Place] | None:
        """What stands at a site, and what to ask the model about it."""
        tokens = utterance.tokens
        if self.insert:
            room = (*tokens[:site], _ROOM, *tokens[site:])
            return Word("", "word", ""), Place(room, site, "")
        word = word_of(tokens[site])
        if word is None or not word.core.isalpha():
            return None
        return word, Place(tokens, site, "")

    @property
    def ahead(self) -> int:
        """A model answers many questions sooner than each alone."""
        return _AHEAD

    def prepare(self, asked: Sequence[tuple[Utterance, int]]) -> None:
        """Ask the model about many places at once."""
        found = [self._asked(said, site) for said, site in asked]
        self._source.prepare([place for _, place in filter(None, found)])

    def resources(self) -> Sequence[Path]:
        """Return the model, where it is a folder of the user's."""
        folder = Path(self.model)
        return (folder,) if self.model and folder.is_dir() else ()
