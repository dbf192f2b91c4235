"""Punctuation and case: errors in the marks around words, and in the case of words."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from functools import cache

import numpy as np

from mondegreen.align import DELETION, INSERTION, MATCH, align
from mondegreen.align.costs import UNIT
from mondegreen.metrics.metric import Rate
from mondegreen.metrics.score import Counts
from mondegreen.text.items import Item

COLUMNS = ("punctuation", "punctuation_errors", "cased_words", "case_errors")
RATES = (
    Rate(
        "punctuation_error_rate",
        lambda s: (s["punctuation_errors"], s["punctuation"]),
        lower_is_better=True,
        columns=COLUMNS,
    ),
    Rate(
        "case_error_rate",
        lambda s: (s["case_errors"], s["cased_words"]),
        lower_is_better=True,
        columns=COLUMNS,
    ),
)
Word = tuple[str, str, str]
"""What is compared, the word with its case, and the punctuation around it."""
_WITHIN = "'’-"  # noqa: RUF001 (the typographic apostrophe)


@cache
def _word(token: str) -> Word:
    """Split a token into what is compared, the word, and its punctuation."""
    if token.isalnum():
        return token.lower(), token, ""
    kept = [c for i, c in enumerate(token) if not _is_mark(token, i)]
    marks = "".join(c for i, c in enumerate(token) if _is_mark(token, i))
    word = "".join(kept)
    return word.lower(), word, marks


def _is_mark(token: str, i: int) -> bool:
    char = token[i]
    if char in _WITHIN and 0 < i < len(token) - 1:
        return False
    return unicodedata.category(char).startswith("P")


def _words(item: Item) -> list[Word]:
    """Return the words of a text; a mark that stands alone belongs to the word before it."""
    found: list[Word] = []
    for token in item.split() if isinstance(item, str) else item:
        word = _word(token)
        if not word[0] and found:
            key, before, marks = found[-1]
            found[-1] = key, before, marks + word[2]
        elif word[0]:
            found.append(word)
    return found


def count_surface(refs: Sequence[Item], hyps: Sequence[Item], threads: int = 1) -> Counts:
    """Count marks and their errors, and words that match with another case.

    The words are aligned without punctuation and case. A word of both sides is then compared for
    the marks around it; a word that only one side has brings its marks as deletions or insertions.

    >>> count_surface(["Play jazz, please."], ["play jazz please"]).tolist()
    [[2, 2, 3, 1]]
    """
    sides = [list(map(_words, side)) for side in (refs, hyps)]
    keys = [[[word[0] for word in row] for row in side] for side in sides]
    found = align(keys[0], keys[1], UNIT, threads=threads)
    table = np.zeros((len(refs), len(COLUMNS)), np.int64)
    for item, (ref, hyp) in enumerate(zip(*sides, strict=True)):
        marks = sum(len(word[2]) for word in ref)
        if ref == hyp:
            table[item] = marks, 0, len(ref), 0
            continue
        errors = same = other_case = i = j = 0
        for step in found.of(item).tolist():
            if step == DELETION:
                errors += len(ref[i][2])
            elif step == INSERTION:
                errors += len(hyp[j][2])
            else:
                errors += _distance(ref[i][2], hyp[j][2])
                same += step == MATCH
                other_case += step == MATCH and ref[i][1] != hyp[j][1]
            i += step != INSERTION
            j += step != DELETION
        table[item] = marks, errors, same, other_case
    return table


@cache
def _distance(ref: str, hyp: str) -> int:
    """Return the edit distance of the marks at one place, of which there are hardly ever two."""
    if ref == hyp:
        return 0
    common = sum(min(ref.count(char), hyp.count(char)) for char in set(ref))
    return max(len(ref), len(hyp)) - common
