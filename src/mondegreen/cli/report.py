"""``mondegreen report``: write a self-contained HTML report."""

from __future__ import annotations

from contextlib import ExitStack, closing
from pathlib import Path

import click

from mondegreen.cli.typed import epilog
from mondegreen.data.output import whole_file


@click.command(
    epilog=epilog(
        (
            "report my.run -o report.html",
            "score words --ref ref.trn --hyp hyp.trn --items words.jsonl",
            "report words.jsonl -o report.html",
        )
    )
)
@click.argument("sources", nargs=-1, required=True, type=click.Path(path_type=Path))
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
def command(sources: tuple[Path, ...], output: Path, title: str | None, *, force: bool) -> None:
    """Write a report of runs (evaluate … -o RUN) and scores (score … --items FILE) as HTML.

    The file needs no network and no scripts, can be printed, and follows the light or dark theme of
    the browser.
    """
    from mondegreen.cli.sources import open_with_progress
    from mondegreen.report.pages import report

    with ExitStack() as stack:
        opened = [stack.enter_context(closing(open_with_progress(path))) for path in sources]
        page_title = title or ", ".join(source.name for source in opened)
        with whole_file(output, force=force) as file:
            file.write(report([source.overview() for source in opened], page_title).encode())
    click.echo(f"{output}: {output.stat().st_size / 1000:,.0f} kB; open it in a browser")
