"""``mondegreen score``: one command per metric."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

import click

from mondegreen.cli.options import MAP_HELP, named_format
from mondegreen.cli.score_output import ScoreOptions, finish
from mondegreen.cli.typed import FILE, epilog, option, parameters
from mondegreen.data.detection import holds_references
from mondegreen.data.lines import STANDARD_STREAM
from mondegreen.data.transcripts import read_transcripts
from mondegreen.errors import PluginError
from mondegreen.metrics import METRICS
from mondegreen.metrics.metric import Metric, References
from mondegreen.metrics.score import Score


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

    def ref_format(self, path: Path) -> str | None:
        """The format of the references, with the columns that the user has named."""
        return named_format(path, self.format, self.map)

    def format_of_hyp(self, path: Path) -> str | None:
        """The format of hypotheses, with the columns that the user has named."""
        format = self.hyp_format or self.format
        if self.hyp_format is None and format is not None and holds_references(format):
            format = None
        return named_format(path, format, self.hyp_map or self.map)


class ScoreGroup(click.Group):
    """A group with one command per metric; a command is made when it is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 (click's signature)
        """Return the names of the metrics."""
        return list(METRICS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        """Return the command of a metric; ``None`` if there is no such metric."""
        try:
            return command_of(METRICS.named(cmd_name))
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
    """Read references and hypotheses, score them, and print the score."""
    refs, hyps = _read(metric, files, pairs, settings)
    score = metric.score(refs, hyps, settings)
    other = _other(metric, files, refs, settings) if files.against else None
    names = (files.hyp or pairs, files.against)
    finish(metric, refs, (score, other), display, common, names)


def _read(
    metric: Metric, files: FileOptions, pairs: Path | None, settings: Any
) -> tuple[References, Sequence[Any]]:
    if pairs is not None and metric.read_pairs is not None and not (files.ref or files.hyp):
        return metric.read_pairs(pairs, files.ref_format(pairs), settings)
    if pairs is not None or files.ref is None or files.hyp is None:
        pairs_hint = "" if metric.read_pairs is None else ", or --pairs with both in one file"
        raise click.UsageError(f"give --ref and --hyp{pairs_hint}")
    if sum(path == STANDARD_STREAM for path in (files.ref, files.hyp, files.against)) > 1:
        raise click.UsageError("only one of the files can be standard input")
    refs = _read_refs(metric, files, files.ref, settings)
    return refs, metric.read_hyps(refs, files.hyp, files.format_of_hyp(files.hyp), settings)


def _read_refs(metric: Metric, files: FileOptions, path: Path, settings: Any) -> References:
    """Read references; with ``--missing skip``, only those that all systems have."""
    refs = metric.read_refs(path, files.ref_format(path), settings)
    if files.missing == "error":
        return refs
    refs = refs._replace(file=replace(refs.file, missing=files.missing))
    if files.missing == "skip" and refs.file.has_ids:
        systems = [one for one in (files.hyp, files.against) if one is not None]
        known = [{*read_transcripts(one, files.format_of_hyp(one)).ids} for one in systems]
        ids = enumerate(refs.file.ids)
        kept = [place for place, id in ids if all(id in there for there in known)]
        if len(kept) < len(refs.file.ids):
            left_out = f"{len(refs.file.ids) - len(kept):,} of {len(refs.file.ids):,} references"
            click.echo(f"mondegreen: note: {left_out} without hypothesis are left out", err=True)
        refs = refs.only(kept)
    return refs


def _other(metric: Metric, files: FileOptions, refs: References, settings: Any) -> Score:
    path = files.against or Path()
    hyps = metric.read_hyps(refs, path, files.format_of_hyp(path), settings)
    return metric.score(refs, hyps, settings)
