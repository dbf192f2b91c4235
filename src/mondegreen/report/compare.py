"""Two sources side by side: their comparison, the utterances that flipped, and what moved."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import msgspec

from mondegreen.metrics.metric import Table
from mondegreen.metrics.statistics.comparison import Comparison, SetComparison
from mondegreen.metrics.statistics.estimate import spaced
from mondegreen.perturbation.suite_recipe import RANDOM
from mondegreen.report.content import ListLine
from mondegreen.report.source import ShownRun
from mondegreen.runs.comparison import compare

_FLIPS = 200_000  # flipped utterances of files so large that groups are not compared
_SHOWN = 100  # maximum number of flips in each direction


class Compared(NamedTuple):
    """The comparison of the second source with the first one, with what a page shows of it."""

    found: Comparison
    moved: Table = Table("", (), ())
    better: tuple[ListLine, ...] = ()
    worse: tuple[ListLine, ...] = ()
    groups: tuple[Table, ...] = ()
    """The main rate by group, a table per column of the data."""

    def tests(self, name: str) -> SetComparison:
        """Return the tests of a set; random sets are tested together, "" is the first set."""
        sets = {one.name: one for one in self.found.sets}
        return sets.get(name) or (sets[RANDOM] if name.startswith(RANDOM) else self.found.sets[0])

    def record(self) -> dict[str, Any]:
        """Return the comparison as plain values, for JSON."""
        more: dict[str, Any] = {"moved": self.moved, "better": self.better, "worse": self.worse}
        more |= {"groups": self.groups} if self.groups else {}
        plain: dict[str, Any] = msgspec.to_builtins(more)
        return self.found.record() | plain


def comparable(sources: Sequence[ShownRun]) -> bool:
    """Return whether sources are two finished runs of one suite, or scores of one reference."""
    if len(sources) != 2:  # noqa: PLR2004 (a pair)
        return False
    first, second = sources
    same = first.metric == second.metric and first.suite == second.suite
    return same and first.finished and second.finished


def comparable_groups(sources: Sequence[ShownRun]) -> list[tuple[str, list[int]]]:
    """Return the numbers of the sources that can be compared with each other, by what they are."""
    groups: list[list[int]] = []
    for number, source in enumerate(sources):
        group = next((one for one in groups if comparable([sources[one[0]], source])), None)
        if group is None:
            groups.append([number])
        else:
            group.append(number)
    return [(sources[one[0]].what, one) for one in groups if len(one) > 1]


def compared(first: ShownRun, second: ShownRun) -> Compared:
    """Compare two sources on all sets, and list what flipped and what moved.

    Raises:
        DataError: if the sources are of different metrics or utterances, or not finished.
    """
    with first.reopened() as one, second.reopened() as other:
        found = compare(one, other)
        few = first.groupings() if len(found.flips) <= _FLIPS else ()
        groups = [(by, compare(one, other, by=by)) for by in few if by in second.groupings()]
    better, worse = flipped(found, first, second)
    tables = [_group_table(by, one) for by, one in groups]
    moved = first.moved(second, found.flips)
    return Compared(found, moved, tuple(better), tuple(worse), tuple(tables))


def _group_table(by: str, found: Comparison) -> Table:
    (_, *columns), *rows = found.table()
    return Table(f"{spaced(found.main).capitalize()} by {by}", (by, *columns), tuple(rows))


def flipped(
    found: Comparison, first: ShownRun, second: ShownRun, set: str = ""
) -> tuple[list[ListLine], list[ListLine]]:
    """Return the utterances right only in the second source, and those right only in the first.

    Each is shown as the source shows it in which it is wrong.
    """
    chosen = [flip for flip in found.flips if set in ("", flip.set_name)]
    better, worse = ([one.number for one in chosen if one.better is way] for way in (True, False))
    return (
        list(map(first.line_at, better[:_SHOWN])),
        list(map(second.line_at, worse[:_SHOWN])),
    )
