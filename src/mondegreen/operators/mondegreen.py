"""Mondegreens: a phrase is heard as other words, with other boundaries between them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar

from mondegreen.draw import Draw
from mondegreen.errors import OperatorError
from mondegreen.language.languages import ENGLISH
from mondegreen.language.languages import language as language_of
from mondegreen.language.offers import require_offer
from mondegreen.language.segmentation import dictionary_words
from mondegreen.language.sounds.hearing import Heard, mishear
from mondegreen.language.sounds.pronunciations import pronounced
from mondegreen.language.sounds.tongue_alike import rehear
from mondegreen.language.sounds.tongues import sounds_of
from mondegreen.language.vocabulary.ngram import END, START, surprises
from mondegreen.operators.amounts import Amount, Once
from mondegreen.operators.protocol import Operator
from mondegreen.text.words import TokenParts, word_of
from mondegreen.types import Edit, Utterance

LONGEST = 4
_LENGTH_WEIGHTS = (2, 4, 3, 1)  # how often a phrase of one, two, three or four words is tried first
_ABSURD = 6.0  # nats that a mishearing may be more surprising than what was said
_LAST_RESORT = 1e-9
_FARTHEST = 0.3  # phonemes per phoneme, where an utterance of another language has nothing nearer
_FARTHEST_UNSPACED = 0.03  # the same, where every syllable is a word
_CACHED_PHRASES = 1 << 16


@dataclass(frozen=True)
class Mondegreen(Operator):
    """Mishear one to four words as others that sound alike: "ice cream" becomes "i scream".

    If a phrase has no mishearing, or only such as the language model finds absurd
    between these words, another phrase around the same word is tried, then the next word. If the
    whole utterance has no other, an absurd one is taken. A phrase lies within one slot or outside
    all slots, and never crosses punctuation.

    Args:
        longest: maximum number of words in a phrase, 1 to 4.
        spread: how many of the best mishearings to draw from; each is half as likely as the one
            before it.
        farthest: maximum distance of a mishearing, in phonemes per phoneme of the phrase.
        language: code of the language; see: mondegreen languages.
    """

    name: ClassVar[str] = "mondegreen"
    english: ClassVar[bool] = True
    keeps_slots: ClassVar[bool] = False
    keeps_meaning: ClassVar[bool] = False
    version: ClassVar[int] = 2
    default: ClassVar[Amount] = Once()
    example: ClassVar[str] = "play some sixties music"

    longest: int = LONGEST
    spread: int = 4
    farthest: float = 0.08
    language: str = ENGLISH

    def __post_init__(self) -> None:
        require_offer(self.name, self.language)
        if not 1 <= self.longest <= LONGEST:
            raise OperatorError(f"mondegreen: longest must be 1 to {LONGEST}, got {self.longest}")
        if not self.spread >= 1:
            raise OperatorError(f"mondegreen: spread must be 1 or more, got {self.spread}")
        if not self.farthest >= 0:
            raise OperatorError(f"mondegreen: farthest must be 0 or more, got {self.farthest}")

    def sites(self, utterance: Utterance) -> range:
        """Return every token position twice: the second time, absurd mishearings are allowed."""
        return range(2 * len(utterance.tokens))

    def site_weights(self, utterance: Utterance) -> Sequence[float]:
        """Return weights by which sites with absurd mishearings come last."""
        n = len(utterance.tokens)
        return (1.0,) * n + (_LAST_RESORT,) * n

    def propose(self, utterance: Utterance, site: int, draw: Draw) -> Sequence[Edit]:
        """Mishear a phrase that contains the word."""
        judged = site < len(utterance.tokens)
        site %= len(utterance.tokens)
        low, high = _limits(utterance, site, self.longest, self.language)
        lengths = list(range(1, min(self.longest, high - low) + 1))
        while lengths:
            length = lengths.pop(draw.weighted([_LENGTH_WEIGHTS[n - 1] for n in lengths]))
            starts = range(max(low, site - length + 1), min(site, high - length) + 1)
            start = draw.choice(starts)
            if not self._whole(utterance.tokens, start, start + length):
                continue
            heard = self._hearings(utterance.tokens, start, start + length, judged=judged)
            if heard:
                chosen = heard[draw.weighted([1 << (len(heard) - i) for i in range(len(heard))])]
                tokens = _dressed(utterance.tokens[start : start + length], chosen.words)
                return (Edit(start, start + length, tokens, self.name, self.name),)
        return ()

    def _whole(self, tokens: tuple[str, ...], start: int, end: int) -> bool:
        """Return whether words of the dictionary begin and end there; always with spaces."""
        if language_of(self.language).spaced:
            return True
        words = dictionary_words(tokens, self.language)
        while start < end and start in words:
            start = words[start]
        return start == end

    def _hearings(
        self, tokens: tuple[str, ...], start: int, end: int, *, judged: bool
    ) -> list[Heard]:
        """Return how a phrase may be misheard; if ``judged``, without what the words forbid."""
        if self.language != ENGLISH:
            return self._elsewhere(_cores(tokens[start:end]), judged=judged)
        before = _cores((START, *tokens[max(0, start - 2) : start])[-2:])
        after = _cores((*tokens[end : end + 2], END)[:2])
        phrase = _cores(tokens[start:end])
        found = _misheard(phrase, before, after, self.spread)
        near = [heard for heard in found if heard.distance <= self.farthest]
        if not judged or not near:
            return near
        (own,) = surprises([" ".join(phrase)], before, after)
        return [heard for heard in near if heard.surprise <= own + _ABSURD]

    def _elsewhere(self, phrase: tuple[str, ...], *, judged: bool) -> list[Heard]:
        """Return mishearings in another language; as a last resort, farther off."""
        last = _FARTHEST if language_of(self.language).spaced else _FARTHEST_UNSPACED
        farthest = min(self.farthest, last) if judged else max(self.farthest, last)
        found = rehear(phrase, self.language, self.spread)
        return [
            Heard(one.words, one.distance, one.score, ())
            for one in found
            if one.distance <= farthest
        ]


def _limits(utterance: Utterance, site: int, longest: int, code: str) -> tuple[int, int]:
    """Return the widest span around a token without a slot boundary or punctuation inside it.

    It reaches as far as a phrase of ``longest`` words that contains the token.
    """
    tokens = utterance.tokens
    word = _word(tokens[site], code)
    if word is None:
        return site, site
    least, most = max(0, site - longest + 1), min(len(tokens), site + longest)
    edges = [edge for slot in utterance.slots for edge in (slot.start, slot.end)]
    low = high = site
    first = last = word
    while low > least and low not in edges and not first.before:
        before = _word(tokens[low - 1], code)
        if before is None or before.after:
            break
        first, low = before, low - 1
    high += 1
    while high < most and high not in edges and not last.after:
        after = _word(tokens[high], code)
        if after is None or after.before:
            break
        last, high = after, high + 1
    return low, high


def _word(token: str, code: str) -> TokenParts | None:
    """Return a token as a word; ``None`` if it cannot be pronounced."""
    word = word_of(token, 0)
    if word is None:
        return None
    said = pronounced(word.core).pronunciations if code == ENGLISH else sounds_of(word.core, code)
    return word if said else None


@lru_cache(maxsize=_CACHED_PHRASES)
def _misheard(
    words: tuple[str, ...], before: tuple[str, ...], after: tuple[str, ...], n: int
) -> tuple[Heard, ...]:
    return tuple(mishear(words, before=before, after=after, n=n))


def _cores(tokens: Sequence[str]) -> tuple[str, ...]:
    """Return tokens in lower case, without punctuation; sentence markers are kept unchanged."""
    words = ((token, word_of(token, 0)) for token in tokens)
    return tuple(
        token if token in (START, END) or word is None else word.core.lower()
        for token, word in words
    )


def _dressed(tokens: Sequence[str], heard: tuple[str, ...]) -> tuple[str, ...]:
    """Return the heard words with the case of the first token and the punctuation of both ends.

    >>> _dressed(("Ice", "cream!"), ("i", "scream"))
    ('I', 'scream!')
    """
    first, last = word_of(tokens[0], 0), word_of(tokens[-1], 0)
    if first is None or last is None:  # never: tokens that can be pronounced are words
        return heard
    return TokenParts(first.before, first.core, last.after).dressed(heard)
