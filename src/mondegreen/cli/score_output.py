"""Print a score as tables or JSON, and write its files; the same for every metric."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click
import msgspec

from mondegreen.cli.p_values import p_text
from mondegreen.cli.typed import option
from mondegreen.data.output import whole_file, write_lines
from mondegreen.data.transcripts import Transcripts
from mondegreen.metrics.comparison import Comparison
from mondegreen.metrics.estimate import Estimate
from mondegreen.metrics.metric import Metric, References, Section
from mondegreen.metrics.rows import rows
from mondegreen.metrics.score import Score


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
    blocks = refs.file.column(options.blocks) if options.blocks else None
    groups = score.by(refs.file.column(options.by)) if options.by else {}
    sections = metric.sections(score, refs, display)
    for note in metric.notes(score, refs):
        click.echo(f"mondegreen: note: {note}", err=True)
    if options.items is not None:
        write_items(score, refs.file, options.items, force=options.force)
    for path, lines in metric.files(score, display):
        write_lines(path, lines, force=options.force)
    comparison = score.compare(other, seed=options.seed, blocks=blocks) if other else None
    if options.as_json:
        record = score.asdict(options.estimates(score, blocks))
        if groups:
            record["groups"] = {
                name: part.asdict(options.estimates(part)) for name, part in groups.items()
            }
        if comparison:
            record["comparison"] = comparison.record()
        record |= {section.name: section.value for section in sections if section.name}
        click.echo(msgspec.json.encode(record).decode())
        return
    _print_sections(sections, above=True)
    click.echo(score.signature)
    _print_all(score_lines(score, options.estimates(score, blocks)))
    for name, part in groups.items():
        click.echo(f"\n{options.by} {name}")
        _print_all(score_lines(part, options.estimates(part)))
    if comparison:
        _print_all(comparison_lines(comparison, *names))
    _print_sections(sections, above=False)


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
        if rate.value is None and score.rates[rate.name].beside:
            continue  # it says nothing beside the other rate
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
    for name, rate in comparison.rates.items():
        if rate.difference is None or rate.interval is None or rate.p is None:
            continue
        low, high = (100 * edge for edge in rate.interval)
        points = f"{100 * rate.difference:+.2f} points  [{low:+.2f}, {high:+.2f}]"
        yield f"{name}  {points}  {p_text(rate.p)}"
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
