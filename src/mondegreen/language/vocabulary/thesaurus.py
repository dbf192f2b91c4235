"""WordNet 3.0: synonyms in any sense, and near words and antonyms by part of speech."""

from __future__ import annotations

from functools import cache, lru_cache
from typing import NamedTuple

from mondegreen.resources import read_resource

PARTS = {"NOUN": "n", "VERB": "v", "ADJ": "a", "ADV": "r"}
"""The parts of speech in WordNet, and its names for them."""


class Neighbour(NamedTuple):
    """A word with a similar meaning, and its distance in bits."""

    word: str
    distance: float


@cache
def _table() -> dict[str, str]:
    lines = read_resource("languages/en/thesaurus.txt.xz").decode().splitlines()
    return dict(line.split("\t") for line in lines)


def synonyms(word: str) -> tuple[str, ...]:
    """Return the synonyms of a lower-case word; a synonym may have several words.

    >>> synonyms("flight")
    ('escape', 'fledge', 'flight of stairs', 'flight of steps', 'flying', 'trajectory')
    """
    found = _table().get(word)
    return tuple(found.split("|")) if found else ()


@cache
def _by_class() -> dict[tuple[str, str], tuple[str, str]]:
    rows = (
        line.split("\t")
        for line in read_resource("languages/en/wordnet.txt.gz").decode().splitlines()
    )
    return {(lemma, part): (near, opposite) for lemma, part, near, opposite in rows}


@lru_cache(maxsize=65_536)
def neighbours(lemma: str, part: str) -> tuple[Neighbour, ...]:
    """Return the frequent words near a lemma, the nearest first.

    ``part`` is NOUN, VERB, ADJ or ADV; other parts of speech have no neighbours.

    >>> [near.word for near in neighbours("quickly", "ADV")]
    ['rapidly', 'quick', 'promptly']
    """
    near = _by_class().get((lemma, PARTS.get(part, "")), ("", ""))[0].split()
    return tuple(
        Neighbour(word, int(half_bits) / 2)
        for word, half_bits in zip(near[::2], near[1::2], strict=True)
    )


def antonyms(lemma: str, part: str) -> tuple[str, ...]:
    """Return the frequent antonyms of a lemma, those of its most common sense first.

    The antonyms of an adjective include those of similar adjectives.

    >>> antonyms("cheap", "ADJ"), antonyms("find", "VERB"), antonyms("table", "NOUN")
    (('expensive', 'superior', 'generous'), ('lose',), ())
    """
    return tuple(_by_class().get((lemma, PARTS.get(part, "")), ("", ""))[1].split())


def is_lemma(word: str, part: str) -> bool:
    """Return whether a word is a frequent lemma of a part of speech.

    >>> is_lemma("play", "VERB"), is_lemma("plays", "VERB"), is_lemma("quickly", "ADJ")
    (True, False, False)
    """
    return (word, PARTS.get(part, "")) in _by_class()
