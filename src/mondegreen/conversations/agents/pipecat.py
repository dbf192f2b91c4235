"""A bot of Pipecat behind its eval endpoint: ``pipecat:ws://127.0.0.1:7860/ws``.

Pipecat's runner serves that address for every bot, and starts a new bot for each connection. The
messages are those of Pipecat's own eval harness in text mode (RTVI): what the caller says is sent
as text, and the bot's text and function calls come back. The bot brings its own model and tools.
"""

from __future__ import annotations

import json
import time
from collections.abc import Mapping, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any

from mondegreen.conversations.agents.protocol import (
    MOST_CALLS,
    MOST_TEXT,
    Agent,
    Reply,
    Session,
    checked,
)
from mondegreen.errors import MissingExtraError, ModelError
from mondegreen.models.wire import without_password
from mondegreen.plugins import one_line
from mondegreen.types import MadeCall

_LABEL, _VERSION = "rtvi-ai", "2.0.0"
_GREETING, _QUIET, _AFTER_CALL = 0.5, 0.3, 3.0
"""Seconds without a message after which a greeting, an answer, or what follows a call is over."""
_LONGEST = 2**22  # bytes of one message


class PipecatAgent(Agent):
    """Connects to the eval endpoint of a bot, once per conversation.

    Raises:
        MissingExtraError: if websockets is not installed.
        ModelError: if the address is not that of a WebSocket.
    """

    def __init__(self, url: str, timeout: float) -> None:
        if not url.startswith(("ws://", "wss://")):
            raise ModelError(
                f"pipecat:{url}: give the address of the bot's eval endpoint, such as "
                "pipecat:ws://127.0.0.1:7860/ws"
            )
        try:
            self._connect = import_module("websockets.sync.client").connect
        except ImportError:
            raise MissingExtraError.of("pipecat", "bots of Pipecat") from None
        self._url, self._timeout = url, timeout
        self.signature = f"pipecat:{without_password(url)}"

    def start(self, tools: Sequence[Mapping[str, Any]], case: str) -> Session:  # noqa: ARG002 (the bot has its own)
        """Connect to the bot.

        Raises:
            ModelError: if the bot cannot be reached, or does not say that it is ready.
        """
        return _PipecatSession(self._connect, self._url, self._timeout)


@dataclass
class _Turn:
    """What the bot has said and called since the caller spoke."""

    texts: list[str] = field(default_factory=list)
    calls: dict[str, MadeCall] = field(default_factory=dict)
    running: set[str] = field(default_factory=set)
    answered: bool = False
    talking: bool = False
    size: int = 0
    goes_on: bool = False
    """Whether a call has ended, so that the model is asked again."""

    @property
    def is_idle(self) -> bool:
        return self.answered and not self.talking and not self.running

    def take(self, kind: str, data: Mapping[str, Any]) -> None:
        """Take a message of the bot."""
        id = str(data.get("tool_call_id", ""))
        if kind == "bot-llm-started":
            self.answered, self.talking, self.goes_on = True, True, False
        elif kind == "bot-llm-text" and self.talking:
            self.size += len(said := str(data.get("text", "")))
            self.texts += [said] if self.size <= 2 * MOST_TEXT else []  # a bot may never end
        elif kind == "bot-llm-stopped":
            self.talking = False
            self.texts.append("\n")
        elif kind == "llm-function-call-in-progress" and len(self.calls) <= MOST_CALLS:
            arguments = data.get("arguments") or {}
            if not isinstance(arguments, dict):
                raise ModelError(f"the arguments of a call are {arguments!r:.60}; give an object")
            self.calls[id] = MadeCall(str(data.get("function_name")), arguments)
            self.running.add(id)
        elif kind == "llm-function-call-stopped":
            self.running.discard(id)
            self.goes_on = True

    def reply(self) -> Reply:
        return checked(Reply("".join(self.texts).strip(), tuple(self.calls.values())))


class _PipecatSession(Session):
    def __init__(self, connect: Any, url: str, timeout: float) -> None:
        self._timeout, self._sent, self._open = timeout, 0, ExitStack()
        flags = f"{'&' if '?' in url else '?'}skip_tts=true"
        try:
            opening = connect(url + flags, open_timeout=timeout, max_size=_LONGEST)
            self._socket = self._open.enter_context(opening)
        except Exception as error:
            name = without_password(url)
            raise ModelError(f"{name}: the bot cannot be reached: {one_line(error)}") from error
        try:
            self._greet()
        except BaseException:
            self.close()
            raise

    def _greet(self) -> None:
        """Say what this connection is for, wait until the bot is ready, and hear its greeting."""
        self._send_eval("eval-connect", {"skip_tts": True})
        self._send("client-ready", {"version": _VERSION, "about": {"library": "mondegreen"}})
        ends = time.monotonic() + self._timeout
        kind = ""
        while kind != "bot-ready":
            message = self._receive_until(ends)
            if message is None:
                raise ModelError(f"the bot was not ready within {self._timeout:g} s")
            kind, _ = message
        self._send_eval("eval-configure", {"function_call_report_level": {"*": "full"}})
        greeting = _Turn()
        while message := self._receive_until(ends, None if greeting.talking else _GREETING):
            greeting.take(*message)

    def say(self, text: str) -> Reply:
        """Send what the caller says, and wait until the bot has answered and its calls are done."""
        options = {"run_immediately": True, "audio_response": False}
        self._send("send-text", {"content": text, "options": options})
        turn, ends = _Turn(), time.monotonic() + self._timeout
        while True:
            quiet = _AFTER_CALL if turn.goes_on else _QUIET
            message = self._receive_until(ends, quiet if turn.is_idle else None)
            if message is not None:
                turn.take(*message)
            elif turn.is_idle:
                return turn.reply()
            else:
                raise ModelError(
                    f"no answer within {self._timeout:g} s; allow more time with --timeout"
                )

    def close(self) -> None:
        """End the bot's session."""
        with suppress(Exception):  # whatever it raises, the conversation is over
            self._send_eval("eval-cancel", {})
        with suppress(Exception):
            self._open.close()

    def _send(self, kind: str, data: Mapping[str, Any]) -> None:
        self._sent += 1
        message = {"label": _LABEL, "type": kind, "id": str(self._sent), "data": data}
        try:
            self._socket.send(json.dumps(message))
        except Exception as error:
            raise ModelError(f"the bot has ended the call: {one_line(error)}") from error

    def _send_eval(self, kind: str, data: Mapping[str, Any]) -> None:
        self._send("client-message", {"t": kind, "d": data})

    def _receive_until(
        self, ends: float, quiet: float | None = None
    ) -> tuple[str, Mapping[str, Any]] | None:
        """Return the next message before a time; ``None`` if there is none, or nothing for long."""
        left = ends - time.monotonic()
        if left <= 0:
            return None
        return self._receive(left if quiet is None else min(left, quiet))

    def _receive(self, seconds: float) -> tuple[str, Mapping[str, Any]] | None:
        """Return the next message of the bot; ``None`` if there is none in time."""
        try:
            content = json.loads(self._socket.recv(timeout=seconds))
        except TimeoutError:
            return None
        except ValueError as error:
            raise ModelError(f"the bot does not speak RTVI: {one_line(error)}") from error
        except Exception as error:
            raise ModelError(f"the bot has ended the call: {one_line(error)}") from error
        if not isinstance(content, dict) or content.get("label") != _LABEL:
            return "", {}
        data = content.get("data")
        kind = str(content.get("type"))
        data = data if isinstance(data, dict) else {}
        if kind in ("error", "error-response"):
            raise ModelError(f"the bot reports an error: {str(data.get('error'))[:200]}")
        return kind, data
