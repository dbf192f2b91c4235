"""Alignment over readings: which stretches of two texts say the same in different writing."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache
from typing import NamedTuple

from mondegreen.values.engine import engine
from mondegreen.values.grammar import grammar
from mondegreen.values.twin import EDGES


class Stretch(NamedTuple):
    """Words of two texts, from a start to before an end on either side, that say the same."""

    ref: tuple[int, int]
    hyp: tuple[int, int]


def same_stretches(ref: Sequence[str], hyp: Sequence[str], language: str = "en") -> list[Stretch]:
    """Return the stretches of words that say the same value in different writing.

    >>> same_stretches("it cost five dollars now".split(), "it costs $5 now".split())
    [Stretch(ref=(2, 4), hyp=(2, 3))]
    """
    found = [Stretch(one[:2], one[2:]) for one in engine(language).stretches(ref, hyp)]
    return [one for one in found if _differs(ref, hyp, one.ref, one.hyp, language)]


def _differs(
    ref: Sequence[str],
    hyp: Sequence[str],
    span: tuple[int, int],
    beside: tuple[int, int],
    language: str,
) -> bool:
    """Return whether two stretches differ in more than case and marks around words, by a value."""
    one, other = (
        [bare for word in words if (bare := word.casefold().strip(EDGES))]
        for words in (ref[span[0] : span[1]], hyp[beside[0] : beside[1]])
    )
    may = trigger(language)
    return one != other and (may.search(" ".join(one)) or may.search(" ".join(other)))


class Trigger:
    """Finds what may be written in another way: digits, signs, spelled letters, abbreviations."""

    def __init__(self, language: str) -> None:
        words = grammar(language).tables.get("words", {})
        first = (word.casefold().split()[0] for word in words)
        self._short = frozenset(word for word in first if len(word) > 1)
        self._sign = re.compile(rf"[^\s{re.escape(EDGES)}a-zA-Z]")
        self._mark = re.compile(rf"[{re.escape(EDGES)}]")
        self._letter = re.compile(r"(?:^|\s)\w[.\s]\s?\w(?=[.\s]|$)")

    def search(self, text: str) -> bool:
        """Return whether a text has such a thing."""
        if text.isascii():
            if self._sign.search(text):
                return True
        elif any(not match[0].isalpha() for match in self._sign.finditer(text)):
            return True
        words = text.casefold().split()
        if not self._short.isdisjoint(words):
            return True
        marked = self._mark.search(text)
        if marked and not self._short.isdisjoint([word.strip(EDGES) for word in words]):
            return True
        single = "." in text or (bool(words) and min(map(len, words)) == 1)
        return single and self._letter.search(text) is not None


@cache
def trigger(language: str) -> Trigger:
    """Return what finds values of a language that may be written in another way.

    >>> trigger("en").search("it cost $5"), trigger("en").search("it was late")
    (True, False)
    """
    return Trigger(language)


def regions(
    path: Sequence[int], margin: int = 1
) -> Iterator[tuple[tuple[int, int], tuple[int, int]]]:
    """Yield the parts of an alignment with errors, as spans of words of both sides.

    Args:
        path: the steps: 0 a match, 1 a substitution, 2 a deletion, 3 an insertion.
        margin: words to add on both sides.
    """
    at = beside = 0
    places = [(0, 0)]
    for step in path:
        at += step != 3  # noqa: PLR2004 (an insertion has no word of the reference)
        beside += step != 2  # noqa: PLR2004 (a deletion has none of the hypothesis)
        places.append((at, beside))
    wrong = [i for i, step in enumerate(path) if step]
    start = end = -1
    for i in wrong:
        if start >= 0 and i <= end + 2 * margin:
            end = i + 1
            continue
        if start >= 0:
            yield _widened(places, start - margin, end + margin)
        start, end = i, i + 1
    if start >= 0:
        yield _widened(places, start - margin, end + margin)


def _widened(
    places: Sequence[tuple[int, int]], start: int, end: int
) -> tuple[tuple[int, int], tuple[int, int]]:
    first, last = places[max(0, start)], places[min(end, len(places) - 1)]
    return (first[0], last[0]), (first[1], last[1])
