"""An agent that is a Python object: ``python:package.module:factory``.

``factory(tools)`` returns an object with ``say(text)``, which returns ``{"text", "calls"}``. If
the object also has ``results(results)``, it is given the results of its calls, and answers again;
if it has ``offer(tools)``, it receives the tools that come later.
"""

from __future__ import annotations

import copy
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from mondegreen.conversations.agents.protocol import Agent, Reply, Session, reply_of
from mondegreen.conversations.agents.threads import TimedCalls
from mondegreen.data.files.hashing import hash_of
from mondegreen.errors import ModelError
from mondegreen.models.callable import load_function

Factory = Callable[[list[Any]], Any]


class PythonAgent(Agent):
    """Makes one object of the user per conversation."""

    def __init__(self, factory: Factory, signature: str, timeout: float) -> None:
        self._factory, self.signature = factory, signature
        self._calls = TimedCalls(timeout)

    @classmethod
    def named(cls, place: str, timeout: float) -> PythonAgent:
        """Import a factory; modules of the working directory are found as well.

        Raises:
            ModelError: if there is no such factory.
        """
        return cls(load_function(place), f"python:{place}{module_sha(place)}", timeout)

    def start(self, tools: Sequence[Mapping[str, Any]], case: str) -> Session:  # noqa: ARG002 (for messages of others)
        """Start a conversation.

        Raises:
            ModelError: if the factory fails, or returns something that cannot be spoken to.
        """
        given = copy.deepcopy(list(tools))
        return _PythonSession(self._calls, self._calls.call(lambda: self._factory(given)))


def module_sha(place: str) -> str:
    """Return the hash of the file of a module, for signatures."""
    source = getattr(sys.modules.get(place.partition(":")[0]), "__file__", None)
    return f"|sha:{hash_of(Path(source))[:16]}" if source else ""


class _PythonSession(Session):
    def __init__(self, calls: TimedCalls, agent: Any) -> None:
        if not callable(getattr(agent, "say", None)):
            raise ModelError(f"the factory returned {agent!r:.60}, which has no method say(text)")
        self._calls, self._agent = calls, agent
        self._awaits = callable(getattr(agent, "results", None))

    def say(self, text: str) -> Reply:
        """Say something to the object."""
        return reply_of(self._calls.call(lambda: self._agent.say(text)), awaits=self._awaits)

    def results(self, results: Sequence[Any]) -> Reply:
        """Give it the results of its calls."""
        found = self._calls.call(lambda: self._agent.results(list(results)))
        return Reply("") if found is None else reply_of(found, awaits=self._awaits)

    def offer(self, tools: Sequence[Mapping[str, Any]]) -> None:
        """Tell it of further tools, if it wants to know."""
        if callable(getattr(self._agent, "offer", None)):
            self._calls.call(lambda: self._agent.offer(copy.deepcopy(list(tools))))
