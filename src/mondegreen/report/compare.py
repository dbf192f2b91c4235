"""Two sources side by side: their comparison, the utterances that flipped, and what moved."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import msgspec

from mondegreen.errors import DataError
from mondegreen.metrics.metric import Table
from mondegreen.metrics.statistics.comparison import Comparison, Flip, SetComparison
from mondegreen.perturbation.suite_recipe import RANDOM
from mondegreen.report.content import Line
from mondegreen.report.runs import RunSource
from mondegreen.report.scores import ScoreSource
from mondegreen.report.source import Source
from mondegreen.runs.comparison import compare

_SHOWN = 100  # maximum number of flips in each direction
_MOVED = 12  # rows of the table of what moved


class Compared(NamedTuple):
    """The comparison of the second source with the first one, with what a page shows of it."""

    found: Comparison
    moved: Table = Table("", (), ())
    better: tuple[Line, ...] = ()
    worse: tuple[Line, ...] = ()

    def tests(self, name: str) -> SetComparison:
        """Return the tests of a set; random sets are tested together, "" is the first set."""
        sets = {one.name: one for one in self.found.sets}
        return sets.get(name) or (sets[RANDOM] if name.startswith(RANDOM) else self.found.sets[0])

    def record(self) -> dict[str, Any]:
        """Return the comparison as plain values, for JSON."""
        more = {"moved": self.moved, "better": self.better, "worse": self.worse}
        plain: dict[str, Any] = msgspec.to_builtins(more)
        return self.found.record() | plain


def comparable(sources: Sequence[Source]) -> bool:
    """Return whether sources are two finished runs of one suite, or two scores of one metric."""
    if len(sources) != 2 or sources[0].metric != sources[1].metric:  # noqa: PLR2004 (a pair)
        return False
    first, second = sources
    if isinstance(first, RunSource) and isinstance(second, RunSource):
        return first.finished and second.finished and first.suite == second.suite
    return isinstance(first, ScoreSource) and isinstance(second, ScoreSource)


def comparable_groups(sources: Sequence[Source]) -> list[tuple[str, list[int]]]:
    """Return the numbers of the sources that can be compared with each other, by what they are."""
    groups: list[list[int]] = []
    for number, source in enumerate(sources):
        group = next((one for one in groups if comparable([sources[one[0]], source])), None)
        if group is None:
            groups.append([number])
        else:
            group.append(number)
    return [(_group_name(sources[one[0]]), one) for one in groups if len(one) > 1]


def _group_name(source: Source) -> str:
    if isinstance(source, RunSource):
        return f"Runs of one suite of {len(source.sets())} sets"
    return f"Scores of {source.metric.name}"


def compare_sources(first: Source, second: Source) -> Comparison:
    """Compare two sources on all sets.

    Raises:
        DataError: if the sources are of different metrics or utterances, or not finished.
    """
    if first.metric != second.metric:
        raise DataError(
            f"{first.name} is a score of {first.metric.name}, {second.name} of "
            f"{second.metric.name}; compare two scores of one metric"
        )
    if isinstance(first, RunSource) and isinstance(second, RunSource):
        return compare(first.path, second.path)
    found = compare(first.scores(""), second.scores(""))
    return replace(found, first=str(first.path), second=str(second.path))


def compared(first: Source, second: Source) -> Compared:
    """Compare two sources on all sets, and list what flipped and what moved.

    Raises:
        DataError: if the sources are of different metrics or utterances, or not finished.
    """
    found = compare_sources(first, second)
    better, worse = flipped(found, first, second)
    return Compared(found, _moved(first, second, found.flips), tuple(better), tuple(worse))


def flipped(
    found: Comparison, first: Source, second: Source, set: str = ""
) -> tuple[list[Line], list[Line]]:
    """Return the utterances right only in the second source, and those right only in the first.

    Each is shown as the source shows it in which it is wrong.
    """
    chosen = [flip for flip in found.flips if set in ("", flip.set_name)]
    better, worse = ([flip for flip in chosen if flip.better is way] for way in (True, False))
    return list(_lines(first, better)), list(_lines(second, worse))


def _lines(source: Source, flips: Sequence[Flip]) -> Iterator[Line]:
    for flip in flips[:_SHOWN]:
        if isinstance(source, RunSource):
            yield source.line_at(flip.number)
        else:
            key = {"id": flip.id}
            yield Line("", flip.id, source.brief(key), key=key)


def _moved(first: Source, second: Source, flips: Sequence[Flip]) -> Table:
    """Return which intents, or which words, became right and wrong."""
    if isinstance(first, RunSource) and isinstance(second, RunSource):
        gained, lost = (
            first.labels_of([flip.number for flip in flips if flip.better is way])
            for way in (True, False)
        )
        return _moved_table(first.metric.label, gained, lost, ("became right", "became wrong"))
    if isinstance(first, ScoreSource) and isinstance(second, ScoreSource):
        before, after = first.wrong_words(), second.wrong_words()
        return _moved_table("word", before, after, (f"wrong in {first.name}", second.name))
    return Table("", (), ())


def _moved_table(
    what: str, one: Mapping[str, int], other: Mapping[str, int], names: tuple[str, str]
) -> Table:
    first, second = Counter(one), Counter(other)
    ranked: Iterable[str] = sorted(
        first | second, key=lambda key: (-abs(first[key] - second[key]), key)
    )
    rows = tuple((key, first[key], second[key]) for key in ranked if first[key] != second[key])
    return Table(f"{what.capitalize()}s that moved most", (what, *names), rows[:_MOVED])
