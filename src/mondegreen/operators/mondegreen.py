"""Mondegreens: a stretch of words is heard as other words, across the boundaries between them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar

from mondegreen.draw import Draw
from mondegreen.errors import OperatorError
from mondegreen.language.hearing import Heard, mishear
from mondegreen.language.ngram import END, START
from mondegreen.language.pronunciations import pronounced
from mondegreen.operators.amounts import Amount, Once
from mondegreen.operators.protocol import Operator
from mondegreen.text.words import Word, word_of
from mondegreen.types import Edit, Utterance

LONGEST = 4
_LENGTHS = (1, 3, 4, 3)  # how often stretches of one word to four are tried first
_KEPT = 1 << 16  # stretches whose hearings are kept


@dataclass(frozen=True)
class Mondegreen(Operator):
    """Hear one to four words as others that sound alike: "ice cream" becomes "i scream".

    English only. Where a stretch cannot be heard otherwise, another around it, then the next word.
    A stretch lies within one slot or outside all; it does not reach over punctuation.

    Args:
        longest: of how many words a stretch may be, up to four.
        spread: how many hearings to draw from, each half as likely as the one before it.
        farthest: how far a hearing may be, in phonemes for each phoneme said.
    """

    name: ClassVar[str] = "mondegreen"
    default: ClassVar[Amount] = Once()
    example: ClassVar[str] = "play some sixties music"

    longest: int = LONGEST
    spread: int = 4
    farthest: float = 0.08

    def __post_init__(self) -> None:
        if not 1 <= self.longest <= LONGEST:
            raise OperatorError(f"mondegreen: longest must be 1 to {LONGEST}, got {self.longest}")
        if not self.spread >= 1:
            raise OperatorError(f"mondegreen: spread must be 1 or more, got {self.spread}")
        if not self.farthest >= 0:
            raise OperatorError(f"mondegreen: farthest must be 0 or more, got {self.farthest}")

    def sites(self, utterance: Utterance) -> range:
        """Every word."""
        return range(len(utterance.tokens))

    def propose(self, utterance: Utterance, site: int, draw: Draw) -> Sequence[Edit]:
        """Hear a stretch with that word in it as something else."""
        low, high = _reach(utterance, site)
        lengths = list(range(1, min(self.longest, high - low) + 1))
        while lengths:
            length = lengths.pop(draw.weighted([_LENGTHS[n - 1] for n in lengths]))
            starts = range(max(low, site - length + 1), min(site, high - length) + 1)
            start = draw.choice(starts)
            heard = self._hearings(utterance.tokens, start, start + length)
            if heard:
                chosen = heard[draw.weighted([1 << (len(heard) - i) for i in range(len(heard))])]
                tokens = _dressed(utterance.tokens[start : start + length], chosen.words)
                return (Edit(start, start + length, tokens, self.name, self.name),)
        return ()

    def _hearings(self, tokens: tuple[str, ...], start: int, end: int) -> list[Heard]:
        before = _cores((START, *tokens[:start])[-2:])
        after = _cores((*tokens[end:], END)[:2])
        found = _misheard(_cores(tokens[start:end]), before, after, self.spread)
        return [heard for heard in found if heard.distance <= self.farthest]


def _reach(utterance: Utterance, site: int) -> tuple[int, int]:
    """How far a stretch with that word in it may go: to the edges of slots and to punctuation."""
    tokens = utterance.tokens
    word = _word(tokens[site])
    if word is None:
        return site, site
    edges = [edge for slot in utterance.slots for edge in (slot.start, slot.end)]
    low = high = site
    first = last = word
    while low > 0 and low not in edges and not first.before:
        before = _word(tokens[low - 1])
        if before is None or before.after:
            break
        first, low = before, low - 1
    high += 1
    while high < len(tokens) and high not in edges and not last.after:
        after = _word(tokens[high])
        if after is None or after.before:
            break
        last, high = after, high + 1
    return low, high


def _word(token: str) -> Word | None:
    """A token taken apart, where somebody could say it."""
    word = word_of(token, 0)
    return word if word is not None and pronounced(word.core).pronunciations else None


@lru_cache(maxsize=_KEPT)
def _misheard(
    words: tuple[str, ...], before: tuple[str, ...], after: tuple[str, ...], n: int
) -> tuple[Heard, ...]:
    return tuple(mishear(words, before=before, after=after, n=n))


def _cores(tokens: Sequence[str]) -> tuple[str, ...]:
    """The words of tokens in lower case, without punctuation; ends of a sentence as they are."""
    words = ((token, word_of(token, 0)) for token in tokens)
    return tuple(
        token if token in (START, END) or word is None else word.core.lower()
        for token, word in words
    )


def _dressed(tokens: Sequence[str], heard: tuple[str, ...]) -> tuple[str, ...]:
    """What was heard, in the case of the first word and between the punctuation of both ends.

    >>> _dressed(("Ice", "cream!"), ("i", "scream"))
    ('I', 'scream!')
    """
    first, last = word_of(tokens[0], 0), word_of(tokens[-1], 0)
    if first is None or last is None:  # words that can be said are words
        return heard
    return Word(first.before, first.core, last.after).dressed(heard)
