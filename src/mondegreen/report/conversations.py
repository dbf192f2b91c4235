"""Conversations for display: the turns, and the calls as expected and as made."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec

from mondegreen.data.answers.conversations import expected_of, messages_of, text_of, turn_of
from mondegreen.metrics.calls.matching import SAME, CallPair, call_pairs
from mondegreen.report.marked import ADDED, MISSED, Chip, MarkedLine, MarkedWord, edited_words
from mondegreen.runs.items import RunItem


class Message(msgspec.Struct, frozen=True):
    """A message: who says it, and its words, with marks where they were changed."""

    role: str
    marked: MarkedLine


class Conversation(msgspec.Struct, frozen=True):
    """A conversation, the calls that were expected and made, and what was said instead."""

    turns: tuple[Message, ...]
    calls: tuple[CallPair, ...]
    answer: str = ""


def conversation_of(item: RunItem) -> Conversation | None:
    """Return the conversation of an item; ``None`` if no call is expected of it."""
    if expected_of(item.utterance) is None:
        return None
    return Conversation(
        tuple(_turns(item)),
        tuple(call_pairs(item.utterance, item.prediction)),
        item.prediction.text or "",
    )


def _turns(item: RunItem) -> Iterator[Message]:
    messages = messages_of(item.utterance) or []
    changed = turn_of(item.utterance) if messages else None
    for at, message in enumerate(messages):
        words: Iterator[MarkedWord] = iter([MarkedWord(_content(message))])
        if at == changed:
            words = edited_words(item.utterance.tokens, item.edits, item.before)
        yield Message(str(message.get("role", "")), MarkedLine(tuple(words)))


def _content(message: Mapping[str, Any]) -> str:
    """Return the text of a message, or whatever else it holds as JSON."""
    text = text_of(message)
    if text:
        return text
    return msgspec.json.encode(message.get("tool_calls") or message.get("content")).decode()


def call_chips(calls: Sequence[CallPair]) -> Iterator[Chip]:
    """Yield the parts of calls for a list: tools and arguments, with what differs.

    >>> [chip.state for chip in call_chips([CallPair("fly", "ask", False, ())])]
    ['missed', 'added']
    """
    for call in calls:
        if call.expected == call.made:
            yield Chip(SAME, call.expected)
        else:
            yield from _both("", call.expected, call.made)
        for one in call.arguments:
            if one.state == SAME:
                yield Chip(SAME, one.made or one.expected, one.name)
            else:
                yield from _both(one.name, one.expected, one.made)
    if not calls:
        yield Chip(SAME, "no call")


def _both(label: str, expected: str, made: str) -> Iterator[Chip]:
    if expected:
        yield Chip(MISSED, expected, label)
    if made or not label:
        yield Chip(ADDED, made or "no call", label)
