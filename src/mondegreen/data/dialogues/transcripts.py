"""Transcripts: what a caller meant and said, what was heard, and what the agent answered."""

from __future__ import annotations

from typing import Any

import msgspec

from mondegreen.types import MadeCall

TURN, HALF, REST, CORRECTION, ANSWER, CONFIRMATION, DENIAL, REPEAT = KINDS = (
    "turn", "half", "rest", "correction", "answer", "confirmation", "denial", "repeat",
)  # fmt: skip
"""What the caller does: says a turn of the case, or half of it, or the rest; corrects a value of
the turn before; answers a question with a value, confirms or denies one; says the turn again."""
REACTIONS = (ANSWER, CONFIRMATION, DENIAL, REPEAT)
"""What the caller says only because the agent has asked."""
DONE, GAVE_UP, FAILED = ENDS = ("done", "gave up", "failed")
"""How a conversation ends: all turns were said, the caller gave up, or the agent failed."""


class HeardValue(msgspec.Struct, frozen=True, omit_defaults=True):
    """A value of the words: its state, what was heard of it, what the caller took back."""

    name: str
    state: str
    words: str = ""
    taken_back: str | None = None


class Exchange(msgspec.Struct, frozen=True, omit_defaults=True):
    """What the caller said at one go, and the answer of the agent.

    ``asked`` are the values that the agent had asked for, and that these words give. ``said`` is
    ``None`` if it is what was meant, ``heard`` if it is what was said.
    """

    turn: int
    kind: str
    meant: str
    said: str | None = None
    heard: str | None = None
    values: tuple[HeardValue, ...] = ()
    asked: tuple[str, ...] = ()
    reply: str = ""
    calls: tuple[MadeCall, ...] = ()
    results: tuple[Any, ...] = ()
    understood: bool = True
    """Whether the caller understood what the agent had asked."""

    @property
    def said_words(self) -> str:
        """What the caller said."""
        return self.meant if self.said is None else self.said

    @property
    def heard_words(self) -> str:
        """What the agent was given."""
        return self.said_words if self.heard is None else self.heard


class StateCheck(msgspec.Struct, frozen=True, omit_defaults=True):
    """Whether the tools had the right state after each turn, and what differs if not."""

    turns: tuple[bool, ...]
    differences: str = ""

    @property
    def right(self) -> bool:
        """Whether the state was right after every turn."""
        return all(self.turns)


class Transcript(msgspec.Struct, frozen=True, omit_defaults=True):
    """A conversation: its exchanges, how it ended, and whether the tools had the right state."""

    id: str
    exchanges: tuple[Exchange, ...] = ()
    ended: str = DONE
    error: str = ""
    state: StateCheck | None = None
    tokens: dict[str, int] = {}
