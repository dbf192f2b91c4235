"""Words that a speaker says by mistake for a word in its context."""

from __future__ import annotations

from functools import cache, lru_cache

from mondegreen.language.vocabulary.inflection import readings
from mondegreen.language.vocabulary.tagger import tag
from mondegreen.language.vocabulary.thesaurus import is_lemma
from mondegreen.language.vocabulary.word_classes import (
    CONTENT,
    classmates,
    family,
    is_ordered,
    needs_part,
)
from mondegreen.resources import read_resource
from mondegreen.text.words import core_of


@cache
def _of_function_words() -> dict[str, tuple[str, ...]]:
    lines = read_resource("slips.en.txt").decode().splitlines()
    rows = (line.partition(":") for line in lines if not line.startswith("#"))
    return {word: tuple(others.split()) for word, _, others in rows}


def slips(tokens: tuple[str, ...], at: int, word: str) -> tuple[str, ...]:
    """Return words that may be said for a lower-case word at a position; often there are none.

    They are of its class: a day for a day, a determiner for a determiner. Verbs are confused at the
    beginning of a command only.

    >>> slips(("play", "the", "jazz"), 2, "jazz")[:3], slips(("in", "town"), 0, "in")
    (('rock', 'pop', 'soul'), ('on', 'at'))
    """
    found = _in_any_context(word)
    return _by_context(tokens, at, word) if found is None else found


@lru_cache(maxsize=65_536)
def _in_any_context(word: str) -> tuple[str, ...] | None:
    """Return what may be said for a word in any context; ``None`` if its part of speech matters."""
    known = _of_function_words().get(word)
    if known is not None:
        return known
    if family(word) != CONTENT:
        return ()
    if not needs_part(word):
        return classmates(word, "") if is_ordered(word) else None
    return None if classmates(word, "VERB") else ()


@lru_cache(maxsize=65_536)
def may_slip(token: str) -> bool:
    """Return whether another word may be said for a token in some context.

    >>> may_slip("The"), may_slip("jazz,"), may_slip("sxsw")
    (True, True, False)
    """
    word = core_of(token)
    return word in _of_function_words() or (
        family(word) == CONTENT and bool(classmates(word, "VERB"))
    )


def _by_context(tokens: tuple[str, ...], at: int, word: str) -> tuple[str, ...]:
    part = tag(tokens)[at]
    if part == "VERB" and at > 0:
        return ()
    return _of_part(word, part)


@lru_cache(maxsize=65_536)
def _of_part(word: str, part: str) -> tuple[str, ...]:
    others = classmates(word, part if needs_part(word) else "")
    if part in ("VERB", "NOUN") and not is_ordered(word):
        return tuple(other for other in others if has_part(other, part))
    return others


@lru_cache(maxsize=65_536)
def has_part(word: str, part: str) -> bool:
    """Return whether a word can have a part of speech, alone or as a plural.

    >>> has_part("album", "VERB"), has_part("songs", "NOUN")
    (False, True)
    """
    return any(is_lemma(reading.lemma, part) for reading in readings(word, part))
