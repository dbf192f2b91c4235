"""Cases of tool calls: messages, tools and the calls that are expected; and BFCL's files."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

from mondegreen.data.answers.conversations import (
    LANGUAGE,
    Call,
    calls_in,
    functions_of,
    language_of_id,
    text_of,
    user_turns,
)
from mondegreen.data.files.lines import Meter, read_lines
from mondegreen.data.formats.format import Format, Row, Sink, Target
from mondegreen.data.formats.jsonl import JSONL, decode_json, json_records
from mondegreen.data.formats.offsets import utterance_of_spans
from mondegreen.errors import DataError, MondegreenError, OutputError
from mondegreen.types import Utterance

_CASE = frozenset(("messages", "expected"))
_BFCL = frozenset(("question", "function"))
_OWN = frozenset(("id", "messages", "tools", "expected"))


def utterances_of_case(
    record: Mapping[str, Any], default_id: str, *, all_turns: bool
) -> list[Utterance]:
    """Return the last user turn of a case as an utterance, or each user turn as one.

    The arguments that occur in the words of the turn are its slots; its label is the names of
    the tools that are expected.

    Raises:
        DataError: if something is missing, or if an expected argument is one that no tool has.
    """
    from mondegreen.data.answers.grounding import ground

    id = str(record.get("id") or default_id)
    messages, tools = _lists(record)
    expected = calls_in(record.get("expected"))
    _check_expected(expected, tools)
    turns = user_turns(messages)
    if not turns:
        raise DataError("there is no turn of the user with a text")
    rest = [(name, value) for name, value in record.items() if name not in _OWN]
    found = []
    for number, turn in enumerate(turns if all_turns else turns[-1:], start=1):
        text = text_of(messages[turn]) or ""
        label = "+".join(call.name for call in expected) or "none"
        extra = [("messages", messages), ("tools", tools), ("expected", record["expected"])]
        if turn != turns[-1]:
            extra.append(("turn", turn))
        name = f"{id}#{number}" if all_turns and len(turns) > 1 else id
        spans = ground(text, expected)
        found.append(utterance_of_spans(name, text, spans, label, (*extra, *rest)))
    return found


def _lists(record: Mapping[str, Any]) -> tuple[list[Any], list[Any]]:
    messages, tools = record.get("messages"), record.get("tools", [])
    for name, value in (("messages", messages), ("tools", tools)):
        if not isinstance(value, list) or not all(isinstance(one, Mapping) for one in value):
            raise DataError(f"{name} must be a list of objects, got {value!r:.60}")
    try:
        functions_of(tools or [])
    except (KeyError, TypeError):
        raise DataError('a tool has no name; write {"name", "description", "parameters"}') from None
    return messages or [], tools or []


def _check_expected(expected: Sequence[Call], tools: Sequence[Mapping[str, Any]]) -> None:
    functions = functions_of(tools)
    for call in expected:
        if call.name not in functions:
            known = ", ".join(functions) or "none"
            raise DataError(f"the call of {call.name} is expected; the tools are: {known}")
        parameters = functions[call.name].get("parameters") or {}
        properties = parameters.get("properties")
        if not isinstance(properties, Mapping):
            continue  # a schema by reference, or none
        unknown = next((name for name in call.arguments if name not in properties), None)
        if unknown is not None and parameters.get("additionalProperties") is not True:
            known = ", ".join(properties) or "none"
            raise DataError(f"{call.name} has no argument {unknown!r}; its arguments: {known}")


def _leave_out(path: Path, number: int, id: object, error: MondegreenError) -> None:
    warnings.warn(f"{path}, line {number}: case {id!r} is left out: {error}", stacklevel=2)


def _record(path: Path, number: int, line: str) -> dict[str, Any]:
    try:
        record = decode_json(line)
    except DataError as error:
        raise DataError.at(path, number, str(error)) from None
    if not isinstance(record, dict):
        raise DataError.at(path, number, "an object with messages, tools and expected is needed")
    return record


def _keys(lines: Sequence[str]) -> set[str]:
    try:
        record = decode_json(lines[0])
    except DataError:
        return set()
    return set(record) if isinstance(record, dict) else set()


def case_of_bfcl(record: Mapping[str, Any], answers: Mapping[str, Any]) -> dict[str, Any]:
    """Return a case of BFCL in our keys.

    Raises:
        DataError: if a part is missing.
    """
    missing = next((key for key in ("id", *_BFCL) if key not in record), None)
    if missing is not None:
        raise DataError(f"there is no key {missing}")
    id = str(record["id"])
    truth = record.get("possible_answer", record.get("ground_truth", answers.get(id)))
    if truth is None:
        raise DataError(
            "there is no possible_answer, neither beside the question nor in a file of that name "
            "in the folder possible_answer"
        )
    if not isinstance(truth, list) or not all(isinstance(one, dict) for one in truth):
        raise DataError(f"possible_answer must be a list of objects, got {truth!r:.60}")
    turns = record["question"]
    if turns and isinstance(turns[0], Mapping):
        turns = [turns]
    rest = {key: value for key, value in record.items() if key not in _BFCL_OWN}
    return {
        "id": id,
        "messages": [message for turn in turns for message in turn],
        "tools": _in_language(record["function"], id),
        "expected": [
            {"name": name, "arguments": arguments}
            for call in truth
            for name, arguments in call.items()
        ],
        **rest,
    }


_BFCL_OWN = frozenset(("id", "question", "function", "possible_answer", "ground_truth"))


def bfcl_answers(path: Path) -> dict[str, Any]:
    """Return BFCL's answers to a file of questions: they are kept in a folder beside it."""
    beside = path.parent / "possible_answer" / path.name
    if not beside.is_file():
        return {}
    return {str(record["id"]): record["ground_truth"] for _, record in json_records(beside)}


class CallCases(Format):
    """Cases of tool calls."""

    name = "calls"
    holds = "cases of tool calls as JSON lines: id, messages, tools, expected"
    json_lines = True
    all_turns = False
    records = staticmethod(json_records)

    def open(self, target: Target) -> AbstractContextManager[Sink]:
        """Open a file of JSON lines."""
        return JSONL.open(target)

    def case_reader(self, path: Path) -> Callable[[dict[str, Any]], dict[str, Any]]:  # noqa: ARG002
        """Return what makes a case of a record of a file."""
        return dict

    def rows(self, path: Path, meter: Meter | None) -> Iterator[Row]:
        """Yield the turns of the user; a case that is wrong is left out with a warning."""
        kept, case_of = 0, self.case_reader(path)
        for number, line in read_lines(path, meter):
            record = _record(path, number, line)
            try:
                case = case_of(record)
                found = utterances_of_case(case, str(number), all_turns=self.all_turns)
            except MondegreenError as error:
                _leave_out(path, number, record.get("id", number), error)
                continue
            kept += 1
            yield from ((number, utterance) for utterance in found)
        if not kept:
            raise DataError(f"{path}: no case is left; see the notes above")

    def looks_like(self, lines: Sequence[str]) -> bool:
        """Return whether the first object is a case."""
        keys = _keys(lines)
        return keys >= _CASE and "tokens" not in keys


class Turns(CallCases):
    """Cases of tool calls, turn by turn."""

    name = "turns"
    holds = "cases of tool calls, each turn of the user on its own"
    all_turns = True

    def looks_like(self, lines: Sequence[str]) -> bool:  # noqa: ARG002
        """Return that it must be named."""
        return False


class Bfcl(CallCases):
    """BFCL's cases."""

    name = "bfcl"
    holds = (
        "BFCL's JSON lines: id, question, function, and possible_answer there or in a folder beside"
    )
    writes = False

    def case_reader(self, path: Path) -> Callable[[dict[str, Any]], dict[str, Any]]:
        """Return what makes a case in our keys, with its answer."""
        answers = bfcl_answers(path)
        return lambda record: case_of_bfcl(record, answers)

    def open(self, target: Target) -> AbstractContextManager[Sink]:
        """Refuse to write."""
        raise OutputError(f"{target.path}: BFCL's files are written by mondegreen export --to bfcl")

    def looks_like(self, lines: Sequence[str]) -> bool:
        """Return whether the first object is a case of BFCL."""
        return _keys(lines) >= _BFCL


def _in_language(tools: object, id: str) -> Any:
    """Return tools whose parameters name the language of their functions, if it is not Python."""
    language = language_of_id(id)
    if language is None or not isinstance(tools, list):
        return tools
    return [
        {**tool, "parameters": {**tool["parameters"], LANGUAGE: language}}
        if isinstance(tool, Mapping) and isinstance(tool.get("parameters"), Mapping)
        else tool
        for tool in tools
    ]


CALLS, TURNS, BFCL = CallCases(), Turns(), Bfcl()
EACH_TURN = TURNS.name
"""The name of the format that reads each turn of the user on its own."""
