"""``mondegreen converse``: call a voice agent, case by case."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import click
import msgspec

from mondegreen.cli.parts import typed
from mondegreen.cli.parts.conversation_table import print_conversations
from mondegreen.cli.parts.engine_options import EngineOptions
from mondegreen.cli.parts.progress import total_progress
from mondegreen.cli.parts.typed import argument, option
from mondegreen.conversations.agents.loading import RETRIES, TIMEOUT
from mondegreen.conversations.results import causes_of, paired_with, transcripts_of
from mondegreen.conversations.running import (
    CLEAN,
    CORRECT,
    PATIENCE,
    PERTURBED,
    SPLIT,
    converse,
)
from mondegreen.data.dialogues.reading import FORMATS
from mondegreen.data.files.output import check_target, whole_file
from mondegreen.runs.reading import Run
from mondegreen.runs.results import record
from mondegreen.runs.run_slices import run_slices

_AGENTS = """Agents:
  python:package.module:factory   factory(tools) returns an object with say(text), which returns
                                  {"text", "calls": [{"name", "arguments"}]}
  http://localhost:8000/talk      takes {"session", "text", "tools"}, returns the same
  "command:python my_agent.py"    reads and writes the same as JSON lines, one program a session
  openai:http://localhost:8000/v1#NAME   chat completions with tools; the key of the server is
                                  read from OPENAI_API_KEY
  livekit:package.module:Agent    an agent of livekit-agents, in text mode
  pipecat:ws://HOST:PORT/ws       a bot of Pipecat, at its eval endpoint
"""


@dataclass(frozen=True, kw_only=True)
class ConverseOptions(EngineOptions):
    """The options of ``mondegreen converse``."""

    cases: Path = argument()
    agent: str = option(help="Agent to call; see below.", metavar="AGENT")
    output: Path = option("-o", "--output", help="File of the run.")
    op: tuple[str, ...] = option(
        default=(),
        help="Operator that changes the caller's words, such as disfluencies; may be repeated, "
        "and applies one after another. Values are kept, so that the caller still means them.",
        metavar="NAME",
    )
    seed: int = option(default=0, help="Another seed gives another caller.", metavar="N")
    split: float | None = option(
        default=None,
        help="Chance that the perturbed caller breaks a turn off before a value.  "
        f"[default: {SPLIT:g} with --op, else 0]",
        type=click.FloatRange(0, 1),
        metavar="P",
    )
    correct: float | None = option(
        default=None,
        help="Chance that the perturbed caller says a wrong value and corrects it a turn later.  "
        f"[default: {CORRECT:g} with --op, else 0]",
        type=click.FloatRange(0, 1),
        metavar="P",
    )
    patience: int = option(
        default=PATIENCE,
        help="How often the caller answers the same question before it gives up.",
        type=click.IntRange(min=0),
        metavar="N",
    )
    repeat: int = option(
        default=1,
        help="How often each conversation is held, for pass^k and flips.",
        type=click.IntRange(min=1),
        metavar="K",
    )
    tools: str = option(
        default="",
        help="Tools of your own: factory(initial) returns an object whose methods are the tools "
        "and whose attributes are the state.  [default: BFCL's, or recorded results]",
        metavar="python:module:factory",
    )
    format: str | None = option(
        default=None,
        help="Format of the cases.  [default: the file shows it]",
        type=click.Choice(FORMATS),
    )
    language: str | None = option(
        default=None, help="Language of the cases, such as en.", metavar="CODE"
    )
    timeout: float = option(
        default=TIMEOUT,
        help="Seconds that an answer may take.",
        type=click.FloatRange(min=0, min_open=True),
        metavar="S",
    )
    retries: int = option(
        default=RETRIES,
        help="Number of retries for a failed request (http, openai).",
        type=click.IntRange(min=0),
        metavar="N",
    )
    concurrency: int = option(
        default=1,
        help="Conversations that are held at the same time in one process.",
        type=click.IntRange(min=1),
        metavar="N",
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
    system: str = option(default="", help="Instructions for the model (openai).", metavar="TEXT")
    transcripts: Path | None = option(
        default=None, help="Write the transcripts as JSON lines.", metavar="FILE"
    )
    as_json: bool = option("--json", default=False, help="Print one JSON object.")
    force: bool = option(default=False, help="Start over, even if the run exists.")
    quiet: bool = option("-q", "--quiet", default=False, help="Show no progress bar.")


@typed.command(
    ConverseOptions,
    notes=_AGENTS,
    examples=(
        "converse cases.jsonl --agent python:my_agent:start -o agent.run",
        "converse cases.jsonl --agent http://localhost:8000/talk -o a.run --op disfluencies",
        "converse BFCL_v4_multi_turn_base.json --agent openai:http://localhost:8000/v1#m -o b.run",
    ),
)
def command(options: ConverseOptions) -> None:
    """Call an agent about every case of CASES, and score the conversations.

    The caller needs no language model: it says the turns of the case, answers questions from the
    values of the case, confirms, denies and gives up. With --op it is also a perturbed caller:
    its words change, it breaks turns off, corrects itself, and is misheard. Both are scored side
    by side. If the command is interrupted, run it again to continue.
    """
    if options.transcripts is not None:
        check_target(options.transcripts, force=options.force)
    try:
        with total_progress("conversations", quiet=options.quiet) as on_progress:
            run = converse(
                options.cases,
                options.agent,
                options.output,
                operators=options.op,
                seed=options.seed,
                split=options.split,
                correct=options.correct,
                patience=options.patience,
                repeat=options.repeat,
                tools=options.tools,
                format=options.format,
                language=options.language,
                timeout=options.timeout,
                retries=options.retries,
                temperature=options.temperature,
                max_tokens=options.max_tokens,
                system=options.system,
                concurrency=options.concurrency,
                force=options.force,
                on_progress=on_progress,
                engine=options.engine,
                workers=options.workers,
                address=options.ray_address,
            )
    except KeyboardInterrupt:
        click.echo(f"mondegreen: interrupted; conversations are in {options.output}", err=True)
        raise SystemExit(130) from None
    with run:
        _show(run, options)


def _show(run: Run, options: ConverseOptions) -> None:
    if options.as_json:
        why = [found.slice.record() for found in run_slices(run).found]
        click.echo(msgspec.json.encode(_record(run) | {"slices": why}).decode())
    else:
        print_conversations(run)
    if options.transcripts is not None:
        with whole_file(options.transcripts, force=options.force) as file:
            for one in transcripts_of(run):
                file.write(msgspec.json.encode(one) + b"\n")


def _record(run: Run) -> dict[str, object]:
    """Return a run as plain values; each set also has the causes of its failures."""
    found = record(run)
    for name, one in found["sets"].items():
        one["causes"] = causes_of(run, name)
    if PERTURBED in found["sets"]:
        found["paired"] = {
            name: {"difference": one.difference, **one.interval._asdict()}
            for name, one in paired_with(run, CLEAN, PERTURBED).items()
            if one.interval is not None
        }
    return {"cases": found.pop("suite"), "agent": found.pop("model"), **found}
