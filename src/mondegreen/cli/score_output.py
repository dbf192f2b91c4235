"""Print a score as tables or JSON, and write its files; the same for every metric."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import click
import msgspec

from mondegreen.cli.p_values import p_text
from mondegreen.cli.score_gate import MAIN as _MAIN
from mondegreen.cli.score_gate import Gate
from mondegreen.cli.typed import option
from mondegreen.data.output import whole_file, write_lines
from mondegreen.data.transcripts import Transcripts
from mondegreen.metrics.comparison import Comparison
from mondegreen.metrics.estimate import Estimate
from mondegreen.metrics.metric import Metric, References, Section
from mondegreen.metrics.rows import rows
from mondegreen.metrics.score import Score

_ALL = "all utterances"


@dataclass(frozen=True, kw_only=True)
class ScoreOptions:
    """Options for the output of a score."""

    by: str | None = option(
        default=None,
        help="Also print the score of each group, by a column of REF.",
        metavar="COLUMN",
    )
    blocks: str | None = option(
        default=None,
        help="Resample whole blocks (such as speakers) in the bootstrap, by a column of REF.",
        metavar="COLUMN",
    )
    no_intervals: bool = option(default=False, help="Compute no confidence intervals.")
    seed: int = option(default=0, help="Random seed for the bootstrap.")
    as_json: bool = option("--json", default=False, help="Print one JSON object.")
    items: Path | None = option(
        default=None,
        help="Write one JSON line per utterance, for mondegreen report and view.",
        metavar="FILE",
    )
    force: bool = option(default=False, help="Replace existing files.")
    fail_if_worse: str | None = option(
        default=None,
        help="Exit with 3 if HYP is significantly worse than --against, by RATE (by default the "
        "main rate), overall or in any group of --by.",
        is_flag=False,
        flag_value=_MAIN,
        metavar="[RATE]",
    )
    fail_over: tuple[str, ...] = option(
        default=(),
        help="Exit with 3 if a rate is above a limit, such as wer=0.12. Repeatable.",
        metavar="RATE=LIMIT",
    )
    fail_under: tuple[str, ...] = option(
        default=(),
        help="Exit with 3 if a rate is below a limit, such as slot_f1=0.9. Repeatable.",
        metavar="RATE=LIMIT",
    )

    def estimates(self, score: Score, blocks: Sequence[str] | None = None) -> list[Estimate]:
        """Return the rates of a score with their intervals."""
        return score.estimates(blocks=blocks, seed=self.seed, bootstrap=not self.no_intervals)


def finish(
    metric: Metric,
    refs: References,
    scores: tuple[Score, Score | None],
    display: Any,
    options: ScoreOptions,
    names: tuple[Path | None, Path | None],
) -> None:
    """Print a score, and write its files.

    Args:
        metric: the metric of the score.
        refs: the references, with the columns for groups and blocks.
        scores: the score and, if two systems are compared, the score of the other system.
        display: the metric's display options.
        options: the common options.
        names: the files of both systems.
    """
    score, other = scores
    gate = Gate.of(options, score, compared=other is not None)
    found = _Found.of(refs, scores, options, metric.sections(score, refs, display))
    for note in metric.notes(score, refs):
        click.echo(f"mondegreen: note: {note}", err=True)
    if options.items is not None:
        write_items(score, refs.file, options.items, force=options.force)
    for path, lines in metric.files(score, display):
        write_lines(path, lines, force=options.force)
    if options.as_json:
        click.echo(msgspec.json.encode(found.record(options)).decode())
    else:
        found.show(options, names)
    if gate is not None:
        gate.check(score, found.comparisons)


class _Found(NamedTuple):
    """A score with its groups, and the other system against it."""

    score: Score
    blocks: Sequence[str] | None
    groups: dict[str, Score]
    comparisons: dict[str, Comparison]
    """By group, and for all utterances; empty if one system is scored."""
    sections: Sequence[Section]

    @classmethod
    def of(
        cls,
        refs: References,
        scores: tuple[Score, Score | None],
        options: ScoreOptions,
        sections: Sequence[Section],
    ) -> _Found:
        score, other = scores
        column = refs.file.column(options.by) if options.by else None
        blocks = refs.file.column(options.blocks) if options.blocks else None
        groups = score.by(column) if column else {}
        comparisons = {}
        if other is not None:
            parts = other.by(column) if column else {}
            comparisons = {
                name: part.compare(parts[name], seed=options.seed) for name, part in groups.items()
            }
            comparisons[_ALL] = score.compare(other, seed=options.seed, blocks=blocks)
        return cls(score, blocks, groups, comparisons, sections)

    def record(self, options: ScoreOptions) -> dict[str, Any]:
        """Return everything as plain values, for JSON."""
        record = self.score.asdict(options.estimates(self.score, self.blocks))
        if self.groups:
            record["groups"] = {
                name: part.asdict(options.estimates(part)) | self._comparison(name)
                for name, part in self.groups.items()
            }
        sections = {section.name: section.value for section in self.sections if section.name}
        return record | self._comparison(_ALL) | sections

    def _comparison(self, name: str) -> dict[str, Any]:
        return {"comparison": self.comparisons[name].record()} if self.comparisons else {}

    def show(self, options: ScoreOptions, names: tuple[Path | None, Path | None]) -> None:
        """Print everything for people."""
        _print_sections(self.sections, above=True)
        click.echo(self.score.signature)
        _print_all(score_lines(self.score, options.estimates(self.score, self.blocks)))
        for name, part in self.groups.items():
            click.echo(f"\n{options.by} {name}")
            _print_all(score_lines(part, options.estimates(part)))
            if self.comparisons:
                _print_all(comparison_lines(self.comparisons[name], *names))
        if self.comparisons:
            if self.groups:
                click.echo(f"\n{_ALL}")
            _print_all(comparison_lines(self.comparisons[_ALL], *names))
        _print_sections(self.sections, above=False)


def _print_sections(sections: Sequence[Section], *, above: bool) -> None:
    for section in sections:
        if section.above == above:
            _print_all(iter(section.lines))


def _print_all(lines: Iterator[str]) -> None:
    for line in lines:
        click.echo(line)


def score_lines(score: Score, estimates: Sequence[Estimate]) -> Iterator[str]:
    """Yield the lines of a table for people."""
    yield f"{len(score):,} utterances"
    width = max(map(len, score.rates))
    for rate in estimates:
        share = "denominator is 0" if rate.value is None else f"{100 * rate.value:7.2f} %"
        interval = (
            ""
            if rate.low is None or rate.high is None
            else f"  [{100 * rate.low:.2f}, {100 * rate.high:.2f}]"
        )
        counts = f"{rate.numerator:,} / {rate.denominator:,}"
        yield f"{rate.name:{width}}  {share}{interval}  {counts}"
    sums = score.sums()
    yield "  ".join(f"{name} {sums[name]:,}" for name in score.columns[:-1])


def comparison_lines(
    comparison: Comparison, first: Path | None, second: Path | None
) -> Iterator[str]:
    """Yield the lines of a comparison of two systems: differences, intervals and p-values."""
    yield f"\n{second} against {first}"
    width = max(map(len, comparison.rates))
    for name, rate in comparison.rates.items():
        if rate.first is None or rate.second is None or rate.p is None or rate.interval is None:
            continue
        low, high = (100 * edge for edge in rate.interval)
        both = f"{100 * rate.first:6.2f} % → {100 * rate.second:6.2f} %"
        points = f"{100 * (rate.difference or 0):+.2f} points  [{low:+.2f}, {high:+.2f}]"
        yield f"{name:{width}}  {both}  {points}  {p_text(rate.p)}"
    yield (
        f"utterances: {comparison.only_second_right:,} right only in {second}, "
        f"{comparison.only_first_right:,} right only in {first}; "
        f"McNemar {p_text(comparison.mcnemar)}"
    )
    if comparison.mapsswe:
        test = comparison.mapsswe
        if test.z is None or test.p is None:
            yield f"MAPSSWE: {test.segments:,} segments, too few or all alike: no verdict"
        else:
            yield f"MAPSSWE: {test.segments:,} segments, z {test.z:+.2f}, {p_text(test.p)}"


def write_items(score: Score, refs: Transcripts, path: Path, *, force: bool) -> None:
    """Write one JSON line per utterance."""
    with whole_file(path, force=force) as file:
        file.write(msgspec.json.Encoder().encode_lines(rows(score, refs.extra)))
