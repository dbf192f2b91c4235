"""``mondegreen survey``: ask people whether labels still fit, and score their answers."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import click
import msgspec

from mondegreen.cli.parts import typed
from mondegreen.cli.parts.typed import argument, option
from mondegreen.data.files.output import check_target, whole_file
from mondegreen.data.files.places import together
from mondegreen.errors import DataError
from mondegreen.metrics.scores.score import Score
from mondegreen.survey.answers import PARTS, Key, agreement, read_ratings, score_of

_KEY = ".key.json"


@dataclass(frozen=True, kw_only=True)
class SurveyOptions:
    """The options of ``mondegreen survey``."""

    paths: tuple[Path, ...] = argument(nargs=-1, required=True)
    output: Path = option(
        "-o",
        "--output",
        default=Path("sheet.html"),
        help="Sheet to write: .html to fill in in a browser, or .csv.",
    )
    n: int = option(
        default=120,
        help="Number of changed utterances, spread evenly over suites and operators.",
        type=click.IntRange(1),
    )
    controls: int = option(
        default=12,
        help="Number of unchanged utterances to add as controls.",
        type=click.IntRange(0),
    )
    groups: int = option(
        default=1,
        help="Number of groups of raters: the changed utterances are divided among as many sheets "
        "(sheet-1.html, sheet-2.html, …), each with all controls.",
        type=click.IntRange(1),
    )
    seed: int = option(default=0, help="Random seed; another seed draws other utterances.")
    sheet: Path | None = option(
        "--score",
        default=None,
        help="Score the answers to this sheet, one CSV file per rater, instead of writing a sheet.",
        metavar="SHEET",
    )
    as_json: bool = option("--json", default=False, help="With --score, print one JSON object.")
    force: bool = option(default=False, help="Replace existing files.")


@typed.command(
    SurveyOptions,
    examples=(
        "survey atis-suite snips-suite -o sheet.html",
        "survey atis-suite snips-suite -o sheet.html --groups 2",
        "survey --score sheet.html ann.csv bob.csv",
    ),
)
def command(options: SurveyOptions) -> None:
    """Write a sheet on which people rate labels and naturalness; with --score, score answers.

    For each utterance a sheet asks whether the slots fit, whether the intent fits, and whether this
    could really have been said, heard or typed.

    PATHS are suites or, with --score, files of answers. Raters do not see which operator made an
    utterance, or which utterances are unchanged; this is in the key, a file beside the sheet.
    """
    if options.sheet is not None:
        _score(options.sheet, options.paths, as_json=options.as_json)
    else:
        _write(options)


def _write(options: SurveyOptions) -> None:
    from mondegreen.survey.page import sheet_page, sheet_table
    from mondegreen.survey.sheet import divided, draw_questions

    if options.output.suffix not in (".html", ".csv"):
        raise click.UsageError("the sheet must be .html or .csv")
    sheets = _sheets(options.output, options.groups)
    for sheet in sheets:
        for path in (sheet, _key(sheet)):
            check_target(path, force=options.force)
    questions = draw_questions(
        options.paths, n=options.n, controls=options.controls, seed=options.seed
    )
    title = "Do these labels fit, and could this have been said?"
    with together():
        for sheet, some in zip(sheets, divided(questions, options.groups), strict=True):
            made = sheet_page(some, title) if sheet.suffix == ".html" else sheet_table(some)
            key = Key({one.item: (one.suite, one.operator) for one in some})
            with whole_file(_key(sheet), force=options.force) as file:
                file.write(msgspec.json.format(msgspec.json.encode(key)) + b"\n")
            with whole_file(sheet, force=options.force) as file:
                file.write(made.encode())
            changed = sum(bool(one.operator) for one in some)
            click.echo(
                f"{sheet}: {changed} changed utterances and {options.controls} controls to rate; "
                f"keep {_key(sheet)}\n"
                f"score the answers with: mondegreen survey --score {sheet} ANSWERS.csv …"
            )


def _sheets(output: Path, groups: int) -> list[Path]:
    """Return the sheet of each group of raters."""
    if groups == 1:
        return [output]
    return [output.with_stem(f"{output.stem}-{number}") for number in range(1, groups + 1)]


def _interval(part: Score) -> str:
    """Return the 95 % interval of the share of natural utterances, if there are enough."""
    interval = part["natural"].interval()
    return "" if interval is None else f" ({100 * interval.low:.0f}-{100 * interval.high:.0f})"


def _key(sheet: Path) -> Path:
    return sheet.with_name(sheet.name + _KEY)


def _score(sheet: Path, answers: tuple[Path, ...], *, as_json: bool) -> None:
    try:
        key = msgspec.json.decode(_key(sheet).read_bytes(), type=Key)
    except OSError:
        raise DataError(
            f"{sheet}: there is no key {_key(sheet)}; it was written with the sheet"
        ) from None
    except msgspec.MsgspecError as error:
        raise DataError(f"{_key(sheet)}: is not the key of a sheet: {error}") from None
    raters = [read_ratings(path, key) for path in answers]
    score = score_of(key, raters)
    groups = score.by([operator or "control" for _, operator in key.items.values()])
    alphas = {question: agreement(raters, question) for question in PARTS}
    if as_json:
        record = score.asdict()
        record["operators"] = {name: part.asdict() for name, part in groups.items()}
        click.echo(msgspec.json.encode({**record, "agreement": alphas}).decode())
        return
    click.echo(f"{score.signature}\n{len(key.items)} items, {len(raters)} raters\n")
    head = ("operator".ljust(20), "items", "slots reasonable", "intent reasonable", "     natural")
    click.echo("  ".join(head).replace("  items", " items") + " (95 % interval)")
    for name, part in sorted(groups.items(), key=lambda one: (one[0] == "control", one[0])):
        shares = [part[rate].value for rate in part.rates]
        cells = ["           ·" if share is None else f"{100 * share:10.1f} %" for share in shares]
        interval = _interval(part) if shares[2] is not None else ""
        click.echo(
            f"{name:20} {len(part):5}  {cells[0]:>16}  {cells[1]:>17}  {cells[2]:>12}{interval}"
        )
    for question, alpha in alphas.items():
        value = "unknown (too few answers, or all the same)" if alpha is None else f"{alpha:.2f}"
        click.echo(f"agreement on {question} (Krippendorff's alpha): {value}")
