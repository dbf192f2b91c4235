"""``mondegreen view``: the report, live, with every utterance behind it."""

from __future__ import annotations

import secrets
import socket
import webbrowser
from contextlib import ExitStack, closing
from pathlib import Path
from threading import Thread, Timer

import click

from mondegreen.errors import DataError

_PORT = 8000
_TRIED = 100  # ports, from the first on
_LOOPBACK = ("127.0.0.1", "::1", "localhost")
_SOON = 0.7  # seconds until the browser is sent there
_EXAMPLES = """\b
Examples:
  mondegreen view my.run
  mondegreen view before.run after.run --port 9000 --no-open
  mondegreen view words.jsonl --audio recordings/
"""


@click.command(epilog=_EXAMPLES)
@click.argument("sources", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option(
    "--audio",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="Audio of the utterances: ID.wav, .mp3, .ogg, .flac and so on.",
)
@click.option(
    "--host",
    default="127.0.0.1",
    show_default=True,
    help="Where to listen; elsewhere than here, a token is asked for.",
)
@click.option("--port", type=click.IntRange(1, 65535), help="8000, or the next that is free.")
@click.option("--token", help="The token to ask for; one is made up where it is needed.")
@click.option("--open/--no-open", "opens", default=True, help="Open the browser.")
def command(
    sources: tuple[Path, ...],
    audio: Path | None,
    host: str,
    port: int | None,
    token: str | None,
    *,
    opens: bool,
) -> None:
    """Show runs (evaluate … -o RUN) and scores (score … --items FILE) in the browser.

    Every utterance with its alignment, frames, phonemes and audio; two or more can be compared.
    Nothing is written, nothing leaves this machine.
    """
    import uvicorn

    from mondegreen.cli.sources import opened_with_progress
    from mondegreen.viewer.audio import AudioFolder
    from mondegreen.viewer.server import app

    folder = AudioFolder(audio) if audio is not None else None
    with ExitStack() as stack:
        listener = stack.enter_context(_listening(host, port))
        opened = [stack.enter_context(closing(opened_with_progress(path))) for path in sources]
        secret = token or ("" if host in _LOOPBACK else secrets.token_urlsafe(16))
        name = f"[{host}]" if ":" in host else host
        address = f"http://{name}:{listener.getsockname()[1]}/"
        shown = f"{address}?token={secret}" if secret else address
        click.echo(f"{shown}\nStop with Ctrl+C.")
        for (
            source
        ) in opened:  # a million rows take a while, and the list can be looked at meanwhile
            Thread(target=source.overview, daemon=True).start()
        if opens:
            Timer(_SOON, _open, [shown]).start()
        settings = uvicorn.Config(app(opened, folder, secret), log_level="error", access_log=False)
        uvicorn.Server(settings).run([listener])


def _open(address: str) -> None:
    if not webbrowser.open(address):
        click.echo(f"mondegreen: note: no browser could be opened; go to {address}", err=True)


def _listening(host: str, port: int | None) -> socket.socket:
    """Return a socket on the port that was asked for, or else on the first that is free."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        socket.getaddrinfo(host, None)
    except OSError as error:
        raise DataError(f"{host}: no such host ({error.strerror}); give another --host") from None
    problem = ""
    for number in [port] if port is not None else range(_PORT, _PORT + _TRIED):
        listener = socket.socket(family)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind((host, number))
            listener.listen()  # who comes before the server is up, waits
        except OSError as error:
            listener.close()
            problem = error.strerror or str(error)
            continue
        return listener
    where = f"port {port}" if port is not None else f"none of the ports from {_PORT} on"
    raise DataError(f"{host}, {where}: cannot be listened on ({problem}); give another --port")
