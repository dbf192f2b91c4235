"""An agent behind OpenAI's chat completions with tools: ``openai:BASE_URL#MODEL``, in a loop.

What the model says and calls becomes the conversation; the results of the tools are sent back
until the model answers without a call. The key is read from OPENAI_API_KEY, and never stored.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from mondegreen.conversations.agents.loading import AgentReach
from mondegreen.conversations.agents.protocol import Agent, Reply, Session, checked
from mondegreen.data.answers.calls import calls_prediction
from mondegreen.data.answers.conversations import functions_of
from mondegreen.errors import ModelError
from mondegreen.models.openai import KEY, sent_functions, sent_names
from mondegreen.models.posting import Poster
from mondegreen.models.wire import without_password
from mondegreen.types import MadeCall


class OpenAIAgent(Agent):
    """Holds conversations with a chat model.

    Raises:
        ModelError: if the address or the model is missing.
    """

    def __init__(self, name: str, reach: AgentReach) -> None:
        url, _, model = name.partition("#")
        if not model or not url:
            raise ModelError(
                f"openai:{name}: write openai:BASE_URL#MODEL, such as "
                "openai:http://127.0.0.1:8000/v1#smollm2"
            )
        key = os.environ.get(KEY, "").strip()
        address = f"{url.rstrip('/')}/chat/completions"
        self.poster = Poster(address, reach.timeout, reach.retries, key=key)
        self.settings: dict[str, Any] = {"model": model}
        if reach.temperature is not None:
            self.settings["temperature"] = reach.temperature
        if reach.max_tokens is not None:
            self.settings["max_tokens"] = reach.max_tokens
        self.system = reach.system
        shown = "".join(f"|{key}:{value}" for key, value in self.settings.items() if key != "model")
        shown += f"|system:{len(reach.system)} characters" if reach.system else ""
        self.signature = f"openai:{without_password(url)}#{model}{shown}"

    def start(self, tools: Sequence[Mapping[str, Any]], case: str) -> Session:  # noqa: ARG002 (the model is not told)
        """Start a conversation."""
        return _OpenAISession(self, tools)

    def close(self) -> None:
        """End the requests under way."""
        self.poster.close()


class _OpenAISession(Session):
    def __init__(self, agent: OpenAIAgent, tools: Sequence[Mapping[str, Any]]) -> None:
        self._agent = agent
        self._messages: list[dict[str, Any]] = []
        if agent.system:
            self._messages.append({"role": "system", "content": agent.system})
        self._tools: list[Mapping[str, Any]] = list(tools)
        self._calls: list[str] = []
        self._tokens: Counter[str] = Counter()

    def say(self, text: str) -> Reply:
        """Ask the model for its answer."""
        self._messages.append({"role": "user", "content": text})
        return self._asked()

    def results(self, results: Sequence[Any]) -> Reply:
        """Give the model the results of its calls."""
        for id, result in zip(self._calls, results, strict=False):
            content = result if isinstance(result, str) else json.dumps(result, default=str)
            self._messages.append({"role": "tool", "tool_call_id": id, "content": content})
        return self._asked()

    def offer(self, tools: Sequence[Mapping[str, Any]]) -> None:
        """Send further tools from now on."""
        self._tools += tools

    def take_tokens(self) -> dict[str, int]:
        """Return how many tokens were sent and answered."""
        return dict(self._tokens)

    def _asked(self) -> Reply:
        functions = functions_of(self._tools)
        body = {**self._agent.settings, "messages": self._messages}
        if functions:
            sent = sent_functions(functions)
            body["tools"] = [{"type": "function", "function": one} for one in sent]
            body["tool_choice"] = "auto"  # OpenAI's default; some servers offer no tools without it
        answer = self._agent.poster.ask(body, f"{self._agent.poster.name}: the answer")
        if not isinstance(answer, Mapping) or not answer.get("choices"):
            raise ModelError(f"{self._agent.poster.name}: the answer has no key 'choices'")
        self._count(answer.get("usage"))
        return self._read(answer, sent_names(functions))

    def _read(self, answer: Mapping[str, Any], sent: Mapping[str, str]) -> Reply:
        found = calls_prediction("", answer)
        names = {allowed: name for name, allowed in sent.items()}
        calls = tuple(MadeCall(names.get(c.name, c.name), c.arguments) for c in found.calls or ())
        reply = checked(Reply(found.text or "", calls, awaits=bool(calls)))
        message: dict[str, Any] = {"role": "assistant", "content": found.text or ""}
        self._calls = [f"call_{len(self._messages)}_{at}" for at in range(len(calls))]
        if calls:
            message["tool_calls"] = [
                {
                    "id": id,
                    "type": "function",
                    "function": {
                        "name": sent.get(call.name, call.name),
                        "arguments": json.dumps(call.arguments),
                    },
                }
                for id, call in zip(self._calls, calls, strict=True)
            ]
        self._messages.append(message)
        return reply

    def _count(self, usage: object) -> None:
        if isinstance(usage, Mapping):
            for name in ("prompt_tokens", "completion_tokens"):
                n = usage.get(name)
                self._tokens[name] += n if isinstance(n, int) else 0
