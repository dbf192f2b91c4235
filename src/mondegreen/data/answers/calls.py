"""The calls in a model's answer: ours, OpenAI's, and those of BFCL's result files."""

from __future__ import annotations

import ast
import json
import warnings
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from mondegreen.data.answers.code import code_calls
from mondegreen.data.answers.conversations import language_of_id
from mondegreen.data.formats.format import double_id
from mondegreen.data.formats.jsonl import json_records
from mondegreen.errors import DataError, ModelError
from mondegreen.kernel import Ids
from mondegreen.types import MadeCall, Prediction

KEYS = ("calls", "tool_calls", "result", "choices", "message")
"""The keys of an answer that may hold calls."""
NOT_JSON = "(not JSON)"
"""The name of the only argument of a call whose arguments cannot be read."""
NO_CALL = "none"
"""The label of an answer without a call."""


def holds_calls(answer: object) -> bool:
    """Return whether an answer is one of calls."""
    return isinstance(answer, Mapping) and any(key in answer for key in KEYS)


def calls_prediction(id: str, answer: Mapping[str, Any]) -> Prediction:
    """Read the calls of an answer; an answer without a call may have a text.

    >>> calls_prediction("1", {"tool_calls": [{"function": {"name": "f", "arguments": "{}"}}]})
    Prediction(id='1', label='f', calls=(MadeCall(name='f', arguments={}),))

    Raises:
        ModelError: if the answer is of another form.
    """
    message = _message(id, answer)
    calls = tuple(_calls(id, message))
    text = message.get("content", message.get("text"))
    label = "+".join(call.name for call in calls) or NO_CALL
    return Prediction(id, label=label, calls=calls, text=text if isinstance(text, str) else None)


def _message(id: str, answer: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the message of an answer, which may be a whole response of OpenAI's interface."""
    if "choices" in answer:
        choices = answer["choices"]
        if not isinstance(choices, list) or not choices or not isinstance(choices[0], Mapping):
            raise ModelError(
                f"case {id!r}: the response has no choice; its choices: {choices!r:.60}"
            )
        answer = choices[0]
    message = answer.get("message", answer)
    if not isinstance(message, Mapping):
        raise ModelError(f"case {id!r}: the message is not an object: {message!r:.60}")
    return message


def _calls(id: str, message: Mapping[str, Any]) -> Iterator[MadeCall]:
    given = next((message[key] for key in KEYS[:3] if message.get(key) is not None), None) or []
    if isinstance(given, str):
        given = _python_calls(given) if language_of_id(id) is None else code_calls(given)
    if not isinstance(given, list):
        raise ModelError(f"case {id!r}: a list of calls is expected, got {given!r:.60}")
    for one in given:
        call = one.get("function", one) if isinstance(one, Mapping) else one
        if isinstance(call, Mapping) and isinstance(call.get("name"), str):
            yield MadeCall(call["name"], _arguments(id, call.get("arguments")))
        elif isinstance(call, Mapping) and len(call) == 1:  # BFCL: {"name": arguments}
            ((name, arguments),) = call.items()
            yield MadeCall(str(name), _arguments(id, arguments))
        else:
            raise ModelError(f"case {id!r}: a call needs a name and arguments, got {call!r:.60}")


def _arguments(id: str, given: object) -> dict[str, Any]:
    """Return arguments; those that are not JSON are kept as one argument, which is always wrong."""
    if given is None:
        return {}
    if isinstance(given, str):
        try:
            given = json.loads(given) if given.strip() else {}
            msgspec.json.encode(given)  # what cannot be stored cannot be right
        except (ValueError, RecursionError, MemoryError, OverflowError) as error:
            warnings.warn(
                f"case {id!r}: the arguments of a call are not JSON ({error}); the call counts as "
                "wrong",
                stacklevel=2,
            )
            return {NOT_JSON: given}
    return dict(given) if isinstance(given, Mapping) else {NOT_JSON: given}


def _python_calls(text: str) -> list[dict[str, Any]]:
    """Read calls that are written as Python, ``[f(a=1)]``; anything else is a text."""
    try:
        parsed = ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return []
    nodes: Sequence[ast.expr] = parsed.elts if isinstance(parsed, ast.List) else [parsed]
    found = []
    for node in nodes:
        if not isinstance(node, ast.Call) or node.args:
            return []
        try:
            arguments = {str(k.arg): ast.literal_eval(k.value) for k in node.keywords}
        except (ValueError, TypeError, RecursionError, MemoryError):
            arguments = {NOT_JSON: ast.unparse(node)}
        found.append({"name": ast.unparse(node.func), "arguments": arguments})
    return found


def call_answers(path: Path) -> Iterator[Prediction]:
    """Yield the answers of a file of JSON lines.

    Raises:
        DataError: naming the line that is wrong, or whose id has occurred before.
    """
    ids = Ids()
    for number, record in json_records(path):
        id = str(record.get("id", number))
        if not ids.add(id):
            raise double_id(path, number, id)
        try:
            yield calls_prediction(id, record)
        except ModelError as error:
            raise DataError.at(path, number, str(error)) from None
