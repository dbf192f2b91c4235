"""``mondegreen verify``: proves that a perturbed set or a suite is the one it says."""

from __future__ import annotations

from pathlib import Path

import click

from mondegreen.errors import DataError
from mondegreen.verify import signature_at, verify


@click.command(
    epilog="\b\nExamples:\n  mondegreen perturb test.txt -o noisy.txt --op fillers --seed 7\n"
    "  mondegreen verify noisy.txt\n  mondegreen verify snips-suite"
)
@click.argument("output", type=click.Path(path_type=Path))
def command(output: Path) -> None:
    """Check OUTPUT of mondegreen perturb or suite against its manifest.

    Looks whether output, source and ledger are unchanged, whether undoing the ledger gives the
    source, and whether the recipe gives the same output, byte for byte. The hard set of a suite is
    looked for among the operators' sets, as its model may be gone. Exits with 1 if not.
    """
    click.echo(signature_at(output))
    failed = False
    for check in verify(output):
        mark = "FAIL" if check.problem else "skip" if check.skipped else "ok"
        colour = {"FAIL": "red", "skip": "yellow", "ok": "green"}[mark]
        tail = f": {check.problem}" if check.problem else ""
        click.echo(f"{click.style(f'{mark:4}', fg=colour)}  {check.name}{tail}")
        failed |= bool(check.problem)
    if failed:
        raise DataError(f"{output}: not what its manifest says")
