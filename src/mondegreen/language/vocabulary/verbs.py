"""The first verb phrase of an utterance: auxiliaries, verb, object pronoun and particle."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from mondegreen.language.vocabulary.tagger import tagger
from mondegreen.types import Slot

_OBJECTS = frozenset(("me", "us", "you", "it", "him", "them"))
_PARTICLES = frozenset(("up", "off", "out", "down", "away", "back"))
_SPLIT = frozenset(("on", "in", "over"))  # particles of some verbs, prepositions after others
_SPLITTING = frozenset(("turn", "switch", "put", "log", "sign", "plug", "check", "fill", "hand"))
_CLITICS = frozenset(("s", "d", "m", "ll", "re", "ve", "t", "nt", "n't"))
_INVERTED = 4  # how close two auxiliaries that belong together are
_CACHED = 16_384  # utterances


class VerbPhrase(NamedTuple):
    """The tokens of a verb phrase, from ``start`` up to but not including ``end``."""

    start: int
    end: int


@lru_cache(_CACHED)
def verb_phrase(
    tokens: tuple[str, ...], slots: tuple[Slot, ...] = (), name: str = ""
) -> VerbPhrase | None:
    """Return the first verb phrase outside slots; ``None`` if there is no verb.

    A main verb is preferred to an auxiliary ("can you play"). ``name`` is the name of a tagger.

    >>> verb_phrase(tuple("i would like to wake up".split()))
    VerbPhrase(start=1, end=3)
    >>> verb_phrase(tuple("wake me up at six".split()))
    VerbPhrase(start=0, end=3)
    """
    tags = list(tagger(name)(tokens))
    for slot in slots:
        tags[slot.start : slot.end] = ["SLOT"] * (slot.end - slot.start)
    words = [token.lower().strip(".,;:!?\"'") for token in tokens]
    verb = _first(tags)
    if verb is None:
        return None
    return VerbPhrase(_start(tags, words, verb), _end(tags, words, verb))


def _first(tags: list[str]) -> int | None:
    if "VERB" in tags:
        return tags.index("VERB")
    if "AUX" not in tags:
        return None
    first = tags.index("AUX")
    inverted = [i for i in range(first + 2, min(first + _INVERTED, len(tags))) if tags[i] == "AUX"]
    return inverted[0] if inverted else first  # "will it be sunny": the second auxiliary


def _start(tags: list[str], words: list[str], verb: int) -> int:
    start = verb
    while start > 0 and (
        tags[start - 1] == "AUX"
        or (start > 1 and tags[start - 1] in ("ADV", "PART") and tags[start - 2] == "AUX")
    ):
        start -= 1
    while (
        start < verb and words[start] in _CLITICS
    ):  # "i 'd like": a clitic stays with the word before it
        start += 1
    if words[start] in _CLITICS and start > 0 and tags[start - 1] != "SLOT":
        start -= 1
    return start


def _end(tags: list[str], words: list[str], verb: int) -> int:
    end = verb + 1
    while end < len(tags) and tags[end] in ("AUX", "VERB") and tags[end - 1] == "AUX":
        end += 1
    if tags[verb] == "VERB" and tags[end : end + 1] == ["PRON"] and words[end] in _OBJECTS:
        end += 1
    if end < len(tags) and tags[end] in ("ADP", "ADV"):
        split = words[end] in _SPLIT and words[verb] in _SPLITTING
        end += words[end] in _PARTICLES or split
    return end
