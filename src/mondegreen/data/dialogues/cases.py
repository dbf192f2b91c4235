"""Cases of dialogues: the caller's turns with their values, the tools, and what must be true.

A case of ours is one line of JSON::

    {
        "id": "1",
        "turns": [{"user": "a table for four", "values": {"people": ["four", "4"]}}],
        "tools": [{"name": "book_table", "parameters": {...}}],
        "expected": [{"name": "book_table", "arguments": {"people": [4]}}],
    }
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec

from mondegreen.data.answers.conversations import Call, calls_in, functions_of
from mondegreen.data.answers.grounding import ground
from mondegreen.data.formats.offsets import utterance_of_spans
from mondegreen.errors import DataError
from mondegreen.types import Utterance
from mondegreen.values.counting import in_digits

Values = dict[str, tuple[str, ...]]
"""What the caller can say for each argument, best first."""
_CASE_KEYS = frozenset(("id", "turns", "tools", "expected", "state", "initial", "results", "open"))
_TURN_KEYS = frozenset(("user", "values", "expected", "tools"))


class Turn(msgspec.Struct, frozen=True):
    """A turn of the caller: its words, its values, the calls that it leads to, and new tools."""

    user: str
    values: Values = {}
    expected: tuple[Call, ...] = ()
    tools: tuple[dict[str, Any], ...] = ()


class Backend(msgspec.Struct, frozen=True):
    """What the tools of a case start from, and what they must have come to at the end.

    ``classes`` are BFCL's, whose final state is that of the expected calls. ``state`` has the
    attributes that tools of a user must have at the end. ``results`` are recorded ones.
    """

    initial: dict[str, Any] = {}
    state: dict[str, Any] | None = None
    results: tuple[dict[str, Any], ...] = ()
    classes: tuple[str, ...] = ()
    long_context: bool = False


class DialogueCase(msgspec.Struct, frozen=True):
    """A case: turns, tools, and what must be true at the end."""

    id: str
    turns: tuple[Turn, ...]
    tools: tuple[dict[str, Any], ...] = ()
    backend: Backend = Backend()
    open: bool = False
    """Whether a call may have arguments that are not expected."""

    @property
    def functions(self) -> dict[str, Mapping[str, Any]]:
        """All tools by name, also those that a later turn brings."""
        return functions_of([*self.tools, *(tool for turn in self.turns for tool in turn.tools)])

    @property
    def expected(self) -> tuple[Call, ...]:
        """The calls of all turns."""
        return tuple(call for turn in self.turns for call in turn.expected)


def case_of(record: Mapping[str, Any], default_id: str) -> DialogueCase:
    """Read a case of ours.

    Raises:
        DataError: saying what is missing or wrong.
    """
    _warn_unread(record, _CASE_KEYS, "case")
    given = record.get("turns")
    if not isinstance(given, list) or not given:
        raise DataError('turns must be a list of turns; write [{"user": "…", "values": {…}}]')
    tools = _tools(record.get("tools", []))
    turns = [_turn(one, number) for number, one in enumerate(given, start=1)]
    if record.get("expected") is None and "state" not in record and not _expects(given):
        raise DataError("there is neither expected nor state; say what must be true at the end")
    turns = _with_expected(turns, calls_in(record.get("expected") or []))
    turns = _grounded(turns)
    case = DialogueCase(
        str(record.get("id") or default_id),
        tuple(turns),
        tuple(tools),
        Backend(_object(record, "initial") or {}, _object(record, "state"), _results(record)),
        record.get("open") is True,
    )
    _check(case)
    return case


def _expects(turns: Sequence[Any]) -> bool:
    return any(isinstance(turn, Mapping) and "expected" in turn for turn in turns)


def _object(record: Mapping[str, Any], key: str) -> dict[str, Any] | None:
    found = record.get(key)
    if found is not None and not isinstance(found, dict):
        raise DataError(f"{key} must be an object, got {found!r:.60}")
    return found


def _results(record: Mapping[str, Any]) -> tuple[dict[str, Any], ...]:
    """Return recorded results: a list of names and results, or one result by name."""
    found = record.get("results") or []
    if isinstance(found, Mapping):
        found = [{"name": name, "result": result} for name, result in found.items()]
    if not isinstance(found, list) or not all(
        isinstance(one, dict)
        and isinstance(one.get("name"), str)
        and "result" in one
        and isinstance(one.get("arguments"), dict | None)
        for one in found
    ):
        raise DataError('results must be a list of {"name", "arguments", "result"}')
    return tuple(found)


def _tools(given: object) -> list[dict[str, Any]]:
    if not isinstance(given, list) or not all(isinstance(one, dict) for one in given):
        raise DataError(f"tools must be a list of objects, got {given!r:.60}")
    try:
        functions_of(given)
    except (KeyError, TypeError, AttributeError):
        raise DataError('a tool has no name; write {"name", "description", "parameters"}') from None
    return given


def _turn(given: object, number: int) -> Turn:
    if isinstance(given, str):
        return Turn(given)
    if not isinstance(given, Mapping) or not isinstance(given.get("user"), str):
        raise DataError(f'turn {number} has no text; write {{"user": "…", "values": {{…}}}}')
    if not given["user"].strip():
        raise DataError(f"turn {number} is empty; write what the caller says")
    _warn_unread(given, _TURN_KEYS, f"turn {number}")
    values = given.get("values") or {}
    if not isinstance(values, Mapping):
        raise DataError(f'turn {number}: values must be like {{"people": ["four", "4"]}}')
    forms = {str(name): _forms(number, str(name), one) for name, one in values.items()}
    calls = tuple(calls_in(given.get("expected") or []))
    return Turn(given["user"], forms, calls, tuple(_tools(given.get("tools", []))))


def _forms(number: int, name: str, given: object) -> tuple[str, ...]:
    forms = given if isinstance(given, list) else [given]
    if not forms or not all(
        isinstance(one, str | int | float) and str(one).strip() for one in forms
    ):
        raise DataError(f"turn {number}: the value {name!r} has no words: {given!r:.60}")
    return tuple(map(str, forms))


def _warn_unread(record: Mapping[str, Any], known: frozenset[str], what: str) -> None:
    unread = sorted(set(record) - known)
    if unread:
        warnings.warn(f"{what} has keys that are not read: {', '.join(unread)}", stacklevel=4)


def _check(case: DialogueCase) -> None:
    functions = case.functions
    for call in case.expected:
        if functions and call.name not in functions:
            raise DataError(
                f"the call of {call.name} is expected; the tools are: {', '.join(functions)}"
            )


def simple(words: str) -> str:
    """Return words in lower case without signs, numbers in digits, to compare values.

    >>> simple("Twenty-five, please!")
    '25 please'
    """
    kept = "".join(c if c.isalnum() or c in "@.%$" else " " for c in words.lower())
    parts = (part.strip(".") for part in kept.split())
    return " ".join(in_digits([part for part in parts if part]))


def says(forms: Sequence[str], possible: Sequence[Any]) -> bool:
    """Return whether one of the forms of a value is one of the possible ones of an argument.

    >>> says(["four"], [4]), says(["four"], [5])
    (True, False)
    """
    return not {simple(str(one)) for one in forms}.isdisjoint(simple(str(one)) for one in possible)


def _with_expected(turns: list[Turn], expected: Sequence[Call]) -> list[Turn]:
    """Give each call that the whole case expects to the turn that completes what it needs."""
    found = [list(turn.expected) for turn in turns]
    first = 0
    for call in expected:
        first = _completed(turns, call, first)
        found[first].append(call)
    return [
        msgspec.structs.replace(turn, expected=tuple(calls))
        for turn, calls in zip(turns, found, strict=True)
    ]


def _completed(turns: Sequence[Turn], call: Call, first: int) -> int:
    """Return the first turn after which all values of a call were said; the last one if none."""
    last = -1
    for name, possible in call.arguments.items():
        named = [at for at in range(first, len(turns)) if name in turns[at].values]
        meant = [at for at in named if says(turns[at].values[name], possible)]
        last = max([last, *(meant or named)[:1]])
    return last if last >= 0 else len(turns) - 1


def _grounded(turns: list[Turn]) -> list[Turn]:
    """Give turns without any value those of the expected calls that occur in their words."""
    if any(turn.values for turn in turns):
        return turns
    calls = [call for turn in turns for call in turn.expected]
    return [
        msgspec.structs.replace(turn, values=values_in(turn.user, turn.expected or calls))
        for turn in turns
    ]


def values_in(text: str, calls: Sequence[Call]) -> Values:
    """Return the values of calls that occur in a text: the words there, then how they are written.

    >>> values_in("Fly to orlando!", [Call("fly", {"to": ["Orlando"]})])
    {'to': ('orlando', 'Orlando')}
    """
    found: Values = {}
    for span in ground(text, list(calls)):
        words = text[span.start : span.end].strip("'\".,!?;:() ")
        forms = (words, span.value) if span.value and words else (words or span.value or "",)
        found.setdefault(span.label, tuple(dict.fromkeys(map(str, forms))))
    return found


def utterance_of_turn(id: str, text: str, values: Values) -> Utterance:
    """Return a turn as an utterance: the values that occur in its words are its slots.

    >>> utterance_of_turn("1", "a table for four", {"people": ("four",)}).slots
    (Slot(label='people', start=3, end=4),)
    """
    call = Call("", {name: list(forms) for name, forms in values.items()})
    spans = ground(text, [call]) if values else []
    return utterance_of_spans(id, text, spans)


def later(case: DialogueCase, turn: int) -> Iterator[tuple[int, Turn]]:
    """Yield the turns after one, with their places."""
    yield from ((at, one) for at, one in enumerate(case.turns) if at > turn)
