"""``mondegreen operators``: list the operators, each with an example."""

from __future__ import annotations

import inspect
from dataclasses import dataclass, fields
from typing import Any

import click
import msgspec

from mondegreen.cli.parts import typed
from mondegreen.cli.parts.show import marked
from mondegreen.cli.parts.typed import argument, option
from mondegreen.errors import MissingExtraError
from mondegreen.operators import GROUPS, OPERATORS, Operator, parse, signature
from mondegreen.types import Variant
from mondegreen.variants import perturb

_SEED = 7
_KEPT_WIDTH = len("slots, meaning")
_PARAMETERS = "Args:"


@dataclass(frozen=True, kw_only=True)
class OperatorsOptions:
    """The options of ``mondegreen operators``."""

    name: str | None = argument(required=False)
    as_json: bool = option("--json", default=False, help="Print JSON.")


@typed.command(
    OperatorsOptions,
    examples=(
        "operators",
        "operators fillers",
        "operators 'fillers(language=de)'",
        "operators nature",
    ),
)
def command(options: OperatorsOptions) -> None:
    """List the operators and groups, or describe the operator or group called NAME."""
    name = options.name
    group = GROUPS.get(name or "")
    found = [parse(known, trust=True) for known in group or ([name] if name else OPERATORS)]
    if options.as_json:
        click.echo(msgspec.json.format(msgspec.json.encode([_record(op) for op in found])))
    elif group:
        _list(found)
        click.echo(f"\nUse all of them with: --op {name}")
    elif name:
        _describe(found[0])
    else:
        _list(found)
        _list_groups()
        click.echo("\nFor details: mondegreen operators NAME")


def _origin(operator: Operator) -> str:
    """Return the package that an operator comes from; empty for this package."""
    name = signature(operator).partition("(")[0].partition("@")[0]
    return OPERATORS.origin(name)


def _record(operator: Operator) -> dict[str, Any]:
    return {
        "name": operator.name,
        "signature": signature(operator),
        "what": _first_line(operator),
        "amount": str(operator.default),
        "keeps": {"slots": operator.keeps_slots, "meaning": operator.keeps_meaning},
        "languages": sorted(operator.languages) if operator.languages is not None else None,
        "parameters": {f.name: getattr(operator, f.name) for f in fields(operator)},  # type: ignore[arg-type]  # a dataclass
        "example": [operator.example, _text(operator)],
        "origin": _origin(operator) or "mondegreen",
    }


def _list(found: list[Operator]) -> None:
    width = max(len(operator.name) for operator in found)
    click.echo(f"{'operator':{width}}  {'keeps':{_KEPT_WIDTH}}  what it does")
    for operator in found:
        origin = _origin(operator)
        source = f"  (from {origin})" if origin else ""
        name = click.style(operator.name.ljust(width), bold=True)
        click.echo(f"{name}  {_kept(operator)}  {_first_line(operator)}{source}")
        click.echo(f"{'':{width}}  {'':{_KEPT_WIDTH}}    {_marked_example(operator)}")


def _kept(operator: Operator) -> str:
    """Return what an operator keeps: the words of slots, the meaning, both or neither."""
    slots, meaning = operator.keeps_slots, operator.keeps_meaning
    kept = "slots, meaning" if slots and meaning else "slots" if slots else "neither"
    return kept.ljust(_KEPT_WIDTH)


def _list_groups() -> None:
    click.echo("\nGroups, for --op:")
    width = max(map(len, GROUPS))
    for group, members in GROUPS.items():
        click.echo(f"{click.style(group.ljust(width), bold=True)}  {', '.join(members)}")


def _describe(operator: Operator) -> None:
    click.echo(click.style(signature(operator), bold=True))
    click.echo(doc_of(type(operator)))
    click.echo(f"\nDefault amount: {operator.default}")
    click.echo(f"Keeps: {_kept(operator).strip()}")
    if origin := _origin(operator):
        click.echo(f"From: {origin}")
    click.echo(f"\nExamples on {operator.example!r}:")
    for seed in range(_SEED, _SEED + 5):
        click.echo(f"  --seed {seed:<3} {_marked_example(operator, seed)}")


def doc_of(kind: type[Operator]) -> str:
    """Return the docstring of an operator's class, with inherited parameters."""
    doc = inspect.getdoc(kind) or ""
    if _PARAMETERS in doc:
        return doc
    inherited = (inspect.getdoc(base) or "" for base in kind.__mro__[1:])
    parameters = next((doc for doc in inherited if _PARAMETERS in doc), "")
    return doc + "\n\n" + "".join(parameters.partition(_PARAMETERS)[1:]) if parameters else doc


def _first_line(operator: Operator) -> str:
    return (inspect.getdoc(operator) or "").partition("\n")[0]


def _marked_example(operator: Operator, seed: int = _SEED) -> str:
    """Return the example with its edits marked, or a message if a package is missing."""
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
