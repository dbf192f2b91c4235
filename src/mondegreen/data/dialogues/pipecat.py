"""Pipecat's evals: scripted scenarios in YAML, read as cases and written from them.

A scenario's turns become turns, the calls of its ``function_call`` expectations the expected calls.
As in Pipecat, a call may have more arguments than are listed. What only a judge can check, such as
``eval``, is left out, with a note. The keys ``values`` of a turn and ``tools`` of a
scenario are ours; Pipecat passes over them.
"""

from __future__ import annotations

import json
import warnings
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from mondegreen.data.dialogues.cases import DialogueCase, case_of
from mondegreen.data.formats.yaml_documents import load_yaml
from mondegreen.errors import DataError

CALLS = ("function_call", "function_call_stopped")
_SUFFIXES = (".yaml", ".yml")


def _yaml() -> Any:
    try:
        import yaml
    except ImportError:
        raise DataError("YAML needs the package pyyaml; install it: pip install pyyaml") from None
    return yaml


def read_scenarios(path: Path) -> Iterator[tuple[str, DialogueCase]]:
    """Yield the scripted scenarios of a file or a folder as cases, with where they stand.

    Raises:
        DataError: naming the file and the scenario that is wrong.
    """
    files = (
        [path] if path.is_file() else sorted(p for p in path.rglob("*") if p.suffix in _SUFFIXES)
    )
    for file in files:
        for name, scenario in _scenarios(file):
            where = f"{file.name}, scenario {name}"
            if "persona" in scenario:
                warnings.warn(
                    f"{where}: is a simulation by a language model; left out", stacklevel=2
                )
                continue
            try:
                yield where, case_of(_record(name, scenario, where), name)
            except DataError as error:
                raise DataError(f"{file}: scenario {name}: {error}") from None


def _scenarios(file: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the scenarios of a file by name; keys at the top are defaults for all of them."""
    content = load_yaml(file, unread=["!include"])  # judges and voices
    try:  # as JSON has it: without dates and sets
        content = json.loads(json.dumps(content, default=str))
    except (TypeError, ValueError, RecursionError) as error:
        raise DataError(f"{file}: cannot be read as JSON: {error}") from None
    if not isinstance(content, dict) or not isinstance(content.get("name"), str):
        return  # a fragment that others include
    entries = content.get("scenarios", [content])
    if not isinstance(entries, list) or not all(isinstance(one, dict) for one in entries):
        raise DataError(f"{file}: scenarios must be a list of scenarios")
    for one in entries:
        name = content["name"] if one is content else f"{content['name']}/{one.get('name')}"
        yield name, {**content, **one}


def _listed(found: object, what: str) -> list[Any]:
    """Return a list; nothing is an empty one.

    Raises:
        DataError: if it is something else.
    """
    if found is not None and not isinstance(found, list):
        raise DataError(f"{what} must be a list, got {found!r:.60}")
    return found or []


def _mapped(found: object, what: str) -> Mapping[str, Any]:
    """Return a mapping; nothing is an empty one.

    Raises:
        DataError: if it is something else.
    """
    if found is not None and not isinstance(found, Mapping):
        raise DataError(f"{what} must be a mapping, got {found!r:.60}")
    return found or {}


def _record(name: str, scenario: Mapping[str, Any], where: str) -> dict[str, Any]:
    turns: list[dict[str, Any]] = []
    dropped: set[str] = set()
    for turn in _listed(scenario.get("turns"), "turns"):
        if not isinstance(turn, Mapping):
            raise DataError("a turn must be a mapping with user and expect")
        expected = [
            call for one in _listed(turn.get("expect"), "expect") for call in _calls(one, dropped)
        ]
        words = turn.get("user")
        if isinstance(words, list):
            words = " ".join(str(part) for part in words if isinstance(part, str))
        if words is None:
            dropped.add("turns without words")
            if turns:
                turns[-1]["expected"] += expected
            continue
        turns.append({"user": str(words), "values": turn.get("values") or {}, "expected": expected})
    if dropped:
        warnings.warn(f"{where}: not read: {', '.join(sorted(dropped))}", stacklevel=3)
    record = {"id": name, "turns": turns, "tools": scenario.get("tools") or [], "open": True}
    return record | ({"results": scenario["results"]} if scenario.get("results") else {})


def _calls(expectation: Any, dropped: set[str]) -> Iterator[dict[str, Any]]:
    if not isinstance(expectation, Mapping):
        raise DataError("an expectation must be a mapping with an event")
    if expectation.get("event") not in CALLS:
        dropped.update({"eval", "text_contains", "text_excludes", "absent"} & expectation.keys())
        return
    for call in _listed(expectation.get("calls"), "calls") or [expectation]:
        one = {"name": call} if isinstance(call, str) else _mapped(call, "a call")
        if one.get("name"):
            arguments = {key: [value] for key, value in _mapped(one.get("args"), "args").items()}
            yield {"name": str(one["name"]), "arguments": arguments}


def scenarios_of(cases: Iterable[DialogueCase], name: str) -> str:
    """Return cases as a file of Pipecat's evals; of possible values, the first is expected."""
    scenarios = []
    for case in cases:
        turns = []
        for turn in case.turns:
            calls = [
                {"name": call.name, "args": {k: v[0] for k, v in call.arguments.items() if v}}
                for call in turn.expected
            ]
            expect = [{"event": "function_call", "calls": calls}] if calls else []
            values = {key: list(forms) for key, forms in turn.values.items()}
            turns.append(
                {"user": turn.user, "expect": expect or [{"event": "response"}], "values": values}
            )
        scenarios.append({"name": case.id, "turns": turns, "tools": list(case.tools)})
    content = {"name": name, "scenarios": scenarios}
    text: str = _yaml().safe_dump(content, sort_keys=False, allow_unicode=True, width=100)
    return text
