"""``mondegreen export``: write a suite of tool calls for other tools."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import click

from mondegreen.cli.parts import typed
from mondegreen.cli.parts.typed import argument, option
from mondegreen.suites.export import WRITERS, export


@dataclass(frozen=True, kw_only=True)
class Options:
    """The options of ``mondegreen export``."""

    suite: Path = argument()
    to: str = option(
        help="Format: bfcl (questions and possible answers), inspect (inspect_ai samples), "
        "promptfoo (tests), openai (samples of OpenAI evals).",
        type=click.Choice(tuple(WRITERS)),
        metavar="FORMAT",
    )
    output: Path = option("-o", "--output", help="Folder to write.")
    force: bool = option(default=False, help="Replace an earlier export.")
    quiet: bool = option("-q", "--quiet", default=False, help="Print no summary.")


@typed.command(
    Options,
    examples=(
        "export agent-suite --to bfcl -o bfcl",
        "export agent-suite --to inspect -o samples",
        "export agent-suite --to promptfoo -o tests",
    ),
)
def command(options: Options) -> None:
    """Write every set of SUITE, made from cases of tool calls, in the format of another tool."""
    files = export(options.suite, options.to, options.output, force=options.force)
    if not options.quiet:
        click.echo(f"{len(files)} files → {options.output}", err=True)
