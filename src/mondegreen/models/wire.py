"""JSON to and from models outside this process."""

from __future__ import annotations

import json
from typing import Any

from mondegreen.data.conversations import messages_of
from mondegreen.errors import ModelError
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


def decode_json(answer: bytes, name: str) -> Any:
    """Decode a JSON answer; ``name`` describes the answer in messages.

    NaN and infinity are accepted here and rejected later, with the id of the utterance.

    Raises:
        ModelError: if the answer is not JSON.
    """
    try:
        return json.loads(answer)
    except (ValueError, RecursionError) as error:
        shown = answer[:60].decode(errors="replace")
        raise ModelError(f"{name} is not JSON ({error}): {shown!r}") from None
