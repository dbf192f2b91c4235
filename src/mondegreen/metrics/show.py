"""Showing alignments: three lines an utterance, errors marked; and what is confused with what."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from mondegreen.align import DELETION, INSERTION, MATCH, SUBSTITUTION
from mondegreen.align.items import words_of
from mondegreen.metrics.score import Score

LETTERS = {MATCH: "", SUBSTITUTION: "S", DELETION: "D", INSERTION: "I"}
_COLOURS = {SUBSTITUTION: "33", DELETION: "31", INSERTION: "36"}


class Aligned(NamedTuple):
    """One step with its words; ``None`` where there is none."""

    step: int
    ref: str | None
    hyp: str | None


def aligned(score: Score, item: int) -> list[Aligned]:
    """Return the steps of an utterance with their words."""
    refs, hyps = (iter(words_of(side[item])) for side in (score.detail.refs, score.detail.hyps))
    found = []
    for step in score.detail.of(item).tolist():
        ref = None if step == INSERTION else next(refs)
        found.append(Aligned(step, ref, None if step == DELETION else next(hyps)))
    return found


def alignment_lines(
    score: Score, *, only_errors: bool = False, colour: bool = True
) -> Iterator[str]:
    """Yield the alignments as lines REF, HYP, EVAL, with a heading and the counts of each."""
    wrong = score.counts[:, score.columns.index("wrong")]
    for item, id in enumerate(score.ids):
        if only_errors and not wrong[item]:
            continue
        yield f"{id}:"
        yield from _three_lines(aligned(score, item), colour=colour)
        yield from _count_lines(score, item)
        yield ""


def _three_lines(steps: list[Aligned], *, colour: bool) -> Iterator[str]:
    cells = []
    for step, ref, hyp in steps:
        width = max(len(ref or ""), len(hyp or ""), 1)
        above, below = ref or "*" * width, hyp or "*" * width
        paint = _COLOURS.get(step) if colour else None
        cells.append(
            tuple(_painted(text.ljust(width), paint) for text in (above, below, LETTERS[step]))
        )
    for name, column in zip(("REF:", "HYP:", "EVAL:"), range(3), strict=True):
        yield f"{name:6}{' '.join(cell[column] for cell in cells)}".rstrip()


def _painted(text: str, paint: str | None) -> str:
    return f"\x1b[{paint}m{text}\x1b[0m" if paint and text.strip() else text


def _count_lines(score: Score, item: int) -> Iterator[str]:
    counts = score.counts[item].tolist()
    if score.metric == "fluency":
        yield f"Fluent:    (#C #S #D #I) {' '.join(map(str, counts[:4]))}"
        yield f"Disfluent: (#C #S #D #I) {' '.join(map(str, counts[4:8]))}"
    else:
        yield f"(#C #S #D #I) {' '.join(map(str, counts[:4]))}"


def confusions(score: Score) -> dict[str, Counter[tuple[str, ...]]]:
    """Return what was substituted, deleted and inserted, and how often."""
    found: dict[str, Counter[tuple[str, ...]]] = {
        "substitutions": Counter(), "deletions": Counter(), "insertions": Counter(),
    }  # fmt: skip
    kinds = {SUBSTITUTION: "substitutions", DELETION: "deletions", INSERTION: "insertions"}
    wrong = score.counts[:, score.columns.index("wrong")]
    for item in wrong.nonzero()[0].tolist():
        for step, ref, hyp in aligned(score, item):
            if step != MATCH:
                found[kinds[step]][tuple(w for w in (ref, hyp) if w is not None)] += 1
    return found
