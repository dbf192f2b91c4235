"""What an agent is to the caller: sessions that answer words with words and calls."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, Self

import msgspec

from mondegreen.data.answers.calls import calls_prediction, holds_calls
from mondegreen.errors import ModelError
from mondegreen.types import MadeCall

MOST_TEXT, MOST_CALLS, MOST_STEPS = 20_000, 64, 25
"""How much an agent may say and call in one answer, and how often it may go on calling."""
AWAITS = "awaits_results"
"""The key of an answer that waits for the results of its calls."""


class Reply(NamedTuple):
    """What an agent said and called; ``awaits`` means that it goes on once it has the results."""

    text: str
    calls: tuple[MadeCall, ...] = ()
    awaits: bool = False


class Session:
    """One conversation with an agent."""

    def say(self, text: str) -> Reply:
        """Say something to the agent."""
        raise NotImplementedError

    def results(self, results: Sequence[Any]) -> Reply:
        """Give the results of the last calls to an agent that waits for them."""
        raise NotImplementedError

    def offer(self, tools: Sequence[Mapping[str, Any]]) -> None:
        """Tell the agent of tools that it did not have before."""

    def take_tokens(self) -> dict[str, int]:
        """Return how many tokens the model of the agent has counted."""
        return {}

    def close(self) -> None:
        """End the conversation."""


class Agent:
    """Makes sessions, one per conversation."""

    signature: str
    """Identifies the agent; a run is continued only with the same one."""

    def start(self, tools: Sequence[Mapping[str, Any]], case: str) -> Session:
        """Start a conversation.

        Args:
            tools: the tools of the case.
            case: the id of the case, for messages.
        """
        raise NotImplementedError

    def close(self) -> None:
        """Close processes and connections."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def reply_of(answer: object, *, awaits: bool = False) -> Reply:
    """Read the answer of an agent: a text, or ``{"text", "calls"}``.

    >>> reply_of({"text": "Done.", "calls": [{"name": "book", "arguments": {"people": 4}}]})
    Reply(text='Done.', calls=(MadeCall(name='book', arguments={'people': 4}),), awaits=False)

    Raises:
        ModelError: if it is something else, or too much.
    """
    if isinstance(answer, str):
        answer = {"text": answer}
    if not isinstance(answer, Mapping):
        raise ModelError(f'the agent must answer {{"text", "calls"}}, got {answer!r:.60}')
    text = answer.get("text", answer.get("content"))
    if text is not None and not isinstance(text, str):
        raise ModelError(f"the text of the answer is {text!r:.60}; give a text")
    if text is None and not holds_calls(answer):
        raise ModelError(f"the answer has neither text nor calls: {answer!r:.60}")
    found = calls_prediction("", answer).calls if holds_calls(answer) else ()
    return checked(Reply(text or "", found or (), awaits or answer.get(AWAITS) is True))


def plain(results: Sequence[Any]) -> list[Any]:
    """Return results of tools that JSON can hold."""
    found: list[Any] = json.loads(json.dumps(list(results), default=str))
    return found


def checked(reply: Reply) -> Reply:
    """Return a reply that is not too long, and that can be stored.

    Raises:
        ModelError: if it is, or cannot.
    """
    if len(reply.text) > MOST_TEXT:
        raise ModelError(
            f"the agent said {len(reply.text):,} characters at once; {MOST_TEXT:,} are allowed"
        )
    if len(reply.calls) > MOST_CALLS:
        raise ModelError(
            f"the agent made {len(reply.calls):,} calls at once; {MOST_CALLS} are allowed"
        )
    try:
        msgspec.json.encode(reply)
    except (ValueError, TypeError, OverflowError, RecursionError) as error:
        raise ModelError(
            f"the answer cannot be stored ({error}): half a character, a number of more than 64 "
            "bits, values too deep in each other, or not JSON"
        ) from None
    return reply
