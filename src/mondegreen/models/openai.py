"""A model behind OpenAI's chat completions with tools: ``openai:BASE_URL#MODEL``.

Any compatible server will do: OpenAI, vLLM, llama.cpp, Ollama. The key is read from the
environment variable OPENAI_API_KEY, and never stored.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from threading import Lock
from typing import Any

from mondegreen.data.answers.calls import calls_prediction
from mondegreen.data.answers.conversations import functions_of, messages_of
from mondegreen.errors import ModelError
from mondegreen.models.posting import Poster, StatusError
from mondegreen.models.protocol import Model
from mondegreen.models.wire import decode_json, without_password
from mondegreen.types import MadeCall, Prediction, Utterance

KEY = "OPENAI_API_KEY"
CHOICES = ("auto", "required", "named")
_UNAUTHORISED, _FORBIDDEN, _NOT_FOUND = 401, 403, 404
_BATCH = 8  # requests per thread between two commits of a run
_SCHEMA_TYPES = {"dict": "object", "float": "number", "tuple": "array", "any": "string"}
"""BFCL's names of types, which JSON schemas do not have."""


class OpenAIModel(Model):
    """Sends each conversation with its tools, and reads the calls of the answer.

    Raises:
        ModelError: if the address or the model is missing.
    """

    batch_is_set = True

    def __init__(
        self,
        name: str,
        *,
        timeout: float,
        retries: int,
        concurrency: int,
        temperature: float | None = None,
        tool_choice: str = "auto",
        max_tokens: int | None = None,
    ) -> None:
        url, hash, model = name.partition("#")
        if not hash or not model or not url:
            raise ModelError(
                f"openai:{name}: write openai:BASE_URL#MODEL, such as "
                "openai:http://127.0.0.1:8000/v1#smollm2"
            )
        if tool_choice not in CHOICES:
            raise ModelError(f"tool choice {tool_choice!r}; give one of {', '.join(CHOICES)}")
        key = os.environ.get(KEY)
        headers = {"Authorization": f"Bearer {key}"} if key else {}
        self._poster = Poster(f"{url.rstrip('/')}/chat/completions", timeout, retries, headers)
        self._model, self._temperature, self._choice = model, temperature, tool_choice
        self._max_tokens = max_tokens
        settings = f"|temperature:{temperature:g}" if temperature is not None else ""
        settings += f"|max_tokens:{max_tokens}" if max_tokens is not None else ""
        settings += f"|tool_choice:{tool_choice}" if tool_choice != CHOICES[0] else ""
        self.signature = f"openai:{without_password(url)}#{model}{settings}"
        self.batch = _BATCH * concurrency
        self._pool = ThreadPoolExecutor(concurrency)
        self._tokens: Counter[str] = Counter()
        self._lock = Lock()

    def predict(self, batch: Sequence[Utterance]) -> list[Prediction]:
        """Ask about each conversation.

        Raises:
            ModelError: naming the case, if there is no answer after all attempts, or a bad one.
        """
        try:
            return list(self._pool.map(self._ask, batch))
        except (KeyboardInterrupt, SystemExit):
            self.close()
            raise

    def take_tokens(self) -> dict[str, int]:
        """Return how many tokens were sent and answered since the last call."""
        with self._lock:
            found, self._tokens = dict(self._tokens), Counter()
        return found

    def close(self) -> None:
        """End the requests under way and shut down the threads, without waiting for answers."""
        self._poster.close()
        self._pool.shutdown(cancel_futures=True)

    def _ask(self, utterance: Utterance) -> Prediction:
        messages = messages_of(utterance)
        if messages is None:
            raise ModelError(
                f"utterance {utterance.id!r} belongs to no conversation; openai: models need cases "
                "with messages and tools"
            )
        tools: Any = dict(utterance.extra).get("tools") or []
        names = {_sent_name(name): name for name in functions_of(tools)}
        body = self._body(messages, tools)
        try:
            content = self._poster.post(json.dumps(body).encode())
        except StatusError as error:
            raise ModelError(self._advice(error)) from None
        except ModelError as error:
            raise ModelError(f"case {utterance.id!r}: {error}") from None
        where = f"{self._poster.name}: case {utterance.id!r}: the answer"
        answer = decode_json(content, where)
        if not isinstance(answer, Mapping) or "choices" not in answer:
            raise ModelError(
                f"{where} has no key 'choices': {content[:80].decode(errors='replace')!r}"
            )
        self._count(answer.get("usage"))
        found = calls_prediction(utterance.id, answer)
        calls = tuple(MadeCall(names.get(c.name, c.name), c.arguments) for c in found.calls or ())
        label = "+".join(call.name for call in calls) or found.label
        return Prediction(utterance.id, label=label, calls=calls, text=found.text)

    def _body(self, messages: list[dict[str, Any]], tools: Sequence[Any]) -> dict[str, Any]:
        body: dict[str, Any] = {"model": self._model, "messages": messages}
        if self._temperature is not None:
            body["temperature"] = self._temperature
        if self._max_tokens is not None:
            body["max_tokens"] = self._max_tokens
        if not tools:
            return body
        functions = [sent_function(one) for one in functions_of(tools).values()]
        body["tools"] = [{"type": "function", "function": one} for one in functions]
        body["tool_choice"] = self._choice
        if self._choice == "named":
            body["tool_choice"] = {"type": "function", "function": {"name": functions[0]["name"]}}
        return body

    def _count(self, usage: object) -> None:
        if isinstance(usage, Mapping):
            with self._lock:
                for name in ("prompt_tokens", "completion_tokens"):
                    n = usage.get(name)
                    self._tokens[name] += n if isinstance(n, int) else 0

    def _advice(self, error: StatusError) -> str:
        if error.status in (_UNAUTHORISED, _FORBIDDEN):
            return f"{error}; set the key of the server in the environment variable {KEY}"
        if error.status == _NOT_FOUND:
            return f"{error}; is there a model {self._model!r}, and does the address end in /v1?"
        return str(error)


def _sent_name(name: str) -> str:
    """Return a name that the interface allows: BFCL's names have dots.

    >>> _sent_name("spotify.play")
    'spotify_play'
    """
    return "".join(c if c.isascii() and (c.isalnum() or c in "_-") else "_" for c in name)[:64]


def sent_function(function: Mapping[str, Any]) -> dict[str, Any]:
    """Return a tool as it is sent: an allowed name, and a JSON schema.

    >>> sent_function({"name": "a.b", "parameters": {"type": "dict", "properties": {}}})
    {'name': 'a_b', 'parameters': {'type': 'object', 'properties': {}}}
    """
    sent = {**function, "name": _sent_name(str(function["name"]))}
    if "parameters" in sent:
        sent["parameters"] = _json_schema(sent["parameters"])
    return sent


def _json_schema(schema: Any) -> Any:
    if isinstance(schema, list):
        return [_json_schema(one) for one in schema]
    if not isinstance(schema, Mapping):
        return schema
    found = {key: _json_schema(value) for key, value in schema.items()}
    if isinstance(found.get("type"), str):
        found["type"] = _SCHEMA_TYPES.get(found["type"], found["type"])
    return found
