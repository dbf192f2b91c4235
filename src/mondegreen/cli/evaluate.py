"""``mondegreen evaluate``: how a model stands on a suite."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click
import msgspec

from mondegreen.cli.progress import gauged
from mondegreen.cli.run_table import print_curves, print_notes, print_table
from mondegreen.data.output import check_target, whole_file
from mondegreen.errors import DataError
from mondegreen.models.loading import CONCURRENCY, RETRIES, TIMEOUT
from mondegreen.runs.evaluation import evaluate
from mondegreen.runs.plot import curve_svg
from mondegreen.runs.results import record
from mondegreen.suites.manifest import SEVERITY
from mondegreen.suites.reading import open_suite

_EXAMPLES = """\b
Models:
  my-crf                          a folder made by mondegreen train, or of Hugging Face
  answers.jsonl                   predictions: {"set", "id", "tags", "label"} a line
  python:package.module:function  takes [{"id", "text", "tokens"}], gives [{"tags", "label"}]
  "command:python my_model.py"    the same as JSON lines, in and out
  http://localhost:8000/predict   posts {"utterances": [...]}, takes {"predictions": [...]}
\b
Examples:
  mondegreen evaluate snips-suite --model my-crf -o crf.run
  mondegreen evaluate snips-suite --model http://localhost:8000/predict -o live.run --timeout 5
"""


@click.command(epilog=_EXAMPLES)
@click.argument("suite", type=click.Path(path_type=Path))
@click.option("--model", required=True, metavar="MODEL", help="The model; see below.")
@click.option(
    "-o", "--output", type=click.Path(path_type=Path), required=True, help="File of the run."
)
@click.option("--batch", type=click.IntRange(min=1), metavar="N", help="Utterances at once.")
@click.option(
    "--timeout",
    type=click.FloatRange(min=0, min_open=True),
    default=TIMEOUT,
    show_default=True,
    metavar="S",
    help="Seconds for a batch (python, command, http).",
)
@click.option(
    "--retries",
    type=click.IntRange(min=0),
    default=RETRIES,
    show_default=True,
    metavar="N",
    help="Tries after the first (http).",
)
@click.option(
    "--concurrency",
    type=click.IntRange(min=1),
    default=CONCURRENCY,
    show_default=True,
    metavar="N",
    help="Batches at a time (http).",
)
@click.option(
    "--plot",
    type=click.Path(path_type=Path),
    metavar="FILE.svg",
    help="Draw the curves of a suite with severities.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.option("--force", is_flag=True, help="Begin anew, whatever is in RUN.")
@click.option("-q", "--quiet", is_flag=True, help="No progress bar.")
def command(suite: Path, model: str, output: Path, **options: Any) -> None:
    """Ask a model for every utterance of SUITE, and tell how it stands on each set.

    Answers are kept batch by batch: killed at any moment, the same command goes on where it was.
    Each distinct text is asked once; a finished run is shown without asking.
    """
    if options["plot"]:
        _check_plot(suite, options["plot"], force=options["force"])
    try:
        with gauged("utterances", quiet=options["quiet"]) as told:
            run = evaluate(
                suite,
                model,
                output,
                force=options["force"],
                told=told,
                **{name: options[name] for name in ("batch", "timeout", "retries", "concurrency")},
            )
    except KeyboardInterrupt:
        click.echo(f"mondegreen: interrupted; what was done is kept in {output}", err=True)
        raise SystemExit(130) from None
    with run:
        if options["as_json"]:
            click.echo(msgspec.json.encode(record(run)).decode())
        else:
            print_table(run)
            print_curves(run)
        print_notes(run)
        if options["plot"]:
            with whole_file(options["plot"], force=options["force"]) as file:
                file.write(curve_svg(run).encode())


def _check_plot(suite: Path, plot: Path, *, force: bool) -> None:
    """Refuse a plot that cannot be drawn before the model is asked."""
    check_target(plot, force=force)
    if all(entry.kind != SEVERITY for entry in open_suite(suite).manifest.sets):
        raise DataError(
            f"{suite}: there is no severity set to draw; make the suite with --severity 0.1,0.3"
        )
