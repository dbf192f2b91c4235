"""``mondegreen report``: write a self-contained HTML report."""

from __future__ import annotations

from pathlib import Path

import click
import msgspec

from mondegreen.cli.parts.run_table import print_averages
from mondegreen.cli.parts.sources import open_with_progress, stage_options
from mondegreen.cli.parts.typed import epilog


@click.command(
    epilog=epilog(
        (
            "report my.run -o report.html",
            "report old.run new.run -o comparison.html",
            "report my.run --json > report.json",
            "report atis.run snips.run nlued.run --table  # and their mean",
            "report --stage written=a.run --stage heard=a.run#recogniser -o lost.html",
            "score words --ref ref.trn --hyp hyp.trn --items words.jsonl",
            "report words.jsonl -o report.html",
        )
    )
)
@click.argument("sources", nargs=-1, type=click.Path(path_type=Path))
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    default=Path("report.html"),
    show_default=True,
    help="File to write.",
)
@click.option("--title", help="Title of the report.  [default: the names of the sources]")
@click.option("--force", is_flag=True, help="Replace an existing file.")
@click.option(
    "--json", "as_json", is_flag=True, help="Print the content as one JSON object; write no file."
)
@click.option(
    "--table",
    is_flag=True,
    help="Print one table of several runs, such as one per data set: each set in each run, and the "
    "mean; write no file.",
)
@stage_options
def command(
    sources: tuple[Path, ...],
    output: Path,
    title: str | None,
    stages: tuple[str, ...],
    ref: Path | None,
    *,
    force: bool,
    as_json: bool,
    table: bool,
) -> None:
    """Write a report of runs (evaluate … -o RUN) and scores (score … --items FILE) as HTML.

    It shows each set against the original, why utterances are lost (what they have in common), and
    the utterances. Two runs of one suite, or two scores of one metric, are also compared. Stages of
    a chain add a waterfall: where requests are lost (see blame). The file needs no network and no
    scripts, can be printed, and follows the light or dark theme of the browser.
    """
    from mondegreen.report.writing import report
    from mondegreen.runs.blame import parse_stages

    if table:
        if stages or as_json or not sources:
            raise click.UsageError("--table needs runs, and neither --stage nor --json")
        print_averages(sources)
        return
    found = report(
        *sources, stages=parse_stages(stages), refs=ref, title=title, open_one=open_with_progress
    )
    if as_json:
        click.echo(msgspec.json.encode(found.record()).decode())
        return
    found.write(output, force=force)
    click.echo(f"{output}: {output.stat().st_size / 1000:,.0f} kB; open it in a browser")
