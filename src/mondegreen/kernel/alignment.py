"""The aligner and the bootstrap in plain Python."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from mondegreen.text.items import Item, words_of

MATCH, SUBSTITUTION, DELETION, INSERTION = range(4)
_LATEST = 1 << 48


Span = tuple[int, int]
"""When a word begins and ends, in the unit of costs."""
Times = tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]
"""The times of all words of one side, a row each, and where those of each item end."""
Cell = tuple[int, int]
"""What an alignment costs, and minus the number of its matches: the least cell is the best one."""


def align_pair(
    ref: Sequence[str],
    hyp: Sequence[str],
    costs: Sequence[int],
    marks: Sequence[int],
    times: tuple[Sequence[Span], Sequence[Span]] | None = None,
) -> list[int]:
    """Return the steps of the best alignment.

    ``costs`` are those of copy, substitution, deletion and insertion, and the same again for marked
    words of the reference; an insertion costs by the mark of the word before it. The best alignment
    is the cheapest; of equally cheap ones, the one with the most matches; of those, the one that,
    traced from the end, takes a diagonal step before a deletion and a deletion before an insertion.
    With ``times``, the distance of two words adds to the cost of pairing them, and the length of a
    word to the cost of leaving it alone.

    >>> align_pair("a a".split(), ["a"], [0, 1, 1, 1] * 2, [0, 0])
    [2, 0]
    >>> align_pair("a b".split(), "b a".split(), [0, 1, 1, 1] * 2, [0, 0])
    [3, 0, 2]
    """
    sets = [costs[4 * mark : 4 * mark + 4] for mark in marks]
    spans = times or ([(0, 0)] * len(ref), [(0, 0)] * len(hyp))
    rows: list[list[Cell]] = [[(0, 0)]]
    for span in spans[1]:
        rows[0].append(_plus(rows[0][-1], costs[3] + _length(span)))
    for word, when, (copy, substitution, deletion, insertion) in zip(
        ref, spans[0], sets, strict=True
    ):
        above, row = rows[-1], [_plus(rows[-1][0], deletion + _length(when))]
        for j, (other, span) in enumerate(zip(hyp, spans[1], strict=True)):
            same = word == other
            cost = (copy if same else substitution) + _apart(when, span)
            row.append(
                min(
                    _plus(above[j], cost, matches=same),
                    _plus(above[j + 1], deletion + _length(when)),
                    _plus(row[j], insertion + _length(span)),
                )
            )
        rows.append(row)
    return _trace(ref, hyp, rows, sets, spans)


def _plus(cell: Cell, cost: int, *, matches: int = 0) -> Cell:
    return cell[0] + cost, cell[1] - matches


def _length(span: Span) -> int:
    return span[1] - span[0]


def _apart(one: Span, other: Span) -> int:
    return abs(one[0] - other[0]) + abs(one[1] - other[1])


def _trace(
    ref: Sequence[str],
    hyp: Sequence[str],
    rows: list[list[Cell]],
    sets: list[Sequence[int]],
    spans: tuple[Sequence[Span], Sequence[Span]],
) -> list[int]:
    steps = []
    i, j = len(ref), len(hyp)
    while i or j:
        if i and j:
            copy, substitution, deletion, _ = sets[i - 1]
            same = ref[i - 1] == hyp[j - 1]
            cost = (copy if same else substitution) + _apart(spans[0][i - 1], spans[1][j - 1])
            if rows[i][j] == _plus(rows[i - 1][j - 1], cost, matches=same):
                step = MATCH if same else SUBSTITUTION
            else:
                lost = deletion + _length(spans[0][i - 1])
                step = DELETION if rows[i][j] == _plus(rows[i - 1][j], lost) else INSERTION
        else:
            step = DELETION if i else INSERTION
        steps.append(step)
        i -= step != INSERTION
        j -= step != DELETION
    return steps[::-1]


def spans_of_items(times: Times) -> list[list[Span]]:
    """Return the times of each item.

    Raises:
        ValueError: if they are not in order, or out of range.
    """
    spans, ends = [(int(a), int(b)) for a, b in times[0].tolist()], times[1].tolist()
    if any(end < start or max(abs(start), abs(end)) > _LATEST for start, end in spans):
        raise ValueError("a word has times that are out of range")
    starts = [0, *ends[:-1]]
    if any(not 0 <= start <= end <= len(spans) for start, end in zip(starts, ends, strict=True)):
        raise ValueError("the ends of times are not in order")
    return [spans[start:end] for start, end in zip(starts, ends, strict=True)]


def pair_times(
    times: tuple[Times, Times] | None, refs: Sequence[Sequence[str]], hyps: Sequence[Sequence[str]]
) -> list[tuple[list[Span], list[Span]]] | list[None]:
    """Return the times of each pair; ``None`` for each without times.

    Raises:
        ValueError: if an item has not as many times as words.
    """
    if times is None:
        return [None] * len(refs)
    sides = [spans_of_items(side) for side in times]
    for side, words in zip(sides, (refs, hyps), strict=True):
        if [len(one) for one in side] != [len(one) for one in words]:
            raise ValueError("an item needs as many times as words")
    return list(zip(*sides, strict=True))


def align(
    refs: list[Item],
    hyps: list[Item],
    costs: Sequence[int],
    characters: bool,  # noqa: FBT001 (the kernel's signature)
    threads: int,  # noqa: ARG001 (the kernel's signature)
    marks: Sequence[bytes | None] | None,
    keep: Sequence[str],
    regions: bool,  # noqa: FBT001 (the kernel's signature)
    times: tuple[Times, Times] | None = None,
) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Align many pairs; see :func:`mondegreen.align.align`."""
    steps: list[int] = []
    ends, counts = [], []
    sides = [[_units(item, characters=characters) for item in side] for side in (refs, hyps)]
    spans = pair_times(times, *sides)
    for item, (words, hyp) in enumerate(zip(*sides, strict=True)):
        ref = words
        flags = [0] * len(ref)
        given = marks[item] if marks is not None else b""
        if given is None:
            flags = [int(word.isupper() and word not in keep) for word in ref]
            ref = [word.lower() for word in ref]
        elif marks is not None:
            flags = list(given)
        found = align_pair(ref, hyp, costs, flags, spans[item])
        steps += found
        ends.append(len(steps))
        counts.append(_count(found, flags, regions))
    width = 4 if marks is None else 8
    return (
        np.array(steps, np.uint8),
        np.array(ends, np.int64),
        np.array(counts, np.int64).reshape(-1, 8)[:, :width],
    )


def align_nist(
    refs: list[Item],
    hyps: list[Item],
    threads: int,  # noqa: ARG001 (the kernel's signature)
) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.int64]]:
    """Return the steps of pairs by sclite's costs and ties, and where those of each pair end.

    A substitution costs 4, a deletion or insertion 3. Of equally cheap alignments it is the one
    that, traced from the end, takes a diagonal step before an insertion, and that before a
    deletion.
    """
    steps: list[int] = []
    ends = []
    for ref_item, hyp_item in zip(refs, hyps, strict=True):
        ref, hyp = words_of(ref_item), words_of(hyp_item)
        rows = [[3 * j for j in range(len(hyp) + 1)]]
        for word in ref:
            above, row = rows[-1], [rows[-1][0] + 3]
            for j, other in enumerate(hyp):
                diagonal = above[j] + (0 if word == other else 4)
                row.append(min(diagonal, above[j + 1] + 3, row[j] + 3))
            rows.append(row)
        found = []
        i, j = len(ref), len(hyp)
        while i or j:
            same = bool(i and j) and ref[i - 1] == hyp[j - 1]
            if i and j and rows[i][j] == rows[i - 1][j - 1] + (0 if same else 4):
                step = MATCH if same else SUBSTITUTION
            else:
                step = INSERTION if j and rows[i][j] == rows[i][j - 1] + 3 else DELETION
            found.append(step)
            i -= step != INSERTION
            j -= step != DELETION
        steps += found[::-1]
        ends.append(len(steps))
    return np.array(steps, np.uint8), np.array(ends, np.int64)


def _units(item: Item, *, characters: bool) -> list[str]:
    words = words_of(item)
    return list(" ".join(words)) if characters else words


def _count(steps: list[int], flags: Sequence[int], regions: bool) -> list[int]:  # noqa: FBT001
    counts = [0] * 8
    i = 0
    for step in steps:
        if step == INSERTION:
            beside = any(flags[max(0, i - 1) : i + 1])
            counts[step + 4 * (regions and beside)] += 1
        else:
            counts[step + 4 * flags[i]] += 1
            i += 1
    return counts


Arrays = tuple[npt.NDArray[np.uint8], npt.NDArray[np.int64], npt.NDArray[np.int64]]


def align_symbols(
    refs: list[str],
    hyps: list[str],
    symbols: Sequence[str],
    silent: Sequence[str],
    substitution: npt.NDArray[np.int64],
    indel: npt.NDArray[np.int64],
) -> tuple[Arrays, Arrays] | None:
    """Align texts of known symbols; see :func:`mondegreen.align.align_symbols`."""
    numbers = {symbol: i for i, symbol in enumerate(symbols)}
    sides = [
        [[s for s in text.split() if s not in silent] for text in side] for side in (refs, hyps)
    ]
    if any(symbol not in numbers for side in sides for one in side for symbol in one):
        return None
    table, indels = substitution.tolist(), indel.tolist()
    steps: list[int] = []
    ends, costs = [], []
    for left, right in zip(*sides, strict=True):
        ref, hyp = [numbers[s] for s in left], [numbers[s] for s in right]
        rows: list[list[Cell]] = [
            [(sum(indels[h] for h in hyp[:j]), 0) for j in range(len(hyp) + 1)]
        ]
        for r in ref:
            above, row = rows[-1], [_plus(rows[-1][0], indels[r])]
            for j, h in enumerate(hyp):
                diagonal = _plus(above[j], table[r][h], matches=r == h)
                row.append(min(diagonal, _plus(above[j + 1], indels[r]), _plus(row[j], indels[h])))
            rows.append(row)
        steps += _trace_table(ref, hyp, rows, table, indels)
        ends.append(len(steps))
        costs.append(rows[-1][-1][0])
    plain = align(list(sides[0]), list(sides[1]), [0, 1, 1, 1] * 2, False, 1, None, [], False)  # noqa: FBT003
    weighted = np.array(steps, np.uint8), np.array(ends, np.int64), np.array(costs, np.int64)
    return plain, weighted


def _trace_table(
    ref: list[int],
    hyp: list[int],
    rows: list[list[Cell]],
    table: list[list[int]],
    indels: list[int],
) -> list[int]:
    steps = []
    i, j = len(ref), len(hyp)
    while i or j:
        r, h = ref[i - 1] if i else -1, hyp[j - 1] if j else -1
        if i and j and rows[i][j] == _plus(rows[i - 1][j - 1], table[r][h], matches=r == h):
            step = MATCH if r == h else SUBSTITUTION
        elif i and rows[i][j] == _plus(rows[i - 1][j], indels[r]):
            step = DELETION
        else:
            step = INSERTION
        steps.append(step)
        i -= step != INSERTION
        j -= step != DELETION
    return steps[::-1]


def distances(refs: list[Item], hyps: list[Item], threads: int) -> npt.NDArray[np.int64]:  # noqa: ARG001
    """Return for each pair the number of the reference's characters, and the distance in them."""
    found = []
    for ref_item, hyp_item in zip(refs, hyps, strict=True):
        ref, hyp = (_units(item, characters=True) for item in (ref_item, hyp_item))
        row = list(range(len(hyp) + 1))
        for i, unit in enumerate(ref, start=1):
            above, row = row, [i]
            for j, other in enumerate(hyp):
                row.append(min(above[j] + (unit != other), above[j + 1] + 1, row[j] + 1))
        found.append((len(ref), row[-1]))
    return np.array(found, np.int64).reshape(-1, 2)


def resample(
    rows: npt.NDArray[np.int64],
    key: int,
    replicates: int,
    threads: int,  # noqa: ARG001 (the kernel's signature)
) -> npt.NDArray[np.int64]:
    """Return bootstrap sums: each replicate sums ``len(rows)`` rows drawn with replacement."""
    n = len(rows)
    sums = np.empty((replicates, rows.shape[1]), np.int64)
    for r in range(replicates):
        sums[r] = rows[_drawn(key, r * n + np.arange(n, dtype=np.uint64), n)].sum(axis=0)
    return sums


def _drawn(key: int, places: npt.NDArray[np.uint64], n: int) -> npt.NDArray[np.int64]:
    """Return :func:`mondegreen.kernel.draws.value` in lane 0 of many sites, scaled to 0 … n - 1."""
    z = np.uint64(key) + (places * np.uint64(256) + np.uint64(1)) * np.uint64(0x9E3779B97F4A7C15)
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    z ^= z >> np.uint64(31)
    return ((z >> np.uint64(32)) * np.uint64(n) >> np.uint64(32)).astype(np.int64)
