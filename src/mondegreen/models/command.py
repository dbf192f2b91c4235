"""A model that is a program, which reads and writes JSON lines and stays running."""

from __future__ import annotations

import json
import os
import shlex
import signal
import subprocess
import tempfile
import time
from collections.abc import Sequence
from contextlib import suppress
from queue import Empty, SimpleQueue
from threading import Thread
from typing import IO

from mondegreen.data.answers.predictions import prediction_of, unread
from mondegreen.errors import ModelError, ShiftedError
from mondegreen.models.protocol import Model
from mondegreen.models.wire import decode_json, question
from mondegreen.types import Prediction, Utterance

_GRACE = 2.0  # seconds for a program to exit after its input is closed
_LAST = 10.0  # seconds for a program to write what it should not, after its input is closed


class CommandModel(Model):
    """Writes one line ``{"id", "text", "tokens"}`` per utterance; reads one answer per line.

    The program starts with the first batch and runs until :meth:`close`. It must flush its output
    after each answer, or after each batch at the latest.
    """

    def __init__(self, command: str, timeout: float) -> None:
        try:
            self.arguments = shlex.split(command)
        except ValueError as error:
            raise ModelError(f"command:{command} cannot be parsed: {error}") from None
        if not self.arguments:
            raise ModelError("command: the program is missing; write command:PROGRAM ARGUMENTS")
        self.signature = f"command:{shlex.join(self.arguments)}"
        self.timeout = timeout
        self._running: _Running | None = None

    def predict(self, batch: Sequence[Utterance]) -> list[Prediction]:
        """Send a batch to the program.

        Raises:
            ModelError: if the program exits, times out, or gives an invalid answer.
        """
        if self._running is None:
            self._running = _Running(self.arguments)
        try:
            lines = self._running.answers(batch, self.timeout)
            answers = [
                decode_json(line, f"utterance {utterance.id!r}: the answer")
                for line, utterance in zip(lines, batch, strict=True)
            ]
            self.unread = unread(next(iter(answers), None))
            return [prediction_of(*pair) for pair in zip(answers, batch, strict=True)]
        except ModelError:  # its next lines may belong to this batch: start a new process
            self.close()
            raise

    def finish(self) -> None:
        """Close the input of the program, and check that it writes no further answer.

        Raises:
            ShiftedError: if it does, so that answers may belong to other utterances.
        """
        if self._running is not None:
            try:
                self._running.end()
            finally:
                self.close()

    def close(self) -> None:
        """Stop the program."""
        if self._running is not None:
            self._running.stop()
            self._running = None


class _Running:
    """A running program in a process group of its own, with a thread that reads its output."""

    def __init__(self, arguments: list[str]) -> None:
        self.errors = tempfile.TemporaryFile()  # noqa: SIM115 (closed by stop)
        try:
            self.process = subprocess.Popen(  # noqa: S603 (the user's own program, no shell)
                arguments,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self.errors,
                start_new_session=True,  # so that it can be killed with the programs it starts
            )
        except OSError as error:
            self.errors.close()
            raise ModelError(f"{arguments[0]}: cannot be started: {error.strerror}") from None
        self.lines: SimpleQueue[bytes] = SimpleQueue()
        self.reader = Thread(target=self._read, args=(self.process.stdout,), daemon=True)
        self.reader.start()
        self.writer: Thread | None = None

    def _read(self, output: IO[bytes]) -> None:
        for line in output:
            self.lines.put(line)
        self.lines.put(b"")  # marks the end of the output

    def answers(self, batch: Sequence[Utterance], timeout: float) -> list[bytes]:
        """Return one line per utterance.

        Raises:
            ModelError: if the program is too slow, exits, or writes too many lines.
        """
        while not self.lines.empty():
            if self._is_end(self.lines.get()):
                break
        content = b"".join(json.dumps(question(utterance)).encode() + b"\n" for utterance in batch)
        self.writer = Thread(target=self._write, args=(content,), daemon=True)
        self.writer.start()  # in a thread: a program may answer before it has read everything
        end = time.monotonic() + timeout
        found: list[bytes] = []
        for utterance in batch:
            try:
                line = self.lines.get(timeout=max(0.0, end - time.monotonic()))
            except Empty:
                raise ModelError(
                    f"utterance {utterance.id!r}: no answer within {timeout:g} s "
                    f"({len(found)} of {len(batch)} were answered); allow more time with --timeout"
                ) from None
            if not line:
                raise ModelError(
                    f"utterance {utterance.id!r}: the program {self._exit()} before it answered"
                )
            found.append(line)
        return found

    def _is_end(self, line: bytes) -> bool:
        """Return whether the output has ended; a blank line is passed over.

        Raises:
            ShiftedError: if the line is an answer that nobody has asked for.
        """
        if line.strip():
            raise ShiftedError(
                "the program wrote too many lines, so its answers may belong to other "
                "utterances; write one line per utterance. No answer of this run was kept"
            )
        if not line:
            self.lines.put(line)  # for whoever reads next
        return not line

    def end(self) -> None:
        """Close the input, and check that no answer is left.

        Raises:
            ShiftedError: if one is left.
        """
        self._close_input()
        end = time.monotonic() + _LAST
        with suppress(Empty):  # it neither answers nor exits: stop kills it
            while not self._is_end(self.lines.get(timeout=max(0.0, end - time.monotonic()))):
                pass

    def _close_input(self) -> None:
        if self.writer is not None:
            self.writer.join(_GRACE)  # all may be written, and the thread about to end
            if self.writer.is_alive():
                self._kill()  # it does not read: closing would wait for the writer
                self.writer.join()
        _close(self.process.stdin)

    def _kill(self) -> None:
        """Kill the program and all programs that it has started."""
        try:
            os.killpg(self.process.pid, signal.SIGKILL)
        except AttributeError:  # Windows has no process groups
            self.process.kill()
        except (ProcessLookupError, PermissionError):
            return  # there are none left (macOS: only ended ones)

    def _write(self, content: bytes) -> None:
        try:
            if self.process.stdin is not None:
                self.process.stdin.write(content)
                self.process.stdin.flush()
        except (OSError, ValueError):
            return  # the program has exited; the reading thread notices

    def _exit(self) -> str:
        """Return how the program ended, with the last line of its errors."""
        try:
            code = self.process.wait(_GRACE)
        except subprocess.TimeoutExpired:
            return "closed its output"
        self.errors.seek(0)
        lines = self.errors.read().decode(errors="replace").strip().splitlines()
        return f"exited with code {code}" + (f" ({lines[-1].strip()})" if lines else "")

    def stop(self) -> None:
        """Close the input and wait for the program to exit; kill its group if it does not.

        A program that it has started may hold the output open, and is killed as well.
        """
        self._close_input()
        try:
            self.process.wait(_GRACE)
        except subprocess.TimeoutExpired:
            self._kill()
            self.process.wait()
        self.reader.join(_GRACE)
        if self.reader.is_alive():
            self._kill()
            self.reader.join(_GRACE)
        if not self.reader.is_alive():  # else closing would wait for it
            _close(self.process.stdout)
        self.errors.close()


def _close(stream: IO[bytes] | None) -> None:
    try:
        if stream is not None:
            stream.close()
    except OSError:
        return  # the other end is closed already
