"""A model that is a program: JSON lines in, JSON lines out, kept running."""

from __future__ import annotations

import json
import shlex
import subprocess
import tempfile
import time
from collections.abc import Sequence
from queue import Empty, SimpleQueue
from threading import Thread
from typing import IO

from mondegreen.data.answers import prediction_of, unread
from mondegreen.errors import ModelError
from mondegreen.models.protocol import Model
from mondegreen.models.wire import decoded, question
from mondegreen.types import Prediction, Utterance

_GRACE = 2.0  # seconds that a program has to end by itself once its input is closed


class CommandModel(Model):
    """Writes a line ``{"id", "text", "tokens"}`` an utterance; reads a line with its answer each.

    The program is started with the first batch and is asked until :meth:`close`. It must flush
    after each answer, or after each batch at the latest.
    """

    def __init__(self, command: str, timeout: float) -> None:
        try:
            self.arguments = shlex.split(command)
        except ValueError as error:
            raise ModelError(f"command:{command} cannot be read: {error}") from None
        if not self.arguments:
            raise ModelError("command: names no program; write command:PROGRAM ARGUMENTS")
        self.signature = f"command:{shlex.join(self.arguments)}"
        self.timeout = timeout
        self._running: _Running | None = None

    def predict(self, batch: Sequence[Utterance]) -> list[Prediction]:
        """Ask the program.

        Raises:
            ModelError: if it ends, hangs, or answers what is no answer.
        """
        if self._running is None:
            self._running = _Running(self.arguments)
        try:
            lines = self._running.answers(batch, self.timeout)
            answers = [
                decoded(line, f"utterance {said.id!r}: the answer")
                for line, said in zip(lines, batch, strict=True)
            ]
            self.unread = unread(next(iter(answers), None))
            return [prediction_of(*pair) for pair in zip(answers, batch, strict=True)]
        except ModelError:  # what it says next may belong to this batch: begin anew
            self.close()
            raise

    def close(self) -> None:
        """End the program."""
        if self._running is not None:
            self._running.stop()
            self._running = None


class _Running:
    """A program at work, with a thread that reads what it says."""

    def __init__(self, arguments: list[str]) -> None:
        self.errors = tempfile.TemporaryFile()  # noqa: SIM115 (closed by stop)
        try:
            self.process = subprocess.Popen(  # noqa: S603 (the user's own program, no shell)
                arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.errors
            )
        except OSError as error:
            self.errors.close()
            raise ModelError(f"{arguments[0]}: cannot be started: {error.strerror}") from None
        self.lines: SimpleQueue[bytes] = SimpleQueue()
        self.reader = Thread(target=self._read, args=(self.process.stdout,), daemon=True)
        self.reader.start()

    def _read(self, output: IO[bytes]) -> None:
        for line in output:
            self.lines.put(line)
        self.lines.put(b"")  # the end

    def answers(self, batch: Sequence[Utterance], timeout: float) -> list[bytes]:
        """Return one line an utterance, as long as they come in time."""
        if not self.lines.empty() and self.process.poll() is None:
            raise ModelError("the program wrote more lines than it was asked for: one an utterance")
        content = b"".join(json.dumps(question(said)).encode() + b"\n" for said in batch)
        writer = Thread(target=self._write, args=(content,), daemon=True)
        writer.start()  # in a thread, as a program may answer before it has read all
        end = time.monotonic() + timeout
        found: list[bytes] = []
        for said in batch:
            try:
                line = self.lines.get(timeout=max(0.0, end - time.monotonic()))
            except Empty:
                raise ModelError(
                    f"utterance {said.id!r}: no answer within {timeout:g} s "
                    f"({len(found)} of {len(batch)} were answered); give it more with --timeout"
                ) from None
            if not line:
                raise ModelError(
                    f"utterance {said.id!r}: the program {self._end()} before it answered"
                )
            found.append(line)
        return found

    def _write(self, content: bytes) -> None:
        try:
            if self.process.stdin is not None:
                self.process.stdin.write(content)
                self.process.stdin.flush()
        except (OSError, ValueError):
            return  # it has ended, which the reader tells

    def _end(self) -> str:
        try:
            code = self.process.wait(_GRACE)
        except subprocess.TimeoutExpired:
            return "closed its output"
        self.errors.seek(0)
        said = self.errors.read().decode(errors="replace").strip().splitlines()
        return f"ended with code {code}" + (f" ({said[-1].strip()})" if said else "")

    def stop(self) -> None:
        """Close its input and wait for it to end; kill it if it does not."""
        _close(self.process.stdin)
        try:
            self.process.wait(_GRACE)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.reader.join(_GRACE)
        _close(self.process.stdout)
        self.errors.close()


def _close(stream: IO[bytes] | None) -> None:
    try:
        if stream is not None:
            stream.close()
    except OSError:
        return  # nobody reads it any more
