"""MAPSSWE: NIST's matched-pair test over segments between words that both systems have right.

Segments are found as ``sc_stats`` of NIST's SCTK finds them, on alignments with sclite's costs and
ties, so that segments and z are the same.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import sqrt

from mondegreen.align import INSERTION, MATCH
from mondegreen.metrics.statistics.quantiles import normal_p

_GOOD = 2  # words that both systems have right end a segment


@dataclass(frozen=True)
class Mapsswe:
    """The result of the test; positive where the first system makes more errors.

    ``z`` and ``p`` are ``None`` where they are not defined: fewer than two segments, or the same
    difference in all of them.
    """

    segments: int
    mean: float
    deviation: float
    z: float | None
    p: float | None


def mapsswe(gaps: Iterable[int]) -> Mapsswe | None:
    """Return the test over the differences in errors; ``None`` where there is no segment.

    A counter of the differences stands for all of them.

    >>> round(mapsswe([1, 0, 1]).z, 3), round(mapsswe(Counter({1: 2, 0: 1})).z, 3)
    (2.0, 2.0)
    """
    times = gaps if isinstance(gaps, Counter) else Counter(gaps)
    n = sum(times.values())
    if not n:
        return None
    mean = sum(gap * often for gap, often in times.items()) / n
    squares = sum(often * (gap - mean) ** 2 for gap, often in sorted(times.items()))
    deviation = sqrt(squares / (n - 1)) if n > 1 else 0.0
    if not deviation:
        return Mapsswe(n, mean, deviation, None, None)
    z = mean / (deviation / sqrt(n))
    return Mapsswe(n, mean, deviation, z, normal_p(z))


def segment_gaps(first: Sequence[int], second: Sequence[int]) -> list[int]:
    """Return for each segment the errors of the first system less those of the second.

    Args:
        first: the steps of the first system on an utterance.
        second: the steps of the second system on the same utterance.
    """
    walk = _Walk(first, second)
    while walk.at[0] < len(first):
        walk.skip_insertions()
        walk.look()
        walk.advance()
    return walk.finish()


class _Walk:
    """Walks over two alignments of one reference, word by word, and cuts segments."""

    def __init__(self, first: Sequence[int], second: Sequence[int]) -> None:
        self.sides = (first, second)
        self.at = [0, 0]
        self.ends_of_good = [0, 0]
        self.in_error = False
        self.good = 0
        self.gaps: list[int] = []

    def skip_insertions(self) -> None:
        """Step over insertions, which are errors, on both sides."""
        for side, steps in enumerate(self.sides):
            while self.at[side] < len(steps) and steps[self.at[side]] == INSERTION:
                self.at[side] += 1
                self.in_error, self.good = True, 0

    def look(self) -> None:
        """Look at one word of the reference on both sides; end a segment after enough good ones."""
        right = all(
            at < len(steps) and steps[at] == MATCH
            for at, steps in zip(self.at, self.sides, strict=True)
        )
        if not right:
            self.in_error, self.good = True, 0
        elif not self.in_error:
            self.ends_of_good = list(self.at)
        else:
            self.good += 1
            if self.good == _GOOD:
                self._cut([at + 1 for at in self.at])
                self.ends_of_good = list(self.at)
                self.in_error, self.good = False, 0

    def advance(self) -> None:
        """Go to the next word on both sides."""
        self.at = [min(at + 1, len(s)) for at, s in zip(self.at, self.sides, strict=True)]

    def finish(self) -> list[int]:
        """Cut what is left at the end of the utterance."""
        if self.in_error or self.at[1] < len(self.sides[1]):
            self._cut([len(steps) for steps in self.sides])
        return self.gaps

    def _cut(self, ends: list[int]) -> None:
        starts = [max(0, end - (_GOOD - 1)) for end in self.ends_of_good]
        errors = [
            sum(step != MATCH for step in steps[start:end])
            for steps, start, end in zip(self.sides, starts, ends, strict=True)
        ]
        if any(errors):
            self.gaps.append(errors[0] - errors[1])
