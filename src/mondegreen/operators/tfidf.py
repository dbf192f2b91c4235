"""Words that tell little, replaced by other words: what a classifier should not depend on."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from typing import ClassVar

from mondegreen.draw import UNIT, Draw
from mondegreen.language.tfidf import TfIdf, tfidf
from mondegreen.operators.amounts import Amount, Severity
from mondegreen.operators.protocol import Operator
from mondegreen.text.words import Word, word_of
from mondegreen.types import Edit, Utterance

_REMEMBERED = 65_536  # words
_UTTERANCES = 64  # the sites of one are asked about one after the other


@dataclass(frozen=True)
class TfIdfWords(Operator):
    """Replace words that tell little by other words: "play some jazz" becomes "play went jazz".

    The less a word tells by tf-idf, the likelier it is replaced: the one that tells least always
    may be, the one that tells most stays, and so do words that the table lacks.

    Args:
        table: a file (``mondegreen fit tfidf``); empty for the common English words.
    """

    name: ClassVar[str] = "tfidf"
    default: ClassVar[Amount] = Severity(0.3)
    example: ClassVar[str] = "find a table at the new restaurant in boston"

    table: str = ""

    @cached_property
    def _words(self) -> TfIdf:
        return tfidf(self.table)

    @cached_property
    def _known(self) -> Callable[[str], tuple[Word, float] | None]:
        """What a token is as a word, and how much it tells; ``None`` where the table lacks it."""
        table = self._words.words

        @lru_cache(maxsize=_REMEMBERED)
        def known(token: str) -> tuple[Word, float] | None:
            word = word_of(token)
            telling = table.get(word.core.lower()) if word is not None else None
            return None if word is None or telling is None else (word, telling.idf)

        return known

    @cached_property
    def _range(self) -> Callable[[tuple[str, ...]], tuple[float, float]]:
        """How much the words of an utterance tell, the one that tells least and the one most."""

        @lru_cache(maxsize=_UTTERANCES)
        def range_(tokens: tuple[str, ...]) -> tuple[float, float]:
            told = [known[1] for known in map(self._known, tokens) if known is not None]
            return min(told), max(told)

        return range_

    def sites(self, utterance: Utterance) -> range:
        """Every token."""
        return range(len(utterance.tokens))

    def propose(self, utterance: Utterance, site: int, draw: Draw) -> Sequence[Edit]:
        """Replace the word, with a chance by how little it tells beside the other words."""
        here = self._known(utterance.tokens[site])
        if here is None:
            return ()
        word, idf = here
        least, most = self._range(utterance.tokens)
        if most > least and draw.below(UNIT) >= UNIT * ((most - idf) / (most - least)):
            return ()
        other = self._words.other(word.core.lower(), draw)
        return (Edit(site, site + 1, word.dressed((other,)), self.name, self.name),)

    def resources(self) -> Sequence[Path]:
        """Return the table, where the user gave one."""
        return (Path(self.table),) if self.table else ()
