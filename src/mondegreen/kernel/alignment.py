"""The aligner and the bootstrap in plain Python."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from mondegreen.text.items import Item, words_of

MATCH, SUBSTITUTION, DELETION, INSERTION = range(4)


def align_pair(
    ref: Sequence[str], hyp: Sequence[str], costs: Sequence[int], marks: Sequence[int]
) -> list[int]:
    """Return the steps of the cheapest alignment.

    ``costs`` are those of copy, substitution, deletion and insertion, then the same four for marked
    words of the reference. The cost of an insertion depends on the mark of the word before it. If
    several alignments are cheapest, the trace from the end prefers a diagonal step to a deletion,
    and a deletion to an insertion.

    >>> align_pair("a a".split(), ["a"], [0, 1, 1, 1] * 2, [0, 0])
    [2, 0]
    """
    sets = [costs[4 * mark : 4 * mark + 4] for mark in marks]
    rows = [[j * costs[3] for j in range(len(hyp) + 1)]]
    for word, (copy, substitution, deletion, insertion) in zip(ref, sets, strict=True):
        above, row = rows[-1], [rows[-1][0] + deletion]
        for j, other in enumerate(hyp):
            diagonal = above[j] + (copy if word == other else substitution)
            row.append(min(diagonal, above[j + 1] + deletion, row[j] + insertion))
        rows.append(row)
    return _trace(ref, hyp, rows, sets)


def _trace(
    ref: Sequence[str], hyp: Sequence[str], rows: list[list[int]], sets: list[Sequence[int]]
) -> list[int]:
    steps = []
    i, j = len(ref), len(hyp)
    while i or j:
        if i and j:
            copy, substitution, deletion, _ = sets[i - 1]
            same = ref[i - 1] == hyp[j - 1]
            if rows[i][j] == rows[i - 1][j - 1] + (copy if same else substitution):
                step = MATCH if same else SUBSTITUTION
            else:
                step = DELETION if rows[i][j] == rows[i - 1][j] + deletion else INSERTION
        else:
            step = DELETION if i else INSERTION
        steps.append(step)
        i -= step != INSERTION
        j -= step != DELETION
    return steps[::-1]


def align(
    refs: list[Item],
    hyps: list[Item],
    costs: Sequence[int],
    characters: bool,  # noqa: FBT001 (the kernel's signature)
    threads: int,  # noqa: ARG001 (the kernel's signature)
    marks: Sequence[bytes | None] | None,
    keep: Sequence[str],
    regions: bool,  # noqa: FBT001 (the kernel's signature)
) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Align many pairs; see :func:`mondegreen.align.align`."""
    steps: list[int] = []
    ends, counts = [], []
    for item, (ref_item, hyp_item) in enumerate(zip(refs, hyps, strict=True)):
        ref, hyp = _units(ref_item, characters), _units(hyp_item, characters)
        flags = [0] * len(ref)
        given = marks[item] if marks is not None else b""
        if given is None:
            flags = [int(word.isupper() and word not in keep) for word in ref]
            ref = [word.lower() for word in ref]
        elif marks is not None:
            flags = list(given)
        found = align_pair(ref, hyp, costs, flags)
        steps += found
        ends.append(len(steps))
        counts.append(_count(found, flags, regions))
    width = 4 if marks is None else 8
    return (
        np.array(steps, np.uint8),
        np.array(ends, np.int64),
        np.array(counts, np.int64).reshape(-1, 8)[:, :width],
    )


def _units(item: Item, characters: bool) -> list[str]:  # noqa: FBT001 (the kernel's signature)
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
        rows = [[sum(indels[h] for h in hyp[:j]) for j in range(len(hyp) + 1)]]
        for r in ref:
            above, row = rows[-1], [rows[-1][0] + indels[r]]
            for j, h in enumerate(hyp):
                row.append(
                    min(above[j] + table[r][h], above[j + 1] + indels[r], row[j] + indels[h])
                )
            rows.append(row)
        steps += _trace_table(ref, hyp, rows, table, indels)
        ends.append(len(steps))
        costs.append(rows[-1][-1])
    plain = align(list(sides[0]), list(sides[1]), [0, 1, 1, 1] * 2, False, 1, None, [], False)  # noqa: FBT003
    weighted = np.array(steps, np.uint8), np.array(ends, np.int64), np.array(costs, np.int64)
    return plain, weighted


def _trace_table(
    ref: list[int],
    hyp: list[int],
    rows: list[list[int]],
    table: list[list[int]],
    indels: list[int],
) -> list[int]:
    steps = []
    i, j = len(ref), len(hyp)
    while i or j:
        if i and j and rows[i][j] == rows[i - 1][j - 1] + table[ref[i - 1]][hyp[j - 1]]:
            step = MATCH if ref[i - 1] == hyp[j - 1] else SUBSTITUTION
        elif i and rows[i][j] == rows[i - 1][j] + indels[ref[i - 1]]:
            step = DELETION
        else:
            step = INSERTION
        steps.append(step)
        i -= step != INSERTION
        j -= step != DELETION
    return steps[::-1]


def distances(refs: list[Item], hyps: list[Item], threads: int) -> npt.NDArray[np.int64]:
    """Return lengths and distances in characters; see :func:`mondegreen.align.distances`."""
    _, _, counts = align(refs, hyps, [0, 1, 1, 1] * 2, True, threads, None, [], False)  # noqa: FBT003
    return np.column_stack([counts[:, :3].sum(axis=1), counts[:, 1:].sum(axis=1)])


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
