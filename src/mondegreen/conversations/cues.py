"""How people ask for values: words that put an argument into a class, and how that is asked for.

An argument belongs to a class if its name, or less surely its description, has one of the
words. A question asks for the class if the pattern occurs in it. This table is the rule; nothing
is learnt; the words are in ``resources/questions.json``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from typing import NamedTuple

import msgspec

from mondegreen.resources import read_resource


class Cue(NamedTuple):
    """A class of arguments: the words that name them, and how one asks for them."""

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
    pattern = "|".join(f"(?:{part})" for part in one.asked)
    return Cue(words_of(one.named), re.compile(rf"\b(?:{pattern})\b"))


def classes_of(words: Iterable[str]) -> list[str]:
    """Return the classes that words name; the plural of a word only if it names none itself.

    >>> classes_of(["days"]), classes_of(["day"]), classes_of(["dentists"])
    (['length'], ['date'], ['doctor'])
    """
    found: dict[str, None] = {}
    for word in words:
        exact = [name for name, cue in cues().items() if word in cue.named]
        one = word.removesuffix("s")
        found |= dict.fromkeys(exact or [name for name, cue in cues().items() if one in cue.named])
    return list(found)
