"""False starts: "play some jazz" becomes "what is the play some jazz"."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import ClassVar

from mondegreen.draw import Draw
from mondegreen.language.detection import ENGLISH
from mondegreen.language.english import english_words
from mondegreen.language.languages import Language
from mondegreen.language.languages import language as language_of
from mondegreen.language.offers import require_offer
from mondegreen.language.vocabulary.word_classes import family, head
from mondegreen.operators.disfluent import (
    FunctionFlags,
    ReparandumOperator,
    weights_at,
    within_slot,
)
from mondegreen.operators.other_places import asks
from mondegreen.text.words import core_of
from mondegreen.types import Utterance

_FOLLOWING = 5  # words among which none of a false start is said again
_LOOKAHEAD = 2  # words beyond its own length that must not repeat a word of the false start

CLAUSES = english_words("restarts", "clauses")
"""False starts at the beginning of an utterance."""
PHRASES = english_words("restarts", "phrases")
"""False starts within an utterance."""


def _by_size(phrases: tuple[str, ...]) -> tuple[tuple[tuple[str, ...], ...], ...]:
    split = [tuple(phrase.split()) for phrase in phrases]
    sizes = range(1, max(map(len, split)) + 1)
    return tuple(tuple(words for words in split if len(words) == size) for size in sizes)


_CLAUSES, _PHRASES = _by_size(CLAUSES), _by_size(PHRASES)


@dataclass(frozen=True)
class Restarts(ReparandumOperator):
    """Begin with a false start, then start again: "play jazz" becomes "what is the play jazz".

    A false start has up to four words, and none of them is repeated right after it. It comes at the
    beginning of the utterance or of a phrase: before a function word that follows a content word.
    In other languages it comes at the beginning only.

    Args:
        profile: ``assistant`` (requests to assistants, the default), ``conversation`` (American
            telephone conversations), or a file written by ``mondegreen fit disfluency``.
        terms: editing terms that may follow the false start, such as ["no wait"]; empty for the
            built-in list.
        language: code of the language; see: mondegreen languages.
    """

    name: ClassVar[str] = "restarts"
    english: ClassVar[bool] = True
    kind: ClassVar[str] = "restart"
    version: ClassVar[int] = 3
    example: ClassVar[str] = "play some jazz by miles davis in the kitchen"

    language: str = ENGLISH

    def __post_init__(self) -> None:
        super().__post_init__()
        require_offer(self.name, self.language)

    def weights(self, flags: FunctionFlags) -> Sequence[int]:
        """Return equal weights where a phrase begins, such as before "in" in "a table in london".

        The weight of other positions is 0.
        """
        if self.language != ENGLISH:
            return weights_at([at == 0 for at in range(len(flags))])
        return weights_at([True, *(right and not left for left, right in pairwise(flags))])

    def _term(self, draw: Draw) -> tuple[str, ...]:
        """Draw what follows the false start; in other languages always a pause."""
        return super()._term(draw) if self.language == ENGLISH else self._pauses.draw(draw)

    def max_size(self, utterance: Utterance, site: int) -> int:  # noqa: ARG002 (not needed here)
        """Return the length of the longest false start."""
        return len(_CLAUSES)

    def reparandum(
        self, utterance: Utterance, site: int, size: int, draw: Draw
    ) -> tuple[str, ...] | None:
        """Return a false start unlike the words that follow; ``None`` if there is no such phrase.

        It shares no word with them and begins with another class of word.
        """
        if self.language != ENGLISH:
            openings = _unlike(utterance, language_of(self.language)) if site == 0 else ()
            return draw.choice(openings) if openings else None
        if within_slot(utterance, site):
            return None
        rest = utterance.tokens[site : site + size + _LOOKAHEAD]
        following = {head(word) for word in rest}
        candidates = [
            words
            for words in (_PHRASES if site else _CLAUSES)[size - 1]
            if family(words[0]) != family(rest[0]) and following.isdisjoint(map(head, words))
        ]
        return draw.choice(candidates) if candidates else None


def _unlike(utterance: Utterance, tongue: Language) -> list[tuple[str, ...]]:
    """Return the false starts of a language that share no word with the beginning of an utterance.

    None is given after which what follows would be one sentence with it.
    """
    following = {core_of(token) for token in utterance.tokens[:_FOLLOWING]}
    text = "".join(utterance.tokens[:_FOLLOWING])
    return [
        words
        for words in tongue.openings(question=asks(utterance, tongue))
        if following.isdisjoint(words) and (tongue.spaced or words[0][:2] not in text)
    ]
