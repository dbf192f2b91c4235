"""Options that several commands share."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, ClassVar

import click

from mondegreen.cli.parts.engine_options import EngineOptions
from mondegreen.cli.parts.formats import FORMAT_HELP, MAP_HELP
from mondegreen.cli.parts.progress import bytes_progress
from mondegreen.cli.parts.typed import FILE, argument, option
from mondegreen.data import FORMATS
from mondegreen.data.answers.cases import EACH_TURN
from mondegreen.data.files.lines import STANDARD_STREAM
from mondegreen.data.layout import ReadOptions
from mondegreen.errors import OutputNameError
from mondegreen.perturbation.protection import read_phrases
from mondegreen.perturbation.recipe import Recipe
from mondegreen.variants import Variants
from mondegreen.variants.jobs import WrittenOutput
from mondegreen.variants.sources import FileSource

TURNS_HELP = "Turns of the user to change in cases of tool calls; all makes each an utterance."
RATE_HELP = (
    "Probability of editing each site, with at least one edit per utterance; above 0, at most 1."
)
SEVERITY_HELP = "Share of the words to change, at least one per utterance; above 0, at most 1."

CHAIN_HELP = (
    "Run the operators one after another, each on what the one before it has made; the same as "
    '--op "a > b".'
)


def in_order(operators: Sequence[str], *, chain: bool) -> Sequence[str]:
    """Return operators, or one chain of them.

    >>> in_order(["typo", "fillers"], chain=True)
    ['typo > fillers']
    """
    return [" > ".join(operators)] if chain else operators


@dataclass(frozen=True, kw_only=True)
class ProtectionOptions:
    """The words to leave unchanged."""

    heading: ClassVar[str] = "What stays unchanged"

    protect: Path | None = option(
        default=None,
        help="File of words and phrases to leave unchanged, one per line.",
        metavar="FILE",
    )
    protect_slots: bool = option(default=False, help="Leave the words of all slots unchanged.")
    protect_labels: tuple[str, ...] = option(
        "--protect-slot",
        default=(),
        help="Leave the words of slots with this label unchanged. Repeatable.",
        metavar="LABEL",
    )
    language: str | None = option(
        default=None,
        help="Language of the text, such as de; sets the language of fillers. By default, English "
        "operators refuse text that is plainly in another language.",
        metavar="CODE",
    )
    learn_from: Path | None = option(
        default=None,
        help="File from which operators learn: recogniser its level of errors, repairs and "
        "disfluencies the values of slots.  [default: the whole input, unless it is standard "
        "input]",
        metavar="FILE",
        show_default=False,
    )
    change_codes: bool = option(
        default=False,
        help="Also change numbers, codes, e-mail addresses, URLs, file names and quotations, which "
        "are protected by default.",
    )

    @property
    def phrases(self) -> list[str]:
        """The protected phrases."""
        return read_phrases(self.protect) if self.protect else []

    @property
    def slots(self) -> bool | tuple[str, ...]:
        """Whether all slots are protected, or the labels of the protected slots."""
        return self.protect_slots or self.protect_labels


@dataclass(frozen=True, kw_only=True)
class VariantOptions(ProtectionOptions, EngineOptions):
    """Options of the commands that turn utterances into variants."""

    source: Path = argument(type=FILE)
    seed: int = option(default=0, help="Random seed; another seed gives other edits.")
    once: bool = option(default=False, help="Make one edit per utterance.")
    rate: float | None = option(default=None, help=RATE_HELP)
    severity: float | None = option(default=None, help=SEVERITY_HELP)
    ledger: Path | None = option(
        default=None,
        help="Write every edit as a JSON line: its place, the old words and the new words.",
        metavar="FILE",
    )
    marked: Path | None = option(
        default=None,
        help="Write a reference for score fluency, in which inserted words are in UPPERCASE or, in "
        "a .tsv file, tagged by their kind.",
        metavar="FILE",
    )
    source_format: str | None = option(
        "--format",
        default=None,
        help=f"{FORMAT_HELP}: {', '.join(FORMATS.own)}.",
        metavar="NAME",
    )
    map: str = option(default="", help=MAP_HELP, metavar="PART=COLUMN,…")
    turns: str = option(default="last", help=TURNS_HELP, type=click.Choice(("last", "all")))
    target_format: str | None = option(
        "--to",
        default=None,
        help="Format of the output.  [default: by its name, else that of the source]",
        metavar="NAME",
    )
    limit: int | None = option(
        default=None,
        help="Read only the first N utterances.",
        type=click.IntRange(min=1),
        metavar="N",
    )
    force: bool = option(default=False, help="Replace existing outputs.")
    quiet: bool = option("-q", "--quiet", default=False, help="Print no progress and no summary.")
    skip_unchangeable: bool = option(
        default=False,
        help="Leave out variants without an edit, instead of keeping them unchanged.",
    )
    output: Path = option(
        "-o",
        "--output",
        default=STANDARD_STREAM,
        help="File, or folder, to write.  [default: standard output]",
        show_default=False,
    )

    def write(self, operators: Sequence[str], **settings: Any) -> tuple[WrittenOutput, ...]:
        """Write the variants by operators, with these settings of the recipe besides."""
        draft = Recipe.build(
            operators,
            seed=self.seed,
            once=self.once,
            rate=self.rate,
            severity=self.severity,
            protect=self.phrases,
            protect_slots=self.slots,
            protect_codes=not self.change_codes,
            skip_unchangeable=self.skip_unchangeable,
            language=self.language,
            **settings,
        )
        named = EACH_TURN if self.turns == "all" else self.source_format
        source = FileSource(
            ReadOptions.parse(self.map), path=self.source, named=named, limit=self.limit
        )
        made = Variants(draft, source, learn_from=self.learn_from, workers=self.open_workers())
        try:
            with bytes_progress(self.source, quiet=self.quiet) as meter:
                return made.write(
                    self.output,
                    to=self.target_format,
                    ledger=self.ledger,
                    marked=self.marked,
                    force=self.force,
                    meter=meter,
                    on_note=None if self.quiet else partial(click.echo, err=True),
                )
        except OutputNameError as error:
            raise click.UsageError(str(error)) from None


@dataclass(frozen=True, kw_only=True)
class TrainingOptions:
    """Options for training a model."""

    dev: Path | None = option(
        default=None,
        help="Development data: chooses the best epoch, if the model has epochs, and scores the "
        "model.",
        metavar="DATA",
    )
    seed: int = option(default=0, help="Random seed; another seed gives another model.")
    settings: tuple[str, ...] = option(
        "--set",
        default=(),
        help="Setting of the model, such as iterations=20. Repeatable.",
        metavar="NAME=VALUE",
    )

    @property
    def model_settings(self) -> dict[str, str]:
        """The settings of the model, by name."""
        return settings_of(self.settings)


def settings_of(texts: Sequence[str]) -> dict[str, str]:
    """Parse settings of a model, each NAME=VALUE."""
    return dict(map(_setting, texts))


def _setting(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals or not name:
        raise click.UsageError(f"--set takes NAME=VALUE, got {text!r}")
    return name, value
