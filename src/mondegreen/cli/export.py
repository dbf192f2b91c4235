"""``mondegreen export``: write a suite of tool calls for other tools."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import click

from mondegreen.cli.parts import typed
from mondegreen.cli.parts.typed import argument, option
from mondegreen.data.dialogues.pipecat import scenarios_of
from mondegreen.data.dialogues.reading import PIPECAT, read_cases
from mondegreen.data.files.output import whole_file
from mondegreen.suites.export import WRITERS, export


@dataclass(frozen=True, kw_only=True)
class ExportOptions:
    """The options of ``mondegreen export``."""

    suite: Path = argument()
    to: str = option(
        help="Format: bfcl (questions and possible answers), inspect (inspect_ai samples), "
        "promptfoo (tests), openai (samples of OpenAI evals); of cases of conversations: pipecat "
        "(one file of evals).",
        type=click.Choice((*WRITERS, PIPECAT)),
        metavar="FORMAT",
    )
    output: Path = option("-o", "--output", help="Folder to write; with pipecat, a file.")
    force: bool = option(default=False, help="Replace an earlier export.")
    quiet: bool = option("-q", "--quiet", default=False, help="Print no summary.")


@typed.command(
    ExportOptions,
    examples=(
        "export agent-suite --to bfcl -o bfcl",
        "export agent-suite --to inspect -o samples",
        "export agent-suite --to promptfoo -o tests",
        "export cases.jsonl --to pipecat -o evals.yaml",
    ),
)
def command(options: ExportOptions) -> None:
    """Write every set of SUITE, made from cases of tool calls, in the format of another tool.

    Cases of conversations, as mondegreen converse reads them, are written for Pipecat.
    """
    if options.to == PIPECAT:
        cases = read_cases(options.suite)
        with whole_file(options.output, force=options.force) as file:
            file.write(scenarios_of(cases, options.output.stem).encode())
        return
    files = export(options.suite, options.to, options.output, force=options.force)
    if not options.quiet:
        click.echo(f"{len(files)} files → {options.output}", err=True)
