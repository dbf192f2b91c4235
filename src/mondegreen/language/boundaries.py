"""Where a word may end in Chinese and Japanese, which set no spaces between words."""

from __future__ import annotations

from functools import cache

from mondegreen.resources import read_resource
from mondegreen.text.segment import is_unspaced
from mondegreen.text.words import is_any_mark


@cache
def _lists() -> dict[str, frozenset[str]]:
    lines = read_resource("boundaries.txt").decode().splitlines()
    rows = (line.partition(":") for line in lines if not line.startswith("#"))
    return {name: frozenset(words.split()) for name, _, words in rows}


def may_end_word(left: str, right: str, code: str = "") -> bool:
    """Return whether a word may end between two written characters; always between spaced words.

    In Japanese, a phrase ends with a particle, and the next one begins with another script.

    >>> may_end_word("去", "北"), may_end_word("北", "京"), may_end_word("我", "们")
    (True, False, False)
    >>> may_end_word("定", "了"), may_end_word("5", "時")
    (False, False)
    >>> may_end_word("play", "jazz"), may_end_word("京", "jazz")
    (True, True)
    """
    if not is_unspaced(left[-1]) or not is_unspaced(right[0]):
        if code == "ja" and is_unspaced(left[-1]):  # a digit after a noun: "午後5時"
            return _ends_phrase(left)
        return not (left[-1].isdigit() and is_unspaced(right[0]))
    lists = _lists()
    if code == "ja":
        return _ends_phrase(left) and not "ぁ" <= right[0] <= "ん" and right[0] != "ー"
    if left[-1] + right[0] in lists["compounds"] or right[0] in lists["clinging"]:
        return False
    return left[-1] in lists["words"] or right[0] in lists["words"]


def _ends_phrase(left: str) -> bool:
    """Return whether a Japanese phrase may end with a written character: a particle, a comma."""
    return left[-1] in _lists()["particles"] or is_any_mark(left[-1])
