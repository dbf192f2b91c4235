"""What became of the values of a conversation: heard, lost, taken back, asked for."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from mondegreen.data.answers.conversations import Call
from mondegreen.data.answers.grounding import SEPARATOR
from mondegreen.data.dialogues.cases import DialogueCase, simple
from mondegreen.data.dialogues.transcripts import REACTIONS, Exchange, HeardValue, Transcript
from mondegreen.data.states import LOST
from mondegreen.metrics.calls.rules import argument_right, properties_of
from mondegreen.types import MadeCall


class WantedCall(NamedTuple):
    """An expected call: its turn, and the how-manieth of that turn it is."""

    turn: int
    number: int
    call: Call


class Value(NamedTuple):
    """An expected argument: how its words came through, and what the agent made of it."""

    turn: int
    name: str
    lost: bool
    corrected: bool
    asked: bool
    right: bool
    stale: bool
    misheard: bool


def value_of(
    case: DialogueCase,
    transcript: Transcript,
    wanted: WantedCall,
    name: str,
    calls: Sequence[MadeCall],
) -> Value:
    """Return what became of an argument of an expected call.

    Args:
        case: the case.
        transcript: the conversation.
        wanted: the expected call.
        name: the argument.
        calls: the call that answers the expected one, if any, then others of the same tool.
    """
    turn, number, call = wanted
    parameters = case.functions.get(call.name, {}).get("parameters") or {}
    schema = properties_of(parameters).get(name, {})
    given = [one.arguments.get(name) for one in calls]
    right = [
        one is not None and argument_right(schema, one, call.arguments[name], parameters)
        for one in given
    ]
    said = [
        "" if fine or one is None else simple(str(one))
        for fine, one in zip(right, given, strict=True)
    ]
    heard = _heard(transcript.exchanges, turn, number, name)
    lost_words = {simple(one.words) for one in heard if one.state == LOST}
    taken_back = {simple(one.taken_back) for one in heard if one.taken_back}
    lost = bool(heard) and heard[0].state == LOST
    return Value(
        turn,
        name,
        lost,
        bool(taken_back),
        any(_asks(one, turn, name) for one in transcript.exchanges),
        any(right[:1]),
        stale=any(f"{old} ".startswith(f"{one} ") for one in said[:1] if one for old in taken_back),
        misheard=any(
            one in lost_words or _only_heard(transcript.exchanges, one) for one in said if one
        ),
    )


def _only_heard(exchanges: Sequence[Exchange], words: str) -> bool:
    """Return whether words, or they with the word before, were heard more often than said.

    "under miller" that was heard as "for miller" makes an agent take a name for a number.
    """
    heard = " ".join(simple(one.heard_words) for one in exchanges)
    said = " ".join(simple(one.said_words) for one in exchanges)
    led = re.findall(rf"(?<!\S)\S+ {re.escape(words)}(?!\S)", heard)
    return any(_times(one, heard) > _times(one, said) for one in (words, *led))


def _times(words: str, text: str) -> int:
    """Return how often words are in a text.

    >>> _times("for", "at ten for for four")
    2
    """
    wide = text.replace(" ", "  ")  # so that two in a row do not share a space
    return f" {wide} ".count(f" {words.replace(' ', '  ')} ")


def _heard(exchanges: Sequence[Exchange], turn: int, number: int, name: str) -> list[HeardValue]:
    """Return how a value was heard each time: in its turn, or in the nearest one before it."""
    numbered = f"{name}{SEPARATOR}{number}" if number > 1 else name
    for place in range(turn, -1, -1):
        here = [one for exchange in exchanges if exchange.turn == place for one in exchange.values]
        for label in (numbered, name):
            found = [one for one in here if one.name.partition(".")[0] == label]
            if found:
                return found
    return []


def _asks(exchange: Exchange, turn: int, name: str) -> bool:
    """Return whether these words answer a question for a value, or for all of the turn."""
    if exchange.kind not in REACTIONS or exchange.turn != turn:
        return False
    names = {one.partition(SEPARATOR)[0].partition(".")[0] for one in exchange.asked}
    return not names or name in names


def leaves(value: Any) -> list[str]:
    """Return the single values of an argument as plain texts; true and false are never said.

    >>> leaves({"to": ["Anna", 4], "urgent": True})
    ['anna', '4']
    """
    if isinstance(value, Mapping):
        value = list(value.values())
    if isinstance(value, list | tuple):
        return [leaf for one in value for leaf in leaves(one)]
    if value is None or isinstance(value, bool):
        return []
    plain = simple(str(value))
    return [plain] if plain else []
