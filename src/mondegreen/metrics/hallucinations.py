"""Hallucinations: loops, text for silence, and long runs far from anything that was said."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from mondegreen.align import DELETION, INSERTION, MATCH, Alignment, distances
from mondegreen.metrics.metric import Rate
from mondegreen.metrics.score import Counts

COLUMNS = ("hallucinated", "looped", "spoke_in_silence", "strayed", "hallucinated_words")
RATES = (
    Rate(
        "hallucination_rate",
        lambda s: (s["hallucinated"], s["utterances"]),
        lower_is_better=True,
        columns=COLUMNS,
        exact="hallucinated",
    ),
)
LOOP, SILENCE, STRAY = "loop", "silence", "stray"
_TIMES = 4  # repetitions in a row that make a loop
_LONGEST = 12  # words of what is repeated
_RUN = 5  # words of a run that may be invented
_SURPLUS = 3  # words that a run must have more than the reference has there
_FAR = 0.6  # share of the letters of the run that differ from those of the reference

Words = Sequence[str]


class Hallucination(NamedTuple):
    """What is invented in an utterance: ``loop``, ``silence`` or ``stray``, and the words."""

    kind: str
    start: int
    end: int


def loops(words: Words) -> Iterator[tuple[int, int, int]]:
    """Yield start, end and times of what is repeated four times or more in a row.

    >>> list(loops("so thank you thank you thank you thank you".split()))
    [(1, 9, 4)]
    """
    at = 0
    while at < len(words):
        best = (0, 0)
        for size in range(1, min(_LONGEST, (len(words) - at) // _TIMES) + 1):
            times = 1
            unit = words[at : at + size]
            while words[at + times * size : at + (times + 1) * size] == unit:
                times += 1
            if times >= _TIMES and times * size > best[0]:
                best = (times * size, times)
        if best[0]:
            yield at, at + best[0], best[1]
            at += best[0]
        else:
            at += 1


def hallucinations(ref: Words, hyp: Words, steps: Sequence[int]) -> list[Hallucination]:
    """Return what a hypothesis invents.

    >>> hallucinations([], ["thank", "you"], [3, 3])
    [Hallucination(kind='silence', start=0, end=2)]
    """
    if not ref:
        return [Hallucination(SILENCE, 0, len(hyp))] if hyp else []
    said = max((times for _, _, times in loops(ref)), default=1)
    found = [Hallucination(LOOP, a, b) for a, b, times in loops(hyp) if times > said]
    taken = {at for one in found for at in range(one.start, one.end)}
    for (a, b), (c, d) in _error_runs(steps):
        if d - c >= _RUN and d - c - (b - a) >= _SURPLUS and not taken & set(range(c, d)):
            letters, apart = _letters(ref[max(0, a - 1) : b + 1], hyp[c:d])
            if apart >= _FAR * letters:
                found.append(Hallucination(STRAY, c, d))
    return found


def _error_runs(steps: Sequence[int]) -> Iterator[tuple[tuple[int, int], tuple[int, int]]]:
    """Yield the stretches without a match: the words of both sides."""
    i = j = a = c = 0
    for step in [*steps, MATCH]:
        if step == MATCH:
            if j > c or i > a:
                yield (a, i), (c, j)
            i, j = i + 1, j + 1
            a, c = i, j
            continue
        i += step != INSERTION
        j += step != DELETION


def _letters(ref: Words, hyp: Words) -> tuple[int, int]:
    """Return how many letters a run has, and how many of them are not in the reference."""
    ((letters, apart),) = distances([" ".join(hyp)], [" ".join(ref)]).tolist()
    return letters, apart


def count_hallucinations(refs: Sequence[Words], hyps: Sequence[Words], found: Alignment) -> Counts:
    """Count hallucinations per utterance; only utterances with enough errors are looked at."""
    table = np.zeros((len(refs), len(COLUMNS)), np.int64)
    counts = found.counts
    said = counts[:, 0] + counts[:, 1] + counts[:, 2]
    maybe = (counts[:, 1] + counts[:, 3] >= _TIMES - 1) | ((said == 0) & (counts[:, 3] > 0))
    for item in maybe.nonzero()[0].tolist():
        ones = hallucinations(refs[item], hyps[item], found.of(item).tolist())
        if ones:
            kinds = [one.kind for one in ones]
            words = sum(one.end - one.start for one in ones)
            table[item] = 1, LOOP in kinds, SILENCE in kinds, STRAY in kinds, words
    return table
