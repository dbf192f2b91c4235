"""``mondegreen score phonemes``: phoneme and feature error rate."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click
import msgspec

from mondegreen.cli.score_output import Section, common_options, finish, refuse_one_stream
from mondegreen.data.output import whole_file
from mondegreen.metrics.columns import HYPOTHESIS, REFERENCE, read_columns, read_side
from mondegreen.metrics.pairs import Transcripts, paired
from mondegreen.metrics.phonemes import confused, costly_features, trace
from mondegreen.metrics.phonemes import phonemes as score_phonemes
from mondegreen.metrics.score import Score

_EXAMPLES = """\b
Examples:
  mondegreen score phonemes --ref valid.tsv --hyp valid-asr.tsv --trace trace.jsonl
  mondegreen score phonemes --ref ref.txt --hyp hyp.txt --lenient
  mondegreen score phonemes --pairs pairs.tsv --system hayes-ipa
"""


@click.command("phonemes", epilog=_EXAMPLES)
@common_options(pairs="the columns id, reference, hypothesis")
@click.option(
    "--system",
    default="hayes-arpabet",
    show_default=True,
    metavar="NAME",
    help="hayes-arpabet, hayes-ipa, panphon, or a CSV or TSV file of features.",
)
@click.option("--lenient", is_flag=True, help="Drop stress digits; accept ARPAbet in lower case.")
@click.option(
    "--trace",
    "trace_file",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Write every step and every feature that changes as JSON lines.",
)
@click.option(
    "--confusions",
    type=int,
    default=0,
    metavar="N",
    help="Print the N most confused phonemes and the N most costly features.",
)
def command(**options: Any) -> None:
    """Phoneme error rate and feature error rate of HYP against REF.

    Files have columns: utterance_id and transcript for REF, utterance_id and asr_transcript for HYP
    (or id, reference, hypothesis in one file); or they are plain transcripts: .txt, .trn, Kaldi's
    text. <sil> <spn> <unk> cost and count nothing.
    """
    refuse_one_stream(options["ref"], options["hyp"], options["against"])
    refs = _side(options, "ref", REFERENCE)

    def scored(hyps: Transcripts) -> Score:
        return score_phonemes(
            refs.texts,
            paired(refs, hyps),
            ids=refs.ids,
            system=options["system"],
            lenient=options["lenient"],
        )

    score = scored(_side(options, "hyp", HYPOTHESIS))
    if options["trace_file"]:
        with whole_file(options["trace_file"], force=options["force"]) as file:
            for row in trace(score):
                file.write(msgspec.json.encode(row) + b"\n")
    against = options["against"]
    other = scored(read_side(against, HYPOTHESIS, options["format"])) if against else None
    finish(score, other, refs, options, _worst(score, options["confusions"]))


def _side(options: dict[str, Any], side: str, names: tuple[str, ...]) -> Transcripts:
    path = options["pairs"] or options[side]
    if path is None or (options["pairs"] and options[side]):
        raise click.UsageError("give --ref and --hyp, or --pairs with both in one file")
    if not options["pairs"]:
        return read_side(path, names, options["format"])
    wanted = {"ref": ("reference", "ref"), "hyp": ("hypothesis", "hyp")}[side]
    return read_columns(path, wanted, options["format"])


def _worst(score: Score, n: int) -> list[Section]:
    if not n:
        return []
    pairs, features = confused(score).most_common(n), costly_features(score).most_common(n)

    def show() -> None:
        click.echo("\nmost confused")
        for (ref, hyp), count in pairs:
            click.echo(f"{count:8,}  {ref} → {hyp}")
        click.echo("\nmost costly features")
        for name, cost in features:
            click.echo(f"{cost:8,.2f}  {name}")

    return [Section("confusions", {"phonemes": pairs, "features": features}, show)]
