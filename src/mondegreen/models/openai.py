"""A model behind OpenAI's chat completions with tools: ``openai:BASE_URL#MODEL``.

Any compatible server will do: OpenAI, vLLM, llama.cpp, Ollama. The key is read from the
environment variable OPENAI_API_KEY, and never stored.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from threading import Lock
from typing import Any

from mondegreen.data.answers.calls import calls_prediction
from mondegreen.data.answers.conversations import (
    JAVA,
    JAVASCRIPT,
    LANGUAGE,
    functions_of,
    messages_of,
)
from mondegreen.errors import ModelError
from mondegreen.models.partly import gathered
from mondegreen.models.posting import Poster, StatusError
from mondegreen.models.protocol import Model
from mondegreen.models.wire import without_password
from mondegreen.types import MadeCall, Prediction, Utterance

KEY = "OPENAI_API_KEY"
CHOICES = ("auto", "required", "named")
_UNAUTHORISED, _FORBIDDEN, _NOT_FOUND = 401, 403, 404
_BATCH = 8  # requests per thread between two commits of a run
_LONGEST_NAME = 64  # of a tool
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
        size: int | None = None,
    ) -> None:
        url, hash, model = name.partition("#")
        if not hash or not model or not url:
            raise ModelError(
                f"openai:{name}: write openai:BASE_URL#MODEL, such as "
                "openai:http://127.0.0.1:8000/v1#smollm2"
            )
        if tool_choice not in CHOICES:
            raise ModelError(f"tool choice {tool_choice!r}; give one of {', '.join(CHOICES)}")
        key = os.environ.get(KEY, "").strip()
        self._poster = Poster(f"{url.rstrip('/')}/chat/completions", timeout, retries, key=key)
        self._model, self._temperature, self._choice = model, temperature, tool_choice
        self._max_tokens = max_tokens
        settings = f"|temperature:{temperature:g}" if temperature is not None else ""
        settings += f"|max_tokens:{max_tokens}" if max_tokens is not None else ""
        settings += f"|tool_choice:{tool_choice}" if tool_choice != CHOICES[0] else ""
        self.signature = f"openai:{without_password(url)}#{model}{settings}"
        self.batch = size or _BATCH * concurrency
        self._pool = ThreadPoolExecutor(concurrency)
        self._tokens: Counter[str] = Counter()
        self._lock = Lock()

    def predict(self, batch: Sequence[Utterance]) -> list[Prediction]:
        """Ask about each conversation.

        Raises:
            ModelError: naming the case, if there is no answer after all attempts, or a bad one.
        """
        try:
            return gathered(self._pool, lambda part: [self._ask(part[0])], [[one] for one in batch])
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
        names = {sent: name for name, sent in sent_names(functions_of(tools)).items()}
        where = f"{self._poster.name}: case {utterance.id!r}: the answer"
        try:
            answer = self._poster.ask(self._body(messages, tools), where)
        except StatusError as error:
            raise ModelError(self._advice(error)) from None
        except ModelError as error:
            raise ModelError(f"case {utterance.id!r}: {error}") from None
        if not isinstance(answer, Mapping) or "choices" not in answer:
            raise ModelError(f"{where} has no key 'choices': {answer!r:.80}")
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
        functions = sent_functions(functions_of(tools))
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


def sent_names(names: Iterable[str]) -> dict[str, str]:
    """Return names that the interface allows, each for one tool: BFCL's names have dots.

    Tools that would get the same name are numbered in their order.

    >>> list(sent_names(["a.b", "a_b", "a b"]).values())
    ['a_b_2', 'a_b', 'a_b_3']
    """
    listed = list(dict.fromkeys(names))
    plain = {name: _allowed(name) for name in listed}
    found = {name: name for name in listed if plain[name] == name}  # those keep their names
    taken = set(found)
    for name in listed:
        sent, number = plain[name], 1
        while name not in found and sent in taken:
            number += 1
            sent = f"{plain[name][: _LONGEST_NAME - len(f'_{number}')]}_{number}"
        taken.add(found.setdefault(name, sent))
    return {name: found[name] for name in listed}


def _allowed(name: str) -> str:
    letters = (c if c.isascii() and (c.isalnum() or c in "_-") else "_" for c in name)
    return "".join(letters)[:_LONGEST_NAME] or "_"


def sent_functions(functions: Mapping[str, Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return tools as they are sent: allowed names, and JSON schemas.

    >>> tool = {"name": "a.b", "parameters": {"type": "dict", "properties": {}}}
    >>> sent_functions({"a.b": tool})
    [{'name': 'a_b', 'parameters': {'type': 'object', 'properties': {}}}]

    Raises:
        ModelError: if a schema is nested too deeply.
    """
    names = sent_names(functions)
    found = []
    for name, function in functions.items():
        sent = {**_in_texts(function), "name": names[name]}
        if "parameters" in sent:
            try:
                sent["parameters"] = _json_schema(sent["parameters"])
            except RecursionError:
                raise ModelError(f"the parameters of the tool {name!r:.60} are too deep") from None
        found.append(sent)
    return found


_SYNTAX = {JAVA: ("Java 8 SDK", "Java"), JAVASCRIPT: ("JavaScript", "JavaScript")}


def _in_texts(function: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return a function of Java or JavaScript as BFCL describes it: it takes texts of code."""
    parameters = function.get("parameters")
    language = parameters.get(LANGUAGE) if isinstance(parameters, Mapping) else None
    properties = parameters.get("properties") if isinstance(parameters, Mapping) else None
    if language not in _SYNTAX or not isinstance(properties, Mapping):
        return function
    syntax, name = _SYNTAX[str(language)]
    note = f" Note that the provided function is in {syntax} syntax."
    return {
        **function,
        "description": f"{function.get('description', '')}{note}",
        "parameters": {
            **{key: value for key, value in (parameters or {}).items() if key != LANGUAGE},
            "properties": {key: _text_of_code(value, name) for key, value in properties.items()},
        },
    }


def _text_of_code(schema: Mapping[str, Any], language: str) -> dict[str, Any]:
    named, found = schema.get("type", "any"), dict(schema)
    text = f" This is {language} {named} type parameter in string representation."
    if named == "any":
        text = f" This parameter can be of any type of {language} object in string representation."
    items = found.pop("items", None) if named in ("Array", "ArrayList", "array") else None
    if isinstance(items, Mapping):
        text += f" The list elements are of type {items.get('type')}; "
        text += "they are not in string representation."
    if named == "dict" and "properties" in found:
        text += " The dictionary entries have the following schema; they are not in string "
        text += f"representation. {json.dumps(found.pop('properties'))}"
    return {**found, "description": f"{schema.get('description', '')}{text}", "type": "string"}


def _json_schema(schema: Any) -> Any:
    if isinstance(schema, list):
        return [_json_schema(one) for one in schema]
    if not isinstance(schema, Mapping):
        return schema
    found = {key: _json_schema(value) for key, value in schema.items()}
    if isinstance(found.get("type"), str):
        found["type"] = _SCHEMA_TYPES.get(found["type"], found["type"])
    return found
