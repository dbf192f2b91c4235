"""The command ``pssteval-asr``: ``python -m mondegreen.compat.pssteval.asr FILE --ref FILE``."""

from __future__ import annotations

import argparse
import logging
import sys
from collections.abc import Sequence
from pathlib import Path

import click

from mondegreen.compat.pssteval.evaluation import evaluate_asr, logger
from mondegreen.errors import MondegreenError

LEVELS = ("DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL")
SUFFIX = "-analysis.json"


def main(arguments: Sequence[str] | None = None) -> int:
    """Evaluate the files, print FER and PER, write the analyses; return the exit status."""
    parser = argparse.ArgumentParser(
        prog="python -m mondegreen.compat.pssteval.asr",
        description="Compute PER and FER of transcripts, and write an analysis of every step.",
    )
    parser.add_argument("tsv_files", nargs="+", help="tables of utterance_id and asr_transcript")
    parser.add_argument("--ref", required=True, help="table of utterance_id and transcript")
    parser.add_argument("--out-dir", help="folder of the analyses; by default that of the table")
    parser.add_argument("--n-jobs", type=int, default=1, help="of no effect: one is enough")
    parser.add_argument("--log-level", default="INFO", choices=LEVELS)
    given = parser.parse_args(arguments)
    logging.basicConfig(format="%(name)s %(levelname)s: %(message)s", stream=sys.stderr)
    try:
        for name in given.tsv_files:
            path = Path(name)
            folder = Path(given.out_dir).expanduser() if given.out_dir else path.parent
            target = folder / (path.name.split(".")[0] + SUFFIX)
            evaluate_asr(path, given.ref, given.n_jobs, given.log_level).save(target)
            logger.info("Wrote analysis to %s", target)
    except MondegreenError as error:
        click.echo(f"mondegreen: {error}", err=True)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
