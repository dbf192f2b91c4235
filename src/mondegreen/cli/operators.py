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
from mondegreen.operators.groups import GROUPS
from mondegreen.types import Variant

_SEED = 7
_PARAMETERS = "Args:"


@click.command(
    epilog="\b\nExamples:\n  mondegreen operators\n  mondegreen operators fillers\n"
    "  mondegreen operators 'fillers(language=de)'\n  mondegreen operators nature"
)
@click.argument("name", required=False)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def command(name: str | None, *, as_json: bool) -> None:
    """List the operators and groups, or tell all about the operator or group called NAME."""
    group = GROUPS.get(name or "")
    found = [parse(known) for known in group or ([name] if name else OPERATORS)]
    if as_json:
        click.echo(msgspec.json.format(msgspec.json.encode([_record(op) for op in found])))
    elif group:
        _list(found)
        click.echo(f"\nAll of them: --op {name}")
    elif name:
        _tell(found[0])
    else:
        _list(found)
        _list_groups()
        click.echo("\nAll about one: mondegreen operators NAME")


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


def _list_groups() -> None:
    click.echo("\nGroups, for --op as well:")
    width = max(map(len, GROUPS))
    for group, members in GROUPS.items():
        click.echo(f"{click.style(group.ljust(width), bold=True)}  {', '.join(members)}")


def _tell(operator: Operator) -> None:
    click.echo(click.style(signature(operator), bold=True))
    click.echo(doc_of(type(operator)))
    click.echo(f"\nAmount unless said otherwise: {operator.default}")
    click.echo(f"\nExamples on {operator.example!r}:")
    for seed in range(_SEED, _SEED + 5):
        click.echo(f"  --seed {seed:<3} {_shown(operator, seed)}")


def doc_of(kind: type[Operator]) -> str:
    """What a class says of itself, and what the class says that it has its parameters from."""
    own = inspect.getdoc(kind) or ""
    if _PARAMETERS in own:
        return own
    inherited = (inspect.getdoc(base) or "" for base in kind.__mro__[1:])
    parameters = next((doc for doc in inherited if _PARAMETERS in doc), "")
    return own + "\n\n" + "".join(parameters.partition(_PARAMETERS)[1:]) if parameters else own


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
