"""Conversations: messages, tools and expected calls, kept beside the turn that is perturbed.

An utterance of a conversation holds the text of one user turn. The rest is in ``extra``:
``messages``, ``tools``, ``expected``, and ``turn``, the place of that turn among the messages.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec

from mondegreen.errors import DataError
from mondegreen.types import Utterance

USER = "user"
CONTEXT = ("messages", "tools", "turn")
"""The columns that a model is shown; what is expected is not among them."""
LANGUAGE = "language"
"""The key of the parameters of a tool that names the language of its function."""
JAVA, JAVASCRIPT = "java", "javascript"


class Call(msgspec.Struct, frozen=True):
    """A call that is expected: the name of a tool, and the possible values of each argument.

    An argument whose possible values include the empty text may be left out.
    """

    name: str
    arguments: dict[str, list[Any]]


def text_of(message: Mapping[str, Any]) -> str | None:
    """Return the text of a message; of several parts, the only text; ``None`` without a text."""
    content = message.get("content")
    if isinstance(content, list):
        texts = [part.get("text") for part in content if isinstance(part, Mapping)]
        content = texts[0] if len(texts) == 1 else None
    return content if isinstance(content, str) else None


def user_turns(messages: Sequence[Mapping[str, Any]]) -> list[int]:
    """Return the places of the turns of the user that have a text."""
    return [
        at
        for at, message in enumerate(messages)
        if message.get("role") == USER and (text_of(message) or "").strip()
    ]


def with_text(messages: Sequence[Mapping[str, Any]], turn: int, text: str) -> list[dict[str, Any]]:
    """Return messages in which one turn has another text.

    >>> with_text([{"role": "user", "content": "hi"}], 0, "uh hi")
    [{'role': 'user', 'content': 'uh hi'}]
    """
    changed = [dict(message) for message in messages]
    content: Any = text
    if isinstance(changed[turn]["content"], list):
        content = [{**changed[turn]["content"][0], "text": text}]
    changed[turn]["content"] = content
    return changed


def messages_of(utterance: Utterance) -> list[dict[str, Any]] | None:
    """Return the messages of a conversation with the text of the utterance in its turn.

    ``None`` if the utterance belongs to no conversation.
    """
    extra = dict(utterance.extra)
    messages: Any = extra.get("messages")
    if not isinstance(messages, list) or not messages:
        return None
    return with_text(messages, turn_of(utterance), utterance.text)


def turn_of(utterance: Utterance) -> int:
    """Return the place of an utterance among the messages of its conversation."""
    extra: dict[str, Any] = dict(utterance.extra)
    turn: int | None = extra.get("turn")
    return user_turns(extra["messages"])[-1] if turn is None else turn


def check_messages(messages: object, turn: object) -> None:
    """Check the messages beside a text: that they are messages, and that it is one of them.

    >>> check_messages([{"role": "user", "content": "hi"}], None)

    Raises:
        DataError: saying what is wrong.
    """
    if not isinstance(messages, list) or not messages:
        return  # a column that happens to have this name
    if not all(isinstance(one, Mapping) for one in messages):
        raise DataError(f"messages must be a list of objects, got {messages!r:.60}")
    turns = user_turns(messages)
    if not turns:
        raise DataError("messages has no turn of the user with a text")
    if turn is not None and turn not in turns:
        raise DataError(f"turn must be the place of a turn of the user, {turns}; got {turn!r:.60}")


def context_of(utterance: Utterance) -> tuple[tuple[str, object], ...]:
    """Return the columns that a model is shown beside the text."""
    return tuple([pair for pair in utterance.extra if pair[0] in CONTEXT])


def functions_of(tools: Sequence[Mapping[str, Any]]) -> dict[str, Mapping[str, Any]]:
    """Return tools by name, whether as OpenAI writes them or plain."""
    plain = [tool.get("function", tool) for tool in tools]
    return {str(tool["name"]): tool for tool in plain}


def language_of_id(id: str) -> str | None:
    """Return the language that the id of a case of BFCL names; ``None`` for Python.

    >>> language_of_id("simple_java_7"), language_of_id("simple_python_7")
    ('java', None)
    """
    parts = id.lower().split("_")
    return next((one for one in (JAVA, JAVASCRIPT) if one in parts), None)


def expected_of(utterance: Utterance) -> list[Call] | None:
    """Return the calls that are expected; ``None`` if the utterance says nothing of calls.

    Raises:
        DataError: if they are of another form.
    """
    given = dict(utterance.extra).get("expected")
    return None if given is None else calls_in(given)


def expects_calls(utterances: Iterable[Utterance]) -> bool:
    """Return whether utterances are cases of tool calls: calls are expected of one at least."""
    return any(expected_of(one) is not None for one in utterances)


def calls_in(given: object) -> list[Call]:
    """Read expected calls; a value that is not a list is the only possible one.

    >>> calls_in([{"name": "fly", "arguments": {"city": "Orlando"}}])
    [Call(name='fly', arguments={'city': ['Orlando']})]

    Raises:
        DataError: if they are of another form.
    """
    try:
        calls = msgspec.convert(given, list[_Expected])
    except msgspec.ValidationError as error:
        raise DataError(
            f"expected: {error}; write "
            '[{"name": "fly", "arguments": {"city": ["Orlando", "MCO"]}}]'
        ) from None
    return [
        Call(call.name, {k: v if isinstance(v, list) else [v] for k, v in call.arguments.items()})
        for call in calls
    ]


class _Expected(msgspec.Struct):
    name: str
    arguments: dict[str, Any] = {}
