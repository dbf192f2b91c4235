"""Programs of the user: started in a group of their own, limited in time and in what they write."""

from __future__ import annotations

import os
import shlex
import signal
import subprocess
import time
from collections.abc import Sequence
from contextlib import suppress
from threading import Thread
from typing import IO

from mondegreen.errors import ModelError

GRACE = 2.0
"""Seconds for a program to exit after its input or its output is closed."""
_PIECE = 1 << 16
_LAST_ERRORS = 4_096  # bytes of the errors that are kept


def arguments_of(command: str) -> list[str]:
    """Split a command as a shell does; nothing of it is run by a shell.

    Raises:
        ModelError: if it cannot be split, or names no program.
    """
    try:
        found = shlex.split(command)
    except ValueError as error:
        raise ModelError(f"command:{command} cannot be parsed: {error}") from None
    if not found:
        raise ModelError("command: the program is missing; write command:PROGRAM ARGUMENTS")
    return found


class Program:
    """A running program; it is killed with all programs that it has started.

    Raises:
        ModelError: if it cannot be started.
    """

    def __init__(self, arguments: Sequence[str]) -> None:
        try:
            self.process = subprocess.Popen(  # noqa: S603 (the user's own program, no shell)
                arguments,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                start_new_session=True,  # so that it can be killed with the programs it starts
            )
        except (OSError, ValueError) as error:  # ValueError: a NUL in an argument
            reason = getattr(error, "strerror", None) or error
            raise ModelError(f"{arguments[0]}: cannot be started: {reason}") from None
        self._errors = b""
        self._listener = Thread(target=self._listen, args=(self.process.stderr,), daemon=True)
        self._listener.start()

    def _listen(self, errors: IO[bytes]) -> None:
        """Keep the end of what it writes to its errors, however much that is."""
        with suppress(OSError, ValueError):  # closed meanwhile
            while piece := os.read(errors.fileno(), _PIECE):
                self._errors = (self._errors + piece)[-_LAST_ERRORS:]

    def write(self, content: bytes) -> None:
        """Write to its input; nothing happens if it has exited."""
        with suppress(OSError, ValueError):
            if self.process.stdin is not None:
                self.process.stdin.write(content)
                self.process.stdin.flush()

    def kill(self) -> None:
        """Kill the program and all programs that it has started."""
        try:
            os.killpg(self.process.pid, signal.SIGKILL)
        except AttributeError:  # Windows has no process groups
            self.process.kill()
        except (ProcessLookupError, PermissionError):
            return  # there are none left (macOS: only ended ones)

    def wait(self, seconds: float) -> int | None:
        """Wait for the program to exit; return its code, or ``None`` if it still runs."""
        try:
            return self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            return None

    def last_error(self) -> str:
        """Return the last line of its errors; empty if there is none."""
        self._listener.join(GRACE)  # all may be written, and the thread about to end
        lines = self._errors.decode(errors="replace").strip().splitlines()
        return lines[-1].strip() if lines else ""

    def exit(self) -> str:
        """Return how the program ended, with the last line of its errors."""
        code = self.wait(GRACE)
        if code is None:
            return "closed its output"
        last = self.last_error()
        return f"exited with code {code}" + (f" ({last})" if last else "")

    def close_input(self) -> None:
        """Close its input."""
        _close(self.process.stdin)

    def close_output(self) -> None:
        """Close its output; nobody may be reading from it."""
        _close(self.process.stdout)

    def end(self) -> None:
        """Wait a little for the program to exit; then kill it, and what it has started."""
        self.wait(GRACE)
        self.kill()
        self.process.wait()
        self._listener.join(GRACE)
        if not self._listener.is_alive():  # else closing would wait for it
            _close(self.process.stderr)


def run_program(
    arguments: Sequence[str], content: bytes, *, name: str, timeout: float, most: int
) -> bytes:
    """Give a program its input, and return its output.

    Args:
        arguments: the program and its arguments.
        content: its input.
        name: the program in messages.
        timeout: seconds that it may take.
        most: bytes that it may write.

    Raises:
        ModelError: if it cannot be started, fails, takes too long or writes too much.
    """
    end = time.monotonic() + timeout
    program = Program(arguments)
    found = bytearray()

    def read() -> None:
        with suppress(OSError, ValueError):  # closed meanwhile
            output = program.process.stdout
            while output and (piece := os.read(output.fileno(), _PIECE)) and len(found) <= most:
                found.extend(piece)

    def give() -> None:
        program.write(content)
        program.close_input()

    reader, writer = Thread(target=read, daemon=True), Thread(target=give, daemon=True)
    reader.start()
    writer.start()
    try:
        reader.join(max(0.0, end - time.monotonic()))
        if len(found) > most:
            raise ModelError(f"{name}: writes more than {most >> 20} MiB; write only the answer")
        code = program.wait(max(0.0, end - time.monotonic()))
        if reader.is_alive() or code is None:
            raise ModelError(
                f"{name}: no answer within {timeout:g} s; allow more time with --timeout"
            )
        if code:
            last = program.last_error() or "no message"
            raise ModelError(f"{name}: exited with code {code} ({last})")
        return bytes(found)
    finally:
        program.kill()
        program.end()
        writer.join(GRACE)
        reader.join(GRACE)
        if not reader.is_alive():
            program.close_output()


def _close(stream: IO[bytes] | None) -> None:
    with suppress(OSError):  # the other end is closed already
        if stream is not None:
            stream.close()
