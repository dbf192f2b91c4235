"""Tables: the files of the languages, and how their entries are written."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from typing import Any

from mondegreen.values.tokens import plain, tokens

Labels = tuple[str, ...]
"""What a text says, step by step: ``#5`` a number, ``°5`` an ordinal, ``/5`` a denominator,
``$USD`` a currency, ``u:km`` a unit, ``M5`` a month, ``D5`` a weekday; else a word or a sign."""


@cache
def table(name: str) -> dict[str, Any]:
    """Return the tables of a language, or those that all share."""
    source = files("mondegreen.values").joinpath("languages", f"{name}.toml")
    return tomllib.loads(source.read_text(encoding="utf-8"))


def alternatives(entry: str) -> list[str]:
    """Return the alternatives of an entry.

    >>> alternatives("per_cent|percent")
    ['per cent', 'percent']
    """
    return [one.replace("_", " ") for one in entry.split("|") if one]


def listed(entry: str) -> Iterator[list[str]]:
    """Yield the alternatives of each word of a list.

    >>> list(listed("zero|oh one double_u"))
    [['zero', 'oh'], ['one'], ['double u']]
    """
    for word in entry.split():
        yield [one.replace("_", " ") for one in word.split("|")]


def named(entry: str) -> Iterator[tuple[str, list[str]]]:
    """Yield names with their alternatives.

    >>> list(named("w=double_u|double_you .=dot"))
    [('w', ['double u', 'double you']), ('.', ['dot'])]
    """
    for word in entry.split():
        name, _, words = word[1:].partition("=")
        yield word[0] + name, [one.replace("_", " ") for one in words.split("|")]


@cache
def literal_labels(phrase: str) -> Labels:
    """Return the labels of words in a table; those of values stand for themselves.

    >>> literal_labels("half past"), literal_labels("#10 월")
    (('half', 'past'), ('#10', '월'))
    """
    found: list[str] = []
    for word in phrase.split():
        is_value = len(word) > 1 and (word[0] in "#°/$¢" or word.startswith("u:"))
        found += [word] if is_value else [t.text for t in tokens(plain(word)) if t.text not in "-'"]
    return tuple(found)
