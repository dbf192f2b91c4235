"""A model that is a program, which reads and writes JSON lines and stays running."""

from __future__ import annotations

import json
import shlex
import time
from collections import deque
from collections.abc import Sequence
from contextlib import suppress
from threading import Condition, Thread

from mondegreen.data.answers.predictions import prediction_of, unread
from mondegreen.errors import ModelError, ShiftedError
from mondegreen.models.code import hash_of_program
from mondegreen.models.programs import GRACE, Program, arguments_of
from mondegreen.models.protocol import Model
from mondegreen.models.wire import decode_json, question
from mondegreen.types import Prediction, Utterance

_LAST = 10.0  # seconds for a program to write what it should not, after its input is closed
_LONGEST = 64 << 20  # bytes of a line
_MOST_WAITING = 64 << 20  # bytes of lines that nobody has read yet


class CommandModel(Model):
    """Writes one line ``{"id", "text", "tokens"}`` per utterance; reads one answer per line.

    The program starts with the first batch and runs until :meth:`close`. It must flush its output
    after each answer, or after each batch at the latest.
    """

    def __init__(self, command: str, timeout: float) -> None:
        self.arguments = arguments_of(command)
        self.signature = f"command:{shlex.join(self.arguments)}{hash_of_program(self.arguments)}"
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


class _Lines:
    """The lines of a program's output, in order; the program waits while too many are not read."""

    def __init__(self) -> None:
        self._lines: deque[bytes] = deque()
        self._bytes = 0
        self._changed = Condition()
        self._closed = False

    def put(self, line: bytes) -> bool:
        """Add a line; an empty one is the end. Return whether more lines are wanted."""
        with self._changed:
            self._changed.wait_for(lambda: self._closed or self._bytes < _MOST_WAITING)
            self._lines.append(line)
            self._bytes += len(line)
            self._changed.notify_all()
            return not self._closed

    def get(self, end: float) -> bytes:
        """Return the next line; wait for it until a moment. The end of the output is kept.

        Raises:
            TimeoutError: if there is none by then.
        """
        with self._changed:
            if not self._changed.wait_for(lambda: self._lines, max(0.0, end - time.monotonic())):
                raise TimeoutError
            if not self._lines[0]:
                return b""
            line = self._lines.popleft()
            self._bytes -= len(line)
            self._changed.notify_all()
            return line

    def close(self) -> None:
        """Want no more lines."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()

    def __bool__(self) -> bool:
        with self._changed:
            return bool(self._lines)


class _Running:
    """A running program, with a thread that reads its output."""

    def __init__(self, arguments: list[str]) -> None:
        self.program = Program(arguments)
        self.lines = _Lines()
        self.too_long = False
        self.reader = Thread(target=self._read, daemon=True)
        self.reader.start()
        self.writer: Thread | None = None

    def _read(self) -> None:
        output = self.program.process.stdout
        with suppress(OSError, ValueError):  # closed meanwhile
            while output and (line := output.readline(_LONGEST + 1)):
                if len(line) > _LONGEST:
                    self.too_long = True
                    self.program.kill()
                    break
                if not self.lines.put(line):
                    break
        self.lines.put(b"")  # marks the end of the output

    def answers(self, batch: Sequence[Utterance], timeout: float) -> list[bytes]:
        """Return one line per utterance.

        Raises:
            ModelError: if the program is too slow, exits, or writes too many or too long lines.
        """
        end = time.monotonic() + timeout
        while self.lines and time.monotonic() < end:
            if self._is_end(self.lines.get(end)):
                break
        content = b"".join(json.dumps(question(utterance)).encode() + b"\n" for utterance in batch)
        self.writer = Thread(target=self.program.write, args=(content,), daemon=True)
        self.writer.start()  # in a thread: a program may answer before it has read everything
        found: list[bytes] = []
        for utterance in batch:
            try:
                line = self.lines.get(end)
            except TimeoutError:
                raise ModelError(
                    f"utterance {utterance.id!r}: no answer within {timeout:g} s "
                    f"({len(found)} of {len(batch)} were answered); allow more time with --timeout"
                ) from None
            if not line:
                raise ModelError(f"utterance {utterance.id!r}: {self._why_ended()}")
            found.append(line)
        return found

    def _why_ended(self) -> str:
        if self.too_long:
            return f"the program wrote a line of over {_LONGEST >> 20} MiB; end each answer by a \
line break"
        return f"the program {self.program.exit()} before it answered"

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
        return not line

    def end(self) -> None:
        """Close the input, and check that no answer is left.

        Raises:
            ShiftedError: if one is left.
        """
        self._close_input()
        end = time.monotonic() + _LAST
        with suppress(TimeoutError):  # it neither answers nor exits: stop kills it
            while time.monotonic() < end and not self._is_end(self.lines.get(end)):
                pass

    def _close_input(self) -> None:
        if self.writer is not None:
            self.writer.join(GRACE)  # all may be written, and the thread about to end
            if self.writer.is_alive():
                self.program.kill()  # it does not read: closing would wait for the writer
                self.writer.join()
        self.program.close_input()

    def stop(self) -> None:
        """Close the input and wait for the program to exit; kill it with what it has started."""
        self._close_input()
        self.lines.close()
        self.program.end()
        self.reader.join(GRACE)
        if not self.reader.is_alive():  # else closing would wait for it
            self.program.close_output()
