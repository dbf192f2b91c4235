"""Words: WER, MER, WIL, CER and sentence error rate, from one alignment."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from mondegreen import __version__
from mondegreen.align import Alignment, align, distances
from mondegreen.align.costs import NAMED
from mondegreen.align.items import Item, listed, words_of
from mondegreen.errors import DataError, unknown
from mondegreen.language.segment import mostly_unspaced, split
from mondegreen.metrics.alternatives import around_marks, resolve
from mondegreen.metrics.normalise import label, normaliser
from mondegreen.metrics.score import (
    Counts,
    Later,
    Ratio,
    Score,
    Sums,
    check_sides,
    numbers,
    with_totals,
)

COLUMNS = ("hits", "substitutions", "deletions", "insertions", "wrong", "utterances")
_LATER = ("characters", "character_errors")


def _errors(sums: Sums) -> int:
    found: int = sums["substitutions"] + sums["deletions"] + sums["insertions"]
    return found


def _words(sums: Sums) -> int:
    found: int = sums["hits"] + sums["substitutions"] + sums["deletions"]
    return found


def _heard(sums: Sums) -> int:
    found: int = sums["hits"] + sums["substitutions"] + sums["insertions"]
    return found


RATES: dict[str, Ratio] = {
    "wer": lambda sums: (_errors(sums), _words(sums)),
    "mer": lambda sums: (_errors(sums), _words(sums) + sums["insertions"]),
    "wil": lambda sums: (
        _words(sums) * _heard(sums) - sums["hits"] * sums["hits"],
        _words(sums) * _heard(sums),
    ),
    "cer": lambda sums: (sums["character_errors"], sums["characters"]),
    "ser": lambda sums: (sums["wrong"], sums["utterances"]),
}


def words(
    refs: Sequence[Item],
    hyps: Sequence[Item],
    *,
    ids: Sequence[str] | None = None,
    costs: str = "unit",
    ignore_case: bool = False,
    normalise: str = "none",
    alternatives: bool = False,
    compounds: bool = False,
    threads: int = 1,
) -> Score:
    """Score what was recognised against what was said: lists of texts, or of token lists.

    Args:
        refs: what was said.
        hyps: what was recognised, as many.
        ids: the utterances' names; their numbers otherwise.
        costs: ``unit``, or ``sclite`` (substitution 4, deletion and insertion 3).
        ignore_case: compare in lower case.
        normalise: ``none``, ``basic`` or ``whisper``.
        alternatives: references hold ``{ one / other / @ }`` and optionally deletable ``(uh)``.
        compounds: "ice cream" and "icecream" are the same.
        threads: how many to use.

    >>> score = words(["play some jazz"], ["play jaws"])
    >>> score["wer"].value, score.sums()["deletions"]
    (0.6666666666666666, 1)

    Raises:
        DataError: if there are not as many of both.
    """
    if costs not in NAMED:
        raise DataError(unknown("cost table", costs, NAMED))
    check_sides(refs, hyps, ids)
    prepare = normaliser(normalise)
    heard = _prepared(hyps, prepare, ignore_case)
    prepare = around_marks(prepare) if prepare and alternatives else prepare
    said = _prepared(refs, prepare, ignore_case)
    characters = mostly_unspaced(said)
    if characters:
        said, heard = (_split(side) for side in (said, heard))
    if alternatives or compounds:
        pairs = zip(map(words_of, said), map(words_of, heard), strict=True)
        said = [resolve(*pair, NAMED[costs], alternatives, compounds) for pair in pairs]
        heard = list(map(words_of, heard))
    alignment = align(said, heard, NAMED[costs], threads=threads)
    recipe = [
        f"norm:{label(normalise)}",
        *(["case:ignored"] if ignore_case else []),
        *(["unit:characters"] if characters else []),
        *(["alternatives"] if alternatives else []),
        *(["compounds"] if compounds else []),
        f"costs:{costs}",
    ]
    return Score(
        "words",
        f"mondegreen|words|{'|'.join(recipe)}|v:{__version__}",
        COLUMNS,
        with_wrong(alignment),
        RATES,
        tuple(ids) if ids is not None else numbers(len(said)),
        Later(_LATER, cache(lambda: distances(said, heard, threads=threads))),
        WordDetail(said, heard, alignment),
    )


class WordDetail:
    """The pairs as they were compared, and their alignment."""

    def __init__(self, refs: Sequence[Item], hyps: Sequence[Item], alignment: Alignment) -> None:
        self.refs = refs
        self.hyps = hyps
        self.alignment = alignment
        self.ends = alignment.ends

    def of(self, item: int) -> object:
        """The steps of one pair."""
        return self.alignment.of(item)

    def sides(self, item: int) -> tuple[str, str]:
        """What was said and what was recognised, as text."""
        return " ".join(words_of(self.refs[item])), " ".join(words_of(self.hyps[item]))


def with_wrong(alignment: Alignment) -> Counts:
    """The four counts, whether anything is wrong, and 1."""
    return with_totals(alignment.counts, [0, 1, 1, 1])


def _prepared(items: Sequence[Item], prepare: object, lower: bool) -> list[Item]:  # noqa: FBT001
    found = listed(items)
    if callable(prepare):
        found = [prepare(item if isinstance(item, str) else " ".join(item)) for item in found]
    if lower:
        found = [
            item.lower() if isinstance(item, str) else [word.lower() for word in item]
            for item in found
        ]
    return found


def _split(items: list[Item]) -> list[Item]:
    return [split(" ".join(words_of(item))) for item in items]
