"""The process that speaks with a Ray cluster for another one, which started it.

Ray ends a process that is connected with a cluster, without a word, when the cluster goes away. If
it is this one that ends, the other can still say what happened, and tidy up.
"""

from __future__ import annotations

import os
import pickle
import signal
import sys
from contextlib import suppress
from typing import IO, Any

from mondegreen.engines.actors import Actors, connect, leave
from mondegreen.errors import EngineError


class GoneError(Exception):
    """The other process has ended."""


class ObjectLine:
    """Objects to and from another process; ``None`` ends a series of parts."""

    def __init__(self, incoming: IO[bytes], outgoing: IO[bytes]) -> None:
        self._incoming, self._outgoing = incoming, outgoing

    def receive(self) -> Any:
        """Wait for an object.

        Raises:
            GoneError: if the other process has ended, perhaps while it was sending one.
        """
        try:
            return pickle.load(self._incoming)  # noqa: S301 (our own)
        except (EOFError, pickle.UnpicklingError):
            raise GoneError from None

    def send(self, what: object) -> None:
        """Send an object.

        Raises:
            GoneError: if the other process has ended.
        """
        try:
            pickle.dump(what, self._outgoing)
            self._outgoing.flush()
        except BrokenPipeError:
            raise GoneError from None


def main() -> None:
    """Work on what comes from standard input, until it ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the other process ends the work
    line = ObjectLine(sys.stdin.buffer, os.fdopen(os.dup(1), "wb"))
    os.dup2(2, 1)  # what Ray prints is not an answer
    with suppress(GoneError):
        try:
            _serve(line)
        except EngineError as error:
            signal.signal(signal.SIGTERM, signal.SIG_IGN)  # this process is about to end
            line.send(error)


def _serve(line: ObjectLine) -> None:
    address, workers, function = line.receive()
    connect(address, workers)
    signal.signal(signal.SIGTERM, _end)
    actors = Actors(workers)
    with actors.start(function) as apply:
        line.send(actors.workers)
        while True:
            for result in apply(iter(line.receive, None)):
                line.send(result)


def _end(*_: object) -> None:
    """End this process, in the middle of whatever it does."""
    leave()
    os._exit(0)


if __name__ == "__main__":
    main()
