"""Alignments to look at: three lines per utterance with errors marked, and what is confused."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Any
from unicodedata import combining, east_asian_width

from mondegreen.metrics.metric import Table
from mondegreen.metrics.scores.score import Score
from mondegreen.metrics.words.steps import Step

LETTERS = {"match": "", "substitution": "S", "deletion": "D", "insertion": "I"}
_COLOURS = {"substitution": "33", "deletion": "31", "insertion": "36"}
_CONFUSED = 20  # rows of a table in a report


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
        yield from _three_lines(score.alignments[item], colour=colour)
        yield from count_lines(score.counts[item].tolist())
        yield ""


def _three_lines(steps: list[Step], *, colour: bool) -> Iterator[str]:
    cells = []
    for kind, ref, hyp, _, _ in steps:
        width = max(columns_of(ref or ""), columns_of(hyp or ""), 1)
        above, below = ref or "*" * width, hyp or "*" * width
        paint = _COLOURS.get(kind) if colour else None
        cells.append(
            tuple(_painted(_padded(text, width), paint) for text in (above, below, LETTERS[kind]))
        )
    for name, column in zip(("REF:", "HYP:", "EVAL:"), range(3), strict=True):
        yield f"{name:6}{' '.join(cell[column] for cell in cells)}".rstrip()


def columns_of(text: str) -> int:
    """Return how many columns of a terminal a text takes: wide characters take two, marks none.

    >>> columns_of("abc"), columns_of("音楽"), columns_of("e\u0301")
    (3, 4, 1)
    """
    if text.isascii():
        return len(text)
    return sum(0 if combining(c) else 2 if east_asian_width(c) in "WF" else 1 for c in text)


def _padded(text: str, width: int) -> str:
    return text + " " * (width - columns_of(text))


def _painted(text: str, paint: str | None) -> str:
    return f"\x1b[{paint}m{text}\x1b[0m" if paint and text.strip() else text


def shown_alignments(
    score: Score,
    display: Any,
    count_lines: Callable[[Sequence[int]], list[str]] = counted,
) -> Iterator[str]:
    """Yield the alignments, if ``display`` has ``align`` or ``errors`` set."""
    if display.align or display.errors:
        yield from alignment_lines(score, only_errors=display.errors, count_lines=count_lines)


def confusion_tables(score: Score) -> Iterator[Table]:
    """Yield the most frequent substitutions, deletions and insertions, for a report."""
    for name, found in score.confusions.items():
        yield most_frequent(f"Most frequent {name}", found)


def most_frequent(title: str, found: Counter[tuple[str, ...]]) -> Table:
    """Return a table of words, or of pairs of words, from the most frequent on."""
    rows = tuple((" → ".join(pair), n) for pair, n in found.most_common(_CONFUSED))
    return Table(title, ("words", "times"), rows, "bars")


def alignment_block(score: Score) -> dict[str, Any]:
    """Return the alignment of a score's only utterance, for the viewer."""
    return {
        "alignment": [
            {"step": LETTERS[kind], "ref": ref, "hyp": hyp, "disfluent": False}
            for kind, ref, hyp, _, _ in score.alignments[0]
        ]
    }
