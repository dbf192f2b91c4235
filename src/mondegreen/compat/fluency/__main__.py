"""The command of the evaluator: ``python -m mondegreen.compat.fluency --mode mod_align …``."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

import click

from mondegreen.compat.fluency.distance import Test
from mondegreen.compat.fluency.report import MODES, evaluate
from mondegreen.errors import MondegreenError


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the report; return the exit status."""
    parser = argparse.ArgumentParser(
        prog="python -m mondegreen.compat.fluency",
        description="Align and score transcripts whose disfluent words are in UPPERCASE.",
    )
    parser.add_argument("--mode", required=True, choices=MODES, help="what to do")
    parser.add_argument("--result-path", help="folder to write the alignments to")
    parser.add_argument("--ref", help="file of references, one sentence per line")
    parser.add_argument("--hyp", help="file of hypotheses, one sentence per line")
    given = parser.parse_args(arguments)
    if given.mode == "test":
        click.echo(Test())
        return 0
    if given.ref is None or given.hyp is None:
        parser.error(f"--mode {given.mode} needs --ref and --hyp")
    try:
        for text in evaluate(given.ref, given.hyp, given.mode, given.result_path):
            click.echo(text)
    except MondegreenError as error:
        click.echo(f"mondegreen: {error}", err=True)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
