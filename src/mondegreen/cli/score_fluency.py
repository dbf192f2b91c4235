"""``mondegreen score fluency``: recognition and disfluency removal together."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import click

from mondegreen.cli.score_output import Section, common_options, finish, refuse_one_stream
from mondegreen.data.output import write_lines
from mondegreen.data.tagged import has_tags, ledger_tags, read_tagged
from mondegreen.errors import DataError
from mondegreen.language.segment import split
from mondegreen.ledger import read_ledger
from mondegreen.metrics.fluency import FLUENT_TAGS, by_type
from mondegreen.metrics.fluency import fluency as score_fluency
from mondegreen.metrics.pairs import Transcripts, paired, read_transcripts
from mondegreen.metrics.score import Score
from mondegreen.metrics.show import alignment_lines

_EXAMPLES = """\b
Examples:
  mondegreen score fluency --ref marked.txt --hyp system.txt --keep I
  mondegreen score fluency --ref turns.tsv --hyp system.jsonl --types
  mondegreen score fluency --ref noisy.jsonl --hyp system.jsonl --insertions region --align
"""


@click.command("fluency", epilog=_EXAMPLES)
@common_options()
@click.option(
    "--keep",
    multiple=True,
    metavar="WORD",
    help="A word that is fluent also in upper case, such as I. Repeatable.",
)
@click.option(
    "--insertions",
    default="fluent",
    show_default=True,
    metavar="fluent|region",
    help="Whether an insertion beside a disfluent word counts as disfluent.",
)
@click.option(
    "--ledger",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Words that this ledger put into REF are the disfluent ones.",
)
@click.option("--types", is_flag=True, help="What became of the words of each tag.")
@click.option("--align", is_flag=True, help="Print the alignment of every utterance.")
@click.option("--errors", is_flag=True, help="Print the alignment of those with errors.")
@click.option(
    "--align-file",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Write the alignment of every utterance to a file.",
)
def command(**options: Any) -> None:
    """Fluent and disfluent error rate of HYP against REF: what should stay and what should go.

    Disfluent words of REF are in UPPERCASE, or marked by a column tags (any tag but O and C), by
    the edits of a perturbed set, or by its ledger.
    """
    refuse_one_stream(options["ref"], options["hyp"], options["against"])
    refs, tags = _references(options["ref"], options["format"], options["ledger"])
    if options["types"] and tags is None:
        raise DataError("--types needs tags, edits or a ledger; UPPERCASE has no types")
    said = refs.texts if tags is None else [text.split(" ") if text else [] for text in refs.texts]
    keep = options["keep"]

    def scored(path: Path) -> Score:
        hyps = paired(refs, read_transcripts(path, _hyp_format(options, path)))
        if tags is None:
            _refuse_upper(path, hyps)
        return score_fluency(
            said, hyps, tags=tags, ids=refs.ids, keep=keep, insertions=options["insertions"]
        )

    score = scored(options["hyp"])
    if not score["disfluent_error_rate"].denominator:
        click.echo(f"mondegreen: note: no word of {options['ref']} is marked disfluent", err=True)
    if options["align_file"]:
        lines = alignment_lines(score, colour=False)
        write_lines(options["align_file"], lines, force=options["force"])
    if (options["align"] or options["errors"]) and not options["as_json"]:
        for line in alignment_lines(score, only_errors=options["errors"]):
            click.echo(line)
    other = scored(options["against"]) if options["against"] else None
    finish(score, other, refs, options, _types(score, tags) if options["types"] and tags else ())


def _hyp_format(options: dict[str, Any], path: Path) -> str | None:
    named: str | None = options["format"]
    return named if path.suffix == options["ref"].suffix else None


def _references(
    path: Path, format: str | None, ledger: Path | None
) -> tuple[Transcripts, list[list[str]] | None]:
    """The references and, where something other than their case marks words, their tags."""
    if ledger is not None:
        refs, book = read_transcripts(path, format), read_ledger(ledger)
        if book and not book.keys() & set(refs.ids):
            raise DataError(
                f"{ledger}: none of its ids (such as {next(iter(book))!r}) is in {path}; write the "
                "perturbed set as .jsonl, which keeps them"
            )
        words = [split(text) for text in refs.texts]
        tags = [
            ledger_tags(list(w), book.get(id, [])) for id, w in zip(refs.ids, words, strict=True)
        ]
        return refs._replace(texts=[" ".join(w) for w in words]), tags
    if not has_tags(path, format):
        return read_transcripts(path, format), None
    found = list(read_tagged(path, format))
    refs = Transcripts(
        path,
        has_ids=True,
        ids=[one.id for one in found],
        texts=[" ".join(one.words) for one in found],
        extra=[one.columns for one in found],
    )
    return refs, [one.tags for one in found]


def _refuse_upper(path: Path, hyps: list[str]) -> None:
    upper = sum(text.isupper() for text in hyps)
    if upper and 2 * upper > sum(bool(text) for text in hyps):
        raise DataError(
            f"{path}: the hypotheses are in upper case, which marks disfluent words in the "
            "reference; give them in lower case"
        )


def _types(score: Score, tags: list[list[str]]) -> list[Section]:
    found = dict(sorted(by_type(score, tags).items()))
    return [Section("types", found, lambda: _print_types(found))]


def _print_types(found: dict[str, Counter[str]]) -> None:
    click.echo("\ntag            words  dropped     kept  changed")
    for tag, counts in found.items():
        total = sum(counts.values())
        note = "  (fluent: what is dropped here is lost)" if tag in FLUENT_TAGS else ""
        figures = " ".join(f"{counts[kind]:8,}" for kind in ("dropped", "kept", "changed"))
        click.echo(f"{tag:12} {total:7,} {figures}{note}")
