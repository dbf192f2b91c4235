"""Synonyms of WordNet 3.0, flat: every word that shares a sense with the word, in any context."""

from __future__ import annotations

from functools import cache

from mondegreen.resources import read_resource


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
