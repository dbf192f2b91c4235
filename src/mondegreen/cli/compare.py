"""``mondegreen compare``: compare two runs of one suite, or two scores."""

from __future__ import annotations

from pathlib import Path

import click
import msgspec

from mondegreen.cli.parts.typed import epilog
from mondegreen.cli.score.groups import aligned
from mondegreen.errors import unknown
from mondegreen.metrics.statistics.comparison import ALPHA, Comparison, Flip, SetComparison
from mondegreen.runs.comparison import compare

_WORSE = 3
_COMPARED = 2  # first and second
_BEST = "best"


@click.command(
    epilog=epilog(
        (
            "compare old.run new.run",
            "compare old.run new.run --flips 20",
            "compare old.run new.run --fail-if-worse          # exit code 3, for CI",
            "compare old.run new.run --fail-if-worse slot_f1",
            "compare old.run new.run --fail-if-worse wer      # of score … --items",
            "compare old.run new.run --by accent              # of score … --items",
        )
    )
)
@click.argument("runs", nargs=-1, type=click.Path(path_type=Path), metavar="FIRST SECOND")
@click.option(
    "--fail-if-worse",
    "gate",
    is_flag=False,
    flag_value=_BEST,
    metavar="[RATE]",
    help="Exit with 3 if SECOND is significantly worse on any set, by RATE (by default the "
    "main rate: end-to-end accuracy, intent accuracy, slot F1 or WER).",
)
@click.option(
    "--flips",
    type=click.IntRange(min=0),
    default=5,
    show_default=True,
    metavar="N",
    help="Number of flipped utterances to print; --json prints all.",
)
@click.option(
    "--by",
    metavar="COLUMN",
    help="Compare each group of two scores, in one table, by a column of the references.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.pass_context
def command(
    ctx: click.Context,
    /,
    runs: tuple[Path, ...],
    gate: str | None,
    flips: int,
    by: str | None,
    *,
    as_json: bool,
) -> None:
    """Compare SECOND with FIRST: two runs of one suite, or two scores of the same references.

    Runs are made by evaluate … -o RUN, scores by score … --items FILE.

    Prints for each set the difference of each rate with its interval, its p-value (McNemar's exact
    test for accuracies, a paired permutation test for other rates), the p-value corrected for the
    number of sets (Holm) and the verdict on SECOND; and the utterances that flipped.
    """
    if gate is not None and len(runs) < _COMPARED and Path(gate).exists():
        runs, gate = (Path(gate), *runs), _BEST  # click read the first run as the rate
    if len(runs) != _COMPARED:
        raise click.UsageError(f"give two runs or two scores, got {len(runs)}")
    found = compare(*runs, by=by)
    if gate is not None and gate not in (_BEST, *found.shown):
        raise click.UsageError(unknown("rate", gate, found.shown))
    rate = found.main if gate == _BEST else gate
    worse = found.losses(rate) if rate else []
    if as_json:
        extra = {"gate": _gate(found, rate, worse)} if rate else {}
        click.echo(msgspec.json.encode(found.record() | extra).decode())
    else:
        _print(found, flips, by)
    if rate:
        verdict = f"worse on {', '.join(worse)}" if worse else "no significant loss"
        click.echo(f"{rate}: {verdict} (p < {ALPHA:g}, Holm)", err=True)
        if unclear := found.undecidable(rate):
            click.echo(
                f"mondegreen: note: too few utterances for a verdict on {', '.join(unclear)}; even "
                "a total loss would not be significant",
                err=True,
            )
    if worse:
        ctx.exit(_WORSE)


def _gate(found: Comparison, rate: str, worse: list[str]) -> dict[str, object]:
    unclear = found.undecidable(rate)
    return {"rate": rate, "alpha": ALPHA, "worse": worse, "undecidable": unclear}


def _print(found: Comparison, flips: int, by: str | None) -> None:
    click.echo(f"{found.second} against {found.first}")
    if by is None:
        _print_sets(found)
    else:
        click.echo(f"\n{found.main} by {by}")
        for line in aligned([*found.table()]):
            click.echo(line)
    click.echo("\n{:,} became right, {:,} became wrong".format(*found.became))
    for flip in found.flips[:flips]:
        click.echo(_flip(flip))
    if flips and len(found.flips) > flips:
        click.echo(f"… {len(found.flips) - flips:,} more: --flips N, or --json")


def _print_sets(found: Comparison) -> None:
    width = max(len(one.name) for one in found.sets)
    for rate in found.shown:
        click.echo(click.style(f"\n{rate}", bold=True))
        for one in found.sets:
            click.echo(f"{one.name:{width}}  {_difference(one, rate)}")


def _difference(one: SetComparison, rate: str) -> str:
    found = one.rates[rate]
    if found.difference is None or found.first is None:
        return "denominator is 0"
    interval = f" {found.interval.points()}" if found.interval else ""
    return (
        f"{100 * found.first:5.1f} → {100 * (found.second or 0):5.1f}  "
        f"{100 * found.difference:+6.2f}{interval}  {found.p_text}  {found.verdict}"
    )


def _flip(flip: Flip) -> str:
    mark = click.style("+ right", fg="green") if flip.better else click.style("- wrong", fg="red")
    return f"  {mark}  {flip.set_name}  {flip.id}  {flip.text}"
