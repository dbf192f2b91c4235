"""``mondegreen attention``: heat-maps of where a model looked when it was wrong."""

from __future__ import annotations

from pathlib import Path

import click

from mondegreen.cli.typed import epilog
from mondegreen.data.output import check_target, whole_path


@click.command(epilog=epilog(("attention bert.run", "attention bert.run -o heat-maps --n 20")))
@click.argument("run", type=click.Path(path_type=Path))
@click.option("--model", metavar="MODEL", help="The model of the run, if it has moved since.")
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
    help="Also write each heat map as an SVG file into this folder.",
)
@click.option("--force", is_flag=True, help="Replace a folder that exists.")
def command(run: Path, model: str | None, n: int, output: Path | None, *, force: bool) -> None:
    """Ask the model of RUN for its attention in the utterances that it got wrong.

    The attention is stored in the run; mondegreen view shows it on the page of each utterance.
    """
    from mondegreen.report.svg import alone, heat_map
    from mondegreen.runs.attention import attend

    if output is not None:
        check_target(output, force=force, ours=_is_drawn)
    looks = list(attend(run, model, n=n))
    if output is not None:
        with whole_path(output, force=force, ours=_is_drawn) as folder:
            folder.mkdir()
            for look in looks:
                drawn = heat_map(look.weights, look.tokens, title=" ".join(look.tokens))
                (folder / f"{look.number}.svg").write_text(alone(drawn), encoding="utf-8")
    where = f", drawn in {output}" if output is not None else ""
    click.echo(f"attention in {len(looks)} wrong utterances, stored in {run}{where}")


def _is_drawn(folder: Path) -> bool:
    return all(path.suffix == ".svg" for path in folder.iterdir())
