"""Restarts: "play some jazz" becomes "can you play some jazz" begun anew."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import ClassVar

from mondegreen.draw import Draw
from mondegreen.language.word_classes import family, head
from mondegreen.operators.disfluent import Grammar, ReparandumOperator, only_at
from mondegreen.types import Utterance

_LOOK = 2  # words beyond its own length in which nothing of a false start comes back

CLAUSES = (
    "i", "what", "can", "so", "is", "where", "if", "how", "let", "there's", "when", "it's", "and",
    "i want", "what is", "can you", "is there", "where is", "i was", "could you", "do you",
    "let me", "if you", "how do", "i'd like", "so what",
    "i want to", "what is the", "can you find", "is there a", "where is the", "could you tell",
    "how do i", "do you have", "i was going", "let me see",
    "i was going to", "can you tell me", "is there any way", "what i want is", "do you have any",
)  # fmt: skip
"""How somebody starts to speak before they think better of it."""
PHRASES = (
    "the", "in", "is", "it's", "and", "that", "for", "with", "i", "or", "at", "there's", "which",
    "but", "like",
    "in the", "for the", "with a", "at my", "and the", "that is", "it's a", "or the", "about the",
    "i think", "is it", "from my",
    "in the other", "for the one", "and then the", "with all the", "it's in the", "that is the",
    "and i want the", "with the one that", "it's in the other", "or something like the",
)  # fmt: skip
"""How somebody goes on within an utterance before they think better of it."""


def _by_size(phrases: tuple[str, ...]) -> tuple[tuple[tuple[str, ...], ...], ...]:
    split = [tuple(phrase.split()) for phrase in phrases]
    sizes = range(1, max(map(len, split)) + 1)
    return tuple(tuple(words for words in split if len(words) == size) for size in sizes)


_CLAUSES, _PHRASES = _by_size(CLAUSES), _by_size(PHRASES)


@dataclass(frozen=True)
class Restarts(ReparandumOperator):
    """Begin to say something else, then begin anew: "what is the play some jazz".

    Nothing of the false start comes back. It stands at the start, or where a phrase opens: before
    a function word that follows another word. English only; up to four words.

    Args:
        profile: a file of ``mondegreen fit disfluency``; empty for telephone conversations.
        terms: what may be said between, such as ["no wait"]; empty for the English list.
    """

    name: ClassVar[str] = "restarts"
    kind: ClassVar[str] = "restart"
    example: ClassVar[str] = "play some jazz by miles davis in the kitchen"

    def weights(self, grammar: Grammar) -> Sequence[int]:
        """Only where a phrase opens: at the start, or with "in" of "a table in london"."""
        return only_at([True, *(right and not left for left, right in pairwise(grammar))])

    def room(self, utterance: Utterance, site: int) -> int:  # noqa: ARG002 (the same everywhere)
        """As many as there are false starts of; what follows does not matter."""
        return len(_CLAUSES)

    def reparandum(
        self, utterance: Utterance, site: int, size: int, draw: Draw
    ) -> tuple[str, ...] | None:
        """Return a false start unlike what follows."""
        rest = utterance.tokens[site : site + size + _LOOK]
        following = {head(word) for word in rest}
        kept = [
            words
            for words in (_PHRASES if site else _CLAUSES)[size - 1]
            if family(words[0]) != family(rest[0]) and following.isdisjoint(map(head, words))
        ]
        return draw.choice(kept) if kept else None
