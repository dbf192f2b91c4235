"""``mondegreen hear``: speak utterances, recognise them, and write what was heard."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

import click

from mondegreen.audio.loop import hear
from mondegreen.audio.recognisers import DEFAULT, TIMEOUT
from mondegreen.audio.sound import NOISES, Degradation
from mondegreen.audio.variants import LOST
from mondegreen.cli.parts import typed
from mondegreen.cli.parts.formats import FORMAT_HELP, MAP_HELP
from mondegreen.cli.parts.progress import count_progress
from mondegreen.cli.parts.typed import FILE, PATH, argument, option
from mondegreen.data import open_sink, read
from mondegreen.data.files.lines import STANDARD_STREAM
from mondegreen.data.files.output import check_target, whole_file
from mondegreen.data.files.places import together
from mondegreen.data.sample import sample
from mondegreen.language.languages import ENGLISH, language_codes
from mondegreen.provenance.ledger import lines_of
from mondegreen.types import Utterance

_JOURNAL = ".hearing.jsonl"


@dataclass(frozen=True, kw_only=True)
class HearOptions:
    """The options of ``mondegreen hear``."""

    source: Path | None = argument(type=FILE, required=False)
    output: Path = option(
        "-o",
        "--output",
        default=STANDARD_STREAM,
        help="File to write.  [default: standard output]",
        show_default=False,
    )
    voices: tuple[str, ...] = option(
        "--voice",
        default=(),
        help="Voice: pico, pico:LANGUAGE, flite:NAME, espeak:NAME or command:PROGRAM. Repeatable; "
        "each utterance gets one of them at random.  [default: the first that is installed]",
        metavar="VOICE",
    )
    recogniser: str = option(
        default=DEFAULT,
        help="Recogniser: pocketsphinx, moonshine, python:package.module:function, command:PROGRAM "
        "or http://…",
        metavar="NAME",
    )
    snr: float | None = option(
        default=None, help="Add noise at this signal-to-noise ratio, in decibels."
    )
    noise: str = option(default="pink", type=click.Choice(NOISES), help="Kind of noise for --snr.")
    speed: float = option(default=1.0, help="Speed factor: 1.2 plays the speech 20 % faster.")
    telephone: bool = option(
        default=False, help="Limit the sound to the telephone band (300 to 3400 Hz)."
    )
    reverb: float = option(
        default=0.0, help="Add the echo of a room; reverberation time in seconds."
    )
    audio: Path | None = option(
        default=None, type=PATH, help="Use recordings from this folder (ID.wav) instead of voices."
    )
    keep_audio: Path | None = option(
        default=None,
        type=PATH,
        help="Folder to store the recognised audio in; play it with view --audio.",
    )
    cache: Path | None = option(
        default=None, type=PATH, help="File that stores transcripts, so that later runs reuse them."
    )
    workers: int = option(default=1, help="Number of processes.")
    timeout: float = option(
        default=TIMEOUT,
        help="Maximum number of seconds per utterance for functions, programs and servers.",
    )
    language: str = option(
        default=ENGLISH,
        type=click.Choice(language_codes()),
        help="Language that is spoken: pico speaks en, de, es, fr and it, espeak many. The "
        "built-in recognisers know English only; for others give your own.",
        metavar="CODE",
    )
    seed: int = option(default=0, help="Random seed for the choice of voices and for noise.")
    ledger: Path | None = option(default=None, type=PATH, help="Also write a ledger of all edits.")
    source_format: str | None = option(
        "--format", default=None, help=f"{FORMAT_HELP}.", metavar="NAME"
    )
    map: str = option(default="", help=MAP_HELP, metavar="PART=COLUMN,…")
    target_format: str | None = option(
        "--to", default=None, help="Format of the output.", metavar="NAME"
    )
    limit: int | None = option(
        default=None, help="Process only the first N utterances.", metavar="N"
    )
    force: bool = option(default=False, help="Replace existing outputs.")
    quiet: bool = option("-q", "--quiet", default=False, help="Print no progress and no summary.")

    @property
    def sound(self) -> Degradation:
        """What is done to the sound."""
        return Degradation(self.snr, self.noise, self.speed, self.telephone, self.reverb)

    @property
    def journal(self) -> Path | None:
        """Where what was heard is kept until the output is complete."""
        if self.cache is not None:
            return self.cache
        if self.output == STANDARD_STREAM:
            return None
        return self.output.with_name(self.output.name + _JOURNAL)


@typed.command(
    HearOptions,
    examples=(
        "hear --limit 20",
        "hear test.jsonl -o heard.jsonl --voice flite:slt --voice pico --snr 20",
        "hear test.jsonl -o heard.jsonl --recogniser moonshine --workers 2",
        "hear test.jsonl -o heard.jsonl --audio recordings",
    ),
)
def command(options: HearOptions) -> None:
    """Speak the utterances of SOURCE, transcribe them with a recogniser, and write the result.

    Without SOURCE, the embedded sample is used. Text and transcript are aligned as lower-case words
    without punctuation, and the differences become edits, so that slots and intents are kept. If
    no word of a slot was recognised, the slot is removed and the ledger records it. An interrupted
    run continues where it stopped.
    """
    if options.output != STANDARD_STREAM:
        check_target(options.output, force=options.force)
    counts = {"written": 0, "changed": 0, "lost": 0}
    with together(), ExitStack() as stack:
        progress = stack.enter_context(count_progress("utterances heard", quiet=options.quiet))
        variants = hear(
            _utterances(options),
            voice=options.voices,
            recogniser=options.recogniser,
            sound=options.sound,
            audio=options.audio,
            keep_audio=options.keep_audio,
            cache=options.journal,
            workers=options.workers,
            seed=options.seed,
            timeout=options.timeout,
            on_progress=progress,
            language=options.language,
        )
        as_text = options.target_format or ("txt" if options.output == STANDARD_STREAM else None)
        sink = stack.enter_context(open_sink(options.output, as_text, force=options.force))
        ledger = (
            stack.enter_context(whole_file(options.ledger, force=options.force))
            if options.ledger
            else None
        )
        for variant in variants:
            sink(variant)
            counts["written"] += 1
            counts["changed"] += bool(variant.edits)
            lost = {edit.kind for edit in variant.edits if edit.kind.startswith(LOST)}
            counts["lost"] += len(lost)
            if ledger is not None:
                ledger.write(lines_of(variant))
    if options.cache is None and options.journal is not None:
        options.journal.unlink(missing_ok=True)
    if not options.quiet:
        _summary(options, counts)


def _utterances(options: HearOptions) -> list[Utterance]:
    if options.source is None:
        found = sample()
    else:
        found = read(options.source, options.source_format, map=options.map)
    return list(islice(found, options.limit))


def _summary(options: HearOptions, counts: dict[str, int]) -> None:
    where = "" if options.output == STANDARD_STREAM else f" → {options.output}"
    click.echo(
        f"{counts['written']:,} utterances heard by {options.recogniser}, {counts['changed']:,} of "
        f"them otherwise than they were said{where}",
        err=True,
    )
    if counts["lost"]:
        click.echo(
            f"mondegreen: note: {counts['lost']:,} slots were not heard at all and are left out; "
            "--ledger names them",
            err=True,
        )
