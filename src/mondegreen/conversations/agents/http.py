"""An agent behind an address: ``http://…``.

Each message is a POST of ``{"session", "text"}``, the first one also with ``"tools"``; the answer
is ``{"text", "calls"}``. If it has ``"awaits_results": true``, the results of the calls follow as
``{"session", "results"}``. ``{"session", "end": true}`` ends a conversation.
"""

from __future__ import annotations

import json
import uuid
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any

from mondegreen.conversations.agents.protocol import Agent, Reply, Session, plain, reply_of
from mondegreen.errors import ModelError
from mondegreen.models.posting import Poster
from mondegreen.models.wire import without_password


class HttpAgent(Agent):
    """Sends what the caller says to an address."""

    def __init__(self, url: str, timeout: float, retries: int) -> None:
        self._poster = Poster(url, timeout, retries)
        self.signature = without_password(url)

    def start(self, tools: Sequence[Mapping[str, Any]], case: str) -> Session:
        """Start a conversation under a new name."""
        return _HttpSession(self._poster, f"{case}-{uuid.uuid4().hex[:12]}", tools)

    def close(self) -> None:
        """End the requests under way."""
        self._poster.close()


class _HttpSession(Session):
    def __init__(self, poster: Poster, name: str, tools: Sequence[Mapping[str, Any]]) -> None:
        self._poster, self._name = poster, name
        self._tools: list[Any] | None = list(tools)

    def say(self, text: str) -> Reply:
        """Send what the caller says."""
        body: dict[str, Any] = {"session": self._name, "text": text}
        if self._tools is not None:
            body["tools"], self._tools = self._tools, None
        return self._sent(body)

    def results(self, results: Sequence[Any]) -> Reply:
        """Send the results of calls."""
        return self._sent({"session": self._name, "results": plain(results)})

    def offer(self, tools: Sequence[Mapping[str, Any]]) -> None:
        """Send further tools with the next message."""
        self._tools = [*(self._tools or ()), *tools]

    def close(self) -> None:
        """Tell the agent that the conversation has ended; it need not know what that means."""
        with suppress(ModelError):
            self._poster.post(json.dumps({"session": self._name, "end": True}).encode())

    def _sent(self, body: Mapping[str, Any]) -> Reply:
        return reply_of(self._poster.ask(body, f"{self._poster.name}: the answer"))
