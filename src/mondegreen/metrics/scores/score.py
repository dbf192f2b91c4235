"""A score: a table of counts, one row per utterance, and ratios of its column sums."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from mondegreen.errors import DataError, unknown
from mondegreen.metrics.metric import Counting, Ratio, Sums
from mondegreen.metrics.scores.tally import Tally, joined
from mondegreen.metrics.statistics.estimate import Estimate, records
from mondegreen.metrics.statistics.groups import by_block, labels_of
from mondegreen.metrics.statistics.intervals import rate_interval
from mondegreen.metrics.statistics.measure import Measure, rates_line
from mondegreen.metrics.statistics.resampling import REPLICATES, resampled
from mondegreen.metrics.words.steps import Aligned, Alignments, confusions
from mondegreen.notebook import ShownInNotebooks
from mondegreen.text.items import listed

if TYPE_CHECKING:
    from mondegreen.metrics.statistics.comparison import Comparison

Counts = npt.NDArray[np.int64]


def with_totals(counts: Counts, errors: Sequence[int], more: Counts | None = None) -> Counts:
    """Add two columns: whether an utterance is wrong (has any of the errors), and 1.

    ``more`` are further columns, which come before these two.
    """
    width = counts.shape[1]
    table = np.ones((len(counts), width + 2 + (0 if more is None else more.shape[1])), np.int64)
    table[:, :width] = counts
    if more is not None:
        table[:, width:-2] = more
    table[:, -2] = counts @ np.array(errors, np.int64) > 0
    return table


def both_sides(
    refs: Iterable[Any], hyps: Iterable[Any], ids: Sequence[str] | None
) -> tuple[list[Any], list[Any]]:
    """Return references and hypotheses as two lists of one length.

    Raises:
        DataError: if they are something else, or naming the row that has no value.
    """
    found = _side(refs, "reference"), _side(hyps, "hypothesis")
    left, right = map(len, found)
    if left != right:
        raise DataError(f"{left} references and {right} hypotheses do not pair up")
    if ids is not None and len(ids) != left:
        raise DataError(f"{len(ids)} ids for {left} references; give one each")
    return found


def _side(items: Iterable[Any], what: str) -> list[Any]:
    if isinstance(items, str):
        raise DataError("a single text is not a list of texts; put it into a list")
    if isinstance(items, Mapping) or hasattr(items, "columns"):
        names = ", ".join(map(str, items))
        raise DataError(
            f"a {type(items).__name__} of {names} is not a list; give one of its columns"
        )
    found: list[Any] = listed(items)
    if not {float, type(None)}.isdisjoint(map(type, found)):
        for row, one in enumerate(found, start=1):
            if one is None or one != one:  # noqa: PLR0124 (so is NaN)
                raise DataError(f"the {what} of row {row} is {one}; give an empty text for silence")
    return found


class LaterColumns(NamedTuple):
    """Columns that take time and are worked out, once, when a rate first needs them."""

    columns: tuple[str, ...]
    table: Callable[[], Counts]


@dataclass(frozen=True, eq=False, repr=False)
class Score(ShownInNotebooks):
    """What a metric found. Scores of one kind add up; two error rates are never averaged.

    ``score["wer"].value``, ``score["wer"].interval()``, ``score.items``, ``score.alignments``,
    ``score.confusions``, ``score.by(speakers)``, ``score.by_type``, ``score.compare(other)``,
    ``sum(scores)``, ``score.to_pandas()``.

    >>> from mondegreen.score import words
    >>> sum(words(["play jazz"], [heard]) for heard in ("play jazz", "play jaws"))
    <Score words, 2 utterances: wer 25.00 %, mer 25.00 %, wil 43.75 %, cer 11.11 %, ser 50.00 %>

    The score of a large corpus that was read in parts (see
    :mod:`mondegreen.metrics.scores.totals`) keeps no ids; its rows are distinct, and ``times`` says
    how often each occurs. ``tallies`` are the other counts of its metric, such as how often each
    word was confused. ``units`` says to which text each row belongs, where a model answered every
    text several times: intervals and tests draw texts, not answers.
    """

    metric: Counting
    signature: str
    counts: Counts
    ids: tuple[str, ...]
    later: LaterColumns | None = None
    detail: Any = field(default=None, repr=False, compare=False)
    columns: tuple[str, ...] = ()
    rates: Mapping[str, Ratio] = field(default_factory=dict, repr=False)
    times: Counts | None = None
    tallies: Mapping[str, Counter[Any]] = field(default_factory=dict, repr=False, compare=False)
    units: tuple[int, ...] | None = None

    def __post_init__(self) -> None:
        if not self.columns:
            object.__setattr__(self, "columns", self.metric.columns)
        if not self.rates:
            object.__setattr__(self, "rates", self._own_rates())

    def _own_rates(self) -> dict[str, Ratio]:
        """Return the rates of the metric that the columns allow."""
        there = {*self.all_columns()}
        return {name: r for name, r in self.metric.by_name.items() if there.issuperset(r.columns)}

    def __getitem__(self, name: str) -> Measure:
        if name not in self.rates:
            raise DataError(unknown("rate", name, self.rates))
        return Measure(name, self, self.rates[name].ratio)

    @property
    def is_aligned(self) -> bool:
        """Whether the score knows how its pairs are aligned; sums and groups do not."""
        return isinstance(self.detail, Aligned)

    @property
    def main(self) -> str:
        """The rate to sort and plot by: the first of the metric's that has a denominator."""
        return self.metric.main_of({name: self[name].denominator for name in self.rates})

    def __iter__(self) -> Iterator[str]:
        return iter(self.rates)

    def __len__(self) -> int:
        return Tally(self.counts, self.times).n

    def __add__(self, other: Score) -> Score:
        if self.signature != other.signature:
            raise DataError(
                f"scores of different recipes do not add up: {self.signature} and {other.signature}"
            )
        parts = self.tally, other.tally
        whole = self.times is None and other.times is None  # one row per utterance
        merged = Tally(np.concatenate([part.rows for part in parts])) if whole else joined(parts)
        return replace(
            self,
            columns=self.all_columns(),
            counts=merged.rows,
            times=merged.times,
            ids=(*self.ids, *other.ids) if whole else (),
            later=None,
            detail=None,
            units=_joined_units(self, other),
        )

    def __radd__(self, other: object) -> Score:
        """Make ``sum`` work, which starts at 0."""
        return self if other == 0 else NotImplemented

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Score)
            and (self.signature, self.ids) == (other.signature, other.ids)
            and self.all_columns() == other.all_columns()
            and np.array_equal(self.table(), other.table())
            and np.array_equal(self.times, other.times)  # type: ignore[arg-type]
        )

    def __hash__(self) -> int:
        return hash((self.signature, self.ids))

    def __repr__(self) -> str:
        rates = rates_line(self) or "every denominator is 0"
        return f"<Score {self.metric.name}, {len(self):,} utterances: {rates}>"

    def __getstate__(self) -> dict[str, Any]:
        """Return what is pickled: functions are found again by the name of the metric."""
        return {
            "metric": self.metric,
            "signature": self.signature,
            "counts": self.table(),
            "ids": self.ids,
            "detail": self.detail,
            "columns": self.all_columns(),
            "times": self.times,
            "tallies": self.tallies,
            "units": self.units,
        }

    def __setstate__(self, state: dict[str, Any]) -> None:
        for name, value in {**state, "later": None}.items():
            object.__setattr__(self, name, value)
        object.__setattr__(self, "rates", self._own_rates())

    @property
    def tally(self) -> Tally:
        """All counts, and how often each row occurs."""
        return Tally(self.table(), self.times)

    def all_columns(self) -> tuple[str, ...]:
        """The names of the columns, also of those that are worked out later."""
        return self.columns + (self.later.columns if self.later else ())

    def table(self) -> Counts:
        """All counts, also those that are worked out later."""
        if self.later is None:
            return self.counts
        return np.concatenate([self.counts, self.later.table()], axis=1)

    def sums(self) -> Sums:
        """The sum of each column; those that take time are worked out when they are read."""
        return self._sums

    @cached_property
    def _sums(self) -> Sums:
        return _Sums(self)

    def replicates(
        self, *, blocks: Sequence[str] | None = None, replicates: int = REPLICATES, seed: int = 0
    ) -> Sums:
        """The sums of many bootstrap samples, an array a column."""
        sums = resampled(self.independent(blocks), replicates, seed)
        return dict(zip(self.all_columns(), sums.T, strict=True))

    def independent(self, blocks: Sequence[str] | None = None) -> Tally:
        """Return the counts of what is independent: of utterances, texts or blocks."""
        units = self.units if blocks is None else blocks
        return self.tally if units is None else Tally(by_block(self.table(), units))

    def estimates(
        self, *, blocks: Sequence[str] | None = None, intervals: bool = True
    ) -> list[Estimate]:
        """Return all rates with their intervals, over utterances or over blocks."""
        units = self.independent(blocks) if intervals and len(self) else None
        found = []
        for name, rate_of in self.rates.items():
            rate = self[name]
            counted = rate.numerator, rate.denominator
            low = high = None
            few = False
            if units is not None and rate.value is not None:
                interval, few = rate_interval(rate_of.ratio, self.all_columns(), units)
                low, high = interval or (None, None)
            found.append(Estimate(name, rate.value, low, high, *counted, few=few))
        return found

    @property
    def items(self) -> list[dict[str, Any]]:
        """One row an utterance: its id, its rates, its counts."""
        self._check_ids()
        columns = self.all_columns()
        rows = []
        for id, counts in zip(self.ids, self.table().tolist(), strict=True):
            row = dict(zip(columns, counts, strict=True))
            rates = {name: _quotient(*rate.ratio(row)) for name, rate in self.rates.items()}
            rows.append({"id": id, **rates, **row})
        return rows

    @property
    def alignments(self) -> Alignments:
        """The steps of each utterance, with words and positions.

        Raises:
            DataError: if the score has none: a sum or a group keeps counts only.
        """
        return Alignments(self)

    @property
    def confusions(self) -> dict[str, Counter[tuple[str, ...]]]:
        """What was substituted, deleted and inserted, and how often."""
        return confusions(self)

    @property
    def by_type(self) -> dict[str, Any]:
        """The counts of each slot label, of each fluency tag, or of each class of entities.

        Raises:
            DataError: if the score has none.
        """
        found: dict[str, Any] | None = getattr(self.detail, "types", None)
        if found is None:
            raise DataError(f"this score of {self.metric.name} has no labels, tags or classes")
        return found

    def asdict(self, estimates: Sequence[Estimate] | None = None) -> dict[str, Any]:
        """Return the score as plain values: the JSON object that the command line prints.

        Args:
            estimates: the rates with their intervals; by default those of :meth:`estimates`.

        >>> from mondegreen.score import words
        >>> words(["play jazz"], ["play jaws"]).asdict()["counts"]["substitutions"]
        1
        """
        found, sums = self.estimates() if estimates is None else estimates, self.sums()
        return {
            "metric": self.metric.name,
            "signature": self.signature,
            "n": len(self),
            **records(found),
            "counts": {name: sums[name] for name in self.all_columns()},
        }

    def to_pandas(self) -> Any:
        """Return a pandas data frame with one row per utterance: texts, rates and counts."""
        from mondegreen.metrics.scores.frames import to_pandas

        return to_pandas(self)

    def to_polars(self) -> Any:
        """Return a polars data frame with one row per utterance: texts, rates and counts."""
        from mondegreen.metrics.scores.frames import to_polars

        return to_polars(self)

    def to_arrow(self) -> Any:
        """Return an Arrow table with one row per utterance: texts, rates and counts."""
        from mondegreen.metrics.scores.frames import to_arrow

        return to_arrow(self)

    def by(self, groups: Sequence[str] | Mapping[str, str]) -> dict[str, Score]:
        """Return the score of each group: a group an utterance, or a mapping from its id.

        Raises:
            DataError: if an utterance has no group.
        """
        self._check_ids()
        rows: dict[str, list[int]] = {}
        for row, name in enumerate(labels_of(self.ids, groups)):
            rows.setdefault(name, []).append(row)
        return {group: self._part(found) for group, found in rows.items()}

    def _check_ids(self) -> None:
        if len(self.ids) != len(self):
            raise DataError(
                "the score of a large corpus keeps no row per utterance; score its parts, or write "
                "the rows with --items"
            )

    def _part(self, rows: list[int]) -> Score:
        return replace(
            self,
            columns=self.all_columns(),
            counts=self.table()[rows],
            ids=tuple(self.ids[i] for i in rows),
            later=None,
            detail=None,
            units=None if self.units is None else tuple(self.units[i] for i in rows),
        )

    def compare(
        self,
        other: Score,
        *,
        seed: int = 0,
        blocks: Sequence[str] | None = None,
        exact: bool = True,
    ) -> Comparison:
        """Compare another system on the same utterances with this one.

        See :func:`mondegreen.metrics.statistics.paired.compare_scores`.
        """
        from mondegreen.metrics.statistics.comparison import ALL, Comparison
        from mondegreen.metrics.statistics.paired import compare_scores, score_flips

        found = compare_scores(self, other, seed=seed, blocks=blocks, exact=exact)
        flips = list(score_flips(ALL, self, other))
        rates = tuple(self.rates)
        return Comparison("first", "second", (found,), self.main, rates, flips, self.signature)


class _Sums(dict[str, int]):
    """Column sums; those that take time are worked out when they are read."""

    def __init__(self, score: Score) -> None:
        sums = Tally(score.counts, score.times).sums()
        super().__init__(zip(score.columns, sums.tolist(), strict=True))
        self._score = score

    def __missing__(self, name: str) -> int:
        score = self._score
        if score.later is not None and name in score.later.columns:
            sums = score.later.table().sum(axis=0)
            self.update(zip(score.later.columns, map(int, sums), strict=True))
        else:
            raise KeyError(name)
        return self[name]


def _joined_units(first: Score, second: Score) -> tuple[int, ...] | None:
    """Return the units of two scores together; rows without units are units of their own."""
    if first.units is None and second.units is None:
        return None
    one, other = (
        range(len(score)) if score.units is None else score.units for score in (first, second)
    )
    start = max(one, default=-1) + 1
    return (*one, *(start + unit for unit in other))


def _quotient(numerator: float, denominator: float) -> float | None:
    return numerator / denominator if denominator else None
