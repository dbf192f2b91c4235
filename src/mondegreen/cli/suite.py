"""``mondegreen suite``: make a test suite from a test set."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import click

from mondegreen.cli.parts import typed
from mondegreen.cli.parts.engine_options import EngineOptions
from mondegreen.cli.parts.formats import FORMAT_HELP, MAP_HELP
from mondegreen.cli.parts.options import CHAIN_HELP, TURNS_HELP, ProtectionOptions, in_order
from mondegreen.cli.parts.progress import count_progress
from mondegreen.cli.parts.typed import argument, option
from mondegreen.data.answers.cases import EACH_TURN
from mondegreen.perturbation.suite_recipe import HARD, ORIGINAL, RANDOM, SEVERITY
from mondegreen.provenance.suite_manifest import SetEntry, SuiteManifest
from mondegreen.suites.build import suite


@dataclass(frozen=True, kw_only=True)
class SuiteOptions(ProtectionOptions, EngineOptions):
    """The options of ``mondegreen suite``."""

    data: Path = argument()
    output: Path = option("-o", "--output", help="Folder to write.")
    operators: tuple[str, ...] = option(
        "--op",
        default=("nature",),
        help="Operator or group, by name or with parameters. Repeatable.",
        metavar="OPERATOR",
    )
    chain: bool = option(default=False, help=CHAIN_HELP)
    random: int = option(
        default=10,
        help="Number of random sets, in which a random operator changes each utterance.",
        type=click.IntRange(min=0),
        metavar="N",
    )
    hard: str | None = option(
        default=None,
        help="Add the hard set: the variants on which this model does worst; see evaluate --help.",
        metavar="MODEL",
    )
    severities: str = option(
        "--severity",
        default="",
        help="Add sets for curves: each operator at each of these shares of changed words.",
        metavar="S,S,…",
    )
    seed: int = option(default=0, help="Random seed; another seed gives other edits.")
    format: str | None = option(default=None, help=f"{FORMAT_HELP}.", metavar="NAME")
    turns: str = option(default="last", help=TURNS_HELP, type=click.Choice(("last", "all")))
    map: str = option(default="", help=MAP_HELP, metavar="PART=COLUMN,…")
    force: bool = option(default=False, help="Replace an existing suite.")
    quiet: bool = option("-q", "--quiet", default=False, help="Print no progress and no summary.")


@typed.command(
    SuiteOptions,
    examples=(
        "suite snips/test -o snips-suite --seed 7",
        "suite snips/test -o snips-suite --hard my-crf",
        'suite test.jsonl -o suite --op speako --op "fillers(language=de)" --random 3',
        "suite reviews.jsonl -o curve --op typing --random 0 --severity 0.1,0.3,0.5",
    ),
)
def command(options: SuiteOptions) -> None:
    """Make a suite from DATA: labelled utterances in any format.

    A suite is a folder with one file of JSON lines for the original set, one per operator, one per
    random draw, and the hard set. Line n of every file comes from utterance n of DATA; if an
    operator cannot change an utterance, it is kept unchanged. The manifest records how the sets
    were made (see: mondegreen verify).
    """
    with count_progress("utterances", quiet=options.quiet) as on_progress:
        made = suite(
            options.data,
            options.output,
            in_order(options.operators, chain=options.chain),
            random=options.random,
            hard=options.hard,
            severities=_numbers(options.severities),
            seed=options.seed,
            protect=options.phrases,
            protect_slots=options.slots,
            protect_codes=not options.change_codes,
            language=options.language,
            learn_from=options.learn_from,
            format=EACH_TURN if options.turns == "all" else options.format,
            map=options.map,
            force=options.force,
            on_progress=on_progress,
            engine=options.engine,
            workers=options.workers,
            address=options.ray_address,
        )
    if not options.quiet:
        _summary(made.manifest, options.output)


def _numbers(text: str) -> list[float]:
    try:
        return [float(part) for part in text.split(",") if part.strip()]
    except ValueError:
        raise click.BadParameter(
            f"{text!r} is not a list of numbers such as 0.1,0.3,0.5", param_hint="--severity"
        ) from None


def _summary(manifest: SuiteManifest, output: Path) -> None:
    click.echo(manifest.signature, err=True)
    width = max(len(entry.name) for entry in manifest.sets)
    for entry in manifest.sets:
        if entry.kind not in (RANDOM, SEVERITY):
            text = f"{entry.n:,} utterances{_unchanged([entry])}{_failed_over([entry])}"
            click.echo(f"{entry.name:{width}}  {text}", err=True)
    for kind in (RANDOM, SEVERITY):
        entries = [entry for entry in manifest.sets if entry.kind == kind]
        if entries:
            total = sum(entry.n for entry in entries)
            text = f"{len(entries)} sets, {total:,} utterances{_unchanged(entries)}"
            text += _failed_over(entries)
            click.echo(f"{kind:{width}}  {text}", err=True)
    _hard_summary(manifest)
    click.echo(f"→ {output}", err=True)


def _unchanged(entries: list[SetEntry]) -> str:
    rest = sum(entry.n - entry.changed for entry in entries if entry.kind != ORIGINAL)
    if rest and rest == sum(entry.n for entry in entries):
        return ", none could be changed"
    return f", {rest:,} could not be changed" if rest else ""


def _failed_over(entries: list[SetEntry]) -> str:
    """Return how many edits are of another class of words than the name of the set promises."""
    failed = sum(entry.failed_over for entry in entries)
    return f", {failed:,} failed over to a word of another class" if failed else ""


def _hard_summary(manifest: SuiteManifest) -> None:
    """Print the shares of the operators in the hard set."""
    for entry in manifest.sets:
        if entry.kind == HARD:
            click.echo(f"\nhard: chosen for {manifest.hard}", err=True)
            for operator, times in sorted(entry.operators.items(), key=lambda pair: -pair[1]):
                click.echo(f"  {operator:20} {100 * times / entry.n:5.1f} %", err=True)
