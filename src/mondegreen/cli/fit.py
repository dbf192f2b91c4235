"""``mondegreen fit``: what can be learnt from a user's own data."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import click

from mondegreen.cli.options import Command, added
from mondegreen.cli.progress import metered
from mondegreen.data import read
from mondegreen.errors import DataError, OperatorError
from mondegreen.language.common import SIZE, CommonWords
from mondegreen.language.disfluency import TYPES
from mondegreen.language.profile import profile_of, read_marked
from mondegreen.language.tfidf import TfIdf
from mondegreen.language.values import save_values, values_of


@click.group()
def command() -> None:
    """Learn from your own data."""


def _learns(what: str) -> Callable[[Command], Command]:
    """Add what every one of them takes: a source, and a file to write, of which ``what`` tells."""
    return added(
        click.argument("source", type=click.Path(path_type=Path, allow_dash=True)),
        click.option("-o", "--output", type=click.Path(path_type=Path), required=True, help=what),
        click.option("--format", "source_format", metavar="NAME", help="The source's format."),
        click.option("--force", is_flag=True, help="Replace an output that exists."),
        click.option("-q", "--quiet", is_flag=True, help="No progress bar, no summary."),
    )


@command.command(
    epilog="\b\nExample:\n  mondegreen fit words train.txt -o words.txt\n"
    "  mondegreen perturb test.txt -o noisy.txt --op \"typing(common='words.txt')\""
)
@_learns("File to write, one word a line, the most frequent first.")
@click.option("--size", type=int, default=SIZE, show_default=True, help="How many words.")
def words(
    source: Path, output: Path, size: int, source_format: str | None, *, force: bool, quiet: bool
) -> None:
    """Find the most common words of SOURCE, for autocorrect, autocomplete and typing."""
    if size < 1:
        raise OperatorError(f"--size must be 1 or more, got {size}")
    with metered(source, quiet=quiet) as meter:
        said = read(source, source_format, meter=meter)
        common = CommonWords.fit((utterance.text for utterance in said), size)
    common.save(output, force=force)
    if not quiet:
        click.echo(f"{len(common.words):,} words → {output}", err=True)


@command.command(
    epilog="\b\nExample:\n  mondegreen fit tfidf train.txt -o tfidf.tsv\n"
    "  mondegreen augment train.txt -o more.txt --op keyboard --op \"tfidf(table='tfidf.tsv')\""
)
@_learns("File to write: on each line a word, its idf, and its tf-idf over all utterances.")
def tfidf(
    source: Path, output: Path, source_format: str | None, *, force: bool, quiet: bool
) -> None:
    """Find how much each word of SOURCE tells, for tfidf."""
    with metered(source, quiet=quiet) as meter:
        table = TfIdf.fit(said.text for said in read(source, source_format, meter=meter))
    table.save(output, force=force)
    if not quiet:
        click.echo(f"{len(table.words):,} words → {output}", err=True)


@command.command(
    epilog="\b\nExample:\n  mondegreen fit disfluency turns.tsv -o speech.json\n"
    "  mondegreen perturb test.txt -o noisy.txt --op \"disfluencies(profile='speech.json')\""
)
@_learns("File to write: a profile, as JSON.")
@click.option(
    "--keep",
    multiple=True,
    metavar="WORD",
    help="A word that is fluent also in upper case, such as I. Repeatable.",
)
def disfluency(
    source: Path,
    output: Path,
    keep: tuple[str, ...],
    source_format: str | None,
    *,
    force: bool,
    quiet: bool,
) -> None:
    """Find how often and how the speakers of SOURCE are disfluent, for the disfluencies.

    Disfluent words are marked by a column tags (RM reparandum, F filled pause, D discourse marker,
    E editing term, A aside; C and O fluent), by the edits of a perturbed set, or by UPPERCASE.
    """
    profile = profile_of(read_marked(source, source_format, keep))
    if not profile.total:
        raise DataError(f"{source}: no word is marked as disfluent; write such words in UPPERCASE")
    profile.save(output, force=force)
    if not quiet:
        for kind in TYPES:
            click.echo(f"{kind:10} {100 * profile.rate(kind):6.2f} in 100 words", err=True)
        click.echo(f"{profile.total:,} disfluencies → {output}", err=True)


@command.command(
    epilog="\b\nExample:\n  mondegreen fit values train.jsonl -o values.json\n"
    "  mondegreen perturb test.jsonl -o noisy.jsonl --op \"repairs(values='values.json')\""
)
@_learns("File to write: the values of each slot label, as JSON.")
def values(
    source: Path, output: Path, source_format: str | None, *, force: bool, quiet: bool
) -> None:
    """Find what the slots of SOURCE hold, for repairs and disfluencies."""
    with metered(source, quiet=quiet) as meter:
        found = values_of(read(source, source_format, meter=meter))
    if not found:
        raise DataError(f"{source}: there are no slots to take values from")
    save_values(found, output, force=force)
    if not quiet:
        total = sum(map(len, found.values()))
        click.echo(f"{total:,} values of {len(found):,} labels → {output}", err=True)
