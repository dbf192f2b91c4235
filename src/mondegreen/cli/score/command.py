"""``mondegreen score``: one command per metric."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

import click

from mondegreen.cli.parts.formats import MAP_HELP
from mondegreen.cli.parts.progress import bytes_progress
from mondegreen.cli.parts.typed import FILE, Command, epilog, option, parameters
from mondegreen.cli.score.output import ScoreOptions, show
from mondegreen.data.files.lines import STANDARD_STREAM
from mondegreen.data.files.shards import is_pattern
from mondegreen.data.formats.detection import holds_references, mapped_format
from mondegreen.data.layout import HYP, REF
from mondegreen.data.pairs.columns import column_of
from mondegreen.data.pairs.texts import Side
from mondegreen.errors import DataError, PluginError
from mondegreen.metrics import METRICS
from mondegreen.metrics.metric import Files, Metric, ReadWhole
from mondegreen.metrics.statistics.systems import compare_systems

_TEXTS = ("", "text", REF, HYP)
"""The roles of a column that holds a side."""


@dataclass(frozen=True, kw_only=True)
class FileOptions:
    """The files to score."""

    heading: ClassVar[str] = "Files"

    ref: Path | None = option(
        default=None,
        help="References of the utterances; of a table, FILE:COLUMN names one of its columns.",
        type=FILE,
        metavar="FILE",
    )
    hyp: Path | None = option(
        default=None,
        help="Hypotheses of the system to score: FILE, or FILE:COLUMN.",
        type=FILE,
        metavar="FILE",
    )
    against: Path | None = option(
        default=None,
        help="Hypotheses of another system to compare with --hyp.",
        type=FILE,
        metavar="HYP",
    )
    also: tuple[Path, ...] = option(
        default=(),
        help="Hypotheses of further systems: one table of all systems, the best marked, and tests "
        "of all pairs by the main rate. Repeatable.",
        type=FILE,
        metavar="HYP",
    )
    format: str | None = option(
        default=None,
        help="Format of REF and HYP, if it is not recognised by name and content.",
        metavar="NAME",
    )
    hyp_format: str | None = option(
        default=None, help="Format of HYP, if it differs from that of REF.", metavar="NAME"
    )
    map: str = option(default="", help=f"For REF and HYP: {MAP_HELP}", metavar="PART=COLUMN,…")
    hyp_map: str = option(
        default="",
        help="Columns of HYP, if they differ from those of REF.",
        metavar="PART=COLUMN,…",
    )
    missing: str = option(
        default="error",
        help="What to do with utterances that only one side has: refuse them, leave them out "
        "(skip), or take a missing hypothesis as empty.",
        type=click.Choice(["error", "skip", "empty"]),
    )

    def side(self, path: Path, *, is_hyp: bool = True) -> Named:
        """Return a file, or a column of it (``table.csv:column``), with its format and columns."""
        format, map = self.format, self.map
        if is_hyp:
            format, map = self.hyp_format or format, self.hyp_map or map
            if self.hyp_format is None and format is not None and holds_references(format):
                format = None
        head, colon, column = str(path).rpartition(":")
        if colon and column and not path.exists() and Path(head).is_file():
            named = mapped_format(format, _with_text(map, column))
            return Named(str(path), Side(Path(head), named), column)
        return Named(str(path), Side(path, mapped_format(format, map)))

    def systems(self) -> list[Named]:
        """Return the hypotheses of all systems: HYP, then the others."""
        paths = [one for one in (self.hyp, self.against, *self.also) if one is not None]
        return [self.side(path) for path in paths]


class Named(NamedTuple):
    """The file of a system, what it is called, and the column if the name has one."""

    name: str
    side: Side
    column: str = ""

    @property
    def place(self) -> tuple[Path, str]:
        """The file by its own name, whatever links lead to it, and the column."""
        return self.side.path.resolve(), self.column


def _with_text(map: str, column: str) -> str:
    """Return the columns that a user names, with another column for the text.

    >>> _with_text("id=uid,hyp=first", "second")
    'id=uid,text=second'
    """
    others = [one for one in map.split(",") if one.partition("=")[0].strip() not in _TEXTS]
    return ",".join([*others, f"text={column}"])


def _check_columns(metric: Metric, ref: Named | None, systems: Sequence[Named]) -> None:
    """Refuse a file and its column that are given twice, and a column that is not enough.

    Raises:
        DataError: if they are.
    """
    columns = [one for one in (ref, *systems) if one is not None and one.column]
    if columns and not metric.one_column:
        raise DataError(
            f"{columns[0].name}: score {metric.name} reads more than one column; name them: --map "
            f"or --hyp-map label={columns[0].column}"
        )
    seen = set()
    for one in systems if len(systems) > 1 else ():
        name, side = one.name, one.side
        place = (one.place[0], column_of(side.path, side.format, metric.heard))
        if place in seen and side.path != STANDARD_STREAM:
            raise DataError(
                f"{name} is given twice, so that a system would be compared with itself; if "
                f"the file has a column for each system, name it: {side.path}:COLUMN"
            )
        seen.add(place)
    if ref is not None and ref.column and ref.place == systems[0].place:
        raise DataError(f"{ref.name} is given both as --ref and as --hyp; name another column")


class ScoreGroup(click.Group):
    """A group with one command per metric; a command is made when it is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 (click's signature)
        """Return the names of the metrics."""
        return list(METRICS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        """Return the command of a metric; ``None`` if there is no such metric."""
        try:
            return command_of(METRICS.imported(cmd_name))
        except PluginError:
            return None

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        """Write the list of metrics."""
        with formatter.section("Metrics"):
            formatter.write_dl([(name, METRICS[name].summary) for name in METRICS])


@click.group(cls=ScoreGroup)
def command() -> None:
    """Score the output of systems, with confidence intervals."""


def command_of(metric: Metric) -> click.Command:
    """Return the command of a metric, with the options that the metric declares."""
    parts = [FileOptions, metric.settings, metric.display, ScoreOptions]
    headings = {metric.display: "More to show", metric.settings: "What is compared, and how"}

    def call(pairs: Path | None = None, **values: Any) -> None:
        files, settings, display, common = (_pick(part, values) for part in parts)
        run(metric, files, pairs, settings, display, common)

    found = Command(
        metric.name,
        callback=call,
        help=metric.help,
        epilog=epilog([f"score {example}" for example in metric.examples]),
        params=[one for part in parts for one in _headed(part, headings.get(part))],
    )
    if metric.both:
        help = (
            f"One file with references and hypotheses, instead of --ref and --hyp: {metric.both}."
        )
        pairs = click.Option(["--pairs"], type=FILE, help=help, metavar="FILE")
        pairs.heading = FileOptions.heading  # type: ignore[attr-defined]  # as in parameters
        found.params.insert(2, pairs)
    return found


def _headed(part: type, heading: str | None) -> list[click.Parameter]:
    """Return the options of a dataclass, under a heading of a metric's if it has none."""
    found = parameters(part)
    for one in found if heading is not None else ():
        one.heading = heading  # type: ignore[attr-defined]  # as in parameters
    return found


def _pick(part: type, values: dict[str, Any]) -> Any:
    return part(**{one.name: values[one.name] for one in fields(part)})


def run(
    metric: Metric,
    files: FileOptions,
    pairs: Path | None,
    settings: Any,
    display: Any,
    common: ScoreOptions,
) -> None:
    """Read references and hypotheses in parts, score them, and print the score."""
    corpus, names = _corpus(metric, files, pairs)
    wanted = common.wanted(metric, settings, display)
    if files.also:
        part = metric.whole(corpus, settings)
        scores = zip(_short(names), part.hyps, strict=True)
        found = compare_systems(
            {name: metric.score(part.refs, hyps, settings) for name, hyps in scores},
            seed=common.seed,
        )
        compared = 1 if files.against is None else 2
        show(wanted, [part._replace(hyps=part.hyps[:compared])], common, names, systems=found)
        return
    with bytes_progress(corpus.ref.path, quiet=False) as meter:
        corpus = corpus._replace(ref=corpus.ref._replace(meter=meter))
        sharded = any(is_pattern(side.path) for side in (corpus.ref, *corpus.hyps))
        try:
            show(wanted, metric.parts(corpus, settings), common, names, resume=sharded)
        except ReadWhole:
            show(wanted, [metric.whole(corpus, settings)], common, names)


def _corpus(metric: Metric, files: FileOptions, pairs: Path | None) -> tuple[Files, list[str]]:
    """Return the files of a score, and the names of its systems."""
    hint = f", or --pairs with both in one file ({metric.both})" if metric.both else ""
    if pairs is not None and (files.ref or files.hyp):
        raise click.UsageError("give --ref and --hyp, or --pairs alone")
    if pairs is not None:
        whole = files.side(pairs, is_hyp=False).side._replace(both=True)
        systems = [Named(str(pairs), whole), *files.systems()]
        _check_columns(metric, None, systems)
        return Files(whole, tuple(one.side for one in systems)), [one.name for one in systems]
    if files.ref is None or files.hyp is None:
        raise click.UsageError(f"give --ref and --hyp{hint}")
    systems = files.systems()
    named = files.side(files.ref, is_hyp=False)
    _check_columns(metric, named, systems)
    ref = named.side
    sides = [one.side for one in systems]
    if sum(side.path == STANDARD_STREAM for side in (ref, *sides)) > 1:
        raise click.UsageError("only one of the files can be standard input")
    return Files(ref, tuple(sides), files.missing), [one.name for one in systems]


def _short(names: Sequence[str]) -> Sequence[str]:
    """Return the names of files without their folders and endings, if they are then distinct."""
    stems = [Path(name).stem for name in names]
    return stems if len(set(stems)) == len(names) else names
