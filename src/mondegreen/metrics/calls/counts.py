"""What became of the arguments of calls: right, stale, misheard, invented, lost or asked for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from mondegreen.data.answers.calls import NOT_JSON
from mondegreen.data.answers.conversations import (
    Call,
    expected_of,
    functions_of,
    messages_of,
    text_of,
)
from mondegreen.data.answers.grounding import SEPARATOR
from mondegreen.data.states import CORRECTED, KEPT, LOST, STATES, states_of
from mondegreen.errors import DataError
from mondegreen.metrics.calls.rules import Schema, argument_right, call_right, properties_of
from mondegreen.metrics.values.matching import plain
from mondegreen.types import MadeCall, Prediction, Utterance


class Ground(NamedTuple):
    """An argument in the words of the user: what stands there, and what was taken back."""

    state: str
    words: str
    taken_back: str | None


class Argument(NamedTuple):
    """An expected argument and what became of it."""

    call: int
    name: str
    kind: str
    state: str
    right: bool
    stale: bool
    misheard: bool


class CaseCounts(NamedTuple):
    """The verdict on one case."""

    right: bool
    arguments: tuple[Argument, ...]
    given: int
    invented: int
    lost: bool
    made: bool
    expected: bool
    unreadable: int
    calls: int


def count_case(case: Utterance, prediction: Prediction) -> CaseCounts:
    """Compare the calls of an answer with those that are expected.

    Raises:
        DataError: if the case has no expected calls, or the prediction says nothing of calls.
    """
    expected = expected_of(case)
    if expected is None:
        raise DataError(f"case {case.id!r} has no key expected; give the calls that are right")
    if prediction.calls is None:
        raise DataError(f"the prediction of case {case.id!r} has no calls; give [] for none")
    tools: Any = dict(case.extra).get("tools") or []
    functions = functions_of(tools)
    made = list(prediction.calls)
    pairs = answering_calls(functions, made, expected)
    grounds = grounds_of(case)
    arguments = tuple(judged_arguments(functions, expected, pairs, grounds))
    good = [
        call is not None and call_right(functions.get(one.name, {}), call, one)
        for call, one in zip(pairs, expected, strict=True)
    ]
    return CaseCounts(
        right=len(made) == len(expected) and all(good),
        arguments=arguments,
        given=sum(len(call.arguments) for call in made if NOT_JSON not in call.arguments),
        invented=len(invented_arguments(case, functions, made, expected, pairs)),
        lost=any(ground.state == LOST for ground in grounds.values()),
        made=bool(made),
        expected=bool(expected),
        unreadable=sum(NOT_JSON in call.arguments for call in made),
        calls=len(made),
    )


def answering_calls(
    functions: Mapping[str, Schema], made: Sequence[MadeCall], expected: Sequence[Call]
) -> list[MadeCall | None]:
    """Return the call that answers each expected one: a right one, else one of the same tool."""
    left = list(made)
    found: list[MadeCall | None] = [None] * len(expected)

    def take(same: Any) -> None:
        for place, wanted in enumerate(expected):
            at = next((i for i, call in enumerate(left) if same(call, wanted)), None)
            if found[place] is None and at is not None:
                found[place] = left.pop(at)

    take(lambda call, wanted: call_right(functions.get(wanted.name, {}), call, wanted))
    take(lambda call, wanted: call.name == wanted.name)
    return found


def grounds_of(case: Utterance) -> dict[tuple[int, str], Ground]:
    """Return the words of each argument that occurs in the turn, by call and name."""
    found: dict[tuple[int, str], Ground] = {}
    for slot, (state, taken_back) in zip(case.slots, states_of(case), strict=True):
        path, _, number = slot.label.partition(SEPARATOR)
        key = int(number or 1) - 1, path.partition(".")[0]
        ground = Ground(state, plain(case.words_of(slot)), taken_back and plain(taken_back))
        if key not in found or STATES.index(found[key].state) < STATES.index(state):
            found[key] = ground
    return found


def judged_arguments(
    functions: Mapping[str, Schema],
    expected: Sequence[Call],
    pairs: Sequence[MadeCall | None],
    grounds: Mapping[tuple[int, str], Ground],
) -> Iterator[Argument]:
    """Yield each expected argument with the verdict on it; not those that may be left out."""
    for number, (wanted, call) in enumerate(zip(expected, pairs, strict=True)):
        parameters = functions.get(wanted.name, {}).get("parameters") or {}
        schemas = properties_of(parameters)
        given = call.arguments if call is not None else {}
        for name, possible in wanted.arguments.items():
            if "" in possible and name not in given:
                continue  # it may be left out
            schema, value = schemas.get(name, {}), given.get(name)
            right = name in given and argument_right(schema, value, possible, parameters)
            ground = grounds.get((number, name), Ground(KEPT, "", None))
            said = "" if right or name not in given else plain(str(value))
            yield Argument(
                number,
                name,
                str(schema.get("type", "any")),
                ground.state if (number, name) in grounds else "",
                right,
                stale=bool(said) and ground.state == CORRECTED and said == ground.taken_back,
                misheard=bool(said) and ground.state == LOST and said == ground.words,
            )


def invented_arguments(
    case: Utterance,
    functions: Mapping[str, Schema],
    made: Sequence[MadeCall],
    expected: Sequence[Call],
    pairs: Sequence[MadeCall | None],
) -> list[tuple[int, str]]:
    """Return the arguments that are neither right nor in the words: number of the call, name."""
    wanted = {id(call): one for call, one in zip(pairs, expected, strict=True) if call is not None}
    messages = messages_of(case) or []
    said = f" {plain(' '.join([case.text, *(text_of(m) or '' for m in messages)]))} "
    found = []
    for number, call in enumerate(made):
        if NOT_JSON in call.arguments:
            continue  # nothing is known of its arguments
        parameters = functions.get(call.name, {}).get("parameters") or {}
        schemas = properties_of(parameters)
        possible = wanted[id(call)].arguments if id(call) in wanted else {}
        for name, value in call.arguments.items():
            right = name in possible and argument_right(
                schemas.get(name, {}), value, possible[name], parameters
            )
            if not right and any(f" {plain(one)} " not in said for one in _leaves(value)):
                found.append((number, name))
    return found


def _leaves(value: Any) -> Iterator[str]:
    """Yield the single values of an argument as texts; true and false are never said."""
    if isinstance(value, Mapping):
        value = list(value.values())
    if isinstance(value, list | tuple):
        for one in value:
            yield from _leaves(one)
    elif value is not None and not isinstance(value, bool) and str(value).strip():
        yield str(value)
