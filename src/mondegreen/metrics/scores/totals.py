"""Score a corpus part by part: what is found of a part is small, and adds up."""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from mondegreen.data.pairs.parts import OutOfStep, read_once
from mondegreen.data.pairs.transcripts import read_transcripts
from mondegreen.errors import DataError
from mondegreen.metrics.metric import Files, Metric, Part, References
from mondegreen.metrics.scores.rows import repeated_columns, rows
from mondegreen.metrics.scores.score import Counts, Score
from mondegreen.metrics.scores.tally import Gathering, Tally, tally
from mondegreen.metrics.statistics.comparison import ALL, Comparison
from mondegreen.metrics.statistics.estimate import Estimate
from mondegreen.metrics.statistics.groups import by_block
from mondegreen.metrics.statistics.paired import (
    Pairs,
    compare_pairs,
    enough_permutations,
    mapsswe_gaps,
    side_by_side,
)

_SAMPLE = 1_000  # utterances of the first part, for notes
MapParts = Callable[[Callable[[Part], "Found"], Iterable[Part]], Iterator["Found"]]
"""Applies a function to parts, here or elsewhere, and yields what it returns in order."""


@dataclass(frozen=True)
class Wanted:
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

    def __call__(self, part: Part) -> Found:
        """Score a part, and keep what adds up."""
        metric, refs = self.metric, part.refs
        scores = [metric.score(refs, hyps, self.settings) for hyps in part.hyps]
        score = scores[0]
        table = score.table() if len(scores) == 1 else side_by_side(*scores)
        found = Found(score.signature, score.all_columns(), tally(table))
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
class Found:
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

    def add(self, found: Found) -> None:
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

    def result(self, sample: Score, refs: References) -> Result:
        """Return the scores of the whole corpus.

        Args:
            sample: the score of a sample, for notes.
            refs: the references of the sample.
        """
        counts, width = self._counts.total(), len(self.columns)
        first = replace(
            self._score(Tally(counts.rows[:, :width], counts.times)),
            detail=sample.detail,
            tallies=self._tallies,
        )
        blocks = np.array(list(self._blocks.values()), np.int64) if self._blocks else None
        pairs = None
        if counts.rows.shape[1] > width:
            pairs = Pairs(self.columns, first.rates, counts)
        tables = {name: part.total() for name, part in self._groups.items()}
        groups = {
            name: self._score(Tally(table.rows[:, :width], table.times))
            for name, table in tables.items()
        }
        paired = {
            name: Pairs(self.columns, first.rates, table) for name, table in tables.items() if pairs
        }
        return Result(first, refs, groups, blocks, pairs, paired, self._gaps)

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

    ``refs`` are the references of a sample. ``blocks`` are the sums of each block, ``pairs`` and
    ``group_pairs`` the counts of two systems side by side, and ``gaps`` the segments of MAPSSWE.
    """

    score: Score
    refs: References
    groups: dict[str, Score]
    blocks: Counts | None
    pairs: Pairs | None
    group_pairs: dict[str, Pairs]
    gaps: Counter[int] | None

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
    wanted: Wanted, parts: Iterable[Part], map_parts: MapParts, on_found: Callable[[Found], object]
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
    sample = wanted.metric.score(some.refs, some.hyps[0], wanted.settings)
    repeated = frozenset(repeated_columns(sample, some.refs.file.extra))
    totals = Totals(wanted.metric)
    for found in map_parts(replace(wanted, repeated=repeated), chain([first], coming)):
        totals.add(found)
        on_found(found)
    return totals.result(sample, some.refs)


def _sample(part: Part) -> Part:
    """Return utterances spread evenly over a part."""
    refs, step = part.refs, max(1, len(part.hyps[0]) // _SAMPLE)
    file = replace(
        refs.file,
        ids=refs.file.ids[::step],
        texts=refs.file.texts[::step],
        extra=refs.file.extra[::step],
        entities=None if refs.file.entities is None else refs.file.entities[::step],
        times=None if refs.file.times is None else refs.file.times[::step],
    )
    tags = None if refs.tags is None else refs.tags[::step]
    some = References(file, refs.items[::step], tags, refs.traits)
    return Part(some, tuple(hyps[::step] for hyps in part.hyps))


def whole(metric: Metric, files: Files, settings: Any) -> Part:
    """Read a corpus whole, paired by id."""
    refs = metric.read_refs(files.ref, files.format, settings)
    if files.missing != "error":
        refs = _matched(refs, files)
    hyps = [metric.read_hyps(refs, path, files.hyp_format, settings) for path in files.hyps]
    return Part(metric.refs_of(refs, hyps[0]), tuple(hyps))


def _matched(refs: References, files: Files) -> References:
    """Return references that may lack hypotheses, or only those that all systems have."""
    refs = refs._replace(file=replace(refs.file, missing=files.missing))
    if files.missing != "skip" or not refs.file.has_ids:
        return refs
    known = [{*read_transcripts(path, files.hyp_format).ids} for path in files.hyps]
    ids = refs.file.ids
    kept = [at for at, id in enumerate(ids) if all(id in there for there in known)]
    if len(kept) < len(ids):
        left_out = f"{len(ids) - len(kept):,} of {len(ids):,} references"
        warnings.warn(f"{left_out} without hypothesis are left out", stacklevel=3)
    return refs.only(kept)


def corpus_parts(metric: Metric, files: Files, settings: Any) -> Iterator[Part]:
    """Yield a corpus in parts, or whole if its metric cannot part it.

    Raises:
        OutOfStep: if the ids of the files are in different orders; read it whole.
        DataError: if that is so, and a source can be read only once.
    """
    if metric.parts is None or files.missing != "error":
        yield whole(metric, files, settings)
        return
    try:
        yield from metric.parts(files, settings)
    except OutOfStep:
        if read_once(files.ref, *files.hyps):
            raise DataError(
                f"the ids of {files.ref} and {' and '.join(map(str, files.hyps))} are not the same "
                "in the same order; sort both by id, or name files, which can be read twice"
            ) from None
        raise
