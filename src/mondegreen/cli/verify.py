"""``mondegreen verify``: proves that a perturbed set is the one it says."""

from __future__ import annotations

from pathlib import Path

import click

from mondegreen.errors import DataError
from mondegreen.manifest import read_manifest
from mondegreen.verify import verify


@click.command(
    epilog="\b\nExamples:\n  mondegreen perturb test.txt -o noisy.txt --op fillers --seed 7\n"
    "  mondegreen verify noisy.txt"
)
@click.argument("output", type=click.Path(path_type=Path))
def command(output: Path) -> None:
    """Check OUTPUT of mondegreen perturb against its manifest.

    Looks whether output, source and ledger are unchanged, whether undoing the ledger gives the
    source, and whether the recipe gives the same output, byte for byte. Exits with 1 if not.
    """
    click.echo(read_manifest(output).signature)
    failed = False
    for check in verify(output):
        mark = "FAIL" if check.problem else "skip" if check.skipped else "ok"
        colour = {"FAIL": "red", "skip": "yellow", "ok": "green"}[mark]
        tail = f": {check.problem}" if check.problem else ""
        click.echo(f"{click.style(f'{mark:4}', fg=colour)}  {check.name}{tail}")
        failed |= bool(check.problem)
    if failed:
        raise DataError(f"{output}: not what its manifest says")
