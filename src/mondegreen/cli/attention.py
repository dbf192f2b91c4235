"""``mondegreen attention``: heat maps of a model's attention in wrong utterances."""

from __future__ import annotations

from pathlib import Path

import click

from mondegreen.cli.parts.typed import epilog
from mondegreen.data.files.output import check_target, whole_path


@click.command(epilog=epilog(("attention bert.run", "attention bert.run -o heat-maps --n 20")))
@click.argument("run", type=click.Path(path_type=Path))
@click.option("--model", metavar="MODEL", help="Model of the run, if it has moved.")
@click.option(
    "--n",
    type=click.IntRange(1),
    default=100,
    show_default=True,
    help="Number of wrong utterances, the worst first.",
)
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="Folder to which to write each heat map as an SVG file.",
)
@click.option("--force", is_flag=True, help="Replace an existing folder.")
def command(run: Path, model: str | None, n: int, output: Path | None, *, force: bool) -> None:
    """Compute the attention of the model of RUN in the utterances that it got wrong.

    The attention is stored in the run; mondegreen view shows it on the page of each utterance.
    """
    from mondegreen.report.svg import heat_map, standalone
    from mondegreen.runs.attention import attend

    if output is not None:
        check_target(output, force=force, ours=_has_only_drawings)
    found = list(attend(run, model, n=n))
    if output is not None:
        with whole_path(output, force=force, ours=_has_only_drawings) as folder:
            folder.mkdir()
            for one in found:
                drawn = heat_map(one.weights, one.tokens, title=" ".join(one.tokens))
                (folder / f"{one.number}.svg").write_text(standalone(drawn), encoding="utf-8")
    where = f", drawn in {output}" if output is not None else ""
    click.echo(f"attention in {len(found)} wrong utterances, stored in {run}{where}")


def _has_only_drawings(folder: Path) -> bool:
    return all(path.suffix == ".svg" for path in folder.iterdir())
