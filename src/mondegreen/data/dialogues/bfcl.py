"""BFCL's multi-turn files: the turns, the documented tools, and the calls of the ground truth."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from importlib import util
from pathlib import Path
from typing import Any

import msgspec

from mondegreen.data.answers.conversations import Call, functions_of, text_of
from mondegreen.data.dialogues.cases import Backend, DialogueCase, Turn, values_in
from mondegreen.data.formats.jsonl import json_records
from mondegreen.errors import DataError
from mondegreen.types import MadeCall

KEYS = frozenset(("id", "question", "involved_classes"))
NEW_TOOLS = "I have updated some more functions you can choose from. What about now?"
"""What BFCL's user says in a turn without words, which brings tools that were held back."""


class _MultiTurnRecord(msgspec.Struct):
    """What is read of a line, with its types."""

    question: list[list[dict[str, Any]]]
    involved_classes: list[str]
    ground_truth: list[list[str]] | None = None
    missed_function: dict[int, list[str]] | None = None
    excluded_function: list[str] | None = None
    initial_config: dict[str, Any] | None = None


def multi_turn_case(record: Mapping[str, Any], answers: Mapping[str, Any]) -> DialogueCase:
    """Read a case of BFCL's multi-turn files.

    Args:
        record: the line of the file.
        answers: the ground truth by id, from the folder ``possible_answer``.

    Raises:
        DataError: if a part is missing.
    """
    missing = next((key for key in KEYS if key not in record), None)
    if missing is not None:
        raise DataError(f"there is no key {missing}")
    id = str(record["id"])
    gold = record.get("ground_truth", answers.get(id))
    try:
        given = msgspec.convert({**record, "ground_truth": gold}, _MultiTurnRecord, str_keys=True)
    except msgspec.ValidationError as error:
        raise DataError(f"not a case of BFCL: {error}") from None
    if given.ground_truth is None or len(given.ground_truth) != len(given.question):
        raise DataError(
            "there is no ground_truth with as many turns as the question, neither here nor in a "
            "file of that name in the folder possible_answer"
        )
    classes = tuple(given.involved_classes)
    held_back = given.missed_function or {}
    left_out = {*(given.excluded_function or ()), *(n for v in held_back.values() for n in v)}
    documented = functions_of(tools_of_classes(classes))
    turns = [
        _turn(words, calls, documented, held_back.get(at, ()))
        for at, (words, calls) in enumerate(zip(given.question, given.ground_truth, strict=True))
    ]
    return DialogueCase(
        id,
        tuple(turns),
        tuple(dict(tool) for name, tool in documented.items() if name not in left_out),
        Backend(
            given.initial_config or {},
            classes=classes,
            long_context="long_context" in id or "composite" in id,
        ),
    )


def _turn(
    words: Sequence[Mapping[str, Any]],
    gold: Sequence[str],
    documented: Mapping[str, Mapping[str, Any]],
    new: Iterable[str],
) -> Turn:
    texts = [text_of(one) or "" for one in words if one.get("role") == "user"]
    text = "\n".join(texts) or NEW_TOOLS
    calls = tuple(call_of_python(one, documented) for one in gold)
    tools = tuple(dict(documented[name]) for name in new if name in documented)
    return Turn(text, values_in(text, calls), calls, tools)


def call_of_python(text: str, functions: Mapping[str, Mapping[str, Any]]) -> Call:
    """Read a call that is written as Python; the names of its positional arguments are looked up.

    >>> tools = {"sort": {"name": "sort", "parameters": {"properties": {"file_name": {}}}}}
    >>> call_of_python("sort('report.pdf')", tools)
    Call(name='sort', arguments={'file_name': ['report.pdf']})

    Raises:
        DataError: if it is something else.
    """
    try:
        node = ast.parse(text.strip(), mode="eval").body
        if not isinstance(node, ast.Call):
            raise DataError(f"{text!r:.60} is not a call")
        name = ast.unparse(node.func)
        values = [ast.literal_eval(one) for one in node.args]
        named = {str(one.arg): ast.literal_eval(one.value) for one in node.keywords}
    except (SyntaxError, ValueError, TypeError, RecursionError, MemoryError) as error:
        raise DataError(f"{text!r:.60} is not a call ({error})") from None
    parameters = functions.get(name, {}).get("parameters") or {}
    arguments = dict(zip(parameters.get("properties") or {}, values, strict=False)) | named
    return Call(name, {key: [_possible(value)] for key, value in arguments.items()})


def _possible(value: Any) -> Any:
    """Return a value as possible answers have it: each key of an object has a list of values."""
    if isinstance(value, dict):
        return {key: [one] for key, one in value.items()}
    return [_possible(one) for one in value] if isinstance(value, list) else value


def gold_call(call: Call) -> MadeCall:
    """Return a call of the ground truth as one that is made.

    >>> gold_call(Call("edit", {"id": [1], "updates": [{"priority": [2]}]}))
    MadeCall(name='edit', arguments={'id': 1, 'updates': {'priority': 2}})
    """
    return MadeCall(call.name, {name: _made(one[0]) for name, one in call.arguments.items()})


def _made(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: one[0] for key, one in value.items()}
    return [_made(one) for one in value] if isinstance(value, list) else value


@cache
def _documents() -> tuple[Path, dict[str, str]]:
    """Return the folder of BFCL's documentation of tools, and its file for each class.

    Raises:
        DataError: if bfcl-eval is not installed.
    """
    if util.find_spec("bfcl_eval") is None:
        raise DataError(
            "BFCL's multi-turn cases need the package bfcl-eval, which documents their tools; "
            "install it: pip install --no-deps bfcl-eval"
        )
    import bfcl_eval
    from bfcl_eval.constants.executable_backend_config import MULTI_TURN_FUNC_DOC_FILE_MAPPING

    folder = Path(str(bfcl_eval.__file__)).parent / "data" / "multi_turn_func_doc"
    return folder, dict(MULTI_TURN_FUNC_DOC_FILE_MAPPING)


@cache
def _documented(file: str) -> tuple[dict[str, Any], ...]:
    folder, _ = _documents()
    return tuple(record for _, record in json_records(folder / file))


def tools_of_classes(classes: Iterable[str]) -> list[dict[str, Any]]:
    """Return the documentation of the tools of BFCL's classes."""
    _, files = _documents()
    unknown = next((name for name in classes if name not in files), None)
    if unknown is not None:
        raise DataError(f"bfcl-eval documents no class {unknown}")
    return [tool for name in classes for tool in _documented(files[name])]
