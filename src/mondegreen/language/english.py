"""English words of operators, from the folder of the language."""

from __future__ import annotations

import tomllib
from functools import cache

from mondegreen.language.languages import ENGLISH, FOLDER
from mondegreen.resources import read_resource


@cache
def _lists() -> dict[str, dict[str, list[str]]]:
    return tomllib.loads(read_resource(f"{FOLDER}/{ENGLISH}/words.toml").decode())


@cache
def english_words(section: str, name: str) -> tuple[str, ...]:
    """Return one of the lists of ``words.toml``.

    >>> english_words("terms", "no")
    ('no',)
    """
    return tuple(_lists()[section][name])
