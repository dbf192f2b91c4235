"""What WordNet 3.0 knows of a word: synonyms in any sense, near words and opposites by class."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from mondegreen.resources import read_resource

PARTS = {"NOUN": "n", "VERB": "v", "ADJ": "a", "ADV": "r"}
"""The parts of speech that WordNet has words of, and how it calls them."""


class Neighbour(NamedTuple):
    """A word that means much the same, and how far it is, in bits."""

    word: str
    distance: float


@cache
def _table() -> dict[str, str]:
    lines = read_resource("thesaurus.en.txt.gz").decode().splitlines()
    return dict(line.split("\t") for line in lines)


def synonyms(word: str) -> tuple[str, ...]:
    """Return the synonyms of a lower-case word; one of several words holds spaces.

    >>> synonyms("flight")
    ('escape', 'fledge', 'flight of stairs', 'flight of steps', 'flying', 'trajectory')
    """
    found = _table().get(word)
    return tuple(found.split("|")) if found else ()


@cache
def _by_class() -> dict[tuple[str, str], tuple[str, str]]:
    rows = (line.split("\t") for line in read_resource("wordnet.en.txt.gz").decode().splitlines())
    return {(lemma, part): (near, opposite) for lemma, part, near, opposite in rows}


def neighbours(lemma: str, part: str) -> tuple[Neighbour, ...]:
    """Return the frequent words near a lemma, the nearest first; ``part`` is NOUN, VERB, ADJ, ADV.

    >>> [near.word for near in neighbours("quickly", "ADV")]
    ['rapidly', 'quick', 'promptly']
    """
    near = _by_class().get((lemma, PARTS.get(part, "")), ("", ""))[0].split()
    return tuple(
        Neighbour(word, int(far) / 2) for word, far in zip(near[::2], near[1::2], strict=True)
    )


def antonyms(lemma: str, part: str) -> tuple[str, ...]:
    """Return the frequent opposites of a lemma, those of its commonest sense first.

    Of an adjective, also the opposites of those that it is similar to.

    >>> antonyms("cheap", "ADJ"), antonyms("find", "VERB"), antonyms("table", "NOUN")
    (('expensive', 'superior', 'generous'), ('lose',), ())
    """
    return tuple(_by_class().get((lemma, PARTS.get(part, "")), ("", ""))[1].split())


def is_lemma(word: str, part: str) -> bool:
    """Tell whether a word is a frequent lemma of a part of speech.

    >>> is_lemma("play", "VERB"), is_lemma("plays", "VERB"), is_lemma("quickly", "ADJ")
    (True, False, False)
    """
    return (word, PARTS.get(part, "")) in _by_class()
