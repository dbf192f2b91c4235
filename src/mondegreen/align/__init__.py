"""One aligner: whole-number costs in, steps out; in the kernel, or by its readable twin."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from mondegreen.align import twin
from mondegreen.align.costs import Costs
from mondegreen.errors import DataError
from mondegreen.kernel import compiled

Item = str | Sequence[str]
MATCH, SUBSTITUTION, DELETION, INSERTION = range(4)
UPPER = "upper"


@dataclass(frozen=True)
class Marks:
    """Which words of the references are marked (disfluent, say).

    Args:
        flags: one byte a token for each reference; ``None`` marks words in UPPERCASE, which are
            then compared in lower case.
        keep: words in upper case that are not marked, such as "I".
        regions: count an insertion beside a marked word as marked.
    """

    flags: Sequence[bytes] | None = None
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
    source = compiled or twin
    flags = None if marks is None else UPPER if marks.flags is None else marks.flags
    try:
        steps, ends, counts = source.align(
            _items(refs),
            _items(hyps),
            costs.flat(),
            characters,
            threads,
            flags,
            list(marks.keep) if marks else [],
            marks.regions if marks else False,
        )
    except UnicodeEncodeError as error:
        raise DataError(
            f"{error.object!r:.40}: character {error.start} is a lone surrogate, half of a "
            "character; decode the text as UTF-8 or UTF-16 before it comes here"
        ) from None
    return Alignment(steps, ends, counts)


def _items(items: Sequence[Item]) -> list[Item]:
    """A list, also from an Arrow array."""
    to_list = getattr(items, "to_pylist", None)
    found = list(items) if to_list is None else to_list()
    kinds = {isinstance(item, str) for item in found}
    if len(kinds) > 1:
        raise DataError("texts and token lists must not be mixed; give one kind")
    return found
