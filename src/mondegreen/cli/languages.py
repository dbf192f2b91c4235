"""``mondegreen languages``: which operators work in which languages, and how well."""

from __future__ import annotations

from dataclasses import dataclass

import click
import msgspec

from mondegreen.cli.parts import typed
from mondegreen.cli.parts.typed import argument, option
from mondegreen.language.languages import language, language_codes
from mondegreen.language.offers import UNNATURAL, WHERE, OfferCell
from mondegreen.perturbation.languages import languages

_OFFERED, _REFUSED, _CONVERTS, _STRESSES = "yes", "-", "val", "any"
_LEGEND = (
    "yes: changes nearly every utterance and keeps its labels; -: refused; val: a conversion, "
    f"offered {WHERE},\n"
    "which changes only what is not written as it is said: numbers, dates, case, marks; any: any "
    "letter for\nany other, a stress test that does not read as what people type (keyboard does)"
)


@dataclass(frozen=True, kw_only=True)
class LanguagesOptions:
    """The options of ``mondegreen languages``."""

    code: str | None = argument(required=False)
    as_json: bool = option("--json", default=False, help="Print JSON.")


@typed.command(LanguagesOptions, examples=("languages", "languages de", "languages --json"))
def command(options: LanguagesOptions) -> None:
    """List which operators work in which languages; for CODE, also how well, or why not.

    How well an operator works was measured: by blind readings, by a classifier that tells its
    output from what people said, or by the share of utterances that it changes. An operator marked
    "val" is a conversion: it changes only what is not written as it is said. One marked "any" is a
    stress test: it does not read as what people type.
    """
    codes = (options.code,) if options.code else ()
    found = languages(*codes)
    if options.as_json:
        click.echo(msgspec.json.format(msgspec.json.encode([one._asdict() for one in found])))
    elif options.code:
        _describe(found)
    else:
        _table(found)


def _table(found: list[OfferCell]) -> None:
    """Print one row per operator and one column per language."""
    codes = sorted(language_codes(), key=lambda code: (not language(code).offers, code))
    marks = {(one.operator, one.language): _mark(one) for one in found}
    names = list(dict.fromkeys(one.operator for one in found))
    width = max(map(len, names))
    click.echo(f"{'operator':{width}}  " + " ".join(f"{code:<3}" for code in codes).rstrip())
    for name in names:
        cells = (marks[name, code] for code in codes)
        click.echo(f"{name:{width}}  " + " ".join(f"{cell:<3}" for cell in cells).rstrip())
    click.echo("\n" + ", ".join(f"{code} {language(code).name}" for code in codes))
    click.echo(_LEGEND)
    click.echo("How well, or why not: mondegreen languages CODE")


def _mark(one: OfferCell) -> str:
    """Return the mark of a cell: offered, where there is a value, not natural, or refused."""
    if one.offered == WHERE:
        return _CONVERTS
    if one.offered == UNNATURAL:
        return _STRESSES
    return _OFFERED if one.offered else _REFUSED


def _describe(found: list[OfferCell]) -> None:
    """Print one line per operator: how well it works, or why it is not offered."""
    width = max(len(one.operator) for one in found)
    click.echo(f"{language(found[0].language).name}\n")
    for one in found:
        measured = f" (measured: {one.measured})" if one.measured else ""
        click.echo(f"{one.operator:{width}}  {_mark(one):<3}  {one.well}{measured}")
    click.echo(f"\n{_LEGEND}")
