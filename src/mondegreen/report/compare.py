"""Compare two sources: paired tests per set, the utterances that flipped, and what moved."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import msgspec

from mondegreen.errors import DataError
from mondegreen.metrics.metric import Table
from mondegreen.metrics.statistics.comparison import Comparison
from mondegreen.metrics.statistics.estimate import Estimate
from mondegreen.report.content import Line
from mondegreen.report.naming import spaced
from mondegreen.report.runs import RunSource
from mondegreen.report.scores import ScoreSource
from mondegreen.report.source import Source
from mondegreen.runs.comparison import compare

_SHOWN = 100  # maximum number of flips in each direction
_MOVED = 12  # rows of the table of what moved
ALL = "all utterances"
"""The name of the only set of a score."""


class ComparedRate(msgspec.Struct, frozen=True):
    """A rate of both sources, their difference with its interval, and the p value of the test."""

    name: str
    first: float | None
    second: float | None
    difference: float | None
    low: float | None = None
    high: float | None = None
    p: float | None = None


class ComparedSet(msgspec.Struct, frozen=True):
    """The comparison on one set."""

    name: str
    n: int
    rates: dict[str, ComparedRate]
    better: int
    worse: int


class Compared(msgspec.Struct, frozen=True, kw_only=True):
    """The comparison of the second source with the first one."""

    first: str
    second: str
    sentence: str
    main: str
    higher_is_better: bool
    sets: tuple[ComparedSet, ...]
    moved: Table
    better: tuple[Line, ...]
    worse: tuple[Line, ...]

    def values(self) -> Iterator[Estimate]:
        """Yield the values of the main rate, to fit a scale."""
        for one in self.sets:
            rate = one.rates[self.main]
            yield from (Estimate(self.main, value) for value in (rate.first, rate.second))

    def rows(self) -> Iterator[tuple[Any, ...]]:
        """Yield the figures, with a row of headings; for CSV."""
        yield "set", "utterances", "rate", self.first, self.second, "difference", "low", "high", "p"
        for one in self.sets:
            for rate in one.rates.values():
                yield (
                    one.name, one.n, rate.name, rate.first, rate.second, rate.difference, rate.low,
                    rate.high, rate.p,
                )  # fmt: skip


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


def compare_sources(first: Source, second: Source, set: str = "") -> dict[str, Any]:
    """Return the comparison of two sources on one set, as plain values.

    Raises:
        DataError: if the sources are of different metrics or utterances.
    """
    _check(first, second)
    if set not in second.sets():
        raise DataError(f"{second.name} has no set {set!r}; compare two runs of one suite")
    return first.scores(set).compare(second.scores(set), exact=True).record()


def compared(first: Source, second: Source) -> Compared:
    """Compare two sources on all sets.

    Raises:
        DataError: if the sources are of different metrics or utterances, or not finished.
    """
    _check(first, second)
    if isinstance(first, RunSource) and isinstance(second, RunSource):
        found = compare(first.path, second.path)
        sets = [compared_set(one.set_name, one.n, one.comparison) for one in found.sets]
        main = found.rates[-1]
    else:
        one, other = first.scores(""), second.scores("")
        sets = [compared_set(ALL, len(one), one.compare(other, exact=True))]
        main = one.main
    better, worse = flips(first, second)
    higher = not first.metric.by_name[main].lower_is_better
    return Compared(
        first=first.name,
        second=second.name,
        sentence=_sentence(first, second, sets, main, (len(better), len(worse))),
        main=main,
        higher_is_better=higher,
        sets=tuple(sets),
        moved=_moved(first, second, better, worse),
        better=tuple(_lines(first, better)),
        worse=tuple(_lines(second, worse)),
    )


def _check(first: Source, second: Source) -> None:
    if first.metric != second.metric:
        raise DataError(
            f"{first.name} is a score of {first.metric.name}, {second.name} of "
            f"{second.metric.name}; compare two scores of one metric"
        )


def compared_set(name: str, n: int, found: Comparison) -> ComparedSet:
    """Return the comparison on one set as plain values."""
    record = found.record()
    rates = {
        rate: ComparedRate(
            rate,
            one["first"],
            one["second"],
            one["difference"],
            one.get("low"),
            one.get("high"),
            one.get("p"),
        )
        for rate, one in record["rates"].items()
        if one["difference"] is not None
    }
    return ComparedSet(name, n, rates, record["flips"]["better"], record["flips"]["worse"])


def _sentence(
    first: Source,
    second: Source,
    sets: Sequence[ComparedSet],
    main: str,
    flipped: tuple[int, int],
) -> str:
    """Return what became better and worse, in one sentence."""
    lower = first.metric.by_name[main].lower_is_better
    moved: dict[bool, list[ComparedSet]] = {True: [], False: []}
    for one in sets:
        rate = one.rates.get(main)
        if rate is not None and rate.p is not None and rate.p < 0.05 / len(sets):
            moved[((rate.difference or 0) < 0) == lower].append(one)
    better, worse = flipped
    counts = f"{better:,} utterances became right, {worse:,} wrong"
    name = spaced(main)
    if not moved[True] and not moved[False]:
        return f"No significant difference in {name} on any set: {counts}."
    parts = []
    for is_better, verb in ((True, "better"), (False, "worse")):
        if moved[is_better]:
            names = ", ".join(one.name for one in moved[is_better][:3])
            more = len(moved[is_better]) - 3
            of = f" and {more} more" if more > 0 else ""
            parts.append(f"{verb} on {names}{of}" if len(sets) > 1 else f"{verb} in {name}")
    rate = sets[0].rates.get(main)
    values = "" if rate is None else _values(rate, " as written" if len(sets) > 1 else "")
    return f"{second.name} is significantly {' and '.join(parts)}: {values}{counts}."


def _values(rate: ComparedRate, where: str) -> str:
    if rate.first is None or rate.second is None:
        return ""
    return f"{100 * rate.second:.1f} % against {100 * rate.first:.1f} %{where}, "


def flips(first: Source, second: Source, set: str = "") -> tuple[list[int], list[int]]:
    """Return what is right only in the second source, and what only in the first.

    Utterances are numbers of items for runs, positions for scores.
    """
    if isinstance(first, RunSource) and isinstance(second, RunSource):
        wrong, wrong_now = first.wrong_numbers(set), second.wrong_numbers(set)
    else:
        wrong, wrong_now = _wrong_ids(first), _wrong_ids(second)
    return sorted(wrong - wrong_now), sorted(wrong_now - wrong)


def _wrong_ids(source: Source) -> set[int]:
    """Return the positions of wrong utterances in the order of sorted ids."""
    score = source.scores("")
    wrong = dict(
        zip(score.ids, score.counts[:, score.columns.index("wrong")].tolist(), strict=True)
    )
    return {at for at, id in enumerate(sorted(wrong)) if wrong[id]}


def _lines(source: Source, numbers: Sequence[int]) -> Iterator[Line]:
    """Yield flipped utterances as the source shows them in which they are wrong."""
    if isinstance(source, RunSource):
        yield from map(source.line_at, numbers[:_SHOWN])
    else:
        ids = sorted(source.scores("").ids)
        for at in numbers[:_SHOWN]:
            key = {"id": ids[at]}
            yield Line("", ids[at], source.brief(key), key=key)


def flipped(first: Source, second: Source, set: str = "") -> tuple[list[Line], list[Line]]:
    """Return the utterances right only in the second source, and those right only in the first."""
    better, worse = flips(first, second, set)
    return list(_lines(first, better)), list(_lines(second, worse))


def _moved(first: Source, second: Source, better: Sequence[int], worse: Sequence[int]) -> Table:
    """Return which intents, or which words, became right and wrong."""
    if isinstance(first, RunSource) and isinstance(second, RunSource):
        gained, lost = first.labels_of(better), first.labels_of(worse)
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
