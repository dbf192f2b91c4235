"""Load an agent by its name: the prefix says how to reach it."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from mondegreen.conversations.agents.protocol import Agent
from mondegreen.errors import ModelError, PluginError
from mondegreen.plugins import Registry

WAYS = """python:package.module:factory, http://…, openai:BASE_URL#MODEL, command:PROGRAM \
ARGUMENTS, livekit:package.module:Agent, or pipecat:ws://…"""
TIMEOUT, RETRIES = 60.0, 2


class AgentReach(NamedTuple):
    """How to reach an agent: seconds per answer, attempts, and settings of a model behind it."""

    timeout: float = TIMEOUT
    retries: int = RETRIES
    temperature: float | None = None
    max_tokens: int | None = None
    system: str = ""


Factory = Callable[[str, AgentReach], Agent]
"""Makes an agent from the part of its name after the prefix."""
_HERE = "mondegreen.conversations.agents.loading"
AGENTS: Registry[Factory] = Registry(
    "kind of agent",
    "mondegreen.agents",
    {
        name: f"{_HERE}:_{name}"
        for name in ("python", "http", "https", "openai", "command", "livekit", "pipecat")
    },
)
"""Factories by the prefix of the name; packages add others by entry points."""


def load_agent(spec: str, reach: AgentReach | None = None) -> Agent:
    """Load an agent by its name.

    Args:
        spec: ``python:…``, ``http://…``, ``openai:BASE_URL#MODEL``, ``command:…``, ``livekit:…``,
            ``pipecat:ws://…``, or a prefix that a plugin adds.
        reach: how to reach it.

    Raises:
        ModelError: if there is no such agent, or if it cannot be loaded.
    """
    prefix, colon, rest = str(spec).partition(":")
    if not colon or prefix not in AGENTS:
        raise ModelError(f"{spec}: there is no such agent; give {WAYS}")
    try:
        return AGENTS[prefix](rest, reach or AgentReach())
    except PluginError as error:
        raise ModelError(str(error)) from None


def _python(rest: str, reach: AgentReach) -> Agent:
    from mondegreen.conversations.agents.python import PythonAgent

    return PythonAgent.named(rest, reach.timeout)


def _http(rest: str, reach: AgentReach, scheme: str = "http") -> Agent:
    from mondegreen.conversations.agents.http import HttpAgent

    return HttpAgent(f"{scheme}:{rest}", reach.timeout, reach.retries)


def _https(rest: str, reach: AgentReach) -> Agent:
    return _http(rest, reach, "https")


def _openai(rest: str, reach: AgentReach) -> Agent:
    from mondegreen.conversations.agents.openai import OpenAIAgent

    return OpenAIAgent(rest, reach)


def _command(rest: str, reach: AgentReach) -> Agent:
    from mondegreen.conversations.agents.command import CommandAgent

    return CommandAgent(rest, reach.timeout)


def _livekit(rest: str, reach: AgentReach) -> Agent:
    from mondegreen.conversations.agents.livekit import LiveKitAgent

    return LiveKitAgent.named(rest, reach.timeout)


def _pipecat(rest: str, reach: AgentReach) -> Agent:
    from mondegreen.conversations.agents.pipecat import PipecatAgent

    return PipecatAgent(rest, reach.timeout)
