"""How a run stores a conversation: as an item whose utterance carries it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import msgspec

from mondegreen.data.answers.calls import NO_CALL
from mondegreen.data.dialogues.cases import DialogueCase
from mondegreen.data.dialogues.transcripts import REACTIONS, Transcript
from mondegreen.data.records import record_of
from mondegreen.metrics.conversations.judging import ConversationVerdict
from mondegreen.metrics.conversations.metric import CONVERSATION, Kept, KeptTurn
from mondegreen.runs.windows import key_of
from mondegreen.types import Prediction, Utterance

_ENCODER = msgspec.json.Encoder()


class RunPlace(NamedTuple):
    """Where a conversation is in its run."""

    number: int
    set_number: int
    position: int
    operators: str


def row_of(
    place: RunPlace,
    case: DialogueCase,
    transcript: Transcript,
    verdict: ConversationVerdict,
    counts: Sequence[int],
    flip: int,
) -> tuple[Any, ...]:
    """Return the row of a conversation."""
    heard = [one.heard_words for one in transcript.exchanges if one.kind not in REACTIONS]
    text = " / ".join(heard) or case.turns[0].user
    label = "+".join(call.name for call in case.expected) or NO_CALL
    calls = tuple(call for one in transcript.exchanges for call in one.calls)
    predicted = "+".join(call.name for call in calls) or NO_CALL
    turns = tuple(KeptTurn(turn.user, turn.values, turn.expected) for turn in case.turns)
    kept = Kept(turns, transcript, verdict.causes, verdict.marks)
    utterance = Utterance.of(
        case.id, text, label=label, extra=((CONVERSATION, msgspec.to_builtins(kept)),)
    )
    prediction = Prediction(case.id, label=predicted, calls=calls)
    key = key_of(case.id, place.set_number, place.position)
    return (
        place.number,
        place.set_number,
        place.position,
        case.id,
        case.id,
        place.operators,
        verdict.causes[0] if verdict.causes else "",
        None,
        text,
        label,
        predicted,
        _ENCODER.encode(record_of(utterance)).decode(),
        "[]",
        _ENCODER.encode(prediction).decode(),
        *counts[:-1],
        None,
        flip,
        key,
        key_of(label),
    )
