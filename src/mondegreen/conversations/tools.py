"""The tools of a case: BFCL's classes, objects of the user, or recorded results.

Nothing here reaches for the network. Tools run after the agent has called them; their results go
back to agents that wait for them, and their state at the end is compared with the one that must be.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import Any, Protocol

from mondegreen.data.answers.conversations import Call
from mondegreen.data.dialogues.bfcl import gold_call
from mondegreen.data.dialogues.cases import DialogueCase
from mondegreen.data.dialogues.transcripts import StateCheck
from mondegreen.errors import DataError, PluginError
from mondegreen.metrics.calls.rules import call_right
from mondegreen.plugins import load_python, one_line
from mondegreen.types import MadeCall

_BFCL = "bfcl_eval.constants.executable_backend_config"
_DONE = {"status": "ok"}
_FORBIDDEN = frozenset(("kill", "exit", "quit", "remove", "unlink", "popen", "Popen", "run"))
"""Names that BFCL's checker does not call."""


class Tools(Protocol):
    """Runs calls, and says whether the state is right after the turns."""

    def run(self, call: MadeCall) -> Any:
        """Run a call, and return its result."""

    def end_turn(self, expected: Sequence[Call]) -> None:
        """Take note that a turn has ended, which should have led to some calls."""

    def verdict(self) -> StateCheck | None:
        """Return whether the state was right; ``None`` if nothing is known of it."""


class Recorded:
    """Tools that answer with the results that a case has, and with ok for others."""

    def __init__(self, case: DialogueCase) -> None:
        self._results, self._functions = case.backend.results, case.functions

    def run(self, call: MadeCall) -> Any:
        """Return the first result that was recorded for these arguments, or for any."""
        schema = self._functions.get(call.name, {})
        for one in self._results:
            wanted = one.get("arguments")
            if one["name"] == call.name and (
                wanted is None
                or call_right(schema, call, Call(call.name, {k: [v] for k, v in wanted.items()}))
            ):
                return one["result"]
        return dict(_DONE)

    def end_turn(self, expected: Sequence[Call]) -> None:
        """Do nothing: recorded tools have no state."""

    def verdict(self) -> None:
        """Return nothing: recorded tools have no state."""


class BfclTools:
    """BFCL's classes, and a second set of them on which the expected calls run."""

    def __init__(self, case: DialogueCase) -> None:
        self._made, self._gold = (_instances(case) for _ in range(2))
        self._results: list[str] = []
        self._turns: list[bool] = []
        self._called = False
        self._differences = ""

    def run(self, call: MadeCall) -> str:
        """Run a call, and return its result as a text, as BFCL's checker does."""
        self._called = True
        result = _executed(self._made, call)
        self._results.append(result)
        return result

    def end_turn(self, expected: Sequence[Call]) -> None:
        """Run the expected calls of a turn, and compare both states and results by BFCL's rules.

        A turn that expects calls needs one at least. The state of all objects must be the same,
        and all expected results must be among those of this turn and of those before it.
        """
        wanted = [_executed(self._gold, gold_call(call)) for call in expected]
        if expected:
            found = self._compared(wanted) if self._called else "no call"
            self._differences = self._differences or found
            self._turns.append(not found)
        else:
            self._turns.append(True)
        self._called = False

    def _compared(self, wanted: Sequence[str]) -> str:
        for name, gold in self._gold.items():
            for attribute, value in vars(gold).items():
                if not attribute.startswith("_") and getattr(self._made[name], attribute) != value:
                    return f"{name}.{attribute} differs"
        left = list(self._results)
        for result in wanted:
            if result not in left:
                return f"no call gave the result {result[:80]}"
            left.remove(result)
        return ""

    def verdict(self) -> StateCheck:
        """Return whether the state was right after each turn."""
        return StateCheck(tuple(self._turns), self._differences)


def _instances(case: DialogueCase) -> dict[str, Any]:
    """Make BFCL's objects in the state in which a case begins.

    Raises:
        DataError: if bfcl-eval is not installed, or does not know a class.
    """
    try:
        config = import_module(_BFCL)
    except ImportError:
        raise DataError(
            "BFCL's tools need the package bfcl-eval; install it: pip install --no-deps bfcl-eval"
        ) from None
    found = {}
    for name in case.backend.classes:
        if name not in config.CLASS_FILE_PATH_MAPPING:
            raise DataError(f"case {case.id!r}: bfcl-eval has no class {name}")
        instance = getattr(import_module(config.CLASS_FILE_PATH_MAPPING[name]), name)()
        if name not in config.STATELESS_CLASSES:
            initial = copy.deepcopy(case.backend.initial.get(name, {}))
            instance._load_scenario(initial, long_context=case.backend.long_context)  # noqa: SLF001 (BFCL's own checker calls it)
        found[name] = instance
    return found


def _executed(instances: Mapping[str, Any], call: MadeCall) -> str:
    """Run a call on BFCL's objects; an error is a result as well."""
    method = None
    for instance in instances.values():
        if not call.name.startswith("_"):
            method = getattr(instance, call.name, method)
    if call.name in _FORBIDDEN:
        return f"Error during execution: Function call {call.name} is not allowed."
    if not callable(method):
        return f"Error during execution: name '{call.name}' is not defined"
    try:
        result = method(**copy.deepcopy(call.arguments))  # tools keep and change them
    except Exception as error:  # noqa: BLE001 (whatever BFCL's tools raise)
        return f"Error during execution: {error}"
    return _as_text(result)


def _as_text(result: Any) -> str:
    if isinstance(result, str):
        return result
    if isinstance(result, dict):
        try:
            return json.dumps(result)
        except (TypeError, ValueError):
            return str(result)
    return str(result)


class UserTools:
    """An object of the user: its methods are the tools, its attributes the state."""

    def __init__(self, case: DialogueCase, factory: Any) -> None:
        try:
            self._object = factory(copy.deepcopy(case.backend.initial))
        except Exception as error:
            raise DataError(f"the tools of case {case.id!r} failed: {one_line(error)}") from error
        self._state = case.backend.state

    def run(self, call: MadeCall) -> Any:
        """Run a call; an error is a result as well."""
        method = getattr(self._object, call.name, None)
        if call.name.startswith("_") or not callable(method):
            return {"error": f"there is no tool {call.name}"}
        try:
            return method(**copy.deepcopy(call.arguments))
        except Exception as error:  # noqa: BLE001 (whatever the tool raises)
            return {"error": str(error)}

    def end_turn(self, expected: Sequence[Call]) -> None:
        """Do nothing: the state at the end counts."""

    def verdict(self) -> StateCheck | None:
        """Compare the attributes that the case names with those of the object."""
        if self._state is None:
            return None
        missing = object()
        wrong = [k for k, v in self._state.items() if getattr(self._object, k, missing) != v]
        return StateCheck((not wrong,), f"{', '.join(wrong)} differs" if wrong else "")


def tools_of(case: DialogueCase, place: str = "") -> Tools:
    """Return the tools of a case.

    Args:
        case: the case.
        place: ``python:module:factory``, which makes an object of the user's from the initial
            state; by default BFCL's classes, if the case names any, else recorded results.

    Raises:
        DataError: if the tools cannot be made.
    """
    if place:
        try:
            factory = load_python(place.removeprefix("python:"), "tools")
        except PluginError as error:
            raise DataError(str(error)) from None
        return UserTools(case, factory)
    if case.backend.classes:
        return BfclTools(case)
    if case.backend.state is not None:
        raise DataError(
            f"case {case.id!r} names a final state, but no tools have one; give "
            "--tools python:module:factory"
        )
    return Recorded(case)
