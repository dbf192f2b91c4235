"""Values: do two texts say the same, however it is written?"""

from __future__ import annotations

from collections.abc import Sequence

from mondegreen.errors import DataError
from mondegreen.values.lattice import Meeting, meeting
from mondegreen.values.readings import readings


def same(refs: Sequence[str], hyps: Sequence[str], language: str = "en") -> list[bool]:
    """Return for each pair of texts whether they say the same value.

    >>> same(["8:55 a.m.", "ZK3FFW", "$15"], ["eight fifty five a m", "Z K three F F W", "$50"])
    [True, True, False]

    Raises:
        DataError: if the language has no grammar, or the two lists differ in length.
    """
    if len(refs) != len(hyps):
        raise DataError(f"{len(refs)} references but {len(hyps)} hypotheses")
    return [compared(ref, hyp, language).same for ref, hyp in zip(refs, hyps, strict=True)]


def compared(ref: str, hyp: str, language: str = "en") -> Meeting:
    """Return whether two texts say the same, and how far they agree if not."""
    left, right = readings(ref, language), readings(hyp, language)
    one = left.with_words() if right.has_spelling else left.lattice
    other = right.with_words() if left.has_spelling else right.lattice
    return meeting(one, other)
