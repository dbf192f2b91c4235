"""``mondegreen play``: the playground in the browser."""

from __future__ import annotations

import click

from mondegreen.cli.parts.typed import epilog
from mondegreen.cli.view import Server, serve, server_options


@click.command(epilog=epilog(("play", "play --port 9000 --no-open")))
@server_options
def command(host: str, port: int | None, token: str | None, *, open_browser: bool) -> None:
    """Open the playground: type utterances, choose operators, see the variants at once.

    Mark slots as [label: words]. The page also shows the command and the Python code that make the
    same variants. No data leaves this machine.
    """
    serve((), None, Server(host, port, token or "", open_browser), "try")
