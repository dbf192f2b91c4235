"""Spoken form: "Send $20 to Jane." becomes "send twenty dollars to jane"."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar

from mondegreen.draw import Draw
from mondegreen.errors import OperatorError
from mondegreen.language.dictation import Dictated, dictated_tokens
from mondegreen.operators.amounts import Amount, Rate
from mondegreen.operators.protocol import Operator
from mondegreen.types import Edit, Utterance
from mondegreen.values import LANGUAGES

_CACHED_UTTERANCES = 4_096


@dataclass(frozen=True)
class Spoken(Operator):
    """Write text as a recogniser would: all in words, without case and punctuation.

    Numbers, dates and amounts are read out, codes and initials are spelled letter by letter, and
    the signs of addresses are named ("jane dot doe at …"). What is said has the value of what was
    written, as :func:`mondegreen.same` judges it. A slot keeps its value as it was written.

    Args:
        language: the language that is spoken: en, de, es, fr, pt, it, nl, sv, ru, zh, ja, ko, hi
            or vi.
    """

    name: ClassVar[str] = "spoken"
    default: ClassVar[Amount] = Rate(1.0)
    example: ClassVar[str] = "Send $20 to jane.doe@example.com by 7:30, please."
    deterministic: ClassVar[bool] = True
    keeps_values: ClassVar[bool] = True

    language: str = "en"

    def __post_init__(self) -> None:
        """Refuse a language whose values cannot be said."""
        if self.language not in LANGUAGES:
            known = ", ".join(LANGUAGES)
            raise OperatorError(f"spoken: there is no language {self.language!r}; give {known}")

    @property
    def languages(self) -> frozenset[str] | None:
        """The language that is spoken."""
        return frozenset((self.language,))

    def sites(self, utterance: Utterance) -> range:
        """Return every token position."""
        return range(len(utterance.tokens))

    def propose(self, utterance: Utterance, site: int, draw: Draw) -> Sequence[Edit]:  # noqa: ARG002
        """Write the token as it is spoken; punctuation between words vanishes in one edit."""
        tokens = utterance.tokens
        edges = frozenset(edge for slot in utterance.slots for edge in (slot.start, slot.end))
        said = _said(tokens, self.language, edges)
        one = said.get(site)
        if one is None:  # said with the token before
            return ()
        end = one.end
        if not one.words:
            if not _may_vanish(utterance, said, site) or _may_vanish(utterance, said, site - 1):
                return ()
            while end < len(tokens) and end not in edges and _may_vanish(utterance, said, end):
                end += 1
        if one.words == (tokens[site],) and end == site + 1:
            return ()
        return (Edit(site, end, one.words, self.name, self.name),)


@lru_cache(maxsize=_CACHED_UTTERANCES)
def _said(tokens: tuple[str, ...], language: str, edges: frozenset[int]) -> dict[int, Dictated]:
    return {said.start: said for said in dictated_tokens(tokens, language, edges)}


def _may_vanish(utterance: Utterance, said: Mapping[int, Dictated], at: int) -> bool:
    """Return whether a token is only signs, not the edge of a slot, and not all that is there."""
    one = said.get(at)
    edge = any(at in (slot.start, slot.end - 1) for slot in utterance.slots)
    others = any(other.words for other in said.values())
    return one is not None and not edge and not one.words and others
