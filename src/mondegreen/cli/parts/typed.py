"""Commands with typed options: one frozen dataclass per command, one field per option."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import MISSING, Field, field, fields
from pathlib import Path
from types import UnionType
from typing import Any, TypeVar, Union, get_args, get_origin, get_type_hints

import click

C = TypeVar("C")
_OWN = "__annotations__"
_CLICK, _PLAIN = "click", (bool, int, float, str, Path)
_LIST = ",…"  # how the help calls a list; such an option may also be given several times
FILE = click.Path(path_type=Path, allow_dash=True)
"""A file, a folder, or ``-`` for a standard stream."""
PATH = click.Path(path_type=Path)
"""A file or a folder."""


OPTIONS = "Options"
"""The heading of options that have no other."""
_FIRST = ("--op", "--model", "--ref", "--hyp", "--output")
"""What a user needs first: the help lists it before all else."""


class Command(click.Command):
    """A command whose help has its options under headings, those that a user needs first on top.

    A dataclass of options has its heading as ``heading``; where the work runs comes last.
    """

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options under their headings."""
        groups: dict[str, list[tuple[int, tuple[str, str]]]] = {OPTIONS: []}
        for one in self.get_params(ctx):
            record = one.get_help_record(ctx) if isinstance(one, click.Option) else None
            if record is not None:
                heading = getattr(one, "heading", OPTIONS)
                places = (at for at, name in enumerate(_FIRST) if name in one.opts)
                place = next(places, len(_FIRST))
                groups.setdefault(heading, []).append((place, record))
        order = sorted(groups, key=lambda one: (one == LAST, len(groups[one]) == 1))
        for heading in order:
            if groups[heading]:
                rows = sorted(groups[heading], key=lambda row: row[0])
                with formatter.section(heading):
                    formatter.write_dl([record for _, record in rows])


LAST = "Where the work runs"
"""The heading of the options that few need."""


def argument(**settings: Any) -> Any:
    """Declare a field that is a positional argument."""
    return field(metadata={_CLICK: ("argument", (), settings)})


def option(*names: str, default: Any = MISSING, help: str, **settings: Any) -> Any:
    """Declare a field that is an option; its default name is that of the field.

    Args:
        names: such as ``-o``, ``--output``.
        default: its default; without one, the option is required.
        help: a full sentence.
        settings: further settings for click.
    """
    metadata = {_CLICK: ("option", names, {"help": help, **settings})}
    return (
        field(metadata=metadata)
        if default is MISSING
        else field(default=default, metadata=metadata)
    )


def command(
    options: type[C], *, name: str | None = None, examples: Sequence[str] = (), notes: str = ""
) -> Callable[[Callable[[C], Any]], click.Command]:
    """Turn a function that takes a dataclass of options into a command.

    Args:
        options: the dataclass.
        name: the name of the command, if it is not that of the module.
        examples: command lines, without ``mondegreen``.
        notes: lines to print above the examples, without rewrapping.
    """

    def make(function: Callable[[C], Any]) -> click.Command:
        def call(**values: Any) -> Any:
            return function(options(**values))

        found = click.command(name, cls=Command, epilog=epilog(examples, notes))(call)
        found.help = function.__doc__
        found.params.extend(parameters(options))
        return found

    return make


def epilog(examples: Sequence[str], notes: str = "") -> str:
    """Return notes and examples in the form that click does not rewrap."""
    title = "Example:" if len(examples) == 1 else "Examples:"
    lines = "\n".join(f"  mondegreen {example}" for example in examples)
    parts = [f"\b\n{notes}"] if notes else []
    parts += [f"\b\n{title}\n{lines}"] if examples else []
    return "\n".join(parts)


def parameters(options: type) -> list[click.Parameter]:
    """Return the parameters that a dataclass declares, in order."""
    hints = get_type_hints(options)
    found = [_parameter(one, hints[one.name]) for one in fields(options)]
    for one in found:
        home = next(c for c in reversed(options.__mro__) if one.name in vars(c).get(_OWN, ()))
        one.heading = vars(home).get("heading", OPTIONS)  # type: ignore[attr-defined]  # ours
    return found


def _parameter(one: Field[Any], hint: Any) -> click.Parameter:
    kind, names, settings = one.metadata.get(_CLICK) or _declared(one)
    settings = {**_by_type(hint, settings), **settings}
    if kind == "argument":
        return click.Argument([one.name], **settings)
    if one.default is MISSING:
        settings.setdefault("required", True)
    else:
        settings.setdefault("default", one.default)
        shows = one.default not in (None, "", ()) and not isinstance(one.default, bool)
        settings.setdefault("show_default", shows)
    if settings.get("metavar", "").endswith(_LIST):
        settings |= {"multiple": True, "default": (), "callback": _joined}
    flag = f"--{one.name.replace('_', '-')}"
    return click.Option([*(names or (flag,)), one.name], **settings)


def _joined(_context: click.Context, _option: click.Parameter, texts: Sequence[str]) -> str:
    """Return one list of all that was given: an option given twice keeps both."""
    return ",".join(text for text in texts if text)


def _declared(one: Field[Any]) -> tuple[str, tuple[str, ...], dict[str, Any]]:
    """Return the declaration of a field by :func:`mondegreen.metrics.metric.setting`."""
    settings = {"help": one.metadata["help"]}
    if one.metadata.get("metavar"):
        settings["metavar"] = one.metadata["metavar"]
    return "option", (), settings


def _by_type(hint: Any, settings: dict[str, Any]) -> dict[str, Any]:
    """Return the settings that follow from the type of a field."""
    if get_origin(hint) in (UnionType, Union):
        hint = next(part for part in get_args(hint) if part is not type(None))
    if get_origin(hint) is tuple:
        found = {"multiple": True} if "nargs" not in settings else {}
        return found | _by_type(get_args(hint)[0], settings)
    if hint is bool:
        return {} if "flag_value" in settings else {"is_flag": True}
    if hint is Path:
        return {"type": PATH}
    return {"type": hint} if hint in _PLAIN else {}
