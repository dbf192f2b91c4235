"""Alignment of two word networks in plain Python."""

from __future__ import annotations

from collections.abc import Collection, Sequence

Arc = tuple[int, int, int, bool]
"""From node, to node, number of the word (-1 for no word), and whether the word is optional."""
Steps = list[tuple[int, int]]
"""Arcs of reference and hypothesis by their numbers; -1 for a missing one."""
Spans = Sequence[tuple[int, int]]
"""When the word of each arc begins and ends, in the unit of costs."""
NOTHING = -1


def align_networks(
    ref: Sequence[Arc],
    hyp: Sequence[Arc],
    costs: Sequence[int],
    alike: Collection[tuple[int, int]] = (),
    times: tuple[Spans, Spans] | None = None,
) -> Steps:
    """Return the steps of the best alignment of any reading of one network with any of the other.

    Nodes are numbered so that every arc leads from a lower node to a higher one, and arcs come in
    the order of their ends. The best alignment is the cheapest; of equally cheap ones, the one with
    the most matches; of those, one that, traced from the end, takes a pair of arcs before a
    deletion and a deletion before an insertion, and an arc that is listed earlier before a later
    one.

    Args:
        ref: the arcs of the reference.
        hyp: the arcs of the hypothesis.
        costs: of a substitution, a deletion, an insertion, and of leaving out an optional word.
        alike: pairs of different words that match.
        times: the times of the arcs of both sides: the distance of two words then adds to the cost
            of pairing them, the length of a word to the cost of leaving it alone.

    >>> align_networks([(0, 1, 7, False)], [(0, 1, 7, False), (1, 2, 8, False)], [1, 1, 1, 1])
    [(0, 0), (-1, 1)]
    """
    substitution, deletion, insertion, optional = costs
    nodes = [max([0, *(arc[1] for arc in side)]) + 1 for side in (ref, hyp)]
    pairs = set(alike)
    spans = times or ([(0, 0)] * len(ref), [(0, 0)] * len(hyp))
    cells: dict[tuple[int, int], tuple[int, int]] = {}
    backs: dict[tuple[int, int], tuple[int, int]] = {}
    for i in range(nodes[0]):
        for j in range(nodes[1]):
            ways = [((0, 0), (NOTHING, NOTHING))] if i == j == 0 else []
            into_ref = [a for a, arc in enumerate(ref) if arc[1] == i]
            into_hyp = [b for b, arc in enumerate(hyp) if arc[1] == j]
            for a in into_ref:
                for b in into_hyp:
                    if NOTHING in (ref[a][2], hyp[b][2]):
                        continue
                    cost, matches = cells[ref[a][0], hyp[b][0]]
                    words = ref[a][2], hyp[b][2]
                    same = words[0] == words[1] or words in pairs
                    cost += (0 if same else substitution) + _apart(spans[0][a], spans[1][b])
                    ways.append(((cost, matches - same), (a, b)))
            for a in into_ref:
                cost, matches = cells[ref[a][0], j]
                cost += _alone(ref[a], spans[0][a], deletion, optional)
                ways.append(((cost, matches), (a, NOTHING)))
            for b in into_hyp:
                cost, matches = cells[i, hyp[b][0]]
                cost += _alone(hyp[b], spans[1][b], insertion, optional)
                ways.append(((cost, matches), (NOTHING, b)))
            cells[i, j], backs[i, j] = min(ways, key=lambda way: way[0])
    steps: Steps = []
    i, j = nodes[0] - 1, nodes[1] - 1
    while i or j:
        a, b = backs[i, j]
        steps.append((a, b))
        i = ref[a][0] if a != NOTHING else i
        j = hyp[b][0] if b != NOTHING else j
    return steps[::-1]


def _alone(arc: Arc, span: tuple[int, int], cost: int, optional: int) -> int:
    """Return what it costs to leave an arc without a partner."""
    if arc[2] == NOTHING:
        return 0
    return (optional if arc[3] else cost) + span[1] - span[0]


def _apart(one: tuple[int, int], other: tuple[int, int]) -> int:
    return abs(one[0] - other[0]) + abs(one[1] - other[1])
