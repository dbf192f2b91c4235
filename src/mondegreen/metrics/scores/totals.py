"""Score a corpus part by part: what is found of a part is small, and adds up."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from mondegreen.metrics.metric import Metric, Part, References
from mondegreen.metrics.scores.rows import repeated_columns, rows
from mondegreen.metrics.scores.score import Counts, Score
from mondegreen.metrics.scores.tally import Gathering, Tally, tally
from mondegreen.metrics.statistics.comparison import ALL, Comparison
from mondegreen.metrics.statistics.estimate import Estimate
from mondegreen.metrics.statistics.groups import by_block
from mondegreen.metrics.statistics.paired import (
    PairedCounts,
    compare_pairs,
    enough_permutations,
    mapsswe_gaps,
    side_by_side,
)

_SAMPLE = 1_000  # utterances of the first part, for notes
MapParts = Callable[[Callable[[Part], "PartFound"], Iterable[Part]], Iterator["PartFound"]]
"""Applies a function to parts, here or elsewhere, and yields what it returns in order."""


@dataclass(frozen=True)
class WantedTotals:
    """What to find in each part.

    Args:
        metric: the metric.
        settings: its settings.
        display: its display options.
        by: the column of groups.
        blocks: the column of blocks.
        items: also make the rows of the utterances.
        lines: also make what is printed of each utterance.
        repeated: columns that rows leave out, because they hold the id or the text once more.
    """

    metric: Metric
    settings: Any
    display: Any
    by: str | None = None
    blocks: str | None = None
    items: bool = False
    lines: bool = False
    repeated: frozenset[str] = frozenset()

    def __call__(self, part: Part) -> PartFound:
        """Score a part, and keep what adds up."""
        metric, refs = self.metric, part.refs
        scores = [metric.score(refs, hyps, self.settings) for hyps in part.hyps]
        score = scores[0]
        table = score.table() if len(scores) == 1 else side_by_side(*scores)
        found = PartFound(score.signature, score.all_columns(), tally(table))
        if len(scores) > 1:
            found.gaps = mapsswe_gaps(scores[0].detail, scores[1].detail)
        if self.by is not None:
            groups = _places(refs.file.column(self.by))
            found.groups = {name: tally(table[at]) for name, at in groups.items()}
        if self.blocks is not None:
            names = refs.file.column(self.blocks)
            sums = by_block(table, names)
            found.blocks = dict(zip(dict.fromkeys(names), sums, strict=True))
        found.tallies = metric.tally(score, refs, self.display)
        if self.items:
            made = rows(score, refs.file.extra, self.repeated)
            found.items = msgspec.json.Encoder().encode_lines(made)
        if self.lines:
            found.lines = list(metric.lines(score, self.display))
        found.files = [(path, list(lines)) for path, lines in metric.files(score, self.display)]
        return found


def _places(names: Sequence[str]) -> dict[str, list[int]]:
    places: dict[str, list[int]] = {}
    for place, name in enumerate(names):
        places.setdefault(name, []).append(place)
    return places


@dataclass
class PartFound:
    """What was found in a part: counts of one system or of two side by side, and what else."""

    signature: str
    columns: tuple[str, ...]
    counts: Tally
    gaps: Counter[int] | None = None
    groups: dict[str, Tally] = field(default_factory=dict)
    blocks: dict[str, Counts] = field(default_factory=dict)
    tallies: Mapping[str, Counter[Any]] = field(default_factory=dict)
    items: bytes = b""
    lines: list[str] = field(default_factory=list)
    files: list[tuple[Path, list[str]]] = field(default_factory=list)


class Totals:
    """The sums over all parts of a corpus."""

    def __init__(self, metric: Metric) -> None:
        self.metric = metric
        self.signature = ""
        self.columns: tuple[str, ...] = ()
        self._counts = Gathering()
        self._groups: dict[str, Gathering] = {}
        self._blocks: dict[str, Counts] = {}
        self._gaps: Counter[int] | None = None
        self._tallies: dict[str, Counter[Any]] = {}

    def add(self, found: PartFound) -> None:
        """Add what was found in a part."""
        self.signature = found.signature
        self.columns = found.columns
        self._counts.add(found.counts)
        for name, counts in found.groups.items():
            self._groups.setdefault(name, Gathering()).add(counts)
        for name, sums in found.blocks.items():
            self._blocks[name] = self._blocks.get(name, 0) + sums
        if found.gaps is not None:
            self._gaps = (self._gaps or Counter()) + Counter()  # also of no segments
            self._gaps.update(found.gaps)
        for name, counter in found.tallies.items():
            self._tallies.setdefault(name, Counter()).update(counter)

    def result(self, samples: Sequence[Score], refs: References) -> Result:
        """Return the scores of the whole corpus.

        Args:
            samples: the scores of each system on a sample, for notes.
            refs: the references of the sample.
        """
        counts, width = self._counts.total(), len(self.columns)
        first = replace(
            self._score(Tally(counts.rows[:, :width], counts.times)),
            detail=samples[0].detail,
            tallies=self._tallies,
        )
        blocks = np.array(list(self._blocks.values()), np.int64) if self._blocks else None
        pairs = None
        if counts.rows.shape[1] > width:
            pairs = PairedCounts(self.columns, first.rates, counts)
        tables = {name: part.total() for name, part in self._groups.items()}
        groups = {
            name: self._score(Tally(table.rows[:, :width], table.times))
            for name, table in tables.items()
        }
        paired = {
            name: PairedCounts(self.columns, first.rates, table)
            for name, table in tables.items()
            if pairs
        }
        return Result(first, refs, tuple(samples), groups, blocks, pairs, paired, self._gaps)

    def _score(self, counts: Tally) -> Score:
        return Score(
            self.metric,
            self.signature,
            counts.rows,
            (),
            columns=self.columns,
            times=counts.times,
        )


@dataclass(frozen=True)
class Result:
    """The score of a corpus.

    ``refs`` are the references of a sample, ``samples`` the scores of each system on it. ``blocks``
    are the sums of each block, ``pairs`` and ``group_pairs`` the counts of two systems side by
    side, and ``gaps`` the segments of MAPSSWE.
    """

    score: Score
    refs: References
    samples: tuple[Score, ...]
    groups: dict[str, Score]
    blocks: Counts | None
    pairs: PairedCounts | None
    group_pairs: dict[str, PairedCounts]
    gaps: Counter[int] | None

    def notes(
        self, metric: Metric, names: Sequence[str], scores: Sequence[Score] = ()
    ) -> list[str]:
        """Return what a reader should know; ``scores`` are those of all systems, if of more."""
        known = scores or self.samples
        named = dict(zip(names if len(known) > 1 else [""], known, strict=False))
        sample = len(known[0])
        some = "" if sample == len(self.score) else f" (in a sample of {sample:,} utterances)"
        return [f"{note}{some}" for note in metric.notes(named, self.refs)]

    def estimates(self, *, intervals: bool = True) -> list[Estimate]:
        """Return the rates with their intervals, over blocks where there are blocks."""
        drawn = self.score
        if self.blocks is not None:
            width = len(self.score.columns)
            drawn = replace(self.score, counts=self.blocks[:, :width], times=None)
        return drawn.estimates(intervals=intervals)

    def comparison(
        self, first: str = "first", second: str = "second", *, seed: int = 0
    ) -> Comparison | None:
        """Compare both systems, on all utterances and in each group; ``None`` if one is scored."""
        if self.pairs is None:
            return None
        blocked = self.blocks
        drawn = None if blocked is None else replace(self.pairs, tally=Tally(blocked))
        draws: dict[str, Any] = {
            "seed": seed,
            "permutations": enough_permutations(1 + len(self.group_pairs)),
        }
        whole = compare_pairs(ALL, self.pairs, drawn, self.gaps, **draws)
        groups = [compare_pairs(name, one, **draws) for name, one in self.group_pairs.items()]
        score = self.score
        rates = tuple(score.rates)
        return Comparison(first, second, (whole, *groups), score.main, rates, of=score.signature)


def score_parts(
    wanted: WantedTotals,
    parts: Iterable[Part],
    map_parts: MapParts,
    on_found: Callable[[PartFound], object],
) -> Result:
    """Score a corpus part by part.

    Args:
        wanted: what to find in each part.
        parts: the parts, in order.
        map_parts: where to score them.
        on_found: called with what was found in each part, in order.
    """
    coming = iter(parts)
    first = next(coming)
    some = _sample(first)
    samples = [wanted.metric.score(some.refs, hyps, wanted.settings) for hyps in some.hyps]
    repeated = frozenset(repeated_columns(samples[0], some.refs.file.extra))
    totals = Totals(wanted.metric)
    for found in map_parts(replace(wanted, repeated=repeated), chain([first], coming)):
        totals.add(found)
        on_found(found)
    return totals.result(samples, some.refs)


def _sample(part: Part) -> Part:
    """Return utterances spread evenly over a part."""
    n = len(part.hyps[0])
    places = range(0, n, max(1, n // _SAMPLE))
    hyps = tuple([side[place] for place in places] for side in part.hyps)
    return Part(part.refs.only(places), hyps)
