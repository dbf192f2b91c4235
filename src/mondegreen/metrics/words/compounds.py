"""Compounds: words of a hypothesis joined or split so that they are the reference's."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from mondegreen.align import DELETION, INSERTION, MATCH, align
from mondegreen.align.costs import Costs

LONGEST = 6
"""Parts of a compound."""
_APART = 2  # matches between two errors that one compound may reach over
_CELLS = 40_000  # a larger pair is respelt around its errors only

Ends = dict[tuple[int, int], list[tuple[int, int]]]
"""Where stretches of both sides with the same letters end, and how many words each has."""


def respelt(ref: list[str], hyp: list[str], costs: Costs) -> list[str]:
    """Return the hypothesis with those words joined or split that then are the reference's.

    No other way to join and split words leaves fewer errors.

    >>> from mondegreen.align.costs import UNIT
    >>> respelt(["icecream"], ["ice", "cream", "icecream"], UNIT)
    ['icecream', 'icecream']
    """
    if not _equal_ends(ref, hyp):
        return hyp
    if len(ref) * len(hyp) <= _CELLS:
        return _best(ref, hyp, costs)
    heard: list[str] = []
    i = j = 0
    for matched, (a, b) in _regions(align([ref], [hyp], costs).of(0).tolist()):
        words, given = ref[i : i + a], hyp[j : j + b]
        heard += given if matched else _best(words, given, costs)
        i, j = i + a, j + b
    return heard


def _equal_ends(ref: list[str], hyp: list[str]) -> Ends:
    """Return where stretches of both sides end that are the same letters with other spaces."""
    ends: dict[str, list[tuple[int, int]]] = {}
    for end, size, letters in _stretches(ref):
        ends.setdefault(letters, []).append((end, size))
    found: Ends = {}
    for j, b, letters in _stretches(hyp):
        for i, a in ends.get(letters, ()):
            if (a, b) != (1, 1):
                found.setdefault((i, j), []).append((a, b))
    return found


def _stretches(words: list[str]) -> Iterator[tuple[int, int, str]]:
    for end in range(1, len(words) + 1):
        for size in range(1, min(end, LONGEST) + 1):
            yield end, size, "".join(words[end - size : end])


def _best(ref: list[str], hyp: list[str], costs: Costs) -> list[str]:
    """Align both sides, in which a stretch may match one of the same letters."""
    whole, ends = costs.plain, _equal_ends(ref, hyp)
    best: dict[tuple[int, int], tuple[int, int]] = {(0, 0): (0, 0)}  # the cost, minus the hits
    back: dict[tuple[int, int], tuple[int, int]] = {}
    for i in range(len(ref) + 1):
        for j in range(len(hyp) + 1):
            ways: list[tuple[int, int, int, int]] = []
            if i and j:
                cost, hits = best[i - 1, j - 1]
                same = ref[i - 1] == hyp[j - 1]
                ways.append((cost + (0 if same else whole.substitution), hits - same, 1, 1))
            if i:
                cost, hits = best[i - 1, j]
                ways.append((cost + whole.deletion, hits, 1, 0))
            if j:
                cost, hits = best[i, j - 1]
                ways.append((cost + whole.insertion, hits, 0, 1))
            for a, b in ends.get((i, j), ()):
                cost, hits = best[i - a, j - b]
                ways.append((cost, hits - a, a, b))
            if ways:
                cost, hits, a, b = min(ways, key=lambda way: way[:2])
                best[i, j], back[i, j] = (cost, hits), (a, b)
    return _traced(ref, hyp, back)


def _traced(
    ref: list[str], hyp: list[str], back: dict[tuple[int, int], tuple[int, int]]
) -> list[str]:
    heard: list[list[str]] = []
    i, j = len(ref), len(hyp)
    while i or j:
        a, b = back[i, j]
        heard.append(ref[i - a : i] if a and b and (a, b) != (1, 1) else hyp[j - b : j])
        i, j = i - a, j - b
    return [word for words in reversed(heard) for word in words]


def _regions(steps: Sequence[int]) -> list[tuple[bool, tuple[int, int]]]:
    """Return stretches with and without errors: how many words of each side they have.

    Errors with few matches between them are in one stretch.
    """
    bounds: list[list[int]] = []
    for at, step in enumerate(steps):
        if step != MATCH:
            if bounds and at - bounds[-1][1] <= _APART:
                bounds[-1][1] = at + 1
            else:
                bounds.append([at, at + 1])
    regions, at = [], 0
    for start, end in [*bounds, [len(steps), len(steps)]]:
        for matched, part in ((True, steps[at:start]), (False, steps[start:end])):
            if part:
                size = (
                    sum(step != INSERTION for step in part),
                    sum(step != DELETION for step in part),
                )
                regions.append((matched, size))
        at = end
    return regions
