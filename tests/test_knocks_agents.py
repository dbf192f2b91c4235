"""Agents and cases of conversations that are hostile: they cost a conversation, or are errors."""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path
from types import ModuleType
from typing import Any, Self

import pytest

import mondegreen as mg
from mondegreen.conversations.agents.pipecat import PipecatAgent
from mondegreen.conversations.running import CLEAN
from mondegreen.data.dialogues.reading import read_cases
from mondegreen.errors import DataError, ModelError

TOOL = {"name": "book", "parameters": {"type": "object", "properties": {}}}
CASE = {
    "id": "1",
    "turns": [{"user": "a table for four", "values": {"people": ["four"]}}],
    "tools": [TOOL],
    "expected": [{"name": "book", "arguments": {"people": [4]}}],
}
BFCL = {
    "id": "multi_turn_base_0",
    "question": [[{"role": "user", "content": "sort a.txt"}]],
    "involved_classes": ["GorillaFileSystem"],
    "ground_truth": [["sort('a.txt')"]],
}
LAUGHS = "a: &a [x,x,x,x,x,x,x,x,x]\n" + "".join(
    f"{new}: &{new} [{','.join(['*' + old] * 9)}]\n"
    for old, new in zip("abcdefgh", "bcdefghi", strict=True)
)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (f"name: x\n{LAUGHS}scenarios: *i\n", "stand for more than 100 times"),
        ("name: x\nscenarios: &a [*a]\n", "contains itself"),
        ("name: x\nscenarios:\n- name: a\n  turns: 7\n", "turns must be a list"),
        ("name: x\nturns:\n- user: a\n  expect: true\n", "expect must be a list"),
        (
            "name: x\nturns:\n- user: a\n  expect: [{event: function_call, calls: [7]}]\n",
            "a call must be a mapping",
        ),
        (
            "name: x\nturns: [{user: a, expect: [{event: function_call, name: f, args: x}]}]\n",
            "args must be a mapping",
        ),
        ("name: x\nturns: [{user: a, values: {? [1] : 2}}]\n", "not YAML"),
        ("name: x\nturns: " + "[" * 5_000, "not YAML"),
    ],
)
def test_34_03_hostile_evals_are_errors(content: str, message: str, tmp_path: Path) -> None:
    pytest.importorskip("yaml")
    path = tmp_path / "a.yaml"
    path.write_text(content)
    with pytest.raises(DataError, match=message):
        read_cases(path)


@pytest.mark.parametrize(
    "change",
    [
        {"question": [["f()"]]},
        {"question": 7},
        {"ground_truth": [[{"f": 1}]]},
        {"ground_truth": [["(" * 5_000]]},
        {"ground_truth": [["f(" + "-" * 100_000 + "1)"]]},
        {"ground_truth": [["f({[]: 1})"]]},
        {"missed_function": {"user": ["sort"]}},
        {"missed_function": "sort"},
        {"excluded_function": [[]]},
        {"involved_classes": 7},
        {"initial_config": []},
    ],
)
def test_34_odd_cases_of_bfcl_are_errors(change: dict[str, Any], tmp_path: Path) -> None:
    pytest.importorskip("bfcl_eval")
    path = tmp_path / "a.jsonl"
    path.write_text(json.dumps(BFCL | change) + "\n")
    with pytest.raises(DataError):
        read_cases(path)


def test_34_recorded_results_have_arguments_by_name(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    results = [{"name": "book", "arguments": [], "result": "ok"}]
    path.write_text(json.dumps(CASE | {"results": results}) + "\n")
    with pytest.raises(DataError, match="results must be a list"):
        read_cases(path)


@pytest.mark.parametrize(
    "answer",
    [
        '{"text": "\\ud800 which?"}',
        '{"calls": [{"name": "book", "arguments": {"a": "\\ud800"}}]}',
        '{"calls": [{"name": "book", "arguments": {"a": object()}}]}',
        '{"text": "x" * 50_000}',
        '{"calls": 7}',
        "7",
    ],
)
def test_34_answers_of_agents_that_cannot_be_stored_fail_their_conversation(
    answer: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "odd_agent.py").write_text(
        f"class A:\n    def __init__(self, tools): ...\n    def say(self, text): return {answer}\n"
    )
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "odd_agent", raising=False)
    cases = tmp_path / "a.jsonl"
    cases.write_text(json.dumps(CASE) + "\n")
    with mg.converse(cases, "python:odd_agent:A", tmp_path / "a.run") as run:
        assert run.scores()[CLEAN]["failed"].numerator == 1


class Bot:
    """The client's end of a WebSocket to a bot: what it sends once it is ready, for ever."""

    def __init__(self, *messages: str, ready: bool = True, greets: bool = False) -> None:
        self._first = [rtvi("bot-ready")] if ready else []
        self._messages, self._asked, self._at = messages, greets or not ready, 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        return

    def send(self, message: str) -> None:
        self._asked = self._asked or "send-text" in message

    def recv(self, timeout: float) -> str:
        if self._first:
            return self._first.pop()
        if not self._asked or not self._messages:
            time.sleep(timeout)
            raise TimeoutError
        self._at += 1
        return self._messages[min(self._at, len(self._messages)) - 1]


def rtvi(kind: str, **data: Any) -> str:
    return json.dumps({"label": "rtvi-ai", "type": kind, "data": data})


@pytest.mark.parametrize(
    "bot",
    [
        Bot(rtvi("metrics"), ready=False),
        Bot(rtvi("metrics")),
        Bot(rtvi("metrics"), greets=True),
        Bot(rtvi("bot-llm-started"), rtvi("bot-llm-text", text="x" * 100_000)),
        Bot(rtvi("llm-function-call-in-progress", function_name="f", arguments=[7])),
        Bot("[" * 100_000),
        Bot("7", "null", rtvi("error", error=["x"])),
    ],
)
def test_34_06_a_bot_that_never_ends_is_left_at_the_time_limit(
    bot: Bot, monkeypatch: pytest.MonkeyPatch
) -> None:
    client: Any = ModuleType("websockets.sync.client")
    client.connect = lambda *_, **__: bot
    monkeypatch.setitem(sys.modules, "websockets", ModuleType("websockets"))
    monkeypatch.setitem(sys.modules, "websockets.sync", ModuleType("websockets.sync"))
    monkeypatch.setitem(sys.modules, "websockets.sync.client", client)
    agent = PipecatAgent("ws://127.0.0.1:9/ws", timeout=1)
    with pytest.raises(ModelError):
        agent.start([], "1").say("a table for four")
