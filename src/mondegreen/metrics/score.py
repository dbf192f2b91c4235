"""A score: a table of counts, one row per utterance, and ratios of its column sums."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from mondegreen.errors import DataError, unknown
from mondegreen.metrics.estimate import Estimate
from mondegreen.metrics.metric import Counting, Rate, Ratio, Sums
from mondegreen.metrics.statistics import LEVEL, REPLICATES, Interval, interval_of, resampled
from mondegreen.notebook import ShownInNotebooks

if TYPE_CHECKING:
    from mondegreen.metrics.comparison import Comparison

Counts = npt.NDArray[np.int64]


def with_totals(counts: Counts, errors: Sequence[int]) -> Counts:
    """Add two columns: whether an utterance is wrong (has any of the errors), and 1."""
    table = np.ones((len(counts), counts.shape[1] + 2), np.int64)
    table[:, :-2] = counts
    table[:, -2] = counts @ np.array(errors, np.int64) > 0
    return table


def check_sides(refs: Sequence[object], hyps: Sequence[object], ids: Sequence[str] | None) -> None:
    """Refuse references and hypotheses that are not two lists of one length.

    Raises:
        DataError: saying what they are.
    """
    if isinstance(refs, str) or isinstance(hyps, str):
        raise DataError("a single text is not a list of texts; put it into a list")
    if len(refs) != len(hyps):
        raise DataError(f"{len(refs)} references and {len(hyps)} hypotheses do not pair up")
    if ids is not None and len(ids) != len(refs):
        raise DataError(f"{len(ids)} ids for {len(refs)} references; give one each")


class Later(NamedTuple):
    """Columns that take time and are worked out, once, when a rate first needs them."""

    columns: tuple[str, ...]
    table: Callable[[], Counts]


@dataclass(frozen=True)
class Measure:
    """One rate of a score: ``value`` is ``None`` where there is nothing to divide by."""

    name: str
    score: Score
    ratio: Ratio

    @property
    def numerator(self) -> float:
        """What is counted: a whole number, but for halves and quarters of features."""
        return _plain(self.ratio(self.score.sums())[0])

    @property
    def denominator(self) -> float:
        """What it is counted of."""
        return _plain(self.ratio(self.score.sums())[1])

    @property
    def value(self) -> float | None:
        """The rate."""
        denominator = self.denominator
        return self.numerator / denominator if denominator else None

    def interval(
        self,
        level: float = LEVEL,
        *,
        blocks: Sequence[str] | None = None,
        replicates: int = REPLICATES,
        seed: int = 0,
    ) -> Interval | None:
        """Return the bootstrap interval, over utterances or over blocks (speakers, say)."""
        if not 0 < level < 1 or replicates < 1:
            raise DataError(
                f"an interval needs a level between 0 and 1 and a replicate, got {level} and "
                f"{replicates}"
            )
        sums = self.score.replicates(blocks=blocks, replicates=replicates, seed=seed)
        return interval_of(*self.ratio(sums), level)


@dataclass(frozen=True)
class Score(ShownInNotebooks):
    """What a metric found. Scores of one kind add up; two error rates are never averaged.

    ``score["wer"].value``, ``score["wer"].interval()``, ``score.items``, ``score.by(speakers)``,
    ``score.compare(other)``.
    """

    metric: Counting
    signature: str
    counts: Counts
    ids: tuple[str, ...]
    later: Later | None = None
    detail: Any = field(default=None, repr=False, compare=False)
    columns: tuple[str, ...] = ()
    rates: Mapping[str, Rate] = field(default_factory=dict, repr=False)

    def __post_init__(self) -> None:
        if not self.columns:
            object.__setattr__(self, "columns", self.metric.columns)
        if not self.rates:
            object.__setattr__(self, "rates", self.metric.by_name)

    def __getitem__(self, name: str) -> Measure:
        if name not in self.rates:
            raise DataError(unknown("rate", name, self.rates))
        return Measure(name, self, self.rates[name].ratio)

    @property
    def main(self) -> str:
        """The rate to sort and plot by: the first of the metric's that has a denominator."""
        return self.metric.main_of({name: self[name].denominator for name in self.rates})

    def __iter__(self) -> Iterator[str]:
        return iter(self.rates)

    def __len__(self) -> int:
        return len(self.counts)

    def __add__(self, other: Score) -> Score:
        if self.signature != other.signature:
            raise DataError(
                f"scores of different recipes do not add up: {self.signature} and {other.signature}"
            )
        mine, theirs = self.table(), other.table()
        return replace(
            self,
            columns=self.all_columns(),
            counts=np.concatenate([mine, theirs]),
            ids=(*self.ids, *other.ids),
            later=None,
            detail=None,
        )

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
        table = self.table() if blocks is None else by_block(self.table(), blocks)
        sums = resampled(table, replicates, seed)
        return dict(zip(self.all_columns(), sums.T, strict=True))

    def estimates(
        self, *, blocks: Sequence[str] | None = None, seed: int = 0, bootstrap: bool = True
    ) -> list[Estimate]:
        """Return all rates with their intervals; one bootstrap serves all."""
        drawn = bootstrap and len(self) > 0
        sums = self.replicates(blocks=blocks, seed=seed) if drawn else None
        found = []
        for name, rate_of in self.rates.items():
            rate = self[name]
            interval = interval_of(*rate_of.ratio(sums), LEVEL) if sums is not None else None
            low, high = interval or (None, None)
            counted = rate.numerator, rate.denominator
            found.append(Estimate(name, rate.value, low, high, *counted))
        return found

    @property
    def items(self) -> list[dict[str, Any]]:
        """One row an utterance: its id, its rates, its counts."""
        columns = self.all_columns()
        rows = []
        for id, counts in zip(self.ids, self.table().tolist(), strict=True):
            row = dict(zip(columns, counts, strict=True))
            rates = {name: _quotient(*rate.ratio(row)) for name, rate in self.rates.items()}
            rows.append({"id": id, **rates, **row})
        return rows

    def by(self, groups: Sequence[str] | Mapping[str, str]) -> dict[str, Score]:
        """Return the score of each group: a group an utterance, or a mapping from its id.

        Raises:
            DataError: if an utterance has no group.
        """
        rows: dict[str, list[int]] = {}
        for row, name in enumerate(_labels(self.ids, groups)):
            rows.setdefault(name, []).append(row)
        return {group: self._part(found) for group, found in rows.items()}

    def _part(self, rows: list[int]) -> Score:
        return replace(
            self,
            columns=self.all_columns(),
            counts=self.table()[rows],
            ids=tuple(self.ids[i] for i in rows),
            later=None,
            detail=None,
        )

    def compare(
        self,
        other: Score,
        *,
        seed: int = 0,
        blocks: Sequence[str] | None = None,
        exact: bool = False,
        permutations: int | None = None,
    ) -> Comparison:
        """Compare with another system on the same utterances.

        See :func:`mondegreen.metrics.comparison.compare`.
        """
        from mondegreen.metrics.comparison import PERMUTATIONS, compare

        return compare(
            self,
            other,
            seed=seed,
            blocks=blocks,
            exact=exact,
            permutations=permutations or PERMUTATIONS,
        )


class _Sums(dict[str, int]):
    """Column sums; those that take time are worked out when they are read."""

    def __init__(self, score: Score) -> None:
        super().__init__(zip(score.columns, score.counts.sum(axis=0).tolist(), strict=True))
        self._score = score

    def __missing__(self, name: str) -> int:
        score = self._score
        if score.later is not None and name in score.later.columns:
            sums = score.later.table().sum(axis=0)
            self.update(zip(score.later.columns, map(int, sums), strict=True))
        else:
            raise KeyError(name)
        return self[name]


def _plain(number: float) -> float:
    return int(number) if number == int(number) else float(number)


def _quotient(numerator: float, denominator: float) -> float | None:
    return numerator / denominator if denominator else None


def _labels(ids: Sequence[str], groups: Sequence[str] | Mapping[str, str]) -> list[str]:
    if isinstance(groups, Mapping):
        missing = next((id for id in ids if id not in groups), None)
        if missing is not None:
            raise DataError(f"utterance {missing!r} has no group; give one for every id")
        return [groups[id] for id in ids]
    if len(groups) != len(ids):
        raise DataError(f"{len(groups)} groups for {len(ids)} utterances; give one each")
    return list(groups)


def by_block(table: Counts, blocks: Sequence[str]) -> Counts:
    """Return the sums of each block: what a blocked bootstrap draws.

    Raises:
        DataError: if there is not one block per utterance.
    """
    if len(blocks) != len(table):
        raise DataError(f"{len(blocks)} blocks for {len(table)} utterances; give one each")
    numbers = {name: i for i, name in enumerate(dict.fromkeys(blocks))}
    sums = np.zeros((len(numbers), table.shape[1]), np.int64)
    np.add.at(sums, [numbers[name] for name in blocks], table)
    return sums
