"""``mondegreen evaluate``: evaluate a model on a suite."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import click
import msgspec

from mondegreen.cli.parts import typed
from mondegreen.cli.parts.engine_options import EngineOptions
from mondegreen.cli.parts.progress import total_progress
from mondegreen.cli.parts.run_gate import check_limits
from mondegreen.cli.parts.run_table import print_curves, print_notes, print_table
from mondegreen.cli.parts.typed import argument, option
from mondegreen.data.files.output import check_target, whole_file
from mondegreen.errors import DataError
from mondegreen.models.batching import ON_ERROR, STOP
from mondegreen.models.loading import CONCURRENCY, RETRIES, TIMEOUT, TOOL_CHOICE
from mondegreen.models.openai import CHOICES
from mondegreen.perturbation.suite_recipe import SEVERITY
from mondegreen.runs.evaluation import evaluate
from mondegreen.runs.reading import Run
from mondegreen.runs.results import record
from mondegreen.runs.run_slices import run_slices
from mondegreen.suites.reading import open_suite

_MODELS = """Models:
  my-crf                          a folder made by mondegreen train, or by Hugging Face
  answers.jsonl                   predictions: {"set", "id", "tags", "label"} per line
  python:package.module:function  takes [{"id", "text", "tokens"}], returns [{"tags", "label"}]
  "command:python my_model.py"    reads and writes the same as JSON lines
  http://localhost:8000/predict   takes {"utterances": [...]}, returns {"predictions": [...]}
  openai:http://localhost:8000/v1#NAME   chat completions with tools, for cases of tool calls; the
                                  key of the server is read from OPENAI_API_KEY
"""


@dataclass(frozen=True, kw_only=True)
class EvaluateOptions(EngineOptions):
    """The options of ``mondegreen evaluate``."""

    suite: Path = argument()
    model: str = option(help="Model to evaluate; see below.", metavar="MODEL")
    output: Path = option("-o", "--output", help="File of the run.")
    batch: int | None = option(
        default=None,
        help="Utterances per batch.",
        type=click.IntRange(min=1),
        metavar="N",
    )
    timeout: float = option(
        default=TIMEOUT,
        help="Seconds that a batch may take (python, command, http).",
        type=click.FloatRange(min=0, min_open=True),
        metavar="S",
    )
    on_error: str = option(
        default=STOP,
        help="What to do about a text that has no answer, or one that cannot be read: stop, and go "
        "on at the next start; retry it, and stop if that fails; or skip: retry it, and count it "
        "as wrong if that fails.",
        type=click.Choice(ON_ERROR),
    )
    retries: int = option(
        default=RETRIES,
        help="Number of retries for a failed batch (http), or for a text with --on-error.",
        type=click.IntRange(min=0),
        metavar="N",
    )
    concurrency: int = option(
        default=CONCURRENCY,
        help="Number of batches sent at the same time (http).",
        type=click.IntRange(min=1),
        metavar="N",
    )
    repeat: int = option(
        default=1,
        help="How often to ask about each text; all answers are kept.",
        type=click.IntRange(min=1),
        metavar="K",
    )
    metric: str = option(
        default="",
        help="Metric that scores the answers, also of a plugin.  [default: calls for cases of tool "
        "calls, else slu]",
        metavar="NAME",
    )
    temperature: float | None = option(
        default=None,
        help="Temperature of the model (openai).  [default: the server's]",
        type=click.FloatRange(min=0),
        metavar="T",
    )
    max_tokens: int | None = option(
        default=None,
        help="Longest answer of the model in tokens (openai).  [default: the server's limit]",
        type=click.IntRange(min=1),
        metavar="N",
    )
    tool_choice: str = option(
        default=TOOL_CHOICE,
        help="Tools: auto (the model decides), required (some call), named (the first tool).",
        type=click.Choice(CHOICES),
        metavar="NAME",
    )
    plot: Path | None = option(
        default=None,
        help="Draw the curves of a suite with severities.",
        metavar="FILE.svg",
    )
    fail_under: tuple[str, ...] = option(
        default=(),
        help="Exit with 3 if a rate is below a limit in any set, such as intent_accuracy=90% or "
        "pass^3=0.8; original:intent_accuracy=95% looks at one set. Repeatable.",
        metavar="RATE=LIMIT",
    )
    fail_over: tuple[str, ...] = option(
        default=(),
        help="Exit with 3 if a rate is above a limit in any set, such as stale_rate=5%. "
        "Repeatable.",
        metavar="RATE=LIMIT",
    )
    as_json: bool = option("--json", default=False, help="Print one JSON object.")
    force: bool = option(default=False, help="Start over, even if the run exists.")
    quiet: bool = option("-q", "--quiet", default=False, help="Show no progress bar.")


@typed.command(
    EvaluateOptions,
    notes=_MODELS,
    examples=(
        "evaluate snips-suite --model my-crf -o crf.run",
        "evaluate snips-suite --model http://localhost:8000/predict -o live.run --timeout 5",
        "evaluate agent-suite --model openai:http://localhost:8000/v1#my-model --repeat 5 -o a.run",
    ),
)
def command(options: EvaluateOptions) -> None:
    """Evaluate a model on every utterance of SUITE, and print its scores on each set.

    Answers are stored batch by batch: if the command is interrupted, run it again to continue. Each
    distinct text is sent to the model once; a finished run is shown without calling the model.
    """
    if options.plot:
        _check_plot(options.suite, options.plot, force=options.force)
    try:
        with total_progress("utterances", quiet=options.quiet) as on_progress:
            run = evaluate(
                options.suite,
                options.model,
                options.output,
                force=options.force,
                on_progress=on_progress,
                on_finished=_note_finished,
                batch=options.batch,
                timeout=options.timeout,
                retries=options.retries,
                on_error=options.on_error,
                concurrency=options.concurrency,
                repeat=options.repeat,
                metric=options.metric,
                temperature=options.temperature,
                tool_choice=options.tool_choice,
                max_tokens=options.max_tokens,
                engine=options.engine,
                workers=options.workers,
                address=options.ray_address,
            )
    except KeyboardInterrupt:
        click.echo(f"mondegreen: interrupted; finished batches are in {options.output}", err=True)
        raise SystemExit(130) from None
    with run:
        if options.as_json:
            why = [found.slice.record() for found in run_slices(run).found]
            click.echo(msgspec.json.encode(record(run) | {"slices": why}).decode())
        else:
            print_table(run)
            print_curves(run)
        print_notes(run)
        if options.plot:
            from mondegreen.report.plot import curve_svg

            with whole_file(options.plot, force=options.force) as file:
                file.write(curve_svg(run).encode())
        check_limits(run, options.fail_over, options.fail_under)


def _note_finished(run: Run) -> None:
    """Print that the model was not asked, and how to ask it again."""
    when = run.meta.get("finished", "").replace("T", " ").removesuffix("+00:00")
    click.echo(
        f"mondegreen: note: {run.path} was finished{f' on {when} UTC' if when else ''}; the model "
        "was not asked again. If it has changed, start over with --force",
        err=True,
    )


def _check_plot(suite: Path, plot: Path, *, force: bool) -> None:
    """Check that the plot can be drawn, before the model is called."""
    check_target(plot, force=force)
    if all(entry.kind != SEVERITY for entry in open_suite(suite).manifest.sets):
        raise DataError(
            f"{suite}: there are no severity sets; make the suite with --severity 0.1,0.3"
        )
