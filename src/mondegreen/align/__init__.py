"""Alignment of references with hypotheses, under integer costs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from mondegreen import kernel
from mondegreen.align.costs import ONE, Costs
from mondegreen.errors import DataError
from mondegreen.text.items import Item, listed

if TYPE_CHECKING:  # operators need only the costs, and numpy is slow to import
    import numpy as np
    import numpy.typing as npt

    from mondegreen.kernel.alignment import Times as KernelTimes
    from mondegreen.kernel.counting import Keywords, Span

Times = Sequence[Sequence[tuple[float, float]]]
"""When each word of each item begins and ends, in seconds."""
MATCH, SUBSTITUTION, DELETION, INSERTION = range(4)


@dataclass(frozen=True)
class Marks:
    """Which words of the references are marked, for example as disfluent.

    Args:
        flags: per reference, one byte per token, or ``None`` if its words in UPPERCASE are the
            marked ones, which are then compared in lower case. Without flags, every reference is
            marked by UPPERCASE.
        keep: words in upper case that are not marked, such as "I".
        regions: count an insertion beside a marked word as marked.
    """

    flags: Sequence[bytes | None] | None = None
    keep: tuple[str, ...] = ()
    regions: bool = False


class Alignment(NamedTuple):
    """The steps of all pairs in order, and the counts of the steps per pair.

    ``ends`` has the position in ``steps`` at which each pair ends. The columns of ``counts`` are
    match, substitution, deletion and insertion; with marks, the same four columns follow for the
    marked words.
    """

    steps: npt.NDArray[np.uint8]
    ends: npt.NDArray[np.int64]
    counts: npt.NDArray[np.int64]

    def of(self, item: int) -> npt.NDArray[np.uint8]:
        """Return the steps of one pair."""
        start = self.ends[item - 1] if item else 0
        return self.steps[start : self.ends[item]]


def align(
    refs: Sequence[Item],
    hyps: Sequence[Item],
    costs: Costs,
    *,
    marks: Marks | None = None,
    characters: bool = False,
    times: tuple[Times, Times] | None = None,
    threads: int = 1,
) -> Alignment:
    """Align references with their hypotheses; both are texts, or both are lists of tokens.

    With ``times`` of both sides, the seconds between the beginnings and between the ends of two
    words add to the cost of pairing them, and the length of a word to the cost of leaving it alone.

    >>> from mondegreen.align.costs import UNIT
    >>> align(["play some jazz"], ["play jaws"], UNIT).counts.tolist()
    [[1, 1, 1, 0]]

    Raises:
        DataError: if the numbers of references and hypotheses differ, or a text has a lone
            surrogate.
    """
    if len(refs) != len(hyps):
        raise DataError(f"{len(refs)} references and {len(hyps)} hypotheses do not pair up")
    left, right = listed(refs), listed(hyps)
    flags = None if marks is None else marks.flags or [None] * len(left)
    with _clear_errors():
        steps, ends, counts = kernel.align(
            left,
            right,
            costs.flat(),
            characters,
            threads,
            flags,
            list(marks.keep) if marks else [],
            marks.regions if marks else False,
            whole_times(times),
        )
    return Alignment(steps, ends, counts)


def whole_times(times: tuple[Times, Times] | None) -> tuple[KernelTimes, KernelTimes] | None:
    """Return times as the kernel takes them: in the unit of costs, with the ends of items."""
    if times is None:
        return None
    import numpy as np

    def side(items: Times) -> KernelTimes:
        spans = np.array([span for item in items for span in item], np.float64).reshape(-1, 2)
        ends = np.cumsum([len(item) for item in items], dtype=np.int64)
        return np.rint(spans * ONE).astype(np.int64), ends

    return side(times[0]), side(times[1])


class Counted(NamedTuple):
    """An alignment with further counts: all columns, and the counts of each class of entities."""

    alignment: Alignment
    table: npt.NDArray[np.int64]
    classes: dict[str, tuple[int, ...]]


def align_and_count(
    refs: list[Item],
    hyps: list[Item],
    costs: Costs,
    *,
    keywords: Keywords | None = None,
    spans: Sequence[Sequence[Span]] | None = None,
    hallucinations: bool = False,
    written: tuple[list[Item], list[Item]] | None = None,
    times: tuple[Times, Times] | None = None,
    threads: int = 1,
) -> Counted:
    """Align, and count entities, hallucinations, punctuation and case in the same pass.

    See :func:`mondegreen.kernel.counting.align_and_count`.

    >>> from mondegreen.align.costs import UNIT
    >>> refs, hyps = ["play some jazz"], ["play Jazz"]
    >>> align_and_count(refs, hyps, UNIT, keywords=[(("jazz",), ("music",))]).classes
    {'music': (1, 0, 1, 1, 0, 0)}

    Raises:
        DataError: if a text has a lone surrogate, or if texts and lists of tokens are mixed.
    """
    with _clear_errors():
        steps, ends, table, classes = kernel.align_and_count(
            refs,
            hyps,
            costs.flat()[:4],
            threads,
            keywords,
            spans,
            hallucinations,
            written,
            kernel.take_apart,
            whole_times(times),
        )
    return Counted(Alignment(steps, ends, table[:, :4]), table, dict(classes))


class TableAlignment(NamedTuple):
    """The steps of all pairs in order, where each pair ends among them, and the cost per pair."""

    steps: npt.NDArray[np.uint8]
    ends: npt.NDArray[np.int64]
    costs: npt.NDArray[np.int64]

    def of(self, item: int) -> npt.NDArray[np.uint8]:
        """Return the steps of one pair."""
        start = self.ends[item - 1] if item else 0
        return self.steps[start : self.ends[item]]


def align_symbols(
    refs: list[str],
    hyps: list[str],
    symbols: Sequence[str],
    silent: Sequence[str],
    substitution: Sequence[Sequence[int]],
    indel: Sequence[int],
) -> tuple[Alignment, TableAlignment] | None:
    """Align texts of known symbols twice: with unit costs, and with a table of costs.

    Args:
        refs: the references.
        hyps: the hypotheses, one per reference.
        symbols: the symbols of the table.
        silent: symbols to ignore.
        substitution: the cost of replacing one symbol (row) by another (column).
        indel: the cost of inserting or deleting each symbol.

    Returns:
        Both alignments; ``None`` if a text has an unknown symbol.
    """
    import numpy as np

    table, indels = np.array(substitution, np.int64), np.array(indel, np.int64)
    found = kernel.align_symbols(refs, hyps, symbols, list(silent), table, indels)
    return None if found is None else (Alignment(*found[0]), TableAlignment(*found[1]))


def distances(
    refs: Sequence[Item], hyps: Sequence[Item], *, threads: int = 1
) -> npt.NDArray[np.int64]:
    """Return, per pair, the length of the reference and the edit distance, both in characters.

    Words are joined by single spaces, which count as characters.

    >>> distances(["play jazz"], ["play  jaws"]).tolist()
    [[9, 2]]
    """
    with _clear_errors():
        return kernel.distances(listed(refs), listed(hyps), threads)


@contextmanager
def _clear_errors() -> Iterator[None]:
    """Say what is wrong with texts that the kernel refuses."""
    try:
        yield
    except UnicodeEncodeError as error:
        raise DataError(
            f"{error.object!r:.40}: character {error.start} is a lone surrogate, half of a "
            "character; decode the text as UTF-8 or UTF-16 first"
        ) from None
    except TypeError as error:
        raise DataError(f"{error}; give texts only, or lists of tokens only") from None
