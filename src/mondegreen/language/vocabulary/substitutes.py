"""Substitutes for a word in context: where candidates come from, and which of them fit."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple, Protocol

from mondegreen.language.vocabulary.context import REACH, fits
from mondegreen.language.vocabulary.grammar_frames import framed_words, has_frames
from mondegreen.language.vocabulary.lexicon import listed, listed_words
from mondegreen.language.vocabulary.ngram import END, NAT, START, UNKNOWN, trigram
from mondegreen.language.vocabulary.tagger import GRAMMAR, tag
from mondegreen.language.vocabulary.thesaurus import PARTS
from mondegreen.text.words import core_of

CANDIDATES = 40  # words per position to get from a masked language model
_VOWEL_LETTERS = ("a", "e", "i", "o", "u", "hour", "honest", "heir")
_CONSONANT_SOUNDS = ("one", "once", "uni", "use", "usa", "usu", "eu", "ubi")
_CACHED = 65_536
_LEAST = {"ADJ": 0.4, "ADV": 0.4}  # logarithmic odds that a candidate must have; others:
_LEAST_OF_OTHERS = 1.1  # three to one
_STEP = 0.5  # odds that a place further down in the list costs


class WordPlace(NamedTuple):
    """The position of a word in an utterance, and its part of speech there."""

    tokens: tuple[str, ...]
    at: int
    part: str


class SubstituteSource(Protocol):
    """A source of candidates."""

    def ranked(self, place: WordPlace) -> Sequence[str]:
        """Return lower-case words for a position, the most probable first."""

    def prepare(self, places: Sequence[WordPlace]) -> None:
        """Compute the candidates of many positions at once, if that is faster."""


class Thesaurus:
    """Candidates from the lists of content and function words, in the word's form.

    They must fit the words around them by the frames of the lists, the trigram model and the model
    of context.
    """

    def ranked(self, place: WordPlace) -> Sequence[str]:
        """Return the candidates that fit a position, the best first."""
        tokens, at, part = place
        core = core_of(tokens[at])
        if is_grammatical(core, part):
            return framed_words(tokens, tag(tokens), at) if has_frames(core) else ()
        others = listed_words(tokens, tag(tokens), at, core, part)
        if not others:
            return ()
        start = max(0, at - REACH)
        near = tuple(map(core_of, tokens[start : at + REACH + 1]))
        return _fitting(others, near, at - start, _LEAST.get(part, _LEAST_OF_OTHERS))

    def prepare(self, places: Sequence[WordPlace]) -> None:
        """Do nothing: one position at a time is as fast."""


_THESAURUS = Thesaurus()


def could_replace(word: str, part: str) -> bool:
    """Return whether a lower-case word of a part of speech has candidates in some context.

    >>> could_replace("book", "VERB"), could_replace("sxsw", "PROPN")
    (True, False)
    """
    return has_frames(word) if is_grammatical(word, part) else bool(listed(word, part))


def source_of(name: str, model: str = "") -> SubstituteSource:
    """Return a source by its name: ``thesaurus``, or ``mlm``, which loads the model."""
    if name == "thesaurus":
        return _THESAURUS
    from mondegreen.language.vocabulary.masked import masked_words

    return masked_words(model)


@lru_cache(maxsize=_CACHED)
def _fitting(
    others: tuple[str, ...], near: tuple[str, ...], at: int, least: float
) -> tuple[str, ...]:
    """Return the candidates for the word at a position that probably fit, the best first."""
    word = near[at]
    before, after = (START, START, *near[:at])[-2:], (*near[at + 1 :], END, END)[:2]
    own, *ticks = trigram().surprises([word, *others], before, after)
    found = []
    for rank, (other, n, fit) in enumerate(zip(others, ticks, fits(others, near, at), strict=True)):
        rarer = _plain(other) - _plain(word)
        evidence = _evidence((n - own) * NAT, rarer, fit)
        if evidence >= least:
            found.append((_STEP * rank - evidence, other))
    return tuple([other for _, other in sorted(found)])


def _evidence(loss: float, rarer: float, fit: float | None) -> float:
    """Return the logarithmic odds that a candidate fits (docs/design/0032).

    Args:
        loss: how much more surprising it makes the words around it, in nats.
        rarer: how much more surprising it is by itself.
        fit: how well it fits by the model of context; ``None`` if that does not know it.
    """
    if fit is None:
        return 2.52 - 0.257 * loss + 0.263 * rarer
    return 4.92 - 0.262 * loss + 0.339 * rarer + 0.259 * fit


@lru_cache(maxsize=_CACHED)
def _plain(word: str) -> float:
    """Return the surprisal of a word without its neighbours."""
    return min(UNKNOWN, -trigram().score(word, []) * NAT)


class Candidate(NamedTuple):
    """Another word for a word."""

    word: str


@lru_cache(maxsize=_CACHED)
def candidates(word: str, part: str) -> tuple[Candidate, ...]:
    """Return other words for a lower-case word of a part of speech, in the same form.

    They fit in some context.

    >>> [other.word for other in candidates("bought", "VERB")][:2]
    ['purchased', 'got']
    """
    parts = (part,) if part in PARTS else ()
    words = (other for one in parts for frame in listed(word, one) or () for other in frame.words)
    return tuple(map(Candidate, dict.fromkeys(words)))


def is_grammatical(word: str, part: str) -> bool:
    """Return whether a word is replaced in frames only: a function word or a greeting.

    >>> is_grammatical("to", "ADP"), is_grammatical("hello", "INTJ"), is_grammatical("to", "NOUN")
    (True, True, False)
    """
    return part in GRAMMAR or (part not in PARTS and has_frames(word))


def agrees(tokens: Sequence[str], at: int, other: str) -> bool:
    """Return whether "a" and "an" are still right if the word at a position is replaced.

    >>> agrees(("a", "song"), 1, "anthem"), agrees(("the", "old", "song"), 0, "a")
    (False, False)
    """
    if other in {"a", "an"}:
        return at + 1 < len(tokens) and _has_vowel_sound(core_of(tokens[at + 1])) == (other == "an")
    article = core_of(tokens[at - 1]) if at else ""
    return article not in {"a", "an"} or _has_vowel_sound(other) == (article == "an")


def article_before(article: str, word: str) -> str:
    """Return an article as it is before a word; other words are returned as they are.

    >>> article_before("a", "account"), article_before("an", "card"), article_before("my", "ear")
    ('an', 'a', 'my')
    """
    if article.lower() not in {"a", "an"}:
        return article
    return article[0] + "n" * _has_vowel_sound(core_of(word))


def _has_vowel_sound(word: str) -> bool:
    return word.startswith(_VOWEL_LETTERS) and not word.startswith(_CONSONANT_SOUNDS)
