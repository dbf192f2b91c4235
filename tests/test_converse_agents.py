"""Agents of all kinds, and agents that misbehave: each costs its conversation at most."""

from __future__ import annotations

import json
import sqlite3
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import dialogues
import mondegreen as mg
from chat_server import serving
from commands import fails
from mondegreen.cli.main import main
from mondegreen.conversations.agents.python import PythonAgent
from mondegreen.conversations.results import conversations_of, transcripts_of
from mondegreen.conversations.running import CLEAN, PERTURBED
from mondegreen.errors import DataError, ModelError
from mondegreen.runs.reading import open_run

OPERATORS = ("disfluencies", "recogniser(wer=0.15)")


class Odd(dialogues.Good):
    """Misbehaves in every third conversation, each time in another way."""

    def say(self, text: str) -> dict[str, Any]:
        number = len(self.started)
        if number % 15 == 1:
            time.sleep(30)
        if number % 15 == 4:
            raise RuntimeError("the line is dead; key sk-verysecret12345")
        if number % 15 == 7:
            return {"text": "blah " * 10_000, "calls": []}
        if number % 15 == 10:
            return {"answer": 42}
        if number % 15 == 13:
            return {"text": "", "calls": [{"name": "book_table", "arguments": {}}] * 100}
        return super().say(text)


def test_what_an_agent_does_costs_its_conversation_only(tmp_path: Path) -> None:
    cases = dialogues.write_cases(tmp_path / "cases.jsonl", 30)
    agent = PythonAgent(Odd.fresh(), "odd", 0.3)
    with mg.converse(cases, agent, tmp_path / "a.run") as run:
        found = [kept.transcript for _, kept in conversations_of(run)]
        assert run.scores()[CLEAN]["failed"].numerator == 10
        assert run.scores()[CLEAN]["task_success"].numerator == 20
    errors = {one.error for one in found if one.ended == "failed"}
    assert len(errors) == 5
    for part in (
        "within 0.3 s",
        "RuntimeError: the line is dead",
        "characters",
        "neither text nor",
        "100 calls",
    ):
        assert any(part in error for error in errors), part
    assert b"sk-verysecret12345" not in (tmp_path / "a.run").read_bytes()


def test_keys_never_reach_a_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MY_API_KEY", "hunter2hunter2")

    class Leaks(dialogues.Good):
        def say(self, text: str) -> dict[str, Any]:
            answer = super().say(text)
            for call in answer["calls"]:
                call["arguments"]["note"] = "key hunter2hunter2"
            return {**answer, "text": "My key is hunter2hunter2."}

    cases = dialogues.write_cases(tmp_path / "cases.jsonl", 3)
    mg.converse(cases, PythonAgent(Leaks.fresh(), "leaks", 5), tmp_path / "a.run").close()
    assert b"hunter2" not in (tmp_path / "a.run").read_bytes()


def test_an_interrupted_run_goes_on(tmp_path: Path) -> None:
    cases = dialogues.write_cases(tmp_path / "cases.jsonl", 40)

    class Stops(dialogues.Good):
        left = 30

        def say(self, text: str) -> dict[str, Any]:
            Stops.left -= 1
            if not Stops.left:
                raise KeyboardInterrupt
            return super().say(text)

    whole = tmp_path / "whole.run"
    mg.converse(
        cases, PythonAgent(dialogues.Good.fresh(), "same", 5), whole, operators=OPERATORS
    ).close()
    part = tmp_path / "part.run"
    interrupting = _Direct(Stops.fresh(), "same", 5)
    with pytest.raises(KeyboardInterrupt):
        mg.converse(cases, interrupting, part, operators=OPERATORS)
    with open_run(part) as run:
        done = sum(one.done for one in run.sets)
        assert 0 < done < 40
        assert not run.finished
    again = dialogues.Good.fresh()
    mg.converse(cases, PythonAgent(again, "same", 5), part, operators=OPERATORS).close()
    assert len(again.started) == 80 - done
    assert stored(part) == stored(whole)
    with pytest.raises(DataError, match="another"):
        mg.converse(cases, PythonAgent(again, "other", 5), part, operators=OPERATORS)


class _Direct(PythonAgent):
    """Lets Ctrl+C through, which a thread would keep to itself."""

    def start(self, tools: Any, case: str) -> Any:
        session = super().start(tools, case)
        session.say = lambda text: reply_of(session._agent.say(text))  # type: ignore[attr-defined,method-assign]  # noqa: SLF001
        return session


def reply_of(answer: Any) -> Any:
    from mondegreen.conversations.agents.protocol import reply_of as read

    return read(answer)


def stored(path: Path) -> list[tuple[Any, ...]]:
    with sqlite3.connect(path) as connection:
        return list(connection.execute("SELECT * FROM items ORDER BY number"))


def test_two_workers_give_the_same_bytes(tmp_path: Path) -> None:
    cases = dialogues.write_cases(tmp_path / "cases.jsonl", 40)
    found = []
    for name, more in (("one", []), ("two", ["--engine", "processes", "--workers", "2"])):
        code = main(
            ["converse", str(cases), "--agent", "python:dialogues:good", "-q", *more,
             "-o", str(tmp_path / f"{name}.run"), "--transcripts", str(tmp_path / name),
             "--op", OPERATORS[0], "--op", OPERATORS[1]]
        )  # fmt: skip
        assert code == 0
        found.append((tmp_path / name).read_bytes())
    assert found[0] == found[1]
    assert stored(tmp_path / "one.run") == stored(tmp_path / "two.run")


def said(answer: Any) -> Callable[[dict[str, Any]], tuple[int, dict[str, str], bytes]]:
    """Return what a server answers to what it is sent."""
    return lambda body: (200, {}, json.dumps(answer(body)).encode())


def test_an_agent_behind_an_address(tmp_path: Path) -> None:
    cases = dialogues.write_cases(tmp_path / "cases.jsonl", 12)
    sessions: dict[str, dialogues.Good] = {}
    kind = dialogues.Good.fresh()

    def answer(body: dict[str, Any]) -> dict[str, Any]:
        if body.get("end"):
            return {}
        if body["session"] not in sessions:
            sessions[body["session"]] = kind(body["tools"])
        return sessions[body["session"]].say(body["text"])

    with serving(said(answer)) as (url, _):
        run = mg.converse(cases, url, tmp_path / "a.run", operators=OPERATORS, concurrency=4)
        with run:
            there = list(transcripts_of(run))
    with mg.converse(
        cases, PythonAgent(kind, "here", 5), tmp_path / "b.run", operators=OPERATORS
    ) as run:
        assert list(transcripts_of(run)) == there
    assert len(sessions) == 24


def test_a_chat_model_with_a_tool_loop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-topsecret987654")
    cases = dialogues.write_cases(tmp_path / "cases.jsonl", 6)

    def answer(body: dict[str, Any]) -> dict[str, Any]:
        agent = dialogues.Good.fresh()([dialogues.TOOL])
        if body["messages"][-1]["role"] == "tool":
            message: dict[str, Any] = {"content": "Booked. Anything else?"}
        else:
            for one in body["messages"]:
                if one["role"] == "user":
                    agent.hear(one["content"].partition(". ")[0])
            made = agent.answer()
            message = {"content": made["text"] if not made["calls"] else None}
            message["tool_calls"] = [
                {
                    "id": "x",
                    "type": "function",
                    "function": {"name": one["name"], "arguments": json.dumps(one["arguments"])},
                }
                for one in made["calls"]
            ]
        return {
            "choices": [{"message": message}],
            "usage": {"prompt_tokens": 3, "completion_tokens": 2},
        }

    with serving(said(answer)) as (url, seen):
        run = mg.converse(
            cases, f"openai:{url}#m", tmp_path / "a.run", system="Book tables.", temperature=0
        )
        with run:
            assert run.scores()[CLEAN]["task_success"].value == 1
            assert json.loads(run.meta["tokens"]) == {"prompt_tokens": 36, "completion_tokens": 24}
    assert seen[0]["headers"]["Authorization"] == "Bearer sk-topsecret987654"
    assert seen[0]["messages"][0] == {"role": "system", "content": "Book tables."}
    assert seen[0]["tools"][0]["function"]["name"] == "book_table"
    assert [one["role"] for one in seen[1]["messages"]] == ["system", "user", "assistant", "tool"]
    assert b"topsecret" not in (tmp_path / "a.run").read_bytes()


PROGRAM = """
import json, sys
sys.path.insert(0, {tests!r})
import dialogues
agent = None
for line in sys.stdin:
    message = json.loads(line)
    if "tools" in message:
        agent = dialogues.Good(message["tools"])
        continue
    if "six" in message["text"]:
        sys.exit("no tables for six")
    print(json.dumps(agent.say(message["text"])), flush=True)
"""


def test_an_agent_that_is_a_program(tmp_path: Path) -> None:
    cases = dialogues.write_cases(tmp_path / "cases.jsonl", 10)
    program = tmp_path / "agent.py"
    program.write_text(PROGRAM.format(tests=str(Path(__file__).parent)), encoding="utf-8")
    with mg.converse(cases, f"command:{sys.executable} {program}", tmp_path / "a.run") as run:
        found = [kept.transcript for _, kept in conversations_of(run)]
    wanted = [case["expected"][0]["arguments"]["people"] for case in dialogues.cases(10)]
    assert [one.ended == "failed" for one in found] == [people == [6] for people in wanted]
    assert any("exited with code 1 (no tables for six)" in one.error for one in found)


class Shop:
    """Tools with a state."""

    def __init__(self, initial: dict[str, Any]) -> None:
        self.tables: list[str] = initial["tables"]

    def book_table(self, people: int, time: str, day: str, name: str) -> dict[str, Any]:
        self.tables.append(f"{name} {day} {time} {people}")
        return {"table": len(self.tables)}


def test_tools_of_the_user_have_a_state(tmp_path: Path) -> None:
    records = dialogues.cases(4)
    for number, case in enumerate(records):
        values = {k: v[0] for k, v in case.pop("expected")[0]["arguments"].items()}
        booked = "{name} {day} {time} {people}".format(**values)
        case |= {"initial": {"tables": []}, "state": {"tables": [booked if number else "nobody"]}}
    path = tmp_path / "cases.jsonl"
    path.write_text("".join(json.dumps(one) + "\n" for one in records), encoding="utf-8")
    agent = PythonAgent(dialogues.Good.fresh(), "good", 5)
    tools = "python:test_converse_agents:Shop"
    sys.modules.setdefault("test_converse_agents", sys.modules[__name__])
    with mg.converse(path, agent, tmp_path / "a.run", tools=tools, operators=OPERATORS) as run:
        assert run.scores()[CLEAN]["task_success"].numerator == 3
        assert next(conversations_of(run, CLEAN))[1].causes == ("wrong state",)
        kinds = {
            one.kind
            for _, kept in conversations_of(run, PERTURBED)
            for one in kept.transcript.exchanges
        }
        assert "correction" not in kinds
    with pytest.raises(DataError, match="no tools have one"):
        mg.converse(path, agent, tmp_path / "b.run")


def test_recorded_results_answer(tmp_path: Path) -> None:
    records = dialogues.cases(1)
    records[0]["results"] = {"book_table": {"table": 7}}
    path = tmp_path / "cases.jsonl"
    path.write_text(json.dumps(records[0]) + "\n", encoding="utf-8")
    with mg.converse(
        path, PythonAgent(dialogues.Good.fresh(), "good", 5), tmp_path / "a.run"
    ) as run:
        [one] = transcripts_of(run)
    assert one["exchanges"][0]["results"] == ({"table": 7},)


def test_repeats_give_pass_and_flips(tmp_path: Path) -> None:
    cases = dialogues.write_cases(tmp_path / "cases.jsonl", 6)

    class Moody(dialogues.Good):
        def book(self) -> dict[str, Any]:
            return super().book() if len(self.started) % 2 else {"text": "No.", "calls": []}

    with mg.converse(
        cases, PythonAgent(Moody.fresh(), "moody", 5), tmp_path / "a.run", repeat=2
    ) as run:
        found = run.scores()[CLEAN]
    assert (found["pass^1"].value, found["pass^2"].value, found["flip_rate"].value) == (0.5, 0, 1)


def test_compare_gates(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    cases = dialogues.write_cases(tmp_path / "cases.jsonl", 40)
    paths = []
    for kind in (dialogues.Good, dialogues.Stale):
        paths.append(tmp_path / f"{kind.__name__}.run")
        agent = PythonAgent(kind.fresh(), kind.__name__, 5)
        mg.converse(cases, agent, paths[-1], operators=OPERATORS, correct=1.0, seed=3).close()
    assert main(["compare", *map(str, paths), "--fail-if-worse"]) == 3
    assert "worse on perturbed" in capsys.readouterr().err
    assert main(["compare", *map(str, reversed(paths)), "--fail-if-worse"]) == 0


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('{"id": "1"}', "turns must be a list"),
        ('{"id": "1", "turns": [{"user": ""}], "expected": []}', "turn 1 is empty"),
        ('{"id": "1", "turns": ["hi"]}', "neither expected nor state"),
        (
            '{"id": "1", "turns": ["hi"], "expected": [{"name": "f"}], "tools": [{"name": "g"}]}',
            "the tools are: g",
        ),
        (
            '{"id": "1", "turns": [{"user": "a", "values": {"b": []}}], "expected": []}',
            "has no words",
        ),
        ('{"id": "1", "messages": [], "expected": []}', "a case of a single answer"),
        ("not json", "not JSON"),
    ],
)
def test_bad_cases_are_errors_that_name_the_line(
    line: str, message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "cases.jsonl"
    good = json.dumps(dialogues.cases(1)[0])
    path.write_text(f"{good}\n{line}\n", encoding="utf-8")
    out = tmp_path / "a.run"
    arguments = ["converse", str(path), "--agent", "python:dialogues:good", "-o", str(out), "-q"]
    fails(arguments, message, capsys)
    fails(arguments, "line 2", capsys)
    assert not out.exists()


def test_unknown_agents_are_errors(tmp_path: Path) -> None:
    cases = dialogues.write_cases(tmp_path / "cases.jsonl", 1)
    for name in ("nobody", "python:dialogues:nobody", "openai:http://127.0.0.1", "command:"):
        with pytest.raises(ModelError):
            mg.converse(cases, name, tmp_path / "a.run")
