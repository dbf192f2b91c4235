"""One rate of a score: a number with its numerator, its denominator and its interval."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, SupportsFloat

from mondegreen.errors import DataError
from mondegreen.metrics.metric import Quotient
from mondegreen.metrics.statistics.intervals import rate_interval
from mondegreen.metrics.statistics.resampling import LEVEL, REPLICATES, Interval, interval_of

if TYPE_CHECKING:
    from mondegreen.metrics.scores.score import Score


@dataclass(frozen=True, eq=False, repr=False)
class Measure:
    """One rate of a score: ``value`` is ``None`` where there is nothing to divide by.

    It compares and formats as its value does, and is a number for :func:`float`: NaN where there
    is nothing to divide by.

    >>> from mondegreen.score import words
    >>> wer = words(["play some jazz"], ["play jaws"])["wer"]
    >>> wer < 0.7, float(wer), f"{wer:.1%}", wer
    (True, 0.6666666666666666, '66.7%', <wer 66.67 %, 2 / 3>)
    """

    name: str
    score: Score
    ratio: Quotient

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
        replicates: int | None = None,
        seed: int | None = None,
    ) -> Interval | None:
        """Return the interval, over utterances or over blocks (speakers, say).

        Args:
            level: how often it should hold the true rate.
            blocks: the block of each utterance.
            replicates: return the percentile interval of as many bootstrap samples instead.
            seed: the random seed of the bootstrap, which is then drawn.

        Raises:
            DataError: if the level or the number of samples is out of range.
        """
        if not 0 < level < 1 or (replicates is not None and replicates < 1):
            raise DataError(
                f"an interval needs a level between 0 and 1 and a replicate, got {level} and "
                f"{replicates}"
            )
        if replicates is None and seed is None:
            units = self.score.independent(blocks)
            return rate_interval(self.ratio, self.score.all_columns(), units, level).interval
        sums = self.score.replicates(
            blocks=blocks, replicates=replicates or REPLICATES, seed=seed or 0
        )
        return interval_of(*self.ratio(sums), level)

    def __float__(self) -> float:
        return math.nan if self.value is None else self.value

    def __format__(self, spec: str) -> str:
        return format(float(self), spec) if spec else repr(self)

    def __repr__(self) -> str:
        rate = "denominator is 0" if self.value is None else f"{100 * self.value:.2f} %"
        return f"<{self.name} {rate}, {self.numerator:,} / {self.denominator:,}>"

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Measure):
            return self.value == other.value
        return isinstance(other, int | float) and self.value == other

    def __hash__(self) -> int:
        return hash(self.value)

    def __lt__(self, other: SupportsFloat) -> bool:
        return float(self) < float(other)

    def __le__(self, other: SupportsFloat) -> bool:
        return float(self) <= float(other)

    def __gt__(self, other: SupportsFloat) -> bool:
        return float(self) > float(other)

    def __ge__(self, other: SupportsFloat) -> bool:
        return float(self) >= float(other)

    def __reduce__(self) -> tuple[Any, ...]:
        return _measure, (self.score, self.name)


def _measure(score: Score, name: str) -> Measure:
    return score[name]


def _plain(number: float) -> float:
    return int(number) if number == int(number) else float(number)


def rates_line(score: Score) -> str:
    """Return the rates that have a denominator, in one line.

    >>> from mondegreen.score import words
    >>> rates_line(words(["play some jazz"], ["play jaws"]))
    'wer 66.67 %, mer 66.67 %, wil 83.33 %, cer 50.00 %, ser 100.00 %'
    """
    values = {name: score[name].value for name in score.rates}
    return ", ".join(
        f"{name} {100 * value:.2f} %" for name, value in values.items() if value is not None
    )
