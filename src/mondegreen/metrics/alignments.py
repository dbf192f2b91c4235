"""Alignments to look at: three lines per utterance with errors marked, and what is confused."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from mondegreen.align import DELETION, INSERTION, MATCH, SUBSTITUTION
from mondegreen.metrics.metric import Section, Table
from mondegreen.metrics.score import Score
from mondegreen.text.items import words_of

LETTERS = {MATCH: "", SUBSTITUTION: "S", DELETION: "D", INSERTION: "I"}
_COLOURS = {SUBSTITUTION: "33", DELETION: "31", INSERTION: "36"}
_CONFUSED = 20  # rows of a table in a report


class Aligned(NamedTuple):
    """One step with its words; ``None`` on the side that has no word."""

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


def counted(counts: Sequence[int]) -> list[str]:
    """Return how many words are correct, substituted, deleted and inserted, as a line."""
    return [f"(#C #S #D #I) {' '.join(map(str, counts[:4]))}"]


def alignment_lines(
    score: Score,
    *,
    only_errors: bool = False,
    colour: bool = True,
    count_lines: Callable[[Sequence[int]], list[str]] = counted,
) -> Iterator[str]:
    """Yield the alignments as lines REF, HYP, EVAL, with a heading and the counts of each."""
    wrong = score.counts[:, score.columns.index("wrong")]
    for item, id in enumerate(score.ids):
        if only_errors and not wrong[item]:
            continue
        yield f"{id}:"
        yield from _three_lines(aligned(score, item), colour=colour)
        yield from count_lines(score.counts[item].tolist())
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


def alignment_section(
    score: Score,
    display: Any,
    count_lines: Callable[[Sequence[int]], list[str]] = counted,
) -> list[Section]:
    """Return the alignments as a section, if ``display`` has ``align`` or ``errors`` set."""
    if not display.align and not display.errors:
        return []
    lines = alignment_lines(score, only_errors=display.errors, count_lines=count_lines)
    return [Section("", None, lines, above=True)]


def confusions(score: Score) -> dict[str, Counter[tuple[str, ...]]]:
    """Return what was substituted, deleted and inserted, and how often."""
    found: dict[str, Counter[tuple[str, ...]]] = {
        "substitutions": Counter(), "deletions": Counter(), "insertions": Counter(),
    }  # fmt: skip
    names = {SUBSTITUTION: "substitutions", DELETION: "deletions", INSERTION: "insertions"}
    wrong = score.counts[:, score.columns.index("wrong")]
    for item in wrong.nonzero()[0].tolist():
        for step, ref, hyp in aligned(score, item):
            if step != MATCH:
                found[names[step]][tuple(w for w in (ref, hyp) if w is not None)] += 1
    return found


def confusion_tables(score: Score) -> Iterator[Table]:
    """Yield the most frequent substitutions, deletions and insertions, for a report."""
    for name, found in confusions(score).items():
        rows = tuple((" → ".join(pair), n) for pair, n in found.most_common(_CONFUSED))
        yield Table(f"Most frequent {name}", ("words", "times"), rows, "bars")


def alignment_block(score: Score) -> dict[str, Any]:
    """Return the alignment of a score's only utterance, for the viewer."""
    return {
        "alignment": [
            {"step": LETTERS[step], "ref": ref, "hyp": hyp, "disfluent": False}
            for step, ref, hyp in aligned(score, 0)
        ]
    }
