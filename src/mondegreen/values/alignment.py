"""Alignment over readings: which stretches of two texts say the same in different writing."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import accumulate
from typing import NamedTuple

from mondegreen.values.grammar import grammar
from mondegreen.values.lattice import Lattice, steps
from mondegreen.values.readings import Readings, readings
from mondegreen.values.tokens import plain

_EDGES = "\"'“”‘’«»„()[]<>.,;:!?…"  # noqa: RUF001 (typographic quotation marks)
_WORST = 1 << 60
_ERROR = 1 << 20  # an error costs more than any stretch


class Stretch(NamedTuple):
    """Words of two texts, from a start to before an end on either side, that say the same."""

    ref: tuple[int, int]
    hyp: tuple[int, int]


def same_stretches(ref: Sequence[str], hyp: Sequence[str], language: str = "en") -> list[Stretch]:
    """Return the stretches of words that say the same value in different writing.

    >>> same_stretches("it cost five dollars now".split(), "it costs $5 now".split())
    [Stretch(ref=(2, 4), hyp=(2, 3))]
    """
    left, right = _Side.of(ref, language), _Side.of(hyp, language)
    one = left.found.with_words() if right.found.has_spelling else left.found.lattice
    other = right.found.with_words() if left.found.has_spelling else right.found.lattice
    jumps = {
        (a, b): reached
        for a in left.nodes
        for b in right.nodes
        if (reached := _reached(one, other, (a, b), left.nodes, right.nodes))
    }
    return [
        Stretch(span, beside)
        for (a, b), (c, d) in _best(left, right, jumps)
        if _differs(ref, hyp, span := left.words(a, c), beside := right.words(b, d), language)
    ]


class _Side(NamedTuple):
    """A text of words: its readings, the nodes where words begin, and the word of each node."""

    source: Sequence[str]
    found: Readings
    nodes: dict[int, int]

    @classmethod
    def of(cls, words: Sequence[str], language: str) -> _Side:
        forms = [plain(word).strip() for word in words]
        starts = list(accumulate((len(form) + 1 for form in forms), initial=0))
        found = readings(" ".join(forms), language)
        nodes: dict[int, int] = {}
        last = -1
        for node, token in enumerate(found.text.tokens):
            word = bisect_right(starts, token.start) - 1
            if word != last:
                nodes[node] = last = word
        nodes[len(found.text.tokens)] = len(words)
        return cls(words, found, nodes)

    def words(self, start: int, end: int) -> tuple[int, int]:
        return self.nodes[start], self.nodes[end]

    def key(self, node: int) -> str:
        return self.source[self.nodes[node]].casefold().strip(_EDGES)


def _reached(
    one: Lattice,
    other: Lattice,
    start: tuple[int, int],
    left: dict[int, int],
    right: dict[int, int],
) -> list[tuple[int, int]]:
    """Return where words end on both sides that say the same from a place on."""
    seen, waiting, found = {start}, [start], []
    while waiting:
        at, beside = waiting.pop()
        for after in steps(one.edges[at], other.edges[beside]):
            if after not in seen:
                seen.add(after)
                waiting.append(after)
                if after[0] in left and after[1] in right and after != start:
                    found.append(after)
    return found


Step = tuple[tuple[int, int], tuple[int, int]]


def _best(
    left: _Side, right: _Side, jumps: dict[tuple[int, int], list[tuple[int, int]]]
) -> list[Step]:
    """Return the jumps of the alignment with the fewest errors."""
    rows, columns = list(left.nodes), list(right.nodes)
    came: dict[tuple[int, int], tuple[int, tuple[int, int], bool]] = {}
    costs = {(rows[0], columns[0]): 0}
    for i, a in enumerate(rows):
        for j, b in enumerate(columns):
            cost = costs.get((a, b), _WORST)
            offers = [
                (after, 1 + after[0] - a + after[1] - b, True) for after in jumps.get((a, b), ())
            ]
            if i + 1 < len(rows):
                offers.append(((rows[i + 1], b), _ERROR, False))
            if j + 1 < len(columns):
                offers.append(((a, columns[j + 1]), _ERROR, False))
            if i + 1 < len(rows) and j + 1 < len(columns):
                differ = _ERROR if left.key(a) != right.key(b) else 0
                offers.append(((rows[i + 1], columns[j + 1]), differ, False))
            for after, more, jump in offers:
                if cost + more < costs.get(after, _WORST):
                    costs[after] = cost + more
                    came[after] = cost + more, (a, b), jump
    found = []
    place = rows[-1], columns[-1]
    while place in came:
        _, source, jump = came[place]
        if jump:
            found.append((source, place))
        place = source
    return found[::-1]


def _differs(
    ref: Sequence[str],
    hyp: Sequence[str],
    span: tuple[int, int],
    beside: tuple[int, int],
    language: str,
) -> bool:
    """Return whether two stretches differ in more than case and marks around words, by a value."""
    one, other = (
        [bare for word in words if (bare := word.casefold().strip(_EDGES))]
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
        self._sign = re.compile(rf"[^\s{re.escape(_EDGES)}a-zA-Z]")
        self._letter = re.compile(r"(?:^|\s)\w[.\s]\s?\w(?=[.\s]|$)")

    def search(self, text: str) -> bool:
        """Return whether a text has such a thing."""
        if not self._short.isdisjoint(text.casefold().split()):
            return True
        for match in self._sign.finditer(text):
            if not match[0].isalpha():
                return True
        return self._letter.search(text) is not None or not self._short.isdisjoint(
            one.strip(_EDGES) for one in text.casefold().split() if not one.isalpha()
        )


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
