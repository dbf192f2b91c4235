"""Options that several commands have."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar

import click

from mondegreen.data import FORMATS
from mondegreen.protect import Protection, read_phrases

Command = TypeVar("Command", bound=Callable[..., Any])


def added(*options: Callable[[Any], Any]) -> Callable[[Command], Command]:
    """Return a decorator that adds options to a command, in their order."""

    def add(command: Command) -> Command:
        for option in reversed(options):
            command = option(command)
        return command

    return add


protection = added(
    click.option(
        "--protect",
        type=click.Path(path_type=Path),
        metavar="FILE",
        help="Words and phrases that stay as they are, one a line.",
    ),
    click.option("--protect-slots", is_flag=True, help="Leave the words of all slots as they are."),
    click.option(
        "--protect-slot",
        "protect_labels",
        multiple=True,
        metavar="LABEL",
        help="Leave the words of slots with this label as they are. Repeatable.",
    ),
)
"""Add what says which words stay as they are."""

files = added(
    click.option(
        "--ledger",
        type=click.Path(path_type=Path),
        metavar="FILE",
        help="Write every edit as a JSON line: where, what stood there, what stands there.",
    ),
    click.option(
        "--marked",
        type=click.Path(path_type=Path),
        metavar="FILE",
        help="Write a reference for score fluency: words put in are in UPPERCASE or, in a .tsv, "
        "tagged by their kind.",
    ),
    click.option(
        "--format",
        "source_format",
        metavar="NAME",
        help=f"The source's format, if its name and look do not tell: {', '.join(FORMATS)}.",
    ),
    click.option(
        "--to",
        "target_format",
        metavar="NAME",
        help="The output's format.  [default: by its name, else as the source]",
    ),
    click.option(
        "--limit", type=click.IntRange(min=1), metavar="N", help="Only the first N utterances."
    ),
    click.option("--force", is_flag=True, help="Replace outputs that exist."),
    click.option("-q", "--quiet", is_flag=True, help="No progress bar, no summary."),
)
"""Add what says how files are read and written."""

learning = added(
    click.option(
        "--dev",
        type=click.Path(path_type=Path),
        metavar="DATA",
        help="Utterances to choose by, where the model does, and to score it on.",
    ),
    click.option(
        "--seed", type=int, default=0, show_default=True, help="Another seed, another model."
    ),
    click.option(
        "--set",
        "settings",
        multiple=True,
        metavar="NAME=VALUE",
        help="A setting of the model, such as iterations=20. Repeatable.",
    ),
)
"""Add what says how a model is trained."""


def settings_of(texts: Sequence[str]) -> dict[str, str]:
    """Read the settings of a model, each NAME=VALUE."""
    return dict(map(_setting, texts))


def _setting(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals or not name:
        raise click.UsageError(f"--set takes NAME=VALUE, got {text!r}")
    return name, value


def protected(options: dict[str, Any]) -> Protection | None:
    """Return what stays as it is."""
    return Protection.of(
        read_phrases(options["protect"]) if options["protect"] else (),
        slots=options["protect_slots"] or options["protect_labels"],
    )
