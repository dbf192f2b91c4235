"""The verdict on a conversation: what was right, and each mistake by its name."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import msgspec

from mondegreen.data.answers.conversations import Call
from mondegreen.data.dialogues.cases import DialogueCase, simple
from mondegreen.data.dialogues.transcripts import (
    CORRECTION,
    DONE,
    FAILED,
    GAVE_UP,
    HALF,
    REACTIONS,
    Exchange,
    Transcript,
)
from mondegreen.data.states import LOST
from mondegreen.metrics.calls.rules import call_right, calls_right
from mondegreen.metrics.conversations.values import Value, WantedCall, leaves, value_of
from mondegreen.types import MadeCall

(
    AGENT_FAILED, ASKED_FOR_EVER, PREMATURE, STALE, MISHEARD, NEVER_ASKED, INVENTED, NO_CALL,
    TOO_MANY, WRONG_CALL, WRONG_STATE,
) = CAUSES = (
    "agent failed", "asked for ever", "premature call", "stale value", "misheard value passed on",
    "never asked", "invented value", "no call", "one call too many", "wrong call", "wrong state",
)  # fmt: skip
"""What goes wrong, the most telling first."""


class JudgedCall(NamedTuple):
    """A call, with the place of its exchange and whether it was right to make it at the time."""

    at: int
    turn: int
    call: MadeCall
    excused: bool


class Mark(NamedTuple):
    """A mistake, and the exchange in which it shows."""

    at: int
    cause: str


class ConversationVerdict(NamedTuple):
    """What became of a conversation."""

    task: bool
    turns: tuple[bool, ...]
    values: tuple[Value, ...]
    premature: int
    incomplete: int
    invented: int
    given: int
    needless: int
    whole: int
    extra: int
    misses: int
    ended: str
    marks: tuple[Mark, ...]

    @property
    def causes(self) -> tuple[str, ...]:
        """The mistakes by name, the most telling first; none if the task was done."""
        found = {mark.cause for mark in self.marks}
        return () if self.task else tuple(cause for cause in CAUSES if cause in found)


def judge(case: DialogueCase, transcript: Transcript) -> ConversationVerdict:
    """Compare a conversation with what its case expects."""
    made = list(_made(case, transcript))
    counted = [one for one in made if not one.excused]
    pairs = list(_pairs(case, made))
    values = tuple(
        value_of(case, transcript, wanted, name, _calls_for(wanted, one, counted))
        for wanted, one in pairs
        for name, possible in wanted.call.arguments.items()
        if not ("" in possible and (one is None or name not in one.call.arguments))
    )
    early, incomplete = _premature(case, transcript, counted)
    invented = list(_invented(transcript, counted, pairs))
    needless, whole = _needless(case, transcript)
    task = _task(case, transcript, counted)
    reactions = [one for one in transcript.exchanges if one.kind in REACTIONS]
    marks = [
        *_ending_marks(transcript),
        *(Mark(at, PREMATURE) for at in early),
        *_value_marks(transcript, values, pairs),
        *(Mark(one.at, INVENTED) for one in invented),
    ]
    if not task:
        marks += list(_call_marks(case, transcript, counted, pairs))
    return ConversationVerdict(
        task,
        _turns(case, transcript, counted),
        values,
        len(early),
        incomplete,
        len(invented),
        sum(len(one.call.arguments) for one in counted),
        needless,
        whole,
        len(reactions),
        sum(not one.understood for one in reactions),
        transcript.ended,
        tuple(dict.fromkeys(marks)),
    )


def _calls_for(
    wanted: WantedCall, answer: JudgedCall | None, made: Sequence[JudgedCall]
) -> list[MadeCall]:
    """Return the call that answers an expected one, then the others of its tool in its turn."""
    others = [
        one.call
        for one in made
        if one is not answer and (one.turn, one.call.name) == (wanted.turn, wanted.call.name)
    ]
    return [answer.call if answer is not None else MadeCall(wanted.call.name, {}), *others]


def _made(case: DialogueCase, transcript: Transcript) -> Iterator[JudgedCall]:
    """Yield the calls; those with a value that was corrected only afterwards are excused."""
    exchanges = transcript.exchanges
    for at, exchange in enumerate(exchanges):
        coming = any(
            later.turn == exchange.turn and later.kind == CORRECTION
            for later in exchanges[at + 1 :]
        )
        wrong = {one.name: one.taken_back for one in exchange.values if one.taken_back}
        for call in (_without_others(case, one) for one in exchange.calls):
            excused = coming and any(
                _as_told(case, call, wanted, wrong) for wanted in case.turns[exchange.turn].expected
            )
            yield JudgedCall(at, exchange.turn, call, excused)


def _without_others(case: DialogueCase, call: MadeCall) -> MadeCall:
    """Return a call without the arguments that a case leaves open."""
    if not case.open:
        return call
    named = {name for one in case.expected if one.name == call.name for name in one.arguments}
    return MadeCall(call.name, {k: v for k, v in call.arguments.items() if k in named})


def _as_told(case: DialogueCase, call: MadeCall, wanted: Call, wrong: Mapping[str, str]) -> bool:
    """Return whether a call would be right if the values that were said were those that count."""
    told = {
        name: [call.arguments[name]]
        if name in wrong
        and name in call.arguments
        and simple(str(call.arguments[name])) == simple(wrong[name])
        else possible
        for name, possible in wanted.arguments.items()
    }
    return call_right(case.functions.get(wanted.name, {}), call, Call(wanted.name, told))


Pair = tuple[WantedCall, JudgedCall | None]
"""An expected call, and the call that answers it."""


def _pairs(case: DialogueCase, made: Sequence[JudgedCall]) -> Iterator[Pair]:
    """Yield each expected call with the one that answers it: a right one, else the last one."""
    functions, left = case.functions, list(made)
    wanted = [
        WantedCall(turn, number, call)
        for turn, one in enumerate(case.turns)
        for number, call in enumerate(one.expected, start=1)
    ]
    found: list[JudgedCall | None] = []
    for _, _, call in wanted:
        schema = functions.get(call.name, {})
        right = next((one for one in left if call_right(schema, one.call, call)), None)
        if right is not None:
            left.remove(right)
        found.append(right)
    for place, (turn, _, call) in enumerate(wanted):
        same = [one for one in left if one.call.name == call.name]
        if found[place] is None and same:
            here = [one for one in same if one.turn == turn] or same
            found[place] = here[-1]
            left.remove(here[-1])
    yield from zip(wanted, found, strict=True)


def _premature(
    case: DialogueCase, transcript: Transcript, made: Sequence[JudgedCall]
) -> tuple[list[int], int]:
    """Return the exchanges in which the agent acted on half a request, of how many halves.

    A request is half said if the caller broke off, if its calls are expected of a later turn, or
    if a value was not said yet. A call is premature if it is of a tool that the whole request
    needs, and wrong; where a value was not said yet, if it leaves that one out.
    """
    early, halves, said = [], set(), set[str]()
    for at, exchange in enumerate(transcript.exchanges):
        turn = exchange.turn
        said.update(value.name.partition(".")[0] for value in exchange.values)
        wanted = [call for one in case.turns[turn:] for call in one.expected]
        is_half = exchange.kind == HALF or not case.turns[turn].expected
        unsaid = _unsaid(case, turn, said)
        if not wanted or not (is_half or unsaid):
            continue
        halves.add((turn, exchange.kind == HALF))
        calls = [one.call for one in made if one.at == at]
        early += [at] * any(
            _too_early(case, call, wanted) and (is_half or not unsaid.issubset(call.arguments))
            for call in calls
        )
    return early, len(halves)


def _unsaid(case: DialogueCase, turn: int, said: set[str]) -> set[str]:
    """Return the arguments of a turn that the caller knows, but has not said yet."""
    values = case.turns[turn].values
    wanted = {name for call in case.turns[turn].expected for name in call.arguments}
    return {name for name in wanted & values.keys() if name not in said}


def _too_early(case: DialogueCase, call: MadeCall, wanted: Sequence[Call]) -> bool:
    of_tool = [one for one in wanted if one.name == call.name]
    schema = case.functions.get(call.name, {})
    return bool(of_tool) and not any(call_right(schema, call, one) for one in of_tool)


def _invented(
    transcript: Transcript, made: Sequence[JudgedCall], pairs: Sequence[Pair]
) -> Iterator[JudgedCall]:
    """Yield a call once for each argument that is neither right, nor heard, nor a tool's result."""
    answers = {id(one): wanted.call for wanted, one in pairs if one is not None}
    known = _known(transcript.exchanges)
    for one in made:
        wanted = answers.get(id(one))
        for name, value in one.call.arguments.items():
            possible = wanted.arguments.get(name, []) if wanted else []
            right = {leaf for each in possible for leaf in leaves(each)}
            if any(
                leaf not in right and f" {leaf} " not in known[one.at] for leaf in leaves(value)
            ):
                yield one


def _known(exchanges: Sequence[Exchange]) -> list[str]:
    """Return all that the agent has heard, and got from tools, up to each exchange."""
    found, text = [], " "
    for exchange in exchanges:
        text += simple(exchange.heard_words) + " "
        results = msgspec.json.encode(exchange.results).decode() if exchange.results else ""
        text += simple(results) + " " if results else ""
        found.append(text)
    return found


def _needless(case: DialogueCase, transcript: Transcript) -> tuple[int, int]:
    """Return in how many turns the agent asked for what it had heard, of those with no loss."""
    needless = whole = 0
    for turn, one in enumerate(case.turns):
        here = [exchange for exchange in transcript.exchanges if exchange.turn == turn]
        first = [value for e in here if e.kind not in REACTIONS for value in e.values]
        if not one.values or not first or any(value.state == LOST for value in first):
            continue
        whole += 1
        heard = {value.name for value in first}
        needless += any(e.kind in REACTIONS and heard.issuperset(e.asked) for e in here)
    return needless, whole


def _turns(
    case: DialogueCase, transcript: Transcript, made: Sequence[JudgedCall]
) -> tuple[bool, ...]:
    """Return whether the calls of each turn are right; of BFCL's cases, whether the state is."""
    state = transcript.state
    if state is not None and case.backend.classes:
        return state.turns
    functions = case.functions
    return tuple(
        calls_right(functions, [one.call for one in made if one.turn == turn], one_turn.expected)
        for turn, one_turn in enumerate(case.turns)
    )


def _task(case: DialogueCase, transcript: Transcript, made: Sequence[JudgedCall]) -> bool:
    if transcript.ended != DONE:
        return False
    state = transcript.state
    if state is not None and not state.right:
        return False
    if case.backend.classes or (state is not None and not case.expected):
        return state is not None
    return calls_right(case.functions, [one.call for one in made], case.expected)


def _ending_marks(transcript: Transcript) -> Iterator[Mark]:
    last = max(0, len(transcript.exchanges) - 1)
    if transcript.ended == FAILED:
        yield Mark(last, AGENT_FAILED)
    if transcript.ended == GAVE_UP:
        yield Mark(last, ASKED_FOR_EVER)


def _value_marks(
    transcript: Transcript, values: Sequence[Value], pairs: Sequence[Pair]
) -> Iterator[Mark]:
    places = {
        (wanted.turn, name): one.at
        for wanted, one in pairs
        if one
        for name in wanted.call.arguments
    }
    for value in values:
        at = places.get((value.turn, value.name))
        if value.stale and at is not None:
            yield Mark(at, STALE)
        if value.misheard and at is not None:
            yield Mark(at, MISHEARD)
        if value.lost and not value.asked and not value.right:
            yield Mark(_last_of(transcript, value.turn) if at is None else at, NEVER_ASKED)


def _last_of(transcript: Transcript, turn: int) -> int:
    places = [at for at, one in enumerate(transcript.exchanges) if one.turn <= turn]
    return places[-1] if places else 0


def _call_marks(
    case: DialogueCase, transcript: Transcript, made: Sequence[JudgedCall], pairs: Sequence[Pair]
) -> Iterator[Mark]:
    """Yield what is wrong with the calls of a task that was not done."""
    if transcript.state is not None and not transcript.state.right:
        bad = next((at for at, right in enumerate(transcript.state.turns) if not right), 0)
        yield Mark(_last_of(transcript, bad), WRONG_STATE)
    if case.backend.classes or not case.expected:
        return  # the state alone counts
    answers = {id(one) for _, one in pairs if one is not None}
    for wanted, one in pairs:
        if one is None:
            yield Mark(_last_of(transcript, wanted.turn), NO_CALL)
        elif not call_right(case.functions.get(wanted.call.name, {}), one.call, wanted.call):
            yield Mark(one.at, WRONG_CALL)
    for call in made:
        if id(call) not in answers:
            yield Mark(call.at, TOO_MANY)
