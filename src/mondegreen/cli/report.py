"""``mondegreen report``: one self-contained file."""

from __future__ import annotations

from pathlib import Path

import click

from mondegreen.cli.progress import counted
from mondegreen.data.output import whole_file

_EXAMPLES = """\b
Examples:
  mondegreen report run.sqlite -o report.html
  mondegreen score words --ref ref.trn --hyp hyp.trn --items words.jsonl
  mondegreen report words.jsonl -o report.html
"""


@click.command(epilog=_EXAMPLES)
@click.argument("sources", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    default=Path("report.html"),
    show_default=True,
    help="The file to write.",
)
@click.option("--title", help="What stands above; the names of the sources otherwise.")
@click.option("--force", is_flag=True, help="Replace a file that exists.")  # fmt: skip
def command(sources: tuple[Path, ...], output: Path, title: str | None, *, force: bool) -> None:
    """Write what runs (evaluate … -o RUN) and scores (score … --items FILE) tell, as one HTML file.

    It opens from disk, needs no network and no script, prints well, and follows light and dark.
    """
    from mondegreen.report.opening import open_source
    from mondegreen.report.pages import report

    opened = []
    for path in sources:
        with counted(f"reading {path.name}") as progress:
            opened.append(open_source(path, progress))
    named = title or ", ".join(source.name for source in opened)
    with whole_file(output, force=force) as file:
        file.write(report([source.overview() for source in opened], named).encode())
    for source in opened:
        source.close()
    click.echo(f"{output}: {output.stat().st_size / 1000:,.0f} kB; open it in a browser")
