"""Print a score as tables or JSON, and write its files; the same for every metric."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass
from pathlib import Path
from tempfile import SpooledTemporaryFile
from typing import IO, TYPE_CHECKING, Any, ClassVar, NamedTuple

import click
import msgspec

from mondegreen.cli.parts.engine_options import EngineOptions
from mondegreen.cli.parts.typed import option
from mondegreen.cli.score.gate import MAIN as _MAIN
from mondegreen.cli.score.gate import Gate
from mondegreen.cli.score.groups import aligned, group_lines
from mondegreen.cli.score.systems import system_lines
from mondegreen.data.files.output import whole_file, whole_path
from mondegreen.metrics.metric import Metric, Part, Section
from mondegreen.metrics.scores.score import Score
from mondegreen.metrics.scores.totals import MapParts, PartFound, Result, WantedTotals, score_parts
from mondegreen.metrics.statistics.comparison import ALL, Comparison, SetComparison, shown_p
from mondegreen.metrics.statistics.estimate import Estimate, small_sample
from mondegreen.metrics.statistics.systems import Systems
from mondegreen.runs.schema import ENDINGS

if TYPE_CHECKING:
    from mondegreen.metrics.scores.kept import KeptParts
    from mondegreen.runs.scored import ScoreWriter

_IN_MEMORY = 1 << 24  # bytes of lines to print


@dataclass(frozen=True, kw_only=True)
class ScoreOptions(EngineOptions):
    """Options for the output of a score."""

    heading: ClassVar[str] = "Groups, intervals and output"

    by: str | None = option(
        default=None,
        help="Also print the score of each group, by a column of REF, or by length.",
        metavar="COLUMN",
    )
    blocks: str | None = option(
        default=None,
        help="Take whole blocks (such as speakers) as independent, not utterances, by a column of "
        "REF.",
        metavar="COLUMN",
    )
    no_intervals: bool = option(default=False, help="Compute no confidence intervals.")
    seed: int = option(default=0, help="Random seed for the tests of --against and --also.")
    as_json: bool = option("--json", default=False, help="Print one JSON object.")
    items: Path | None = option(
        default=None,
        help="Write every utterance, for report, view, compare and blame: as a run (FILE.run), or "
        "as JSON lines (any other name).",
        metavar="FILE",
    )
    force: bool = option(default=False, help="Replace existing files.")
    mlflow: bool = option(
        default=False,
        help="Log the rates and their intervals to MLflow: to the run of MLFLOW_RUN_ID, or a new "
        "one.",
    )
    wandb: bool = option(default=False, help="Log them to Weights & Biases, as a run.")
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
        help="Exit with 3 if a rate is above a limit, such as wer=0.12 or wer=12%. Repeatable.",
        metavar="RATE=LIMIT",
    )
    fail_under: tuple[str, ...] = option(
        default=(),
        help="Exit with 3 if a rate is below a limit, such as slot_f1=0.9 or slot_f1=90%. "
        "Repeatable.",
        metavar="RATE=LIMIT",
    )

    def wanted(self, metric: Metric, settings: Any, display: Any) -> WantedTotals:
        """Return what to find in each part of a corpus."""
        return WantedTotals(
            metric,
            settings,
            display,
            by=self.by,
            blocks=self.blocks,
            items=self.items is not None,
            lines=not self.as_json,
        )


def show(
    wanted: WantedTotals,
    parts: Iterable[Part],
    options: ScoreOptions,
    names: Sequence[str],
    *,
    resume: bool = False,
    systems: Systems | None = None,
) -> None:
    """Score a corpus part by part, write its files as they are made, and print the score.

    Args:
        wanted: what to find in each part.
        parts: the parts of the corpus.
        options: the common options.
        names: what the systems are called.
        resume: keep the scores of parts until all is printed, for a command that is killed.
        systems: the scores of more systems, to print instead of those of the first one.
    """
    map_parts = options.open_workers().map
    kept = _kept_parts(map_parts) if resume else None
    with ExitStack() as stack:
        outputs = _Outputs(options, stack, str(names[0]))
        result = score_parts(wanted, parts, kept.map if kept else map_parts, outputs.write)
        if kept is not None and kept.skipped:
            click.echo(f"{kept.skipped:,} parts were scored at an earlier start", err=True)
        gate = Gate.of(options, result.score, compared=result.pairs is not None)
        shown = _Shown.of(wanted, result, options, names, systems)
        outputs.finish(() if options.no_intervals else shown.estimates)
        finish(shown, options, outputs.lines())
        _track(result.score, options)
        if sys.stdout is not None:
            sys.stdout.flush()  # a kill loses no number whose files are there
        if kept is not None:
            kept.remove()  # before files get their names: with them, the command cannot run again
    if gate is not None:
        gate.check(result.score, shown.comparison)


def _track(score: Score, options: ScoreOptions) -> None:
    """Log a score to the trackers that were asked for."""
    if options.mlflow or options.wandb:
        from mondegreen import tracking  # not needed by most scores

        for asked, log in (
            (options.mlflow, tracking.log_to_mlflow),
            (options.wandb, tracking.log_to_wandb),
        ):
            if asked:
                log(score, prefix=f"{score.metric.name}/")


def _kept_parts(map_parts: MapParts) -> KeptParts:
    """Return where the scores of parts are kept: in the user's cache."""
    from mondegreen.metrics.scores.kept import KeptParts, cache_folder  # not needed by most scores

    return KeptParts(map_parts, cache_folder())


class _Outputs:
    """The files that are written part by part; they appear when the score is printed."""

    def __init__(self, options: ScoreOptions, stack: ExitStack, system: str) -> None:
        self._options, self._stack, self._system = options, stack, system
        self._run: ScoreWriter | None = None
        self._files: dict[Path, IO[bytes]] = {}
        self._lines = stack.enter_context(SpooledTemporaryFile(_IN_MEMORY))  # noqa: SIM115 (it is one)

    def write(self, found: PartFound) -> None:
        """Write what a part adds to the files."""
        items = self._options.items
        if items is not None and items.suffix in ENDINGS:
            self._run = self._run or self._writer(items)
            self._run.add(found.items)
        elif items is not None:
            self._file(items).write(found.items)
        for path, lines in found.files:
            self._file(path).writelines(line.encode() + b"\n" for line in lines)
        self._lines.writelines(line.encode() + b"\n" for line in found.lines)

    def _writer(self, path: Path) -> ScoreWriter:
        from mondegreen.runs.scored import ScoreWriter  # not needed by most scores

        place = self._stack.enter_context(whole_path(path, force=self._options.force))
        return self._stack.enter_context(closing(ScoreWriter(place, path, self._system)))

    def finish(self, estimates: Sequence[Estimate]) -> None:
        """Finish the run, if one is written."""
        if self._run is not None:
            self._run.finish(estimates, self._options.blocks or "utterances")

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
    shown: _Shown,
    options: ScoreOptions,
    lines: Iterator[str],
) -> None:
    """Print a score."""
    for note in shown.notes:
        click.echo(f"mondegreen: note: {note}", err=True)
    if options.as_json:
        click.echo(msgspec.json.encode(shown.record()).decode())
    else:
        _print_all(lines)
        shown.print(options.by)


class _Shown(NamedTuple):
    """A score with its groups, and the other system against it."""

    score: Score
    estimates: list[Estimate]
    groups: dict[str, tuple[Score, list[Estimate]]]
    comparison: Comparison | None
    """For all utterances, and by group; ``None`` if one system is scored."""
    sections: Sequence[Section]
    notes: Sequence[str]
    unit: str
    """What was taken as independent: ``utterances``, or ``blocks``."""
    systems: Systems | None = None

    @classmethod
    def of(
        cls,
        wanted: WantedTotals,
        result: Result,
        options: ScoreOptions,
        names: Sequence[str],
        systems: Systems | None,
    ) -> _Shown:
        score, refs = result.score, result.refs
        drawn = not options.no_intervals
        return cls(
            score,
            result.estimates(intervals=drawn),
            {name: (part, part.estimates(intervals=drawn)) for name, part in result.groups.items()},
            result.comparison(*names[:2], seed=options.seed) if result.pairs else None,
            wanted.metric.sections(score, refs, wanted.display),
            result.notes(wanted.metric, names, [*systems.scores.values()] if systems else []),
            "utterances" if options.blocks is None else "blocks",
            systems,
        )

    def record(self) -> dict[str, Any]:
        """Return everything as plain values, for JSON."""
        record = self.score.asdict(self.estimates)
        if self.groups:
            record["groups"] = {
                name: part.asdict(estimates) | self._comparison(name)
                for name, (part, estimates) in self.groups.items()
            }
        sections = {section.name: section.value for section in self.sections if section.name}
        more = self.systems.record() if self.systems is not None else {}
        return record | self._comparison(ALL) | sections | more

    def _comparison(self, name: str) -> dict[str, Any]:
        return {"comparison": self.comparison.set(name).record()} if self.comparison else {}

    def print(self, by: str | None) -> None:
        """Print everything for people."""
        _print_sections(self.sections, above=True)
        if self.systems is not None:
            _print_all(system_lines(self.systems))
        else:
            click.echo(self.score.signature)
            _print_all(score_lines(self.score, self.estimates, self.unit))
        if self.groups:
            click.echo()
            _print_all(group_lines(str(by), self.groups))
        if self.comparison:
            found = self.comparison
            whole, *groups = found.sets
            if groups:
                click.echo(f"\n{found.main} by {by}: {found.second} against {found.first}")
                _print_all(aligned([*found.table()]))
            _print_all(comparison_lines(whole, found.first, found.second))
        _print_sections(self.sections, above=False)


def _print_sections(sections: Sequence[Section], *, above: bool) -> None:
    for section in sections:
        if section.above == above:
            _print_all(iter(section.lines))


def _print_all(lines: Iterator[str]) -> None:
    for line in lines:
        click.echo(line)


def score_lines(
    score: Score, estimates: Sequence[Estimate], unit: str = "utterances"
) -> Iterator[str]:
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
    named, there = score.metric.columns[:-1], score.all_columns()
    shown = named if {*named} <= {*there} else there[:-1]
    yield "  ".join(f"{name} {sums[name]:,}" for name in shown)
    note = small_sample(estimates, unit)
    if note:
        yield note


def comparison_lines(comparison: SetComparison, first: str, second: str) -> Iterator[str]:
    """Yield the lines of a comparison of two systems: differences, intervals and p-values."""
    yield f"\n{second} against {first}"
    width = max(map(len, comparison.rates))
    for name, rate in comparison.rates.items():
        if rate.first is None or rate.second is None or rate.p is None:
            continue
        both = f"{100 * rate.first:6.2f} % → {100 * rate.second:6.2f} %"
        points = f"{100 * (rate.difference or 0):+.2f} points"
        if rate.interval:
            points += f"  {rate.interval.points()}"
        yield f"{name:{width}}  {both}  {points}  {rate.p_text}  {rate.verdict}"
    yield (
        f"utterances: {comparison.only_second_right:,} right only in {second}, "
        f"{comparison.only_first_right:,} right only in {first}; "
        f"McNemar p {shown_p(comparison.mcnemar)}"
    )
    if comparison.mapsswe:
        test = comparison.mapsswe
        if test.z is None or test.p is None:
            yield f"MAPSSWE: {test.segments:,} segments, too few or all alike: no verdict"
        else:
            yield f"MAPSSWE: {test.segments:,} segments, z {test.z:+.2f}, p {shown_p(test.p)}"
