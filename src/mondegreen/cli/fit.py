"""``mondegreen fit``: learn from your own data."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import click

from mondegreen.cli.parts import typed
from mondegreen.cli.parts.formats import FORMAT_HELP, MAP_HELP
from mondegreen.cli.parts.progress import bytes_progress, stage_progress
from mondegreen.cli.parts.typed import FILE, argument, option
from mondegreen.data import read
from mondegreen.data.files.output import check_target
from mondegreen.data.formats.detection import mapped_format
from mondegreen.data.pairs.table import read_pairs
from mondegreen.errors import DataError, OperatorError
from mondegreen.language.disfluency.lexicon import TYPES
from mondegreen.language.disfluency.profile import (
    profile_of,
    profile_of_pairs,
    read_fluent_pairs,
    read_marked,
)
from mondegreen.language.disfluency.values import save_values, values_of
from mondegreen.language.simulation.fitting import fit_recogniser
from mondegreen.language.simulation.starts import NEAREST
from mondegreen.language.vocabulary.common import SIZE, CommonWords
from mondegreen.language.vocabulary.tfidf import TfIdf


@click.group()
def command() -> None:
    """Learn from your own data: common words, tf-idf, disfluencies, slot values, recognisers."""


@dataclass(frozen=True, kw_only=True)
class FitOptions:
    """The options of all ``fit`` commands."""

    source: Path = argument(type=FILE)
    output: Path = option("-o", "--output", help="File to write.")
    source_format: str | None = option(
        "--format", default=None, help=f"{FORMAT_HELP}.", metavar="NAME"
    )
    map: str = option(default="", help=MAP_HELP, metavar="PART=COLUMN,…")
    force: bool = option(default=False, help="Replace an existing output.")
    quiet: bool = option("-q", "--quiet", default=False, help="Print no progress and no summary.")

    @property
    def named_format(self) -> str | None:
        """The format of the source with the columns that the user has named."""
        return mapped_format(self.source_format, self.map)

    def report(self, what: str) -> None:
        """Print a summary of the output, unless ``quiet``."""
        if not self.quiet:
            click.echo(f"{what} → {self.output}", err=True)


@dataclass(frozen=True, kw_only=True)
class WordsOptions(FitOptions):
    """The options of ``fit words``."""

    size: int = option(default=SIZE, help="Number of words to write.")


@typed.command(
    WordsOptions,
    name="words",
    examples=(
        "fit words train.txt -o words.txt",
        "perturb test.txt -o noisy.txt --op \"typing(common='words.txt')\"",
    ),
)
def words(options: WordsOptions) -> None:
    """Write the most common words of SOURCE, for autocorrect, autocomplete and typing.

    The output has one word per line, the most frequent first.
    """
    if options.size < 1:
        raise OperatorError(f"--size must be 1 or more, got {options.size}")
    with bytes_progress(options.source, quiet=options.quiet) as meter:
        utterances = read(options.source, options.source_format, map=options.map, meter=meter)
        common = CommonWords.fit((one.text for one in utterances), options.size)
    common.save(options.output, force=options.force)
    options.report(f"{len(common.words):,} words")


@typed.command(
    FitOptions,
    name="tfidf",
    examples=(
        "fit tfidf train.txt -o tfidf.tsv",
        "augment train.txt -o more.txt --op keyboard --op \"tfidf(table='tfidf.tsv')\"",
    ),
)
def tfidf(options: FitOptions) -> None:
    """Write the tf-idf of each word of SOURCE, for the operator tfidf.

    Each line of the output has a word, its idf, and its tf-idf over all utterances.
    """
    with bytes_progress(options.source, quiet=options.quiet) as meter:
        utterances = read(options.source, options.source_format, map=options.map, meter=meter)
        table = TfIdf.fit(one.text for one in utterances)
    table.save(options.output, force=options.force)
    options.report(f"{len(table.words):,} words")


@dataclass(frozen=True, kw_only=True)
class DisfluencyOptions(FitOptions):
    """The options of ``fit disfluency``."""

    keep: tuple[str, ...] = option(
        default=(),
        help="Word that is fluent even in upper case, such as I. Repeatable.",
        metavar="WORD",
    )
    language: str = option(
        default="en",
        help="Language of pairs of fluent and disfluent texts, whose pauses are known.",
        metavar="CODE",
    )


@typed.command(
    DisfluencyOptions,
    name="disfluency",
    examples=(
        "fit disfluency turns.tsv -o speech.json",
        "fit disfluency pairs.tsv -o requests.json --language de",
        "perturb test.txt -o noisy.txt --op \"disfluencies(profile='speech.json')\"",
    ),
)
def disfluency(options: DisfluencyOptions) -> None:
    """Write a profile of the disfluencies in SOURCE, as JSON: their types and frequencies.

    Disfluent words are marked by a column tags (RM reparandum, F filled pause, D discourse marker,
    E editing term, A aside; C and O are fluent), by the edits of a perturbed set, or by UPPERCASE.
    Or SOURCE is a table of pairs with the columns fluent and disfluent: the same text without and
    with what was inserted. Pauses and editing terms are then learnt as well.
    """
    pairs = read_fluent_pairs(options.source, options.named_format)
    if pairs is not None:
        profile = profile_of_pairs(pairs, options.language)
    else:
        profile = profile_of(read_marked(options.source, options.named_format, options.keep))
    if not profile.total:
        raise DataError(
            f"{options.source}: no word is marked as disfluent; write such words in UPPERCASE"
        )
    profile.save(options.output, force=options.force)
    if not options.quiet:
        for kind in TYPES:
            click.echo(f"{kind:10} {100 * profile.rate(kind):6.2f} per 100 words", err=True)
    options.report(f"{profile.total:,} disfluencies")


@typed.command(
    FitOptions,
    name="values",
    examples=(
        "fit values train.jsonl -o values.json",
        "perturb test.jsonl -o noisy.jsonl --op \"repairs(values='values.json')\"",
    ),
)
def values(options: FitOptions) -> None:
    """Write the values of each slot label of SOURCE, as JSON, for repairs and disfluencies."""
    with bytes_progress(options.source, quiet=options.quiet) as meter:
        found = values_of(read(options.source, options.source_format, map=options.map, meter=meter))
    if not found:
        raise DataError(f"{options.source}: no utterance has a slot; give data with slots")
    save_values(found, options.output, force=options.force)
    total = sum(map(len, found.values()))
    options.report(f"{total:,} values of {len(found):,} labels")


@dataclass(frozen=True, kw_only=True)
class RecogniserOptions(FitOptions):
    """The options of ``fit recogniser``."""

    hyp: Path | None = option(
        default=None,
        type=FILE,
        help="Hypotheses, where they are not a column hyp of SOURCE; paired by id or line.",
    )
    language: str = option(
        default="en",
        help="Language of the pairs: de, en, es, fr, it, nl, or zh, by characters and syllables.",
        metavar="CODE",
    )
    begin_with: str = option(
        "--from",
        default=NEAREST,
        help="Profile to begin with where pairs are few: a file, none, or slurp, moonshine, "
        "google, amazon. Of several (slurp,google), the one by which the errors are likeliest is "
        "taken; nearest: of all built-in ones, for fewer than 500 pairs.",
        metavar="NAME",
    )
    keep_marks: bool = option(
        default=False, help="Take marks such as <unk> and [noise] for words, and write them."
    )


@typed.command(
    RecogniserOptions,
    name="recogniser",
    examples=(
        "fit recogniser pairs.tsv -o mine.json",
        "fit recogniser ref.txt --hyp hyp.txt -o mine.json.gz",
        "fit recogniser few.tsv -o mine.json --from moonshine",
        "fit recogniser --language zh pairs.tsv -o zh.json.gz",
        "perturb test.txt -o heard.txt --op \"recogniser(profile='mine.json', wer=0.2)\"",
    ),
)
def recogniser(options: RecogniserOptions) -> None:
    """Write a profile of a speech recogniser's errors, for the operator recogniser.

    SOURCE is a table with the columns ref and hyp, or the references of --hyp, in any format that
    score words reads. A hundred pairs are enough to begin: the fewer there are, the more the
    profile is like the one that the fit begins with. A name that ends in .gz is compressed. Marks
    that are no words, such as <unk> and [noise], are named and left out.
    """
    check_target(options.output, force=options.force)
    pairs = read_pairs(options.source, options.hyp, options.named_format)
    with stage_progress(quiet=options.quiet) as show:
        profile = fit_recogniser(
            pairs.refs,
            pairs.hyps,
            source=options.source.name,
            language=options.language,
            keep_marks=options.keep_marks,
            begin_with=options.begin_with,
            on_progress=show,
        )
    profile.save(options.output, force=options.force)
    if not options.quiet:
        if profile.begun_with:
            click.echo(f"began with the profile {profile.begun_with}", err=True)
        for name in ("substitutions", "deletions", "insertions"):
            click.echo(
                f"{name:13} {100 * getattr(profile.rates, name):6.2f} per 100 words", err=True
            )
    options.report(f"{profile.pairs:,} pairs, word error rate {100 * profile.rates.wer:.1f} %")


for one in (words, tfidf, disfluency, values, recogniser):
    command.add_command(one)
