"""``mondegreen languages``: which operators work in which languages, and how well."""

from __future__ import annotations

from dataclasses import dataclass

import click
import msgspec

from mondegreen.cli.parts import typed
from mondegreen.cli.parts.typed import argument, option
from mondegreen.language.languages import language, language_codes
from mondegreen.language.offers import OfferCell
from mondegreen.perturbation.languages import languages

_OFFERED, _REFUSED = "yes", "-"


@dataclass(frozen=True, kw_only=True)
class LanguagesOptions:
    """The options of ``mondegreen languages``."""

    code: str | None = argument(required=False)
    as_json: bool = option("--json", default=False, help="Print JSON.")


@typed.command(LanguagesOptions, examples=("languages", "languages de", "languages --json"))
def command(options: LanguagesOptions) -> None:
    """List which operators work in which languages; for CODE, also how well, or why not.

    How well an operator works was measured: by blind readings, by a classifier that tells its
    output from what people said, or by the share of utterances that it changes.
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
    offered = {(one.operator, one.language) for one in found if one.offered}
    names = list(dict.fromkeys(one.operator for one in found))
    width = max(map(len, names))
    click.echo(f"{'operator':{width}}  " + " ".join(f"{code:<3}" for code in codes).rstrip())
    for name in names:
        cells = (_OFFERED if (name, code) in offered else _REFUSED for code in codes)
        click.echo(f"{name:{width}}  " + " ".join(f"{cell:<3}" for cell in cells).rstrip())
    click.echo("\n" + ", ".join(f"{code} {language(code).name}" for code in codes))
    click.echo("How well, or why not: mondegreen languages CODE")


def _describe(found: list[OfferCell]) -> None:
    """Print one line per operator: how well it works, or why it is not offered."""
    width = max(len(one.operator) for one in found)
    click.echo(f"{language(found[0].language).name}\n")
    for one in found:
        mark = _OFFERED if one.offered else _REFUSED
        measured = f" (measured: {one.measured})" if one.measured else ""
        click.echo(f"{one.operator:{width}}  {mark:<3}  {one.well}{measured}")
