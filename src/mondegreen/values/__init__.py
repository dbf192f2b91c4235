"""Values: do two texts say the same, however it is written?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from mondegreen.errors import DataError
from mondegreen.values.compare import says_same, verdicts
from mondegreen.values.engine import engine
from mondegreen.values.grammar import LANGUAGES as LANGUAGES


class Parting(NamedTuple):
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
    pairs = list(zip(refs, hyps, strict=True))
    once = list(dict.fromkeys(pairs))
    judged = verdicts([ref for ref, _ in once], [hyp for _, hyp in once], language)
    if len(once) == len(pairs):
        return judged
    found = dict(zip(once, judged, strict=True))
    return [found[pair] for pair in pairs]


def difference(ref: str, hyp: str, language: str = "en") -> Parting | None:
    """Return where two texts part; ``None`` if they say the same.

    >>> print(difference("at one fifty p m", "at 1:15 p.m."))
    after “at”, “one fifty p m” is not “1:15 p.m.”
    """
    return differences([ref], [hyp], language)[0]


def differences(
    refs: Sequence[str], hyps: Sequence[str], language: str = "en"
) -> list[Parting | None]:
    """Return for each pair of texts where they part; ``None`` if they say the same."""
    found = engine(language).apart(list(refs), list(hyps))
    return [
        None if parts is None or says_same(ref, hyp, language) else Parting(*parts)
        for ref, hyp, parts in zip(refs, hyps, found, strict=True)
    ]


def _quoted(text: str) -> str:
    return f"“{text}”" if text else "nothing"
