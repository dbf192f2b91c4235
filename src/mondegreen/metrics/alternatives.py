"""References that allow several readings: alternations, optional words, compounds.

A reference is a chain of places, each with its readings (token sequences). The cheapest reading
against the hypothesis is chosen by a dynamic programme over the chain; what follows is an ordinary
alignment of that reading.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from mondegreen.align.costs import Costs, Set
from mondegreen.errors import DataError

Reading = tuple[str, ...]
Place = tuple[Reading, ...]
_OPTIONAL = re.compile(r"\(([^()]+)\)")
NOTHING = "@"
_MARKS = frozenset(("{", "}", "/", NOTHING))


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
        else:
            place = (*place, *(r for reading in place for r in _joined(reading, heard)))
        found.append(place)
        at += 1
    return found


def _joined(reading: Reading, heard: set[str]) -> list[Reading]:
    """A reading with two of its words as one, where the hypothesis has them so."""
    return [
        (*reading[:k], left + right, *reading[k + 2 :])
        for k, (left, right) in enumerate(pairwise(reading))
        if left + right in heard
    ]


def around_marks(prepare: Callable[[str], str]) -> Callable[[str], str]:
    """Make a normaliser leave the marks of alternations and optional words as they are."""

    def prepared(text: str) -> str:
        words = text.replace("{", " { ").replace("}", " } ").split()
        return " ".join(filter(None, map(one, words)))

    def one(word: str) -> str:
        if word in _MARKS:
            return word
        optional = _OPTIONAL.fullmatch(word)
        return f"({prepare(optional[1])})" if optional else prepare(word)

    return prepared


_START = (
    2**20
)  # a cell is cost · _START + the column where its reading began: least cost, then column


def _cheapest(places: list[Place], hyp: Sequence[str], costs: Set) -> list[str]:
    """Choose a reading at each place. ``best[j]`` is the cost of all so far against ``hyp[:j]``."""
    numbers = {word: i for i, word in enumerate(dict.fromkeys(hyp))}
    heard = np.array([numbers[word] for word in hyp], np.int64)
    columns = np.arange(len(hyp) + 1, dtype=np.int64)
    best = columns * costs.insertion
    chosen: list[tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]] = []
    for place in places:
        options = np.stack(
            [_advance(best * _START + columns, r, numbers, heard, costs) for r in place]
        )
        reading = np.argmin(options // _START, axis=0)  # the earlier one of equals
        cells = options[reading, columns]
        best = cells // _START
        chosen.append((reading, cells % _START))
    words: list[str] = []
    j = len(hyp)
    for place, (reading, start) in zip(reversed(places), reversed(chosen), strict=True):
        words[:0] = place[reading[j]]
        j = int(start[j])
    return words


def _advance(
    row: npt.NDArray[np.int64],
    reading: Reading,
    numbers: dict[str, int],
    heard: npt.NDArray[np.int64],
    costs: Set,
) -> npt.NDArray[np.int64]:
    """Return the cells after a reading, a row a word."""
    steps = np.arange(len(row), dtype=np.int64) * costs.insertion * _START
    for word in reading:
        same = heard == numbers.get(word, -1)
        diagonal = row[:-1] + np.where(same, costs.copy, costs.substitution) * _START
        below = row + costs.deletion * _START
        below[1:] = np.minimum(below[1:], diagonal)
        row = np.minimum.accumulate(below - steps) + steps  # insertions, from left to right
    return row
