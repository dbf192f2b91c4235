"""Open the runs and scores that a command shows."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import click

from mondegreen.cli.parts.progress import count_progress
from mondegreen.cli.parts.typed import PATH
from mondegreen.report.opening import open_source
from mondegreen.report.source import ShownRun


def open_with_progress(path: Path) -> ShownRun:
    """Open a run or a score, and show how many rows are read."""
    with count_progress(f"rows of {path.name}", quiet=False) as on_progress:
        return open_source(path, on_progress)


def stage_options(function: Callable[..., None]) -> Callable[..., None]:
    """Add the options of a command that shows where requests are lost along a chain."""
    ref = click.option(
        "--ref",
        type=PATH,
        metavar="FILE",
        help="Gold labels, if stages are predictions.",
    )
    stage = click.option(
        "--stage",
        "stages",
        multiple=True,
        metavar="NAME=FILE",
        help="Stage of a chain, in order, for a waterfall of where requests are lost: predictions, "
        "a run, or RUN#SET. Repeatable; see blame.",
    )
    return stage(ref(function))
