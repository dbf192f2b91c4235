"""Spoken form: "Send $20 to Jane." becomes "send twenty dollars to jane"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar

from mondegreen.draw import Draw
from mondegreen.language.dictation import dictated
from mondegreen.operators.amounts import Amount, Once
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
    default: ClassVar[Amount] = Once()
    example: ClassVar[str] = "Send $20 to jane.doe@example.com by 7:30, please."
    deterministic: ClassVar[bool] = True
    keeps_values: ClassVar[bool] = True

    def sites(self, utterance: Utterance) -> range:
        """Return one site: the whole utterance."""
        return range(min(1, len(utterance.tokens)))

    def propose(self, utterance: Utterance, site: int, draw: Draw) -> Sequence[Edit]:  # noqa: ARG002
        """Rewrite every token that is not written as it is spoken."""
        return [
            Edit(start, end, words, self.name, self.name)
            for start, end, words in _changes(utterance)
        ]


_dictated = lru_cache(maxsize=_CACHED_TOKENS)(dictated)


def _changes(utterance: Utterance) -> Iterator[tuple[int, int, tuple[str, ...]]]:
    """Yield the tokens that change with their words; neighbours that vanish are one change."""
    tokens = utterance.tokens
    edges = {edge for slot in utterance.slots for edge in (slot.start, slot.end)}
    silent = {at for slot in utterance.slots for at in _silent(tokens, slot.start, slot.end)}
    if not any(map(_dictated, tokens)):
        return  # nothing can be said
    start = 0
    while start < len(tokens):
        end, words = start + 1, _dictated(tokens[start])
        while not words and end < len(tokens) and not _dictated(tokens[end]) and end not in edges:
            end += 1
        if words != (tokens[start],) and start not in silent:
            yield start, end, words
        start = end


def _silent(tokens: Sequence[str], start: int, end: int) -> range:
    """Return the tokens of a slot of which nothing can be said; the slot must not vanish."""
    return range(0) if any(_dictated(token) for token in tokens[start:end]) else range(start, end)
