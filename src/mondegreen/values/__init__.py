"""Values: do two texts say the same, however it is written?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from mondegreen.errors import DataError
from mondegreen.values.compare import compared, says_same
from mondegreen.values.grammar import LANGUAGES as LANGUAGES
from mondegreen.values.grammar import grammar
from mondegreen.values.readings import readings


class Difference(NamedTuple):
    """Where two texts part: what they both say, and what each of them says next."""

    shared: str
    ref: str
    hyp: str

    def __str__(self) -> str:
        start = f"after “{self.shared}”, " if self.shared else ""
        return f"{start}{_quoted(self.ref)} is not {_quoted(self.hyp)}"


def same(refs: Sequence[str], hyps: Sequence[str], language: str = "en") -> list[bool]:
    """Return for each pair of texts whether they say the same value.

    >>> same(["8:55 a.m.", "ZK3FFW", "$15"], ["eight fifty five a m", "Z K three F F W", "$50"])
    [True, True, False]

    Raises:
        DataError: if the language has no grammar, or the two lists differ in length.
    """
    if len(refs) != len(hyps):
        raise DataError(f"{len(refs)} references but {len(hyps)} hypotheses")
    grammar(language)
    found: dict[tuple[str, str], bool] = {}
    for pair in zip(refs, hyps, strict=True):
        if pair not in found:
            found[pair] = says_same(*pair, language)
    return [found[pair] for pair in zip(refs, hyps, strict=True)]


def difference(ref: str, hyp: str, language: str = "en") -> Difference | None:
    """Return where two texts part; ``None`` if they say the same.

    >>> print(difference("at one fifty p m", "at 1:15 p.m."))
    after “at”, “one fifty p m” is not “1:15 p.m.”
    """
    if says_same(ref, hyp, language):
        return None
    left, right = readings(ref, language), readings(hyp, language)
    found = compared(left, right)
    return Difference(left.before(found.left), left.after(found.left), right.after(found.right))


def _quoted(text: str) -> str:
    return f"“{text}”" if text else "nothing"
