"""``mondegreen blame``: say at which stage of a chain requests were lost."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import click
import msgspec

from mondegreen.cli.parts import typed
from mondegreen.cli.parts.formats import FORMAT_HELP, MAP_HELP
from mondegreen.cli.parts.typed import FILE, option
from mondegreen.data.files.output import whole_file
from mondegreen.runs.blame import FRAME, INTENT, Blame, blame, parse_stages

_SHOWN = 6


@dataclass(frozen=True, kw_only=True)
class BlameOptions:
    """The options of ``mondegreen blame``."""

    stages: tuple[str, ...] = option(
        "--stage",
        help="Stage of the chain, in order: its name and its predictions, or a run (RUN#SET for "
        "another set than the first). Repeatable.",
        metavar="NAME=FILE",
    )
    ref: Path | None = option(
        default=None, type=FILE, help="Gold labels, where stages are predictions."
    )
    ref_format: str | None = option(
        "--format", default=None, help=f"{FORMAT_HELP}.", metavar="NAME"
    )
    map: str = option(default="", help=f"For the gold labels: {MAP_HELP}", metavar="PART=COLUMN,…")
    measure: str | None = option(
        default=None,
        type=click.Choice((INTENT, FRAME)),
        help="What has to be right.  [default: frame, if all stages have slots]",
    )
    html: Path | None = option(
        default=None,
        type=FILE,
        help="Also write a waterfall and the lost utterances as an HTML page.",
        metavar="FILE",
    )
    force: bool = option(default=False, help="Replace an existing page.")
    as_json: bool = option("--json", default=False, help="Print one JSON object.")


@typed.command(
    BlameOptions,
    examples=(
        "blame --ref test.jsonl --stage written=clean.jsonl --stage heard=asr.jsonl",
        "blame --stage written=a.run --stage heard=a.run#recogniser",
        "blame --ref gold.jsonl --stage written=a.jsonl --stage heard=b.jsonl --html loss.html",
    ),
)
def command(options: BlameOptions) -> None:
    """Report at which stage of a chain requests were lost.

    Stages are predictions of one model for the same utterances: as written, as said, as heard, as
    normalised. The loss of a stage is the accuracy before it less the accuracy after it; all losses
    add up to the loss of the chain. A frame is right if its intent and all its slots are, by label
    and words; without slots, the intent alone counts.
    """
    stages = parse_stages(options.stages)
    found = blame(
        stages,
        options.ref,
        format=options.ref_format,
        map=options.map,
        measure=options.measure,
    )
    if options.html is not None:
        from mondegreen.report.pages import page_of
        from mondegreen.report.waterfall import TITLE, make_chain

        chain = make_chain(found, stages)
        with whole_file(options.html, force=options.force) as file:
            file.write(page_of([], TITLE, chain=chain).encode())
    if options.as_json:
        click.echo(msgspec.json.encode(found.record()).decode())
    else:
        _print(found)


def _print(found: Blame) -> None:
    width = max(len("end to end"), *(len(stage.name) for stage in found.stages))
    click.echo(f"{found.measure} accuracy, {found.stages[0].n:,} utterances\n")
    header = f"{'stage':{width}}  accuracy    loss  95 % interval     lost  regained"
    click.echo(click.style(header, bold=True))
    for i, stage in enumerate(found.stages):
        line = f"{stage.name:{width}}  {100 * stage.accuracy:7.2f}"
        if i:
            low, high = stage.interval or (float("nan"), float("nan"))
            edges = f"[{100 * low:+.2f}, {100 * high:+.2f}]"
            line += f"  {100 * stage.loss:+7.2f}  {edges:16}  {stage.lost:5,}  {stage.regained:8,}"
        click.echo(line)
    click.echo(f"{'end to end':{width}}  {'':7}  {100 * found.total:+7.2f}\n")
    names = [stage.name for stage in found.stages]
    click.echo(click.style("fates (right or wrong after " + ", ".join(names) + ")", bold=True))
    for fate, count in found.fates[:_SHOWN]:
        click.echo(f"{count:8,}  {' → '.join('right' if one else 'wrong' for one in fate)}")
    if len(found.fates) > _SHOWN:
        click.echo(f"… {len(found.fates) - _SHOWN:,} more: --json")
