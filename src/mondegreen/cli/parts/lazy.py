"""Commands that are imported when they are called, so that the command line starts fast."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Any

import click


class LazyGroup(click.Group):
    """A group of commands; each is called ``command`` in the module ``PREFIX + name``."""

    def __init__(self, *, prefix: str, summaries: Mapping[str, str], **settings: Any) -> None:
        super().__init__(**settings)
        self._prefix = prefix
        self.summaries = summaries

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 (click's signature)
        """Return the names of the commands."""
        return list(self.summaries)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        """Import a command; ``None`` if there is no such command."""
        if cmd_name not in self.summaries:
            return None
        command: click.Command = import_module(self._prefix + cmd_name).command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        """Write the list of commands without importing them."""
        with formatter.section("Commands"):
            formatter.write_dl(list(self.summaries.items()))
