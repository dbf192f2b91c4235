"""Uninformative words, by tf-idf: replace them, so that a classifier learns to ignore them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from typing import ClassVar

from mondegreen.draw import UNIT, Draw
from mondegreen.language.vocabulary.tfidf import TfIdf, tfidf
from mondegreen.operators.amounts import Amount, Severity
from mondegreen.operators.protocol import Operator
from mondegreen.operators.recent import recent
from mondegreen.text.words import TokenParts, word_of
from mondegreen.types import Edit, Utterance

_CACHED_WORDS = 65_536
_CACHED_UTTERANCES = 64  # few are enough: the engine tries all sites of one utterance in a row


@dataclass(frozen=True)
class TfIdfWords(Operator):
    """Replace uninformative words with random words: "play some jazz" becomes "play went jazz".

    The lower the tf-idf of a word, the more likely it is replaced. The most informative word of an
    utterance is kept, and so are words that are not in the table. For training, not for testing.

    Args:
        table: a table written by ``mondegreen fit tfidf``; empty for common English words.
    """

    name: ClassVar[str] = "tfidf"
    keeps_slots: ClassVar[bool] = False
    keeps_meaning: ClassVar[bool] = False
    default: ClassVar[Amount] = Severity(0.3)
    example: ClassVar[str] = "find a table at the new restaurant in boston"

    table: str = ""

    @cached_property
    def _words(self) -> TfIdf:
        return tfidf(self.table)

    @cached_property
    def _known(self) -> Callable[[str], tuple[TokenParts, float] | None]:
        """A function from a token to its word and idf, or ``None`` if it is not in the table."""
        table = self._words.words

        @lru_cache(maxsize=_CACHED_WORDS)
        def known(token: str) -> tuple[TokenParts, float] | None:
            word = word_of(token)
            entry = table.get(word.core.lower()) if word is not None else None
            return None if word is None or entry is None else (word, entry.idf)

        return known

    @cached_property
    def _range(self) -> Callable[[tuple[str, ...]], tuple[float, float]]:
        """A function from tokens to the lowest and the highest idf of their words."""

        @recent
        @lru_cache(maxsize=_CACHED_UTTERANCES)
        def range_(tokens: tuple[str, ...]) -> tuple[float, float]:
            idfs = [known[1] for known in map(self._known, tokens) if known is not None]
            return min(idfs), max(idfs)

        return range_

    def sites(self, utterance: Utterance) -> range:
        """Return every token position."""
        return range(len(utterance.tokens))

    def propose(self, utterance: Utterance, site: int, draw: Draw) -> Sequence[Edit]:
        """Replace the word, with a probability that falls as its idf rises."""
        known = self._known(utterance.tokens[site])
        if known is None:
            return ()
        word, idf = known
        low, high = self._range(utterance.tokens)
        if high > low and draw.below(UNIT) >= UNIT * ((high - idf) / (high - low)):
            return ()
        other = self._words.other(word.core.lower(), draw)
        return (Edit(site, site + 1, word.dressed((other,)), self.name, self.name),)

    def resources(self) -> Sequence[Path]:
        """Return the table, if the user gave one."""
        return (Path(self.table),) if self.table else ()
