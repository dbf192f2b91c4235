"""``mondegreen verify``: verify a perturbed set or a suite against its manifest."""

from __future__ import annotations

from pathlib import Path

import click

from mondegreen.errors import DataError
from mondegreen.provenance.verify import checks, signature_at


@click.command(
    epilog="\b\nExamples:\n  mondegreen perturb test.txt -o noisy.txt --op fillers --seed 7\n"
    "  mondegreen verify noisy.txt\n  mondegreen verify snips-suite"
)
@click.argument("output", type=click.Path(path_type=Path))
@click.option(
    "--trust",
    is_flag=True,
    help="Import the operators and formats that the manifest names as python:…, and download "
    "models that it names as hub:…. Only for a manifest of your own or of somebody you know.",
)
def command(output: Path, *, trust: bool) -> None:
    """Verify OUTPUT of mondegreen perturb, augment or suite against its manifest.

    Checks that output, source and ledger are unchanged, that undoing the edits of the ledger gives
    the source, and that the recipe makes the same output, byte for byte. The hard set of a suite is
    checked without its model: its lines must be in the operators' sets. Exits with 1 if a check
    fails. A manifest that names code is refused without --trust.
    """
    click.echo(signature_at(output))
    failed = False
    for check in checks(output, trust=trust):
        mark = "FAIL" if check.problem else "skip" if check.skipped else "ok"
        colour = {"FAIL": "red", "skip": "yellow", "ok": "green"}[mark]
        tail = f": {check.problem}" if check.problem else ""
        click.echo(f"{click.style(f'{mark:4}', fg=colour)}  {check.name}{tail}")
        failed |= bool(check.problem)
    if failed:
        raise DataError(f"{output}: does not match its manifest")
