"""``mondegreen same``: do two texts say the same value, however it is written?"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import click
import msgspec

from mondegreen.cli.parts import typed
from mondegreen.cli.parts.formats import FORMAT_HELP
from mondegreen.cli.parts.typed import FILE, argument, option
from mondegreen.cli.score.gate import FAILED
from mondegreen.data.pairs.table import Pairs, read_pairs
from mondegreen.values import LANGUAGES, Parting, differences, same

_PARTS = ("ref", "hyp")


@dataclass(frozen=True, kw_only=True)
class SameOptions:
    """The options of ``mondegreen same``."""

    pairs: Path = argument(type=FILE)
    language: str = option(
        default="en", help="The language of the texts.", type=click.Choice(LANGUAGES)
    )
    map: str = option(
        default="",
        help="The columns of the two texts, if they are not named ref and hyp.",
        metavar="ref=COLUMN,hyp=COLUMN",
    )
    source_format: str | None = option(
        "--format", default=None, help=f"{FORMAT_HELP}.", metavar="NAME"
    )
    most: int = option(
        default=20, help="Number of unequal pairs to print.", type=click.IntRange(min=0)
    )
    fail_under: float | None = option(
        default=None,
        help="Exit with code 3 if the share of equal pairs is smaller.",
        type=click.FloatRange(0, 1),
    )
    as_json: bool = option("--json", default=False, help="Print one JSON object, with all pairs.")


@typed.command(
    SameOptions,
    examples=(
        "same pairs.tsv",
        "same pairs.tsv --language de --fail-under 0.9",
        "same entities.jsonl --map ref=value,hyp=transcribed_value --json",
    ),
)
def command(options: SameOptions) -> None:
    """Say for pairs of texts whether they say the same value, and why not.

    PAIRS is a table with the columns ref and hyp. Numbers, times, dates, amounts of money, units,
    codes, addresses and abbreviations may be written in digits and signs or in words.
    """
    pairs = read_pairs(options.pairs, format=options.source_format, columns=_columns(options.map))
    verdicts = same(pairs.refs, pairs.hyps, options.language)
    share = sum(verdicts) / len(verdicts)
    if options.as_json:
        click.echo(msgspec.json.encode(_record(pairs, verdicts, options)).decode())
    else:
        _print(pairs, verdicts, options)
    if options.fail_under is not None and share < options.fail_under:
        click.echo(f"failed: {share:.4f} of the pairs are equal", err=True)
        click.get_current_context().exit(FAILED)


def _columns(source: str) -> dict[str, str]:
    """Return the columns of the two texts.

    Raises:
        UsageError: if it names no column, or another part.
    """
    columns = {}
    for one in source.split(",") if source else ():
        part, equals, column = one.partition("=")
        if part not in _PARTS or not equals or not column:
            raise click.UsageError(f"--map takes ref=COLUMN,hyp=COLUMN, got {one!r}")
        columns[part] = column
    return columns


def _print(pairs: Pairs, verdicts: list[bool], options: SameOptions) -> None:
    unequal = [at for at, equal in enumerate(verdicts) if not equal]
    equal = len(verdicts) - len(unequal)
    click.echo(f"{equal} of {len(verdicts)} say the same ({100 * equal / len(verdicts):.1f} %)")
    shown = unequal[: options.most]
    for at, why in zip(shown, _why(pairs, shown, options), strict=True):
        click.echo(f"{pairs.ids[at]}: {pairs.refs[at]} | {pairs.hyps[at]}")
        click.echo(f"    {why}")
    if len(unequal) > options.most:
        click.echo(f"and {len(unequal) - options.most} more; --most prints more of them")


def _record(pairs: Pairs, verdicts: list[bool], options: SameOptions) -> dict[str, object]:
    unequal = [at for at, equal in enumerate(verdicts) if not equal]
    why = dict(zip(unequal, _why(pairs, unequal, options), strict=True))
    rows = [
        {"id": id, "ref": ref, "hyp": hyp, "same": equal} | ({} if equal else {"why": str(why[at])})
        for at, (id, ref, hyp, equal) in enumerate(
            zip(pairs.ids, pairs.refs, pairs.hyps, verdicts, strict=True)
        )
    ]
    share = sum(verdicts) / len(verdicts)
    return {"language": options.language, "n": len(rows), "same": share, "pairs": rows}


def _why(pairs: Pairs, chosen: list[int], options: SameOptions) -> list[Parting | None]:
    refs, hyps = ([side[at] for at in chosen] for side in (pairs.refs, pairs.hyps))
    return differences(refs, hyps, options.language)
