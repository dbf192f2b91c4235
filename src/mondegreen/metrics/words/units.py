"""What is one unit of an alignment: a word, a character, or both in one text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import cast

from mondegreen.errors import DataError, unknown
from mondegreen.metrics.words.networks import OPTIONAL, pieces, untagged, with_marks
from mondegreen.text.items import Item
from mondegreen.text.segment import has_unspaced, mostly_unspaced, split

WORDS, CHARACTERS, MIXED = UNITS = ("words", "characters", "mixed")
"""What white space separates; every character; characters of scripts without spaces, else words."""


def unit_of(name: str, refs: Sequence[Item]) -> str:
    """Return the unit that a user names; without a name, the references decide.

    Their unit is the word, unless most of them are in a script without spaces. Lists of tokens are
    words as they are.

    >>> unit_of("", ["play 爵士乐", "stop"]), unit_of("", ["播放爵士乐"]), unit_of("", [["播放"]])
    ('words', 'mixed', 'words')

    Raises:
        DataError: if there is no such unit.
    """
    if name and name not in UNITS:
        raise DataError(unknown("unit", name, UNITS))
    if name:
        return name
    try:
        plain = all(map(str.isascii, refs))  # type: ignore[arg-type]  # or a TypeError
    except TypeError:
        return WORDS
    return MIXED if not plain and mostly_unspaced(cast("Sequence[str]", refs)) else WORDS


def split_scripts(items: Iterable[Item], *, marked: bool) -> list[Item]:
    """Split words of scripts without spaces into written characters; a text stays a text.

    ``marked`` texts have marks of alternatives: an optional word becomes optional characters.

    >>> split_scripts(["play 爵士 (个人)", "stop"], marked=True)
    ['play 爵 士 (个) (人)', 'stop']
    """
    return [
        " ".join(_split(item.split(), marked=marked))
        if isinstance(item, str) and has_unspaced([item])
        else _split(item, marked=marked)
        if not isinstance(item, str) and has_unspaced(item)
        else item
        for item in items
    ]


def _split(words: Sequence[str], *, marked: bool) -> list[str]:
    if not marked:
        return [char for word in words for char in split(word)]
    found: list[str] = []
    for piece, mark in with_marks(pieces(" ".join(words))):
        found += [piece] if mark else in_characters(piece, marked=marked)
    return found


def in_characters(word: str, *, marked: bool) -> list[str]:
    """Return the written characters of a word; those of an optional word are optional."""
    optional = OPTIONAL.fullmatch(word) if marked else None
    found = split(untagged(optional[1] if optional else word) if marked else word)
    return [f"({one})" for one in found] if optional else list(found)
