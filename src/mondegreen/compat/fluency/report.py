"""The evaluator's report on two files: alignments, error rates, precision, recall and F-score."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from mondegreen.compat.fluency.distance import MinDistance, numbered
from mondegreen.data.files.lines import read_lines
from mondegreen.data.files.output import write_lines
from mondegreen.errors import DataError, OutputError

MODES = ("align", "mod_align", "test")
RESULTS = "results.txt"


def evaluate(
    ref: Path | str, hyp: Path | str, mode: str, result_path: Path | str | None = None
) -> Iterator[str]:
    """Yield the report of the evaluator, part by part; write the alignments to a folder.

    Args:
        ref: one sentence per line, the disfluent words in UPPERCASE.
        hyp: what the system returned, in the same order.
        mode: ``align`` for standard costs, ``mod_align`` for those that know disfluent words.
        result_path: an existing folder for the file ``results.txt``.

    Raises:
        DataError: if the files have different numbers of lines, or the mode is unknown.
        OutputError: if there is no such folder.
    """
    if mode not in MODES[:2]:
        raise DataError(f"the mode must be align or mod_align for two files, got {mode!r}")
    if result_path is not None and not Path(result_path).is_dir():
        raise OutputError(f"{result_path}: there is no such folder")
    refs, hyps = ([line for _, line in read_lines(Path(path))] for path in (ref, hyp))
    if len(refs) != len(hyps):
        raise DataError(
            f"{ref} has {len(refs):,} lines and {hyp} has {len(hyps):,}; every reference needs one "
            "hypothesis, an empty line for silence"
        )
    modified = mode == "mod_align"
    yield f"Loading {Path(ref).name} and {Path(hyp).name} files ..."
    totals, texts = [0] * (10 if modified else 6), []
    for number, pair in enumerate(zip(refs, hyps, strict=True), start=1):
        distance = MinDistance(Ref=pair[0], Hyp=pair[1], modified_weights=modified)
        text, scores = distance.align()
        totals = [total + one for total, one in zip(totals, scores, strict=True)]
        texts.append(numbered(number, text))
        yield texts[-1]
    if result_path is not None:
        lines = (line for text in texts for line in text.split("\n"))
        write_lines(Path(result_path) / RESULTS, lines, force=True)
    yield from _rates(totals, modified=modified)


def _rates(totals: list[int], *, modified: bool) -> Iterator[str]:
    _, s, d, i, n = totals[:5]
    yield f"{'=' * 50}\nFluent Error Rate (FER): {_ratio(s + d + i, n)}"
    if not modified:
        return
    copies, changed, dropped, added, marked = totals[5:]
    yield f"Disfluent Error Rate (DER): {_ratio(copies + changed + added, marked)}"
    yield f"\nPrecision: {_ratio(dropped, dropped + d)} \nRecall: {_ratio(dropped, marked)}"
    yield f"Edited F-score: {_ratio(2 * dropped, marked + dropped + d)}"


def _ratio(numerator: int, denominator: int) -> str:
    """Return a ratio as the evaluator prints it; it fails where the denominator is 0."""
    value = f"{numerator / denominator:.3f}" if denominator else "undefined"
    return f"{numerator}/{denominator} = {value}"
