"""One aligner: whole-number costs in, steps out; in the kernel, or by its readable twin."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from mondegreen import kernel
from mondegreen.align.costs import Costs
from mondegreen.errors import DataError
from mondegreen.text.items import Item, listed

if TYPE_CHECKING:  # operators need the costs alone, and numpy takes a while to come
    import numpy as np
    import numpy.typing as npt

MATCH, SUBSTITUTION, DELETION, INSERTION = range(4)


@dataclass(frozen=True)
class Marks:
    """Which words of the references are marked (disfluent, say).

    Args:
        flags: for each reference one byte a token, or ``None`` where words in UPPERCASE are
            marked, which are then compared in lower case; without flags, that holds for all.
        keep: words in upper case that are not marked, such as "I".
        regions: count an insertion beside a marked word as marked.
    """

    flags: Sequence[bytes | None] | None = None
    keep: tuple[str, ...] = ()
    regions: bool = False


class Alignment(NamedTuple):
    """The steps of all pairs, one after the other, and their counts.

    Columns of ``counts`` are match, substitution, deletion, insertion, and with marks the same
    again for what is marked.
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
    threads: int = 1,
) -> Alignment:
    """Align many references with their hypotheses: lists of texts, or of token lists.

    >>> from mondegreen.align.costs import UNIT
    >>> align(["play some jazz"], ["play jaws"], UNIT).counts.tolist()
    [[1, 1, 1, 0]]

    Raises:
        DataError: if there are not as many of both, or a text holds half a character.
    """
    if len(refs) != len(hyps):
        raise DataError(f"{len(refs)} references and {len(hyps)} hypotheses do not pair up")
    said, heard = listed(refs), listed(hyps)
    flags = None if marks is None else marks.flags or [None] * len(said)
    try:
        steps, ends, counts = kernel.align(
            said,
            heard,
            costs.flat(),
            characters,
            threads,
            flags,
            list(marks.keep) if marks else [],
            marks.regions if marks else False,
        )
    except UnicodeEncodeError as error:
        raise _half_a_character(error) from None
    except TypeError as error:
        raise DataError(f"{error}; give texts only, or lists of tokens only") from None
    return Alignment(steps, ends, counts)


class TableAlignment(NamedTuple):
    """The steps of all pairs, one after the other, and what each pair costs."""

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
    alone: Sequence[int],
) -> tuple[Alignment, TableAlignment] | None:
    """Align texts of known symbols, with unit costs and under a table of costs.

    Args:
        refs: the references.
        hyps: the hypotheses, as many.
        symbols: the symbols of the table.
        silent: symbols that cost and count nothing.
        substitution: what it costs to take a symbol (row) for another (column).
        alone: what it costs to insert or delete a symbol.

    Returns:
        Both alignments; ``None`` where a text has a symbol that is not known.
    """
    import numpy as np

    table, lone = np.array(substitution, np.int64), np.array(alone, np.int64)
    found = kernel.align_symbols(refs, hyps, symbols, list(silent), table, lone)
    return None if found is None else (Alignment(*found[0]), TableAlignment(*found[1]))


def distances(
    refs: Sequence[Item], hyps: Sequence[Item], *, threads: int = 1
) -> npt.NDArray[np.int64]:
    """Return for each pair the number of the reference's characters, and the distance in them.

    Words are set apart by one space, which counts as a character.

    >>> distances(["play jazz"], ["play  jaws"]).tolist()
    [[9, 2]]
    """
    try:
        return kernel.distances(listed(refs), listed(hyps), threads)
    except UnicodeEncodeError as error:
        raise _half_a_character(error) from None


def _half_a_character(error: UnicodeEncodeError) -> DataError:
    return DataError(
        f"{error.object!r:.40}: character {error.start} is a lone surrogate, half of a character; "
        "decode the text as UTF-8 or UTF-16 before it comes here"
    )
