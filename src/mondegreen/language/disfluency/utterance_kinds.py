"""What kind of utterance something is, and whether it speaks of a time: what fillers depend on."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache

from mondegreen.language.vocabulary.tagger import tag
from mondegreen.resources import read_resource
from mondegreen.text.words import core_of
from mondegreen.types import Utterance

COMMAND, REQUEST, WISH, QUESTION, CHAT, STATEMENT, FRAGMENT = (
    "command", "request", "wish", "question", "chat", "statement", "fragment",
)  # fmt: skip
"""Play jazz; can you play jazz; i want jazz; is it late; do you like it; i see; jazz."""


@cache
def _lists() -> dict[str, frozenset[str]]:
    lines = read_resource("languages/en/utterances.txt").decode().splitlines()
    rows = (line.partition(":") for line in lines if not line.startswith("#"))
    return {name: frozenset(words.split()) for name, _, words in rows}


def word_list(name: str) -> frozenset[str]:
    """Return one of the lists of words that show the kind of an utterance.

    >>> "please" in word_list("openers")
    True
    """
    return _lists()[name]


_OPENERS = word_list("openers")
_QUESTION_WORDS = word_list("question_words")
_AUXILIARIES = word_list("auxiliaries")
_ASKING = frozenset(("can", "could", "would", "will", "can't", "couldn't", "won't", "wouldn't"))
_NEGATED = frozenset(("don't", "dont", "do"))
_SPEAKERS = frozenset(("i", "i'd", "id", "we", "we'd", "i'm", "i'll"))
_WANTING = word_list("wanting")
_SUBJECTS = word_list("subjects")
_FEELINGS = word_list("feelings")
_TIME_WORDS = word_list("time_words")
_TIME_LABELS = ("time", "date", "day", "period", "month", "year", "frequency")
_CACHED = 16_384


def words_of(tokens: tuple[str, ...]) -> list[str]:
    """Return the words of tokens in lower case, without punctuation around them."""
    return list(map(core_of, tokens))


@lru_cache(maxsize=_CACHED)
def _names_time(label: str) -> bool:
    return any(part in label.lower() for part in _TIME_LABELS)


@lru_cache(maxsize=_CACHED)
def kind_of_utterance(tokens: tuple[str, ...]) -> str:
    """Return the kind of an utterance, by its first words and their parts of speech.

    >>> kinds = ["play jazz", "can you play jazz", "i want jazz", "is it late", "some jazz please"]
    >>> [kind_of_utterance(tuple(text.split())) for text in kinds]
    ['command', 'request', 'wish', 'question', 'fragment']
    """
    words = words_of(tokens)
    start = 0
    while start < len(words) - 1 and words[start] in _OPENERS:
        start += 1
    if not words:
        return FRAGMENT
    first, second = words[start], (words[start + 1] if start + 1 < len(words) else "")
    asked = _kind_of_question(first, second, asks=tokens[-1].endswith("?"))
    if asked:
        return asked
    if first in _FEELINGS:
        return STATEMENT
    if first in _SPEAKERS:
        wanting = not _WANTING.isdisjoint(words[start + 1 : start + 4]) or "looking" in words
        return WISH if wanting else STATEMENT
    tags = tag(tokens)
    if tags[start] == "VERB" or first in {"let's", "lets"}:
        return COMMAND
    return STATEMENT if first in _SUBJECTS and _has_verb(tags) else FRAGMENT


def _kind_of_question(first: str, second: str, *, asks: bool) -> str:
    """Return the kind of an utterance that begins like a question; empty if it does not."""
    if first in _AUXILIARIES or (first == "have" and second in _SUBJECTS):
        if first in _NEGATED and second not in _SUBJECTS:
            return COMMAND  # don't play, do not play
        if first in _ASKING and second == "you":
            return REQUEST
        return CHAT if second == "you" else QUESTION
    return QUESTION if asks or first in _QUESTION_WORDS else ""


def _has_verb(tags: tuple[str, ...]) -> bool:
    return "VERB" in tags or "AUX" in tags


def mentions_time(utterance: Utterance, words: Sequence[str] | None = None) -> bool:
    """Return whether an utterance speaks of a time, or asks for one.

    ``words`` are the words of its tokens, if they are at hand.

    >>> mentions_time(Utterance.of("1", "book a table for tonight"))
    True
    """
    for slot in utterance.slots:
        if _names_time(slot.label):
            return True
    return not _TIME_WORDS.isdisjoint(words_of(utterance.tokens) if words is None else words)
