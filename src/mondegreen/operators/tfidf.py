"""Words that tell little, replaced by other words: what a classifier should not depend on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import ClassVar

from mondegreen.amounts import Amount, Severity
from mondegreen.draw import UNIT, Draw
from mondegreen.language.tfidf import tfidf
from mondegreen.language.words import Word, word_of
from mondegreen.operators.protocol import Operator
from mondegreen.types import Edit, Utterance


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
    def _seen(self) -> dict[str, tuple[Word, float] | None]:
        return {}

    def sites(self, utterance: Utterance) -> range:
        """Every token."""
        return range(len(utterance.tokens))

    def propose(self, utterance: Utterance, site: int, draw: Draw) -> Sequence[Edit]:
        """Replace the word, with a chance by how little it tells beside the other words."""
        here = self._known(utterance.tokens[site])
        if here is None:
            return ()
        word, idf = here
        all_ = [known[1] for known in map(self._known, utterance.tokens) if known is not None]
        most, least = max(all_), min(all_)
        if most > least and draw.below(UNIT) >= UNIT * ((most - idf) / (most - least)):
            return ()
        other = tfidf(self.table).other(word.core.lower(), draw)
        return (Edit(site, site + 1, word.dressed((other,)), self.name, self.name),)

    def _known(self, token: str) -> tuple[Word, float] | None:
        if token not in self._seen:
            word = word_of(token)
            telling = tfidf(self.table).words.get(word.core.lower()) if word is not None else None
            known = word is not None and telling is not None
            self._seen[token] = (word, telling.idf) if known else None  # type: ignore[assignment, union-attr]  # both are there
        return self._seen[token]

    def resources(self) -> Sequence[Path]:
        """Return the table, where the user gave one."""
        return (Path(self.table),) if self.table else ()
