"""The command ``pssteval-correctness``, as ``python -m mondegreen.compat.pssteval.correctness``."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

import click

from mondegreen.compat.pssteval.evaluation import evaluate_correctness
from mondegreen.errors import MondegreenError


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the confusion matrix and the metrics of each file; return the exit status."""
    parser = argparse.ArgumentParser(
        prog="python -m mondegreen.compat.pssteval.correctness",
        description="Compute F1, precision, recall and accuracy of predictions of correctness.",
    )
    parser.add_argument("tsv_files", nargs="+", help="tables of utterance_id and prediction")
    parser.add_argument("--ref", required=True, help="table of utterance_id and correctness")
    given = parser.parse_args(arguments)
    try:
        for name in given.tsv_files:
            evaluate_correctness(name, given.ref)
    except MondegreenError as error:
        click.echo(f"mondegreen: {error}", err=True)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
