"""``mondegreen fit``: what can be learnt from a user's own data."""

from __future__ import annotations

from pathlib import Path

import click

from mondegreen.cli.progress import metered
from mondegreen.data import read
from mondegreen.errors import OperatorError
from mondegreen.language.common import SIZE, CommonWords
from mondegreen.language.tfidf import TfIdf


@click.group()
def command() -> None:
    """Learn from your own data."""


@command.command(
    epilog="\b\nExample:\n  mondegreen fit words train.txt -o words.txt\n"
    "  mondegreen perturb test.txt -o noisy.txt --op \"typing(common='words.txt')\""
)
@click.argument("source", type=click.Path(path_type=Path, allow_dash=True))
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    required=True,
    help="File to write, one word a line, the most frequent first.",
)
@click.option("--size", type=int, default=SIZE, show_default=True, help="How many words.")
@click.option("--format", "source_format", metavar="NAME", help="The source's format.")
@click.option("--force", is_flag=True, help="Replace an output that exists.")
@click.option("-q", "--quiet", is_flag=True, help="No progress bar, no summary.")
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
@click.argument("source", type=click.Path(path_type=Path, allow_dash=True))
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    required=True,
    help="File to write: on each line a word, its idf, and its tf-idf over all utterances.",
)
@click.option("--format", "source_format", metavar="NAME", help="The source's format.")
@click.option("--force", is_flag=True, help="Replace an output that exists.")
@click.option("-q", "--quiet", is_flag=True, help="No progress bar, no summary.")
def tfidf(
    source: Path, output: Path, source_format: str | None, *, force: bool, quiet: bool
) -> None:
    """Find how much each word of SOURCE tells, for tfidf."""
    with metered(source, quiet=quiet) as meter:
        table = TfIdf.fit(said.text for said in read(source, source_format, meter=meter))
    table.save(output, force=force)
    if not quiet:
        click.echo(f"{len(table.words):,} words → {output}", err=True)
