"""What goes over the wire to a model outside this process."""

from __future__ import annotations

import json
from typing import Any

from mondegreen.errors import ModelError
from mondegreen.types import Utterance


def question(said: Utterance) -> dict[str, Any]:
    """Return what a model is told of an utterance.

    >>> question(Utterance.of("u1", "play jazz"))
    {'id': 'u1', 'text': 'play jazz', 'tokens': ['play', 'jazz']}
    """
    return {"id": said.id, "text": said.text, "tokens": list(said.tokens)}


def decoded(answer: bytes, whose: str) -> Any:
    """Read JSON; a number that is none is let through, to be told of with its utterance.

    Raises:
        ModelError: if it is not JSON.
    """
    try:
        return json.loads(answer)
    except (ValueError, RecursionError) as error:
        shown = answer[:60].decode(errors="replace")
        raise ModelError(f"{whose} is not JSON ({error}): {shown!r}") from None
