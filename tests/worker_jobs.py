"""What workers do in tests; in a module of its own, which workers can import by its name."""

from __future__ import annotations

import os
import signal
import sys
import time
import warnings
from pathlib import Path
from typing import Any

import mondegreen as mg


def constant(batch: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Answer the same for every utterance."""
    return [{"tags": ["O"] * len(one["tokens"]), "label": "play_music"} for one in batch]


def die(part: int) -> int:
    """Die like a process that runs out of memory."""
    if part == 3:
        os.kill(os.getpid(), signal.SIGKILL)
    return part


def fail(part: int) -> int:
    """Refuse a part, and warn about another."""
    if part == 2:
        raise mg.MondegreenError("part 2 is wrong")
    if part == 1:
        warnings.warn("part 1 is odd", stacklevel=1)
    return part


class OddError(Exception):
    """An error that does not survive pickling."""

    def __init__(self, what: str, part: int) -> None:
        super().__init__(f"{what} {part} is odd")


def fail_oddly(part: int) -> int:
    """Refuse a part with an error that cannot travel."""
    raise OddError("part", part)


def slow_pid(_part: int) -> int:
    """Return the number of this process, after a while."""
    time.sleep(0.05)
    return os.getpid()


def tell_and_send(folder: str) -> bytes:
    """Tell who works, and return more than a pipe holds."""
    Path(folder, str(os.getpid())).touch()
    time.sleep(0.3)
    return b"x" * 50_000_000


def many_bytes(part: int) -> bytes:
    """Return more than a pipe holds."""
    return bytes([part]) * 3_000_000


def end(_part: int) -> int:
    """End the process, as a plugin might."""
    sys.exit(0)
