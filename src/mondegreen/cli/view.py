"""``mondegreen view``: reports in the browser, with a page for every utterance."""

from __future__ import annotations

import secrets
import socket
import webbrowser
from collections.abc import Callable, Sequence
from contextlib import ExitStack, closing
from pathlib import Path
from threading import Thread, Timer
from typing import NamedTuple

import click

from mondegreen.cli.parts.sources import open_with_progress, stage_options
from mondegreen.cli.parts.typed import epilog
from mondegreen.errors import DataError
from mondegreen.report.source import ShownRun

_PORT = 8000
_PORTS = 100  # how many ports to try
_LOOPBACK = ("127.0.0.1", "::1", "localhost")
_SHUTDOWN = 1  # seconds that answers under way have when the server is asked to end
_DELAY = 0.7  # seconds until the browser opens


def server_options(function: Callable[..., None]) -> Callable[..., None]:
    """Add the options of a command that serves pages."""
    options = [
        click.option(
            "--host",
            default="127.0.0.1",
            show_default=True,
            help="Address to listen on; a token is required unless it is a loopback address.",
        ),
        click.option(
            "--port",
            type=click.IntRange(1, 65535),
            help="Port to listen on.  [default: 8000, or the next free one]",
        ),
        click.option(
            "--token", help="Token to require.  [default: a random one, if a token is required]"
        ),
        click.option(
            "--open/--no-open", "open_browser", default=True, help="Whether to open a browser."
        ),
    ]
    for option in reversed(options):
        function = option(function)
    return function


@click.command(
    epilog=epilog(
        (
            "view my.run",
            "view before.run after.run --port 9000 --no-open",
            "view words.jsonl --audio recordings/",
            "view out/valid-asr-analysis.json  # an analysis of pssteval",
            "view --stage written=a.run --stage heard=a.run#recogniser",
            "view                      # the playground, like: mondegreen play",
        )
    )
)
@click.argument("sources", nargs=-1, type=click.Path(path_type=Path))
@click.option(
    "--audio",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="Folder with the audio of the utterances, also in its subfolders: the file that the "
    "column filename names, or ID.wav, ID.mp3, ID.ogg, ID.flac and so on; ID.ctm has the times of "
    "the words.",
)
@stage_options
@server_options
def command(
    sources: tuple[Path, ...],
    audio: Path | None,
    stages: tuple[str, ...],
    ref: Path | None,
    host: str,
    port: int | None,
    token: str | None,
    *,
    open_browser: bool,
) -> None:
    """Show runs (evaluate … -o RUN), scores (score … --items FILE) and analyses of pssteval.

    Every utterance has a page with its alignment, frames, phonemes and audio; two or more sources
    can be compared; stages of a chain add a page that shows where requests are lost (see blame);
    /try is a playground. No file is written, and no data leaves this machine.
    """
    chain = Stages(stages, ref) if stages else None
    serve(sources, audio, Server(host, port, token or "", open_browser), chain=chain)


class Server(NamedTuple):
    """Where to serve pages, and whether to open a browser."""

    host: str
    port: int | None
    token: str
    open_browser: bool


class Stages(NamedTuple):
    """The stages of a chain as given on the command line, and the gold labels."""

    texts: Sequence[str]
    ref: Path | None


def serve(
    sources: Sequence[Path],
    audio: Path | None,
    server: Server,
    path: str = "",
    chain: Stages | None = None,
) -> None:
    """Serve the pages of sources until interrupted; a browser opens at a path."""
    import uvicorn

    from mondegreen.report.waterfall import make_chain
    from mondegreen.runs.blame import blame, parse_stages
    from mondegreen.runs.chain import is_run, run_and_set
    from mondegreen.viewer.audio import AudioFolder
    from mondegreen.viewer.server import app

    folder = AudioFolder(audio) if audio is not None else None
    host = server.host
    stages = parse_stages(chain.texts) if chain is not None else {}
    runs = [run_and_set(path)[0] for path in stages.values() if is_run(path)]
    paths = dict.fromkeys((*sources, *runs))  # runs of a chain are opened, too
    with ExitStack() as stack:
        listener = stack.enter_context(_listen(host, server.port))
        opened = [stack.enter_context(closing(open_with_progress(path))) for path in paths]
        lost = make_chain(blame(stages, chain.ref), stages, opened) if chain is not None else None
        required_token = server.token or ("" if host in _LOOPBACK else secrets.token_urlsafe(16))
        name = f"[{host}]" if ":" in host else host
        address = f"http://{name}:{listener.getsockname()[1]}/{path}"
        address_with_token = f"{address}?token={required_token}" if required_token else address
        click.echo(f"{address_with_token}\nStop with Ctrl+C.")
        for source in opened:  # slow for a million rows; the list works meanwhile
            Thread(target=_prepare, args=[source], daemon=True).start()
        if server.open_browser:
            Timer(_DELAY, _open, [address_with_token]).start()
        settings = uvicorn.Config(
            app(opened, folder, required_token, lost),
            log_level="error",
            access_log=False,
            timeout_graceful_shutdown=_SHUTDOWN,
        )
        uvicorn.Server(settings).run([listener])


def _prepare(source: ShownRun) -> None:
    """Compute what takes time; a page that needs it meanwhile waits or shows that it is missing."""
    source.overview()
    if source.finished:
        source.causes()


def _open(address: str) -> None:
    if not webbrowser.open(address):
        click.echo(f"mondegreen: note: no browser could be opened; go to {address}", err=True)


def _listen(host: str, port: int | None) -> socket.socket:
    """Return a socket on the given port, or on the first free one."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        socket.getaddrinfo(host, None)
    except OSError as error:
        raise DataError(f"{host}: no such host ({error.strerror}); give another --host") from None
    problem = ""
    for number in [port] if port is not None else range(_PORT, _PORT + _PORTS):
        listener = socket.socket(family)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind((host, number))
            listener.listen()  # an early browser waits until the server is up
        except OSError as error:
            listener.close()
            problem = error.strerror or str(error)
            continue
        return listener
    where = f"port {port}" if port is not None else f"ports {_PORT} to {_PORT + _PORTS - 1}"
    raise DataError(f"{host}, {where}: cannot listen ({problem}); give another --port")
