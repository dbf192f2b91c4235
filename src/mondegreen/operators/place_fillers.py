"""Fillers at a fixed position: at the start or the end of an utterance."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import ClassVar

from mondegreen.draw import Draw
from mondegreen.errors import OperatorError, unknown
from mondegreen.language.disfluency.utterance_kinds import (
    CHAT,
    COMMAND,
    FRAGMENT,
    QUESTION,
    REQUEST,
    STATEMENT,
    WISH,
    kind_of_utterance,
    mentions_time,
    word_list,
    words_of,
)
from mondegreen.language.english import english_words
from mondegreen.language.languages import ENGLISH, Language
from mondegreen.language.offers import require_offer
from mondegreen.language.vocabulary.inflection import lemma
from mondegreen.language.vocabulary.tagger import form_of
from mondegreen.operators.amounts import Amount, Once
from mondegreen.operators.capitals import with_capital
from mondegreen.operators.fillers import checked_words
from mondegreen.operators.other_places import closing, end_of
from mondegreen.operators.protocol import Operator
from mondegreen.types import Edit, Utterance

_PLEASE = english_words("closing", "please")
_ONE = _PLEASE[:1]
_URGENT = english_words("closing", "urgent")
_EOS_BY_KIND: dict[str, tuple[str, ...]] = {
    COMMAND: _PLEASE + english_words("closing", "command") + english_words("closing", "tags"),
    REQUEST: english_words("closing", "request"),
    WISH: _PLEASE,
    QUESTION: _ONE,
    FRAGMENT: _ONE,
    STATEMENT: (),
    CHAT: (),
}
_OKAY = english_words("closing", "otherwise_demand")
_EOS_OTHERWISE = {
    **dict.fromkeys((COMMAND, REQUEST, WISH, FRAGMENT), _OKAY),
    **dict.fromkeys((QUESTION, CHAT), english_words("closing", "otherwise_question")),
}
"""By the kind of utterance, where it is polite already or nothing in the paper's list fits."""
_POLITE = frozenset(english_words("places", "polite"))
_NEGATIONS = frozenset(english_words("places", "negations"))
_AT_ONCE = word_list("at_once")
"""What can be done at once; a time with other verbs, such as "book", would be a slot."""
_VERB_WITHIN = 5  # words, in which the verb of a request is found
_FINITE = word_list("be") | word_list("finite")
_NO_WISHES = (QUESTION, STATEMENT, CHAT, FRAGMENT)
_ENDS = (".", "!", "?")
FITTING, UNIFORM = CHOICES = ("fitting", "uniform")


@lru_cache(maxsize=1024)
def _split(fillers: tuple[str, ...]) -> tuple[tuple[tuple[str, ...], ...], frozenset[str]]:
    """Return the tokens of each filler, and all of them."""
    split = tuple(tuple(filler.split()) for filler in fillers)
    return split, frozenset(token for filler in split for token in filler)


@dataclass(frozen=True)
class PlaceFillers(Operator):
    """Base class: inserts one filler from a list at one position.

    A filler that repeats a neighbouring word ("please please") is avoided if there are others,
    unless the choice is ``uniform``.
    """

    default: ClassVar[Amount] = Once()
    example: ClassVar[str] = "add this tune to my running playlist"
    known: ClassVar[tuple[str, ...]]
    """The fillers of the NATURE paper: all that it lists."""

    words: tuple[str, ...] | None = None
    choice: str = FITTING

    def __post_init__(self) -> None:
        checked_words(self.name, self.words)
        if self.choice not in CHOICES:
            raise OperatorError(f"{self.name}: {unknown('choice', self.choice, CHOICES)}")
        _ = self.tongue  # so that a language without such a place is an error at once

    def place(self, utterance: Utterance) -> int:
        """Return the position of the filler: before the token with this index."""
        raise NotImplementedError

    def sites(self, utterance: Utterance) -> range:
        """Return the one position of the filler."""
        place = self.place(utterance)
        return range(place, place + 1)

    def fitting(self, utterance: Utterance, site: int) -> tuple[str, ...]:  # noqa: ARG002 (not here)
        """Return the fillers of the built-in list that fit the utterance; empty if none does."""
        return self.known

    def fallback(self, utterance: Utterance) -> tuple[str, ...]:  # noqa: ARG002 (not needed here)
        """Return what to insert if no filler of the list fits."""
        return self.known

    @cached_property
    def tongue(self) -> Language | None:
        """The language, if it is another than English."""
        code = str(getattr(self, "language", ENGLISH))
        return None if code == ENGLISH else require_offer(self.name, code)

    def propose(self, utterance: Utterance, site: int, draw: Draw) -> Sequence[Edit]:
        """Insert one filler that fits; a list of the user is used as it is."""
        if self.choice == UNIFORM and self.tongue is None:
            drawn = draw.choice(_split(self.words or self.known)[0])
            return (Edit(site, site, drawn, self.name, "filler"),)
        listed = self.words or self.fitting(utterance, site) or self.fallback(utterance)
        fillers, tokens = _split(listed)
        neighbours = [token.lower() for token in utterance.tokens[max(0, site - 1) : site + 1]]
        if not tokens.isdisjoint(neighbours):
            others = tuple(filler for filler in fillers if set(neighbours).isdisjoint(filler))
            fillers = others or fillers
        return (Edit(site, site, draw.choice(fillers), self.name, "filler"),)


@dataclass(frozen=True)
class BosFillers(PlaceFillers):
    """Begin an utterance with a filler: "add this tune" becomes "okay so add this tune".

    Args:
        words: the fillers to draw from; by default those of the NATURE paper.
        choice: ``fitting`` for fillers that suit the utterance, ``uniform`` to draw from the whole
            list, whatever the utterance is, as NATURE does.
        language: code of the language; see: mondegreen languages.
    """

    name: ClassVar[str] = "fillers.bos"
    english: ClassVar[bool] = True
    version: ClassVar[int] = 2
    known: ClassVar[tuple[str, ...]] = english_words("fillers", "opening")

    language: str = ENGLISH

    def place(self, utterance: Utterance) -> int:  # noqa: ARG002 (the same for all utterances)
        """Return the position before the first token."""
        return 0

    def fitting(self, utterance: Utterance, site: int) -> tuple[str, ...]:
        """Return the fillers of the language."""
        if self.tongue is not None:
            return self.tongue.places.opening
        return super().fitting(utterance, site)

    def propose(self, utterance: Utterance, site: int, draw: Draw) -> Sequence[Edit]:
        """Insert one filler; it takes over the capital of the first word of a sentence."""
        (edit,) = super().propose(utterance, site, draw)
        return with_capital(utterance, edit, self.language)


@dataclass(frozen=True)
class EosFillers(PlaceFillers):
    """End an utterance with a filler: "add this tune" becomes "add this tune if you can".

    Which fillers fit depends on the kind of utterance. A question gets no tag such as "would
    you?", and nothing is urgent if the utterance speaks of a time. If the last token is a
    punctuation mark, the filler goes before it and drops its own "?".

    Args:
        words: the fillers to draw from; by default those of the NATURE paper.
        choice: ``fitting`` for fillers that suit the utterance, ``uniform`` to draw from the whole
            list, whatever the utterance is, as NATURE does.
        language: code of the language; see: mondegreen languages.
    """

    name: ClassVar[str] = "fillers.eos"
    english: ClassVar[bool] = True
    version: ClassVar[int] = 3
    known: ClassVar[tuple[str, ...]] = english_words("fillers", "closing")

    language: str = ENGLISH

    def place(self, utterance: Utterance) -> int:
        """Return the position before the final punctuation, or after the slot that contains it."""
        if self.tongue is not None:
            return end_of(utterance)
        tokens = utterance.tokens
        place = len(tokens)
        while place > 1 and not form_of(tokens[place - 1]):
            place -= 1
        if place == len(tokens):
            return place
        return next((slot.end for slot in utterance.slots if slot.start < place < slot.end), place)

    def fitting(self, utterance: Utterance, site: int) -> tuple[str, ...]:
        """Return the fillers that fit the kind of utterance and what it says already."""
        if self.tongue is not None:
            return closing(utterance, site, self.tongue)
        kind = _last_kind(utterance.tokens)
        words = words_of(utterance.tokens)
        polite = not _POLITE.isdisjoint(words)
        if _is_sentence(utterance.tokens):
            return () if kind in _NO_WISHES else _eos_fillers(WISH, urgent=False, polite=polite)
        urgent = (
            kind in (COMMAND, REQUEST)
            and any(map(_is_at_once, words[:_VERB_WITHIN]))
            and not mentions_time(utterance, words)
        )
        if kind == COMMAND and not _NEGATIONS.isdisjoint(words):
            kind = FRAGMENT
        return _eos_fillers(kind, urgent=urgent, polite=polite)

    def fallback(self, utterance: Utterance) -> tuple[str, ...]:
        """Return what fits where no filler of the paper does, by the kind of utterance."""
        kind = _last_kind(utterance.tokens)
        if _is_sentence(utterance.tokens) and kind in _NO_WISHES:
            name = "after_question" if kind == QUESTION else "after_sentence"
            return english_words("closing", name)
        if not _POLITE.isdisjoint(words_of(utterance.tokens)):
            return _EOS_OTHERWISE.get(kind, _OKAY)
        return _EOS_OTHERWISE.get(kind, english_words("closing", "otherwise"))

    def propose(self, utterance: Utterance, site: int, draw: Draw) -> Sequence[Edit]:
        """Insert one filler, punctuated as the utterance is."""
        (edit,) = super().propose(utterance, site, draw)
        tokens = utterance.tokens
        if site < len(tokens) and edit.tokens[-1] == "?" and len(edit.tokens) > 1:
            return (Edit(site, site, edit.tokens[:-1], self.name, "filler"),)
        if self.tongue is not None and not self.tongue.spaced:
            return (edit,)
        if site == len(tokens) and _is_sentence(tokens):
            return (Edit(site, site, _own_sentence(tokens, edit.tokens), self.name, "filler"),)
        return (edit,)


def _is_sentence(tokens: Sequence[str]) -> bool:
    """Return whether the last word has a mark at its end, so that a filler is a new sentence."""
    return bool(tokens) and len(tokens[-1]) > 1 and tokens[-1].endswith(_ENDS)


def _last_kind(tokens: Sequence[str]) -> str:
    """Return the kind of the last sentence: "Thanks. Can we go?" is a request."""
    ends = (at + 1 for at in range(len(tokens) - 2, -1, -1) if tokens[at].endswith(_ENDS))
    last = tuple(tokens[next(ends, 0) :])
    kind = kind_of_utterance(last)
    if kind == FRAGMENT and not _FINITE.isdisjoint(words_of(last)):
        return STATEMENT
    return kind


@lru_cache(maxsize=64)
def _eos_fillers(kind: str, *, urgent: bool, polite: bool) -> tuple[str, ...]:
    """Return the fillers for a kind of utterance; one that is polite already gets no "please"."""
    fitting = _EOS_BY_KIND[kind] + (_URGENT if urgent else ())
    return tuple(filler for filler in fitting if not polite or _POLITE.isdisjoint(filler.split()))


@lru_cache(maxsize=65_536)
def _is_at_once(word: str) -> bool:
    return lemma(word, "VERB") in _AT_ONCE


def _own_sentence(tokens: Sequence[str], filler: tuple[str, ...]) -> tuple[str, ...]:
    """Return a filler that follows a full stop: "play jazz." becomes "play jazz. please."."""
    text = " ".join(filler)
    text = text[:-2] + "?" if text.endswith(" ?") else text + "."
    return tuple((text[0].upper() + text[1:] if tokens[0][0].isupper() else text).split())
