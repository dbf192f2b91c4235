"""Where a word may end in Chinese and Japanese, which set no spaces between words."""

from __future__ import annotations

from functools import cache

from mondegreen.resources import read_resource
from mondegreen.text.segment import is_unspaced


@cache
def _lists() -> dict[str, frozenset[str]]:
    lines = read_resource("boundaries.txt").decode().splitlines()
    rows = (line.partition(":") for line in lines if not line.startswith("#"))
    return {name: frozenset(words.split()) for name, _, words in rows}


def may_end_word(left: str, right: str) -> bool:
    """Return whether a word may end between two written characters; always between spaced words.

    >>> may_end_word("去", "北"), may_end_word("北", "京"), may_end_word("我", "们")
    (True, False, False)
    >>> may_end_word("定", "了"), may_end_word("5", "時")
    (False, False)
    >>> may_end_word("play", "jazz"), may_end_word("京", "jazz")
    (True, True)
    """
    if not is_unspaced(left[-1]) or not is_unspaced(right[0]):
        return not (left[-1].isdigit() and is_unspaced(right[0]))
    lists = _lists()
    if left[-1] + right[0] in lists["compounds"] or right[0] in lists["clinging"]:
        return False
    return left[-1] in lists["words"] or right[0] in lists["words"]
