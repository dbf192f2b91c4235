"""Calls as expected and as made, one beside the other, argument by argument."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

import msgspec

from mondegreen.data.answers.calls import NOT_JSON
from mondegreen.data.answers.conversations import Call, expected_of, functions_of
from mondegreen.metrics.calls.counts import (
    Argument,
    answering_calls,
    grounds_of,
    invented_arguments,
    judged_arguments,
)
from mondegreen.metrics.calls.rules import call_right
from mondegreen.types import MadeCall, Prediction, Utterance
from mondegreen.values.compare import as_expected

SAME, DIFFERENT, MISSED, ADDED = "same", "different", "missed", "added"
STALE = "taken back by the speaker"
MISHEARD = "as it was misheard"
INVENTED = "not in the conversation"
OPTIONAL = "may be left out"


class ArgumentPair(msgspec.Struct, frozen=True):
    """An argument as expected and as given; empty on the side that does not have it."""

    name: str
    state: str
    expected: str = ""
    made: str = ""
    note: str = ""


class CallPair(msgspec.Struct, frozen=True):
    """The names of the tools expected and called, with their arguments; one side may be empty."""

    expected: str
    made: str
    right: bool
    arguments: tuple[ArgumentPair, ...]


def call_pairs(case: Utterance, prediction: Prediction) -> list[CallPair]:
    """Return each expected call beside the call that answers it, then calls that answer none.

    >>> given = [("expected", [{"name": "fly", "arguments": {"city": "Orlando"}}])]
    >>> case = Utterance("1", ("fly", "to", "orlando"), extra=tuple(given))
    >>> [pair] = call_pairs(case, Prediction("1", calls=(MadeCall("fly", {"city": "Atlanta"}),)))
    >>> [argument] = pair.arguments
    >>> argument.state, argument.expected, argument.made, argument.note
    ('different', '"Orlando"', '"Atlanta"', 'not in the conversation')
    """
    expected, made = expected_of(case) or [], list(prediction.calls or ())
    tools: Any = dict(case.extra).get("tools") or []
    functions = functions_of(tools)
    answers = answering_calls(functions, made, expected)
    judged = list(judged_arguments(functions, expected, answers, grounds_of(case)))
    invented = {
        (id(made[number]), name)
        for number, name in invented_arguments(case, functions, made, expected, answers)
    }
    left = [call for call in made if not any(call is one for one in answers)]
    found = []
    for number, (wanted, answer) in enumerate(zip(expected, answers, strict=True)):
        verdicts = {one.name: one for one in judged if one.call == number}
        call = answer if answer is not None or not left else left.pop(0)  # else of another tool
        right = answer is not None and call_right(functions.get(wanted.name, {}), answer, wanted)
        rows = _arguments(wanted, call, verdicts if answer is not None else {}, invented)
        found.append(CallPair(wanted.name, call.name if call else "", right, tuple(rows)))
    return found + [
        CallPair("", call.name, right=False, arguments=tuple(_arguments(None, call, {}, invented)))
        for call in left
    ]


def in_expected_writing(case: Utterance, prediction: Prediction, language: str) -> Prediction:
    """Return an answer whose arguments are written as they are expected, if they say the same."""
    possible: dict[tuple[str, str], list[Any]] = {}
    for call in expected_of(case) or ():
        for name, values in call.arguments.items():
            possible.setdefault((call.name, name), []).extend(values)
    if prediction.calls is None:
        return prediction
    made = tuple(
        MadeCall(
            call.name,
            {
                name: as_expected(value, possible.get((call.name, name), ()), language)
                for name, value in call.arguments.items()
            },
        )
        for call in prediction.calls
    )
    return msgspec.structs.replace(prediction, calls=made)


def _arguments(
    wanted: Call | None,
    made: MadeCall | None,
    verdicts: Mapping[str, Argument],
    invented: Collection[tuple[int, str]],
) -> Iterator[ArgumentPair]:
    """Yield the arguments of two calls; verdicts exist where both are of the same tool."""
    given = made.arguments if made is not None else {}
    expected = wanted.arguments if wanted is not None else {}
    for name, possible in expected.items():
        shown = _possible(possible)
        if name not in given:
            optional = "" in possible
            state, note = (SAME, OPTIONAL) if optional else (MISSED, "")
            yield ArgumentPair(name, state, shown, note=note)
            continue
        verdict = verdicts.get(name)
        state = SAME if verdict is not None and verdict.right else DIFFERENT
        note = _note(verdict, invented=(id(made), name) in invented)
        yield ArgumentPair(name, state, shown, _text(given[name]), note)
    for name, value in given.items():
        if name not in expected:
            note = INVENTED if (id(made), name) in invented else ""
            yield ArgumentPair(name, ADDED, made=_text(value), note=note)


def _note(verdict: Argument | None, *, invented: bool) -> str:
    if verdict is not None and verdict.stale:
        return STALE
    if verdict is not None and verdict.misheard:
        return MISHEARD
    return INVENTED if invented else ""


def _possible(values: Sequence[Any]) -> str:
    return " or ".join(_text(value) for value in values if value != "")


def _text(value: Any) -> str:
    return msgspec.json.encode(value).decode()


def call_symptoms(
    utterance: Utterance,
    prediction: Prediction,
    edited: Collection[int],  # noqa: ARG001 (what was edited is in the states of the slots)
) -> list[str]:
    """Return what is wrong with the calls of an answer, each kind of error once."""
    found: dict[str, None] = {}
    for pair in call_pairs(utterance, prediction):
        if not pair.made:
            found["no call is made"] = None
        elif not pair.expected:
            found["a call too many is made"] = None
        elif pair.expected != pair.made:
            found["another tool is called"] = None
        elif any(one.name == NOT_JSON for one in pair.arguments):
            found["the arguments are not JSON"] = None
        else:
            found |= dict.fromkeys(map(_symptom, _wrong(pair)))
    return list(found)


def _wrong(pair: CallPair) -> Iterator[ArgumentPair]:
    return (one for one in pair.arguments if one.state != SAME)


_BY_NOTE = {
    STALE: "a value that was taken back is passed",
    MISHEARD: "a misheard value is passed",
    INVENTED: "a value is invented",
}
_BY_STATE = {
    MISSED: "an argument is left out",
    ADDED: "an argument too many is passed",
    DIFFERENT: "a value is wrong",
}


def _symptom(argument: ArgumentPair) -> str:
    return _BY_NOTE.get(argument.note) or _BY_STATE[argument.state]
