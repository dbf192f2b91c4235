"""The alignments of a score, step by step, with words and positions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, overload

from mondegreen.align import DELETION, INSERTION, MATCH, SUBSTITUTION, Alignment
from mondegreen.errors import DataError
from mondegreen.text.items import Item, words_of

if TYPE_CHECKING:
    from mondegreen.metrics.scores.score import Score

KINDS = {
    MATCH: "match",
    SUBSTITUTION: "substitution",
    DELETION: "deletion",
    INSERTION: "insertion",
}


_LETTERS = bytes.maketrans(bytes([MATCH, SUBSTITUTION, DELETION, INSERTION]), b"CSDI")
_CODES = dict(zip("CSDI", (MATCH, SUBSTITUTION, DELETION, INSERTION), strict=True))


class Step(NamedTuple):
    """One step of an alignment.

    ``kind`` is ``match``, ``substitution``, ``deletion`` or ``insertion``. ``ref`` and ``hyp`` are
    the words as they were compared, ``ref_at`` and ``hyp_at`` their positions, from 0. Both are
    ``None`` on the side that has no word.
    """

    kind: str
    ref: str | None
    hyp: str | None
    ref_at: int | None
    hyp_at: int | None


class Aligned:
    """What a score keeps if its pairs are aligned: the alignment, and both sides as compared."""

    alignment: Alignment
    refs: Sequence[Item]
    hyps: Sequence[Item]

    def of(self, item: int) -> Any:
        """Return the steps of one pair."""
        return self.alignment.of(item)

    def sides(self, item: int) -> tuple[str, str]:
        """Return reference and hypothesis as text."""
        return " ".join(words_of(self.refs[item])), " ".join(words_of(self.hyps[item]))

    def marked_words(self, item: int) -> list[str]:
        """Return the words of a reference, in UPPERCASE where that shows their marks."""
        return words_of(self.refs[item])


class Alignments(Sequence[list[Step]]):
    """The alignments of a score: one list of steps per utterance, made when it is read.

    >>> from mondegreen.score import words
    >>> for step in words(["play some jazz"], ["play jaws"]).alignments[0]:
    ...     print(*step)
    match play play 0 0
    deletion some None 1 None
    substitution jazz jaws 2 1
    """

    def __init__(self, score: Score) -> None:
        if not isinstance(score.detail, Aligned):
            raise DataError(
                f"this score of {score.metric.name} has no alignments; sums and groups of scores "
                "keep counts only, so read the alignments of their parts"
            )
        self._detail = score.detail

    def __len__(self) -> int:
        return len(self._detail.refs)

    @overload
    def __getitem__(self, item: int) -> list[Step]: ...
    @overload
    def __getitem__(self, item: slice) -> list[list[Step]]: ...
    def __getitem__(self, item: int | slice) -> list[Step] | list[list[Step]]:
        """Return the steps of an utterance, by its place, or of several."""
        places = range(len(self))[item]
        if isinstance(places, range):
            return [self._steps(place) for place in places]
        return self._steps(places)

    def _steps(self, place: int) -> list[Step]:
        detail = self._detail
        refs = enumerate(detail.marked_words(place))
        hyps = enumerate(words_of(detail.hyps[place]))
        return [_step(step, refs, hyps) for step in detail.of(place).tolist()]


def _step(step: int, refs: Iterator[tuple[int, str]], hyps: Iterator[tuple[int, str]]) -> Step:
    ref_at, ref = (None, None) if step == INSERTION else next(refs)
    hyp_at, hyp = (None, None) if step == DELETION else next(hyps)
    return Step(KINDS[step], ref, hyp, ref_at, hyp_at)


def letters_of(score: Score, place: int) -> str | None:
    """Return an alignment with a letter per step, as sclite has them; ``None`` without alignment.

    >>> from mondegreen.score import words
    >>> letters_of(words(["play some jazz"], ["play jaws"]), 0)
    'CDS'
    """
    if not isinstance(score.detail, Aligned):
        return None
    return bytes(score.detail.of(place).tolist()).translate(_LETTERS).decode()


def steps_of(ref: str, hyp: str, letters: str) -> list[Step] | None:
    """Return the steps of an alignment with a letter per step; ``None`` if the texts do not fit it.

    Equal texts need no letters.

    >>> steps_of("play some jazz", "play jaws", "CDS")[1].ref
    'some'
    """
    sides = words_of(ref), words_of(hyp)
    if not letters and ref == hyp:
        letters = "C" * len(sides[0])
    lengths = [sum(letter != one for letter in letters) for one in "ID"]
    if lengths != [len(side) for side in sides] or not _CODES.keys() >= {*letters}:
        return None
    refs, hyps = (enumerate(side) for side in sides)
    return [_step(_CODES[letter], refs, hyps) for letter in letters]


def confusions(score: Score) -> dict[str, Counter[tuple[str, ...]]]:
    """Return what was substituted, deleted and inserted, and how often."""
    alignments = Alignments(score)
    found: dict[str, Counter[tuple[str, ...]]] = {
        "substitutions": Counter(), "deletions": Counter(), "insertions": Counter(),
    }  # fmt: skip
    wrong = score.counts[:, score.columns.index("wrong")]
    for place in wrong.nonzero()[0].tolist():
        for kind, ref, hyp, _, _ in alignments[place]:
            if kind != "match":
                found[f"{kind}s"][tuple(w for w in (ref, hyp) if w is not None)] += 1
    return found
