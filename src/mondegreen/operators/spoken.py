"""Spoken form: "Send $20 to Jane." becomes "send twenty dollars to jane"."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar

from mondegreen.draw import Draw
from mondegreen.language.dictation import dictated
from mondegreen.operators.amounts import Amount, Rate
from mondegreen.operators.protocol import Operator
from mondegreen.types import Edit, Utterance

_CACHED_TOKENS = 65_536


@dataclass(frozen=True)
class Spoken(Operator):
    """Write text as a recogniser would: all in words, without case and punctuation.

    Numbers, dates and amounts are read out, codes and initials are spelled letter by letter, and
    the signs of addresses are named ("jane dot doe at …"). English only. A slot keeps its value as
    it was written.
    """

    name: ClassVar[str] = "spoken"
    english: ClassVar[bool] = True
    default: ClassVar[Amount] = Rate(1.0)
    example: ClassVar[str] = "Send $20 to jane.doe@example.com by 7:30, please."
    deterministic: ClassVar[bool] = True
    keeps_values: ClassVar[bool] = True

    def sites(self, utterance: Utterance) -> range:
        """Return every token position."""
        return range(len(utterance.tokens))

    def propose(self, utterance: Utterance, site: int, draw: Draw) -> Sequence[Edit]:  # noqa: ARG002
        """Write the token as it is spoken; punctuation between words vanishes in one edit."""
        tokens = utterance.tokens
        words, end = _dictated(tokens[site]), site + 1
        if not words:
            if not _may_vanish(utterance, site) or (site and _may_vanish(utterance, site - 1)):
                return ()
            edges = {edge for slot in utterance.slots for edge in (slot.start, slot.end)}
            while end < len(tokens) and end not in edges and _may_vanish(utterance, end):
                end += 1
        return () if words == (tokens[site],) else (Edit(site, end, words, self.name, self.name),)


_dictated = lru_cache(maxsize=_CACHED_TOKENS)(dictated)


def _may_vanish(utterance: Utterance, at: int) -> bool:
    """Return whether a token is only signs, not the edge of a slot, and not all that is there."""
    edge = any(at in (slot.start, slot.end - 1) for slot in utterance.slots)
    return (
        not edge and not _dictated(utterance.tokens[at]) and any(map(_dictated, utterance.tokens))
    )
