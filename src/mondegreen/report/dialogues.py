"""Conversations of a caller with an agent for display: meant, said, heard, called, and marks."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
from rapidfuzz.distance import Levenshtein

from mondegreen.data.dialogues.transcripts import REACTIONS, Exchange
from mondegreen.metrics.calls.metric import shown_calls
from mondegreen.metrics.conversations.metric import Kept, conversation_in
from mondegreen.report.marked import MISSED, SAME, Chip, MarkedLine, MarkedWord
from mondegreen.runs.items import RunItem

_SHOWN = 400  # characters of a result
_NAMES = {"half": "turn, broken off", "rest": "turn, continued", "repeat": "said again"}


class ShownExchange(msgspec.Struct, frozen=True):
    """What the caller said at one go: what was meant, what was heard of it, and what came of it.

    ``meant`` is empty where it is what was said. ``causes`` are the mistakes that show here.
    """

    kind: str
    said: MarkedLine
    meant: str = ""
    heard: MarkedLine | None = None
    reply: str = ""
    calls: str = ""
    results: str = ""
    causes: tuple[str, ...] = ()
    asked: bool = False


class Dialogue(msgspec.Struct, frozen=True):
    """A conversation: its set, its exchanges, what was expected, how it ended, what went wrong."""

    set: str
    exchanges: tuple[ShownExchange, ...]
    expected: str
    ended: str = ""
    causes: tuple[str, ...] = ()


def dialogue_of(item: RunItem, set: str) -> Dialogue | None:
    """Return the conversation of an item; ``None`` if it has none."""
    kept = conversation_in(item.utterance)
    if kept is None:
        return None
    transcript = kept.transcript
    ended = "" if transcript.ended == "done" else f"{transcript.ended} {transcript.error}".strip()
    expected = shown_calls(call for turn in kept.turns for call in turn.expected)
    return Dialogue(set, tuple(_exchanges(kept)), expected, ended, kept.causes)


def _exchanges(kept: Kept) -> Iterator[ShownExchange]:
    for at, one in enumerate(kept.transcript.exchanges):
        causes = tuple(mark.cause for mark in kept.marks if mark.at == at and kept.causes)
        yield ShownExchange(
            _NAMES.get(one.kind, one.kind),
            MarkedLine(tuple(changed_words(one.meant, one.said_words))),
            "" if one.said is None else one.meant,
            _heard(one),
            one.reply,
            shown_calls(one.calls) if one.calls else "",
            _results(one),
            tuple(dict.fromkeys(causes)),
            one.kind in REACTIONS,
        )


def _heard(one: Exchange) -> MarkedLine | None:
    if one.heard is None:
        return None
    return MarkedLine(tuple(changed_words(one.said_words, one.heard)))


def _results(one: Exchange) -> str:
    text = "; ".join(msgspec.json.encode(result).decode() for result in one.results)
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"


def changed_words(before: str, after: str) -> Iterator[MarkedWord]:
    """Yield the words of a text, with what was inserted and replaced in it marked.

    >>> [(word.text, word.mark) for word in changed_words("for four", "for um five")]
    [('for', ''), ('um', 'ins'), ('four', 'del'), ('five', 'ins')]
    """
    old, new = before.split(), after.split()
    for step in Levenshtein.opcodes(old, new):
        gone, come = old[step.src_start : step.src_end], new[step.dest_start : step.dest_end]
        if step.tag == "equal":
            yield MarkedWord(" ".join(come))
            continue
        if gone:
            yield MarkedWord(" ".join(gone), "del")
        if come:
            yield MarkedWord(" ".join(come), "ins")


def cause_chips(item: RunItem) -> tuple[Chip, ...] | None:
    """Return what went wrong in a conversation as chips; ``None`` if the item has none."""
    kept = conversation_in(item.utterance)
    if kept is None:
        return None
    return tuple(Chip(MISSED, cause) for cause in kept.causes) or (Chip(SAME, "task done"),)
