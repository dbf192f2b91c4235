"""An agent of livekit-agents in text mode: ``livekit:package.module:Agent``.

The name is that of an ``Agent`` class, or of a function that returns an agent, or a session and an
agent. The agent brings its own model and tools; its calls are read from the events of each run.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Coroutine, Mapping, Sequence
from contextlib import suppress
from threading import Thread
from typing import Any

from mondegreen.conversations.agents.protocol import Agent, Reply, Session, checked
from mondegreen.conversations.agents.python import module_sha
from mondegreen.errors import ModelError
from mondegreen.models.callable import load_function
from mondegreen.plugins import one_line
from mondegreen.types import MadeCall

_CLOSING = 10.0  # seconds for a session to close


class LiveKitAgent(Agent):
    """Starts an ``AgentSession`` per conversation, without a room.

    Raises:
        ModelError: if livekit-agents is not installed.
    """

    def __init__(self, factory: Any, signature: str, timeout: float) -> None:
        try:
            import livekit.agents  # noqa: F401 (only whether it is there)
        except ImportError:
            raise ModelError(
                "livekit: needs the package livekit-agents; install it: pip install livekit-agents"
            ) from None
        self._factory, self.signature, self._timeout = factory, signature, timeout

    @classmethod
    def named(cls, place: str, timeout: float) -> LiveKitAgent:
        """Import an agent; modules of the working directory are found as well."""
        return cls(load_function(place), f"livekit:{place}{module_sha(place)}", timeout)

    def start(self, tools: Sequence[Mapping[str, Any]], case: str) -> Session:  # noqa: ARG002 (the agent has its own)
        """Start a session in an event loop of its own.

        Raises:
            ModelError: if the agent cannot be started.
        """
        return _LiveKitSession(self._factory, self._timeout)


class _LiveKitSession(Session):
    def __init__(self, factory: Any, timeout: float) -> None:
        self._timeout = timeout
        self._loop = asyncio.new_event_loop()
        self._thread = Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        self._session: Any = None
        try:
            self._run(self._start(factory))
        except BaseException:
            self.close()
            raise

    async def _start(self, factory: Any) -> None:
        from livekit.agents import AgentSession

        made = factory()
        session, agent = made if isinstance(made, tuple) else (AgentSession(), made)
        self._session = session
        await session.start(agent, record=False)

    def say(self, text: str) -> Reply:
        """Run one turn, and read what the agent said and called."""
        return checked(self._run(self._said(text)))

    async def _said(self, text: str) -> Reply:
        result = await self._session.run(user_input=text)
        texts, calls = [], []
        for event in result.events:
            if event.type == "function_call":
                calls.append(MadeCall(event.item.name, json.loads(event.item.arguments or "{}")))
            elif event.type == "message" and event.item.role == "assistant":
                texts.append(event.item.text_content or "")
        return Reply("\n".join(text for text in texts if text), tuple(calls))

    def _run(self, work: Coroutine[Any, Any, Any]) -> Any:
        future = asyncio.run_coroutine_threadsafe(work, self._loop)
        try:
            return future.result(self._timeout)
        except TimeoutError:
            future.cancel()
            raise ModelError(
                f"no answer within {self._timeout:g} s; allow more time with --timeout"
            ) from None
        except ModelError:
            raise
        except Exception as error:
            raise ModelError(f"the agent failed: {one_line(error)}") from error

    def close(self) -> None:
        """Close the session and its event loop."""
        if self._session is not None:
            with suppress(Exception):  # whatever it raises, the conversation is over
                closing = asyncio.run_coroutine_threadsafe(self._session.aclose(), self._loop)
                closing.result(_CLOSING)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(_CLOSING)
        if not self._thread.is_alive():
            self._loop.close()
