"""Print a score as tables or JSON, and write its files; the same for every metric."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from tempfile import SpooledTemporaryFile
from typing import IO, Any

import click
import msgspec

from mondegreen.cli.engine_options import EngineOptions
from mondegreen.cli.p_values import p_text
from mondegreen.cli.typed import option
from mondegreen.data.output import whole_file
from mondegreen.metrics.comparison import Comparison
from mondegreen.metrics.estimate import Estimate
from mondegreen.metrics.metric import Metric, Part, Section
from mondegreen.metrics.score import Score
from mondegreen.metrics.totals import Found, Result, Wanted, score_parts

_IN_MEMORY = 1 << 24  # bytes of lines to print


@dataclass(frozen=True, kw_only=True)
class ScoreOptions(EngineOptions):
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

    def wanted(self, metric: Metric, settings: Any, display: Any) -> Wanted:
        """Return what to find in each part of a corpus."""
        return Wanted(
            metric,
            settings,
            display,
            by=self.by,
            blocks=self.blocks,
            items=self.items is not None,
            lines=not self.as_json,
        )


def show(
    wanted: Wanted,
    parts: Iterable[Part],
    options: ScoreOptions,
    names: tuple[Path | None, Path | None],
) -> None:
    """Score a corpus part by part, write its files as they are made, and print the score.

    Args:
        wanted: what to find in each part.
        parts: the parts of the corpus.
        options: the common options.
        names: the files of both systems.
    """
    with ExitStack() as stack:
        outputs = _Outputs(options, stack)
        result = score_parts(wanted, parts, options.open_workers().map, outputs.write)
        comparison = result.comparison(seed=options.seed)
        finish(wanted, result, comparison, options, names, outputs.lines())


class _Outputs:
    """The files that are written part by part; they appear when the score is printed."""

    def __init__(self, options: ScoreOptions, stack: ExitStack) -> None:
        self._options, self._stack = options, stack
        self._files: dict[Path, IO[bytes]] = {}
        self._lines = stack.enter_context(SpooledTemporaryFile(_IN_MEMORY))  # noqa: SIM115 (it is one)

    def write(self, found: Found) -> None:
        """Write what a part adds to the files."""
        if self._options.items is not None:
            self._file(self._options.items).write(found.items)
        for path, lines in found.files:
            self._file(path).writelines(line.encode() + b"\n" for line in lines)
        self._lines.writelines(line.encode() + b"\n" for line in found.lines)

    def _file(self, path: Path) -> IO[bytes]:
        if path not in self._files:
            self._files[path] = self._stack.enter_context(
                whole_file(path, force=self._options.force)
            )
        return self._files[path]

    def lines(self) -> Iterator[str]:
        """Yield what is printed of each utterance."""
        self._lines.seek(0)
        return (line.decode().removesuffix("\n") for line in self._lines)


def finish(
    wanted: Wanted,
    result: Result,
    comparison: Comparison | None,
    options: ScoreOptions,
    names: tuple[Path | None, Path | None],
    lines: Iterator[str],
) -> None:
    """Print a score."""
    score, refs = result.score, result.refs
    bootstrap = not options.no_intervals
    estimates = result.estimates(seed=options.seed, bootstrap=bootstrap)
    groups = {
        name: (part, part.estimates(seed=options.seed, bootstrap=bootstrap))
        for name, part in result.groups.items()
    }
    sections = wanted.metric.sections(score, refs, wanted.display)
    for note in wanted.metric.notes(score, refs):
        click.echo(f"mondegreen: note: {note}", err=True)
    if options.as_json:
        record = record_of(score, estimates)
        if groups:
            record["groups"] = {name: record_of(*part) for name, part in groups.items()}
        if comparison:
            record["comparison"] = comparison.record()
        record |= {section.name: section.value for section in sections if section.name}
        click.echo(msgspec.json.encode(record).decode())
        return
    _print_all(lines)
    _print_sections(sections, above=True)
    click.echo(score.signature)
    _print_all(score_lines(score, estimates))
    for name, part in groups.items():
        click.echo(f"\n{options.by} {name}")
        _print_all(score_lines(*part))
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


def record_of(score: Score, estimates: Sequence[Estimate]) -> dict[str, Any]:
    """Return a score as plain values: the JSON that the command prints."""
    sums = score.sums()
    return {
        "metric": score.metric.name,
        "signature": score.signature,
        "n": len(score),
        "scores": {rate.name: rate.record() for rate in estimates},
        "counts": {name: sums[name] for name in score.all_columns()},
    }


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
    yield "  ".join(f"{name} {sums[name]:,}" for name in score.metric.columns[:-1])


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
