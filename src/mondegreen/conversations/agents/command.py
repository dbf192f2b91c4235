"""An agent that is a program: ``command:PROGRAM ARGUMENTS``, started once per conversation.

It reads JSON lines, ``{"tools"}`` first, then ``{"text"}`` or ``{"results"}``, and answers each
text and each list of results with one line ``{"text", "calls"}``.
"""

from __future__ import annotations

import json
import shlex
from collections.abc import Mapping, Sequence
from typing import Any

from mondegreen.conversations.agents.protocol import Agent, Reply, Session, plain, reply_of
from mondegreen.conversations.agents.threads import TimedCalls
from mondegreen.errors import ModelError
from mondegreen.models.programs import Program, arguments_of
from mondegreen.models.wire import decode_json

_LONGEST = 1 << 20  # bytes of a line


class CommandAgent(Agent):
    """Starts a program per conversation.

    Raises:
        ModelError: if the command is empty or cannot be parsed.
    """

    def __init__(self, command: str, timeout: float) -> None:
        self._arguments = arguments_of(command)
        self.signature = f"command:{shlex.join(self._arguments)}"
        self._calls = TimedCalls(timeout)

    def start(self, tools: Sequence[Mapping[str, Any]], case: str) -> Session:  # noqa: ARG002 (the program is anonymous)
        """Start the program.

        Raises:
            ModelError: if it cannot be started.
        """
        return _CommandSession(Program(self._arguments), tools, self._calls)


class _CommandSession(Session):
    def __init__(
        self, program: Program, tools: Sequence[Mapping[str, Any]], calls: TimedCalls
    ) -> None:
        self._program, self._calls = program, calls
        self._first: list[dict[str, Any]] = [{"tools": list(tools)}]

    def say(self, text: str) -> Reply:
        """Write what the caller says, and read the answer."""
        return self._asked({"text": text})

    def results(self, results: Sequence[Any]) -> Reply:
        """Write the results of calls."""
        return self._asked({"results": plain(results)})

    def offer(self, tools: Sequence[Mapping[str, Any]]) -> None:
        """Write further tools before the next text."""
        self._first.append({"tools": list(tools)})

    def close(self) -> None:
        """Kill the program and all programs that it has started."""
        self._program.kill()
        self._program.end()
        self._program.close_input()
        self._program.close_output()

    def _asked(self, message: dict[str, Any]) -> Reply:
        messages, self._first = [*self._first, message], []
        content = b"".join(json.dumps(one).encode() + b"\n" for one in messages)
        line = self._calls.call(lambda: self._exchanged(content))
        return reply_of(decode_json(line, "the answer of the program"))

    def _exchanged(self, content: bytes) -> bytes:
        self._program.write(content)
        output = self._program.process.stdout
        line: bytes = output.readline(_LONGEST) if output is not None else b""
        if not line:
            raise ModelError(f"the program {self._program.exit()} before it answered")
        if len(line) == _LONGEST:
            raise ModelError(f"the program wrote a line of more than {_LONGEST:,} bytes")
        return line
