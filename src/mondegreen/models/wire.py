"""JSON to and from models outside this process."""

from __future__ import annotations

import json
from typing import Any

from mondegreen.data.answers.conversations import messages_of
from mondegreen.errors import AnswerError
from mondegreen.types import Utterance


def question(utterance: Utterance) -> dict[str, Any]:
    """Return the record of an utterance that a model receives; a turn has its conversation.

    >>> question(Utterance.of("u1", "play jazz"))
    {'id': 'u1', 'text': 'play jazz', 'tokens': ['play', 'jazz']}
    """
    asked: dict[str, Any] = {
        "id": utterance.id,
        "text": utterance.text,
        "tokens": list(utterance.tokens),
    }
    messages = messages_of(utterance)
    if messages is not None:
        asked |= {"messages": messages, "tools": dict(utterance.extra).get("tools", [])}
    return asked


def without_password(url: str) -> str:
    """Return an address with its password masked; anything else is returned as it is.

    >>> without_password("http://me:secret@localhost:8000/predict")
    'http://me:***@localhost:8000/predict'
    """
    scheme, separator, rest = url.partition("://")
    host, slash, path = rest.partition("/")
    if "@" not in host and not _has_port(host):  # a password with a slash, or half an address
        host, slash, path = rest, "", ""
    account, at, server = host.rpartition("@")
    name, colon, _ = account.partition(":")
    if not (separator and at and colon):
        return url
    return f"{scheme}://{name}:***@{server}{slash}{path}"


def _has_port(host: str) -> bool:
    """Return whether a host has no port, or one that is a number."""
    _, colon, port = host.rpartition("]")[2].partition(":")
    return not colon or port.isdecimal()


def decode_json(answer: bytes, name: str) -> Any:
    """Decode a JSON answer; ``name`` describes the answer in messages.

    NaN and infinity are accepted here and rejected later, with the id of the utterance.

    Raises:
        AnswerError: if the answer is not JSON.
    """
    try:
        return json.loads(answer)
    except (ValueError, RecursionError, MemoryError) as error:
        shown = answer[:60].decode(errors="replace")
        raise AnswerError(f"{name} is not JSON ({error}): {shown!r}") from None
