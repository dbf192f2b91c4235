"""jiwer's texts for people: alignments in three lines, and lists of errors."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import TypeVar

from mondegreen.compat.jiwer.process import AlignmentChunk, CharacterOutput, WordOutput

T = TypeVar("T")
Output = WordOutput | CharacterOutput
_LETTERS = {"equal": " ", "substitute": "S", "delete": "D", "insert": "I"}


def visualize_alignment(
    output: Output,
    show_measures: bool = True,  # noqa: FBT001, FBT002 (as jiwer)
    skip_correct: bool = True,  # noqa: FBT001, FBT002
    line_width: int | None = None,
) -> str:
    """Return the alignments in lines REF and HYP with errors marked below, and the measures."""
    parts = []
    gap = "" if isinstance(output, CharacterOutput) else " "
    pairs = zip(output.references, output.hypotheses, output.alignments, strict=True)
    for number, (ref, hyp, chunks) in enumerate(pairs, start=1):
        if not (skip_correct and all(chunk.type == "equal" for chunk in chunks)):
            lines = _three_lines(list(_cells(ref, hyp, chunks)), gap, line_width)
            parts.append(f"=== SENTENCE {number} ===\n\n{lines}")
    if show_measures:
        parts.append(_summary(output))
    return "\n".join(parts)


def _cells(
    ref: list[str], hyp: list[str], chunks: list[AlignmentChunk]
) -> Iterator[tuple[str, str, str]]:
    for chunk in chunks:
        above = ref[chunk.ref_start_idx : chunk.ref_end_idx]
        below = hyp[chunk.hyp_start_idx : chunk.hyp_end_idx]
        above = above or ["*" * len(word) for word in below]
        below = below or ["*" * len(word) for word in above]
        for one, other in zip(above, below, strict=True):
            width = max(len(one), len(other))
            yield one.rjust(width), other.rjust(width), _LETTERS[chunk.type].rjust(width)


def _three_lines(cells: list[tuple[str, str, str]], gap: str, line_width: int | None) -> str:
    heads = ("REF: ", "HYP: ", "     ")
    blocks: list[list[tuple[str, str, str]]] = [[]]
    used = len(heads[0])
    for cell in cells:
        if line_width is not None and used + len(cell[0]) > line_width:
            blocks.append([])
            used = len(heads[0])
        blocks[-1].append(cell)
        used += len(cell[0]) + len(gap)
    return "\n".join(_block(block, heads, gap) for block in blocks)


def _block(cells: list[tuple[str, str, str]], heads: tuple[str, ...], gap: str) -> str:
    rows = (gap.join(cell[row] for cell in cells) for row in range(len(heads)))
    return "".join(f"{head}{row}\n" for head, row in zip(heads, rows, strict=True))


def _summary(output: Output) -> str:
    names = ("cer",) if isinstance(output, CharacterOutput) else ("mer", "wil", "wip", "wer")
    counts = " ".join(
        f"{name}={getattr(output, name)}"
        for name in ("substitutions", "deletions", "insertions", "hits")
    )
    rates = "".join(f"\n{name}={100 * getattr(output, name):.2f}%" for name in names)
    return f"=== SUMMARY ===\nnumber of sentences: {len(output.alignments)}\n{counts}\n{rates}\n"


def collect_error_counts(
    output: Output,
) -> tuple[Counter[tuple[str, str]], Counter[str], Counter[str]]:
    """Return how often each run was substituted, inserted and deleted."""
    gap = "" if isinstance(output, CharacterOutput) else " "
    substitutions: Counter[tuple[str, str]] = Counter()
    insertions: Counter[str] = Counter()
    deletions: Counter[str] = Counter()
    for ref, hyp, chunks in zip(
        output.references, output.hypotheses, output.alignments, strict=True
    ):
        for chunk in chunks:
            said = gap.join(ref[chunk.ref_start_idx : chunk.ref_end_idx])
            heard = gap.join(hyp[chunk.hyp_start_idx : chunk.hyp_end_idx])
            if chunk.type == "substitute":
                substitutions[said, heard] += 1
            elif chunk.type == "insert":
                insertions[heard] += 1
            elif chunk.type == "delete":
                deletions[said] += 1
    return substitutions, insertions, deletions


def visualize_error_counts(
    output: Output,
    show_substitutions: bool = True,  # noqa: FBT001, FBT002 (as jiwer)
    show_insertions: bool = True,  # noqa: FBT001, FBT002
    show_deletions: bool = True,  # noqa: FBT001, FBT002
    top_k: int | None = None,
) -> str:
    """Return lists of substitutions, insertions and deletions, the most frequent first."""
    substitutions, insertions, deletions = collect_error_counts(output)
    parts = []
    if show_substitutions:
        width = max((len(word) for pair in _top(substitutions, top_k) for word in pair), default=0)
        rows = {
            f"{said:{width}} --> {heard:{width}}": n
            for (said, heard), n in substitutions.most_common(top_k)
        }
        parts.append(_list_of("SUBSTITUTIONS", rows))
    for show, name, counts in (
        (show_insertions, "INSERTIONS", insertions),
        (show_deletions, "DELETIONS", deletions),
    ):
        if show:
            width = max(map(len, _top(counts, top_k)), default=0)
            rows = {f"{run:{width}}": n for run, n in counts.most_common(top_k)}
            parts.append(_list_of(name, rows))
    return "\n\n".join(parts)


def _top(counts: Counter[T], top_k: int | None) -> list[T]:
    return [key for key, _ in counts.most_common(top_k)]


def _list_of(name: str, rows: dict[str, int]) -> str:
    lines = [f"{text} = {times}x" for text, times in rows.items()] or ["none"]
    return "\n".join([f"=== {name} ===", *lines])
