"""``mondegreen report``: write a self-contained HTML report."""

from __future__ import annotations

from contextlib import ExitStack, closing
from pathlib import Path

import click
import msgspec

from mondegreen.cli.parts.run_table import print_averages
from mondegreen.cli.parts.sources import open_with_progress, stage_options
from mondegreen.cli.parts.typed import epilog
from mondegreen.data.files.output import whole_file
from mondegreen.errors import DataError


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
    from mondegreen.report.compare import comparable, compared
    from mondegreen.report.pages import Part, record, report
    from mondegreen.report.waterfall import TITLE, make_chain
    from mondegreen.runs.blame import blame, parse_stages

    if table:
        if stages or as_json or not sources:
            raise click.UsageError("--table needs runs, and neither --stage nor --json")
        print_averages(sources)
        return
    if not (sources or stages):
        raise DataError("give a run, the rows of a score, or stages of a chain (--stage)")
    with ExitStack() as stack:
        opened = [stack.enter_context(closing(open_with_progress(path))) for path in sources]
        parts = [Part(source.overview(), source.causes()) for source in opened]
        both = compared(*opened) if comparable(opened) else None
        named = parse_stages(stages)
        chain = make_chain(blame(named, ref), named, opened) if stages else None
        if as_json:
            click.echo(msgspec.json.encode(record(parts, both, chain)).decode())
            return
        names = ", ".join(source.name for source in opened)
        with whole_file(output, force=force) as file:
            file.write(report(parts, title or names or TITLE, both, chain).encode())
    click.echo(f"{output}: {output.stat().st_size / 1000:,.0f} kB; open it in a browser")
