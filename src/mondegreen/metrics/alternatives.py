"""References that allow several readings: alternations, optional words, compounds.

A reference is a chain of places, each with its readings (token sequences). The cheapest reading
against the hypothesis is chosen by a dynamic programme over the chain; what follows is an ordinary
alignment of that reading.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from mondegreen.align.costs import Costs, Set
from mondegreen.errors import DataError

Reading = tuple[str, ...]
Place = tuple[Reading, ...]
_OPTIONAL = re.compile(r"\(([^()]+)\)")
NOTHING = "@"


def resolve(
    ref: Sequence[str],
    hyp: Sequence[str],
    costs: Costs,
    alternatives: bool,  # noqa: FBT001 (one of two readings of the same text)
    compounds: bool,  # noqa: FBT001
) -> list[str]:
    """Return the cheapest reading of a reference; the earlier one of equals.

    >>> from mondegreen.align.costs import UNIT
    >>> resolve("the { cat / dog / @ } sat".split(), ["the", "sat"], UNIT, True, False)
    ['the', 'sat']
    """
    places: list[Place] = parse(ref) if alternatives else [((word,),) for word in ref]
    if compounds:
        places = _with_compounds(places, hyp)
    if all(len(place) == 1 for place in places):
        return [word for place in places for word in place[0]]
    return _cheapest(places, hyp, costs.plain)


def parse(tokens: Sequence[str]) -> list[Place]:
    """Read ``{ a / b c / @ }`` and ``(uh)`` off a reference's tokens.

    >>> parse("{ a / b c / @ } (uh) d".split())
    [(('a',), ('b', 'c'), ()), (('uh',), ()), (('d',),)]

    Raises:
        DataError: if braces do not match.
    """
    places: list[Place] = []
    words = " ".join(tokens).replace("{", " { ").replace("}", " } ").split()
    at = 0
    while at < len(words):
        if words[at] == "{":
            end = words.index("}", at) if "}" in words[at:] else -1
            inside = words[at + 1 : end]
            if end < 0 or "{" in inside:
                raise DataError(f"the braces do not match in: {' '.join(tokens):.60}")
            places.append(_readings(inside))
            at = end + 1
            continue
        if words[at] == "}":
            raise DataError(f"the braces do not match in: {' '.join(tokens):.60}")
        optional = _OPTIONAL.fullmatch(words[at])
        places.append(((optional[1],), ()) if optional else ((words[at],),))
        at += 1
    return places


def _readings(inside: list[str]) -> Place:
    readings: list[list[str]] = [[]]
    for word in inside:
        if word == "/":
            readings.append([])
        elif word != NOTHING:
            readings[-1].append(word)
    return tuple(tuple(reading) for reading in readings)


def _with_compounds(places: list[Place], hyp: Sequence[str]) -> list[Place]:
    """Let two words be read as one where the hypothesis has them so, and one as two."""
    heard = set(hyp)
    joined = {left + right: (left, right) for left, right in pairwise(hyp)}
    found: list[Place] = []
    at = 0
    while at < len(places):
        place = places[at]
        if len(place) == 1 and len(place[0]) == 1:
            (word,) = place[0]
            following = places[at + 1] if at + 1 < len(places) else ((),)
            if len(following) == 1 and len(following[0]) == 1 and word + following[0][0] in heard:
                found.append(((word, following[0][0]), (word + following[0][0],)))
                at += 2
                continue
            if word in joined and word not in heard:
                place = (place[0], joined[word])
        found.append(place)
        at += 1
    return found


def _cheapest(places: list[Place], hyp: Sequence[str], costs: Set) -> list[str]:
    """Choose a reading at each place. ``best[j]`` is the cost of all so far against ``hyp[:j]``."""
    best = [j * costs.insertion for j in range(len(hyp) + 1)]
    chosen: list[list[tuple[int, int]]] = []  # for each place and column: reading, column before
    for place in places:
        options = []
        for number, reading in enumerate(place):
            rows = _advance(best, reading, hyp, costs)
            options += [(cost, number, j, start) for j, (cost, start) in enumerate(rows)]
        columns = [min(o for o in options if o[2] == j) for j in range(len(hyp) + 1)]
        best = [cost for cost, *_ in columns]
        chosen.append([(number, start) for _, number, _, start in columns])
    words: list[str] = []
    j = len(hyp)
    for place, columns_of in zip(reversed(places), reversed(chosen), strict=True):
        number, start = columns_of[j]
        words[:0] = place[number]
        j = start
    return words


def _advance(
    best: list[int], reading: Reading, hyp: Sequence[str], costs: Set
) -> list[tuple[int, int]]:
    """Costs after a reading, and from which column it began."""
    row = [(cost, j) for j, cost in enumerate(best)]
    for word in reading:
        above, row = row, [(row[0][0] + costs.deletion, row[0][1])]
        for j, heard in enumerate(hyp):
            cost = costs.copy if word == heard else costs.substitution
            row.append(
                min(
                    (above[j][0] + cost, above[j][1]),
                    (above[j + 1][0] + costs.deletion, above[j + 1][1]),
                    (row[j][0] + costs.insertion, row[j][1]),
                )
            )
    return row
