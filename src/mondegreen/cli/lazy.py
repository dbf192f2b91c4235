"""Commands that are loaded when they are called, so that every start is fast."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Any

import click


class LazyGroup(click.Group):
    """A group whose commands are in modules ``PREFIX + name``, each named ``command``."""

    def __init__(self, *, prefix: str, summaries: Mapping[str, str], **settings: Any) -> None:
        super().__init__(**settings)
        self._prefix = prefix
        self.summaries = summaries

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 (click's signature)
        """Return the names of the commands."""
        return list(self.summaries)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        """Load a command."""
        if cmd_name not in self.summaries:
            return None
        command: click.Command = import_module(self._prefix + cmd_name).command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        """Write the list of commands without loading them."""
        with formatter.section("Commands"):
            formatter.write_dl(list(self.summaries.items()))
