"""What the score commands have in common: their options, tables, JSON and files."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import click
import msgspec

from mondegreen.cli.chance import chance
from mondegreen.data.lines import STANDARD_STREAM
from mondegreen.data.output import whole_file
from mondegreen.metrics.comparison import Comparison
from mondegreen.metrics.pairs import Transcripts
from mondegreen.metrics.rows import rows
from mondegreen.metrics.score import Score

F = TypeVar("F", bound=Callable[..., Any])
_FILE = click.Path(path_type=Path, allow_dash=True)


def common_options(*, pairs: str = "") -> Callable[[F], F]:
    """Add the options of every score command; ``pairs`` says how one file may hold both sides."""
    options = [
        click.option("--ref", "ref", type=_FILE, required=not pairs, help="What was said."),
        click.option("--hyp", "hyp", type=_FILE, required=not pairs,
                     help="What the system gave back."),
        *([click.option("--pairs", type=_FILE,
                        help=f"Instead of --ref and --hyp, one file with {pairs}.")]
          if pairs else []),
        click.option("--against", type=_FILE, metavar="HYP",
                     help="Another system's output, to be compared with --hyp."),
        click.option("--format", "format", metavar="NAME",
                     help="The files' format, if their names and looks do not tell."),
        click.option("--by", metavar="COLUMN", help="Scores of each group, by a column of --ref."),
        click.option("--blocks", metavar="COLUMN",
                     help="Draw the bootstrap by blocks (speakers), by a column of --ref."),
        click.option("--no-intervals", is_flag=True, help="No bootstrap."),
        click.option("--seed", type=int, default=0, show_default=True, help="Of the bootstrap."),
        click.option("--json", "as_json", is_flag=True, help="Print one JSON object."),
        click.option("--items", type=click.Path(path_type=Path), metavar="FILE",
                     help="Write the rows of all utterances as JSON lines."),
        click.option("--force", is_flag=True, help="Replace files that exist."),
    ]  # fmt: skip

    def add(function: F) -> F:
        for option in reversed(options):
            function = option(function)
        return function

    return add


class Section(NamedTuple):
    """More to show: as an entry of the JSON object, or printed below the table."""

    name: str
    value: Any
    show: Callable[[], None]


def refuse_one_stream(*paths: Path | None) -> None:
    """Refuse to read standard input twice."""
    if sum(path == STANDARD_STREAM for path in paths) > 1:
        raise click.UsageError("only one of the files can be standard input")


def finish(
    score: Score,
    other: Score | None,
    refs: Transcripts,
    options: dict[str, Any],
    sections: Sequence[Section] = (),
) -> None:
    """Print a score as the options say, and write its items."""
    blocks = refs.column(options["blocks"]) if options["blocks"] else None
    groups = score.by(refs.column(options["by"])) if options["by"] else {}
    bootstrap = not options["no_intervals"]
    if options["items"] is not None:
        write_items(score, refs, options["items"], force=options["force"])
    comparison = score.compare(other, seed=options["seed"], blocks=blocks) if other else None
    if options["as_json"]:
        record = record_of(score, blocks, options["seed"], bootstrap=bootstrap)
        if groups:
            record["groups"] = {
                name: record_of(part, None, options["seed"], bootstrap=bootstrap)
                for name, part in groups.items()
            }
        if comparison:
            record["comparison"] = comparison.record()
        record |= {section.name: section.value for section in sections}
        click.echo(msgspec.json.encode(record).decode())
        return
    print_score(score, blocks, options["seed"], bootstrap=bootstrap)
    for name, part in groups.items():
        click.echo(f"\n{options['by']} {name}")
        print_score(part, None, options["seed"], bootstrap=bootstrap, heading=False)
    if comparison:
        print_comparison(comparison, options["hyp"], options["against"])
    for section in sections:
        section.show()


def record_of(
    score: Score, blocks: Sequence[str] | None, seed: int, *, bootstrap: bool
) -> dict[str, Any]:
    """Return a score as plain values: the JSON that the command prints."""
    sums = score.sums()
    scores = {}
    for rate in score.estimates(blocks=blocks, seed=seed, bootstrap=bootstrap):
        told = rate._asdict()
        scores[told.pop("name")] = told
    return {
        "metric": score.metric,
        "signature": score.signature,
        "n": len(score),
        "scores": scores,
        "counts": {name: sums[name] for name in score.all_columns()},
    }


def print_score(
    score: Score,
    blocks: Sequence[str] | None,
    seed: int,
    *,
    bootstrap: bool,
    heading: bool = True,
) -> None:
    """Print a table for people."""
    if heading:
        click.echo(score.signature)
    click.echo(f"{len(score):,} utterances")
    width = max(map(len, score.rates))
    for rate in score.estimates(blocks=blocks, seed=seed, bootstrap=bootstrap):
        name, value, low, high, numerator, denominator = rate
        share = "nothing to divide by" if value is None else f"{100 * value:7.2f} %"
        between = "" if low is None or high is None else f"  [{100 * low:.2f}, {100 * high:.2f}]"
        click.echo(f"{name:{width}}  {share}{between}  {numerator:,} / {denominator:,}")
    sums = score.sums()
    click.echo("  ".join(f"{name} {sums[name]:,}" for name in score.columns[:-1]))


def print_comparison(comparison: Comparison, first: Path, second: Path) -> None:
    """Print which system is better, and whether that may be chance."""
    click.echo(f"\n{second} against {first}")
    for name, rate in comparison.rates.items():
        if rate.difference is None or rate.interval is None or rate.p is None:
            continue
        low, high = (100 * edge for edge in rate.interval)
        points = f"{100 * rate.difference:+.2f} points  [{low:+.2f}, {high:+.2f}]"
        click.echo(f"{name}  {points}  {chance(rate.p)}")
    click.echo(
        f"utterances: {comparison.only_second_right:,} only right in {second}, "
        f"{comparison.only_first_right:,} only in {first}; McNemar {chance(comparison.mcnemar)}"
    )
    if comparison.mapsswe:
        test = comparison.mapsswe
        click.echo(f"MAPSSWE: {test.segments:,} segments, z {test.z:+.2f}, {chance(test.p)}")


def write_items(score: Score, refs: Transcripts, path: Path, *, force: bool) -> None:
    """Write one JSON line an utterance."""
    with whole_file(path, force=force) as file:
        file.write(msgspec.json.Encoder().encode_lines(rows(score, refs.extra)))
