"""``mondegreen score words``: WER and its kin."""

from __future__ import annotations

import os
from typing import Any

import click

from mondegreen.cli.score_output import Section, common_options, finish, refuse_one_stream
from mondegreen.metrics.pairs import paired, read_transcripts
from mondegreen.metrics.score import Score
from mondegreen.metrics.show import alignment_lines, confusions
from mondegreen.metrics.words import words as score_words

_SHOWN = 20  # substitutions on the screen; JSON has all
_EXAMPLES = """\b
Examples:
  mondegreen score words --ref ref.txt --hyp hyp.txt
  mondegreen score words --ref ref.trn --hyp hyp.trn --costs sclite --ignore-case --align
  mondegreen score words --ref ref.jsonl --hyp a.jsonl --against b.jsonl --by speaker
"""


@click.command("words", epilog=_EXAMPLES)
@common_options()
@click.option(
    "--costs",
    default="unit",
    show_default=True,
    metavar="unit|sclite",
    help="What steps cost: all alike, or substitution 4, others 3.",
)
@click.option("--ignore-case", is_flag=True, help="Compare in lower case.")
@click.option(
    "--normalise",
    default="none",
    show_default=True,
    metavar="none|basic|whisper",
    help="What is made equal before words are compared.",
)
@click.option("--compounds", is_flag=True, help='"ice cream" and "icecream" are the same.')
@click.option("--align", is_flag=True, help="Print the alignment of every utterance.")
@click.option("--errors", is_flag=True, help="Print the alignment of those with errors.")
@click.option(
    "--phonetic",
    is_flag=True,
    help="How far each substitution sounds (0 is a homophone), and the whole transcript.",
)
@click.option(
    "--confusions",
    type=int,
    default=0,
    metavar="N",
    help="Print the N most frequent confusions, deletions and insertions.",
)
def command(**options: Any) -> None:
    """Word error rate of HYP against REF, with match error rate, word information lost, character
    and sentence error rate. Alternations { a / b / @ } and optional (uh) in .trn references count.
    """
    refuse_one_stream(options["ref"], options["hyp"], options["against"])
    refs = read_transcripts(options["ref"], options["format"])
    settings = {name: options[name] for name in ("costs", "ignore_case", "normalise", "compounds")}
    settings["alternatives"] = refs.format == "trn"

    def scored(path: Any) -> Score:
        hyps = paired(
            refs,
            read_transcripts(path, options["format"]),
            ignore_case=options["ignore_case"],
        )
        return score_words(refs.texts, hyps, ids=refs.ids, threads=os.cpu_count() or 1, **settings)

    score = scored(options["hyp"])
    if (options["align"] or options["errors"]) and not options["as_json"]:
        for line in alignment_lines(score, only_errors=options["errors"]):
            click.echo(line)
    other = scored(options["against"]) if options["against"] else None
    sections = _confusions(score, options["confusions"])
    if options["phonetic"]:
        sections.append(_phonetic(score))
    finish(score, other, refs, options, sections)


def _phonetic(score: Score) -> Section:
    from mondegreen.metrics.phonetic import substitutions, transcripts

    heard, sounds = substitutions(score), transcripts(score)
    rates = {name: sounds[name].value for name in sounds}

    def show() -> None:
        click.echo("\nby sound")
        for name, value in rates.items():
            click.echo(f"{name}  {'' if value is None else f'{100 * value:.2f} %'}")
        for ref, hyp, times, distance in heard[:_SHOWN]:
            far = "   ?" if distance is None else f"{distance:4.2f}"
            click.echo(f"{times:8,}  {far}  {ref} → {hyp}")

    return Section("phonetic", {**rates, "substitutions": [h._asdict() for h in heard]}, show)


def _confusions(score: Score, n: int) -> list[Section]:
    if not n:
        return []
    found = {kind: counts.most_common(n) for kind, counts in confusions(score).items()}
    return [Section("confusions", found, lambda: _print_confusions(found))]


def _print_confusions(found: dict[str, list[tuple[tuple[str, ...], int]]]) -> None:
    for kind, counts in found.items():
        click.echo(f"\n{kind}")
        for pair, count in counts:
            click.echo(f"{count:8,}  {' → '.join(pair)}")
