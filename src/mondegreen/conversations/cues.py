"""How people ask for values: words that put an argument into a class, and how that is asked for.

An argument belongs to a class if its name, or less surely its description, has one of the
words. A question asks for the class if the pattern occurs in it. This table is the rule; nothing
is learnt; the words are in ``resources/questions.json``.
"""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

import msgspec

from mondegreen.resources import read_resource


class Cue(NamedTuple):
    """A class of arguments: stems of the words that name them, and how one asks for them."""

    named: frozenset[str]
    asked: re.Pattern[str]


_STEM = 5  # letters by which two words of one family agree


def words_of(text: str) -> frozenset[str]:
    """Return the words of a text, as a set."""
    return frozenset(text.split())


def stem(word: str) -> str:
    """Return the beginning of a word, by which "departing" and "departure" are the same.

    >>> stem("departing") == stem("departure"), stem("guests") == stem("guest")
    (True, True)
    """
    short = word[:-1] if len(word) > _STEM - 2 and word[-1] == "s" and word[-2] != "s" else word
    return short[:_STEM]


class _Written(msgspec.Struct):
    named: str
    asked: list[str]


@cache
def cues() -> dict[str, Cue]:
    """Return the classes of arguments by name."""
    content = read_resource("questions.json")
    written = msgspec.json.decode(content, type=dict[str, _Written])
    return {name: _cue(one) for name, one in written.items()}


def _cue(one: _Written) -> Cue:
    words = (word if "_" in word else stem(word) for word in one.named.split())
    pattern = "|".join(f"(?:{part})" for part in one.asked)
    return Cue(frozenset(words), re.compile(rf"\b(?:{pattern})\b"))
