"""Antonyms: replace a word with its opposite, in the same inflected form."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import ClassVar

from mondegreen.draw import Draw
from mondegreen.language.vocabulary.inflection import inflect, readings
from mondegreen.language.vocabulary.tagger import tagger
from mondegreen.language.vocabulary.thesaurus import antonyms
from mondegreen.operators.amounts import Amount, Severity
from mondegreen.operators.protocol import Operator
from mondegreen.operators.recent import recent
from mondegreen.text.words import TokenParts, word_of
from mondegreen.types import Edit, Utterance

_PARTS = frozenset(("VERB", "ADJ", "ADV"))
_SENSES = 2  # the opposites of rarer senses seldom fit the utterance
_CACHED_UTTERANCES = 64  # few are enough: the engine tries all sites of one utterance in a row
_COMPARISON = {"er": "more", "est": "most"}


@dataclass(frozen=True)
class Antonym(Operator):
    """Replace a verb, adjective or adverb with its opposite: "open it" becomes "close it".

    English only. The meaning changes but the labels stay, so use it to augment training data, or to
    test whether a system notices. The opposite takes the form of the word: "found" becomes "lost".

    Args:
        tagger: part-of-speech tagger: empty for the built-in one, or ``spacy:MODEL``.
    """

    name: ClassVar[str] = "antonym"
    english: ClassVar[bool] = True
    keeps_meaning: ClassVar[bool] = False
    default: ClassVar[Amount] = Severity(0.3)
    example: ClassVar[str] = "turn the lights on and find me a cheap hotel"

    tagger: str = ""

    def __post_init__(self) -> None:
        tagger(self.tagger)

    def sites(self, utterance: Utterance) -> range:
        """Return every token position; an empty range if no word has an opposite."""
        found = self._opposites_in(utterance.tokens)
        return range(len(found)) if any(found) else range(0)

    def propose(self, utterance: Utterance, site: int, draw: Draw) -> Sequence[Edit]:
        """Replace the word, if it has an opposite as the part of speech that it is here."""
        found = self._opposites_in(utterance.tokens)[site]
        if found is None:
            return ()
        word, others = found
        other = word.dressed(tuple(draw.choice(others).split()))
        return (Edit(site, site + 1, other, self.name, self.name),)

    @cached_property
    def _opposites_in(
        self,
    ) -> Callable[[tuple[str, ...]], list[tuple[TokenParts, tuple[str, ...]] | None]]:
        """A function from tokens to the word and its opposites, or ``None``, for each token."""
        tag = tagger(self.tagger)

        @recent
        @lru_cache(maxsize=_CACHED_UTTERANCES)
        def opposites_in(
            tokens: tuple[str, ...],
        ) -> list[tuple[TokenParts, tuple[str, ...]] | None]:
            return [
                _with_opposites(token, part)
                for token, part in zip(tokens, tag(tokens), strict=True)
            ]

        return opposites_in


@lru_cache(maxsize=65_536)
def _with_opposites(token: str, part: str) -> tuple[TokenParts, tuple[str, ...]] | None:
    word = word_of(token) if part in _PARTS else None
    others = opposites(word.core.lower(), part) if word is not None else ()
    return (word, others) if word is not None and others else None


def opposites(word: str, part: str) -> tuple[str, ...]:
    """Return the opposites of a lower-case word, in the same form as the word.

    >>> opposites("found", "VERB"), opposites("cheapest", "ADJ")[0], opposites("jazz", "NOUN")
    (('lost',), 'most expensive', ())
    """
    found = [
        inflect(opposite, part, reading.form) or f"{_COMPARISON[reading.form]} {opposite}"
        for reading in readings(word, part)
        for opposite in antonyms(reading.lemma, part)[:_SENSES]
    ]
    return tuple(other for other in dict.fromkeys(found) if other != word)
