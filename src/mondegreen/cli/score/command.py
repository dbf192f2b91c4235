"""``mondegreen score``: one command per metric."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import click

from mondegreen.cli.parts.formats import MAP_HELP, named_format
from mondegreen.cli.parts.progress import bytes_progress
from mondegreen.cli.parts.typed import FILE, epilog, option, parameters
from mondegreen.cli.score.output import ScoreOptions, show
from mondegreen.cli.score.systems import show_systems
from mondegreen.data.files.lines import STANDARD_STREAM
from mondegreen.data.files.shards import is_pattern
from mondegreen.data.formats.detection import holds_references
from mondegreen.data.pairs.parts import OutOfStep
from mondegreen.errors import PluginError
from mondegreen.metrics import METRICS
from mondegreen.metrics.metric import Files, Metric, Part, References
from mondegreen.metrics.scores.totals import corpus_parts, whole


@dataclass(frozen=True, kw_only=True)
class FileOptions:
    """The files to score."""

    ref: Path | None = option(default=None, help="References of the utterances.", type=FILE)
    hyp: Path | None = option(default=None, help="Hypotheses of the system to score.", type=FILE)
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

    @property
    def as_ref(self) -> str | None:
        """The format of the references, with the columns that the user has named."""
        return named_format(self.format, self.map)

    @property
    def as_hyp(self) -> str | None:
        """The format of hypotheses, with the columns that the user has named."""
        format = self.hyp_format or self.format
        if self.hyp_format is None and format is not None and holds_references(format):
            format = None
        return named_format(format, self.hyp_map or self.map)


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

    def call(pairs: Path | None = None, **values: Any) -> None:
        files, settings, display, common = (_pick(part, values) for part in parts)
        run(metric, files, pairs, settings, display, common)

    found = click.Command(
        metric.name,
        callback=call,
        help=metric.help,
        epilog=epilog([f"score {example}" for example in metric.examples]),
        params=[one for part in parts for one in parameters(part)],
    )
    if metric.read_pairs is not None:
        help = (
            f"One file with references and hypotheses, instead of --ref and --hyp: {metric.pairs}."
        )
        found.params.insert(2, click.Option(["--pairs"], type=FILE, help=help))
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
    systems = (files.hyp or pairs, files.against)
    wanted = common.wanted(metric, settings, display)
    if pairs is not None and metric.read_pairs is not None and not (files.ref or files.hyp):
        refs, hyps = metric.read_pairs(pairs, files.as_ref, settings)
        against = _against(metric, files, refs, settings)
        show(wanted, [Part(refs, (hyps, *against))], common, systems)
        return
    if pairs is not None or files.ref is None or files.hyp is None:
        pairs_hint = "" if metric.read_pairs is None else ", or --pairs with both in one file"
        raise click.UsageError(f"give --ref and --hyp{pairs_hint}")
    if sum(path == STANDARD_STREAM for path in (files.ref, files.hyp, files.against)) > 1:
        raise click.UsageError("only one of the files can be standard input")
    hyps_of = (files.hyp,) if files.against is None else (files.hyp, files.against)
    if files.also:
        systems_of = Files(
            files.ref, (*hyps_of, *files.also), files.as_ref, files.as_hyp, None, files.missing
        )
        show_systems(metric, systems_of, settings, seed=common.seed, as_json=common.as_json)
        return
    with bytes_progress(files.ref, quiet=False) as meter:
        named = Files(files.ref, hyps_of, files.as_ref, files.as_hyp, meter, files.missing)
        sharded = any(map(is_pattern, (files.ref, *hyps_of)))
        try:
            show(wanted, corpus_parts(metric, named, settings), common, systems, resume=sharded)
        except OutOfStep:
            show(wanted, [whole(metric, named, settings)], common, systems)


def _against(
    metric: Metric, files: FileOptions, refs: References, settings: Any
) -> list[Sequence[Any]]:
    if files.against is None:
        return []
    return [metric.read_hyps(refs, files.against, files.as_hyp, settings)]
