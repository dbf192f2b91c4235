"""``mondegreen survey``: ask people, and count what they said."""

from __future__ import annotations

from pathlib import Path

import click
import msgspec

from mondegreen.cli.score_output import record_of
from mondegreen.data.output import check_target, whole_file
from mondegreen.errors import DataError
from mondegreen.survey.answers import Key, agreement, read_ratings, score_of

_KEY = ".key.json"
_EXAMPLES = """\b
Examples:
  mondegreen survey atis-suite snips-suite -o sheet.html
  mondegreen survey --score sheet.html ann.csv bob.csv
"""


@click.command(epilog=_EXAMPLES)
@click.argument("paths", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    default=Path("sheet.html"),
    show_default=True,
    help="The sheet: .html to fill in a browser, or .csv.",
)
@click.option(
    "--n",
    type=click.IntRange(1),
    default=120,
    show_default=True,
    help="Changed utterances, evenly over suites and operators.",
)
@click.option(
    "--controls",
    type=click.IntRange(0),
    default=12,
    show_default=True,
    help="Untouched utterances among them.",
)
@click.option("--seed", type=int, default=0, show_default=True, help="Another draws others.")
@click.option(
    "--score",
    "sheet",
    type=click.Path(path_type=Path),
    metavar="SHEET",
    help="Read answers to this sheet instead: one CSV file a rater.",
)
@click.option("--json", "as_json", is_flag=True, help="With --score, print one JSON object.")
@click.option("--force", is_flag=True, help="Replace files that exist.")
def command(
    paths: tuple[Path, ...],
    output: Path,
    n: int,
    controls: int,
    seed: int,
    sheet: Path | None,
    *,
    as_json: bool,
    force: bool,
) -> None:
    """Write a rating sheet of SUITES: do the labels still fit? With --score, read ANSWERS back.

    Raters do not see which operator made a line, nor which lines are controls; the key lies beside
    the sheet, in a file that you keep.
    """
    if sheet is not None:
        _score(sheet, paths, as_json=as_json)
    else:
        _write(paths, output, (n, controls, seed), force=force)


def _write(
    suites: tuple[Path, ...], output: Path, how: tuple[int, int, int], *, force: bool
) -> None:
    from mondegreen.survey.page import sheet_page, sheet_table
    from mondegreen.survey.sheet import draw_questions

    if output.suffix not in (".html", ".csv"):
        raise click.UsageError("the sheet is .html or .csv")
    n, controls, seed = how
    key_path = _key(output)
    for path in (output, key_path):
        check_target(path, force=force)
    questions = draw_questions(suites, n=n, controls=controls, seed=seed)
    title = "Are these labels reasonable?"
    made = sheet_page(questions, title) if output.suffix == ".html" else sheet_table(questions)
    key = Key({one.item: (one.suite, one.operator) for one in questions})
    with whole_file(key_path, force=force) as file:
        file.write(msgspec.json.format(msgspec.json.encode(key)) + b"\n")
    with whole_file(output, force=force) as file:
        file.write(made.encode())
    click.echo(
        f"{output}: {n} changed utterances and {controls} controls to be rated; keep {key_path}\n"
        f"read the answers back with: mondegreen survey --score {output} ANSWERS.csv …"
    )


def _key(sheet: Path) -> Path:
    return sheet.with_name(sheet.name + _KEY)


def _score(sheet: Path, answers: tuple[Path, ...], *, as_json: bool) -> None:
    try:
        key = msgspec.json.decode(_key(sheet).read_bytes(), type=Key)
    except OSError:
        raise DataError(f"{sheet}: its key {_key(sheet)} is not there") from None
    except msgspec.MsgspecError as error:
        raise DataError(f"{_key(sheet)}: is not the key of a sheet: {error}") from None
    raters = [read_ratings(path, key) for path in answers]
    score = score_of(key, raters)
    groups = score.by([operator or "control" for _, operator in key.items.values()])
    alphas = {asked: agreement(raters, asked) for asked in ("slots", "intent")}
    if as_json:
        record = record_of(score, None, 0, bootstrap=True)
        record["operators"] = {
            name: record_of(part, None, 0, bootstrap=True) for name, part in groups.items()
        }
        click.echo(msgspec.json.encode({**record, "agreement": alphas}).decode())
        return
    click.echo(f"{score.signature}\n{len(key.items)} items, {len(raters)} raters\n")
    click.echo(f"{'operator':20} items  slots reasonable  intent reasonable")
    for name, part in sorted(groups.items(), key=lambda one: (one[0] == "control", one[0])):
        shares = [part[rate].value for rate in part.rates]
        told = ["           ·" if share is None else f"{100 * share:10.1f} %" for share in shares]
        click.echo(f"{name:20} {len(part):5}  {told[0]:>16}  {told[1]:>17}")
    for asked, alpha in alphas.items():
        said = (
            "cannot be told (too few answers, or all the same)" if alpha is None else f"{alpha:.2f}"
        )
        click.echo(f"agreement on {asked} (Krippendorff's alpha): {said}")
