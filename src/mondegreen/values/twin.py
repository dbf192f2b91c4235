"""The kernel's twin: two texts are compared in readable Python.

The kernel reads and compares texts by the tables of :mod:`mondegreen.values.compiled`; it leaves to
its twin what it cannot read, which is numbers beyond 128 bits. Texts with an endless word say
nothing but themselves: the time to read a word grows with the square of its length.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate
from typing import NamedTuple

from mondegreen.text.patterns import lazy_pattern
from mondegreen.values.grammar import grammar
from mondegreen.values.lattice import Lattice, Meeting, meeting, steps
from mondegreen.values.readings import Readings, readings
from mondegreen.values.tokens import plain

Apart = tuple[str, str, str]
"""What two texts both say, and what each of them says next."""
EDGES = "\"'“”‘’«»„()[]<>.,;:!?…"  # noqa: RUF001 (typographic quotation marks)
"""Marks around words that do not count."""
_LONGEST_WORD = 1_000
_ENDLESS = lazy_pattern(rf"[^\s\u2e80-\ud7ff]{{{_LONGEST_WORD + 1}}}")
_WORST = 1 << 60
_ERROR = 1 << 20  # an error costs more than any stretch


def apart(ref: str, hyp: str, language: str) -> Apart | None:
    """Return where two texts part; ``None`` if they say the same.

    >>> apart("at one fifty p m", "at 1:15 p.m.", "en")
    ('at', 'one fifty p m', '1:15 p.m.')
    """
    if _says_same(ref, hyp, language):
        return None
    if is_endless(ref) or is_endless(hyp):
        return "", ref.strip(), hyp.strip()
    left, right = readings(ref, language), readings(hyp, language)
    found = compared(left, right)
    return left.before(found.left), left.after(found.left), right.after(found.right)


def is_endless(text: str) -> bool:
    """Return whether a text has a word that is longer than any value; ideographs are no such word.

    >>> is_endless("1" * 1_000), is_endless("1" * 1_001)
    (False, True)
    """
    return len(text) > _LONGEST_WORD and _ENDLESS.search(text) is not None


def _says_same(ref: str, hyp: str, language: str) -> bool:
    left, right = ref.casefold().split(), hyp.casefold().split()
    if left == right:
        return True
    if is_endless(ref) or is_endless(hyp):
        return False
    is_plain = grammar(language).is_plain
    if all(map(is_plain, left)) and all(map(is_plain, right)):
        return False
    return compared(readings(ref, language), readings(hyp, language)).same


def compared(left: Readings, right: Readings) -> Meeting:
    """Return whether two texts share a reading, and how far they agree if not."""
    return meeting(*_lattices(left, right))


def _lattices(left: Readings, right: Readings) -> tuple[Lattice, Lattice]:
    """Return both lattices, each with its words letter by letter if the other is spelled."""
    one = left.with_words() if right.has_spelling else left.lattice
    other = right.with_words() if left.has_spelling else right.lattice
    return one, other


def stretches(
    ref: Sequence[str], hyp: Sequence[str], language: str
) -> list[tuple[int, int, int, int]]:
    """Return the words that say the same in the best alignment: from where to where in each text.

    >>> stretches("it cost five dollars now".split(), "it costs $5 now".split(), "en")
    [(2, 4, 2, 3)]
    """
    if any(map(is_endless, (*ref, *hyp))):
        return []
    left, right = _ReadSide.of(ref, language), _ReadSide.of(hyp, language)
    one, other = _lattices(left.found, right.found)
    jumps = {
        (a, b): reached
        for a in left.nodes
        for b in right.nodes
        if (reached := _reached(one, other, (a, b), left.nodes, right.nodes))
    }
    return [(*left.words(a, c), *right.words(b, d)) for (a, b), (c, d) in _best(left, right, jumps)]


class _ReadSide(NamedTuple):
    """A text of words: its readings, the nodes where words begin, and the word of each node."""

    source: Sequence[str]
    found: Readings
    nodes: dict[int, int]

    @classmethod
    def of(cls, words: Sequence[str], language: str) -> _ReadSide:
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
        return self.source[self.nodes[node]].casefold().strip(EDGES)


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
    left: _ReadSide, right: _ReadSide, jumps: dict[tuple[int, int], list[tuple[int, int]]]
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
