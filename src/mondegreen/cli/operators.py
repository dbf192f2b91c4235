"""``mondegreen operators``: what there is, each with a live example."""

from __future__ import annotations

import inspect
from dataclasses import fields
from typing import Any

import click
import msgspec

from mondegreen.cli.show import marked
from mondegreen.engine import perturb
from mondegreen.errors import MissingExtraError
from mondegreen.operators import OPERATORS, Operator, parse, signature
from mondegreen.types import Variant

_SEED = 7


@click.command(
    epilog="\b\nExamples:\n  mondegreen operators\n  mondegreen operators fillers\n"
    "  mondegreen operators 'fillers(language=de)'"
)
@click.argument("name", required=False)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def command(name: str | None, *, as_json: bool) -> None:
    """List the operators, or tell all about the one called NAME."""
    found = [parse(name)] if name else [parse(known) for known in OPERATORS]
    if as_json:
        click.echo(msgspec.json.format(msgspec.json.encode([_record(op) for op in found])))
    elif name:
        _tell(found[0])
    else:
        _list(found)


def _record(operator: Operator) -> dict[str, Any]:
    return {
        "name": operator.name,
        "signature": signature(operator),
        "what": _first_line(operator),
        "amount": str(operator.default),
        "parameters": {f.name: getattr(operator, f.name) for f in fields(operator)},  # type: ignore[arg-type]  # a dataclass
        "example": [operator.example, _text(operator)],
    }


def _list(found: list[Operator]) -> None:
    width = max(len(operator.name) for operator in found)
    for operator in found:
        click.echo(f"{click.style(operator.name.ljust(width), bold=True)}  {_first_line(operator)}")
        click.echo(f"{'':{width}}    {_shown(operator)}")
    click.echo("\nAll about one: mondegreen operators NAME")


def _tell(operator: Operator) -> None:
    click.echo(click.style(signature(operator), bold=True))
    click.echo(inspect.getdoc(operator))
    click.echo(f"\nAmount unless said otherwise: {operator.default}")
    click.echo(f"\nExamples on {operator.example!r}:")
    for seed in range(_SEED, _SEED + 5):
        click.echo(f"  --seed {seed:<3} {_shown(operator, seed)}")


def _first_line(operator: Operator) -> str:
    return (inspect.getdoc(operator) or "").partition("\n")[0]


def _shown(operator: Operator, seed: int = _SEED) -> str:
    """The example with its edits marked, or what must be installed to have one."""
    try:
        return marked(_example(operator, seed))
    except MissingExtraError as error:
        return str(error)


def _text(operator: Operator) -> str | None:
    try:
        return _example(operator).utterance.text
    except MissingExtraError:
        return None


def _example(operator: Operator, seed: int = _SEED) -> Variant:
    return next(perturb([operator.example], operator, seed=seed))
