"""BFCL's multi-turn cases: its turns, its tools, and the verdicts of its own checker."""

from __future__ import annotations

import json
import random
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import bfcl
import mondegreen as mg
from mondegreen.conversations.agents.python import PythonAgent
from mondegreen.conversations.results import transcripts_of
from mondegreen.conversations.running import CLEAN
from mondegreen.conversations.tools import BfclTools
from mondegreen.data.dialogues.bfcl import NEW_TOOLS, gold_call
from mondegreen.data.dialogues.cases import DialogueCase
from mondegreen.data.dialogues.reading import read_cases
from mondegreen.types import MadeCall

KINDS = ("base", "long_context", "miss_func", "miss_param")
CHECKER = "bfcl_eval.eval_checker.multi_turn_eval.multi_turn_checker"
TOOLS = "bfcl_eval.eval_checker.multi_turn_eval.multi_turn_utils"
Turns = list[list[MadeCall]]


def file(kind: str) -> Path:
    return bfcl.data() / f"BFCL_v4_multi_turn_{kind}.json"


@cache
def entries(kind: str) -> list[tuple[DialogueCase, dict[str, Any], list[list[str]]]]:
    lines = [json.loads(line) for line in file(kind).read_text(encoding="utf-8").splitlines()]
    beside = (bfcl.data() / "possible_answer" / file(kind).name).read_text(encoding="utf-8")
    gold = {one["id"]: one["ground_truth"] for one in map(json.loads, beside.splitlines())}
    cases = read_cases(file(kind))
    return [(case, line, gold[case.id]) for case, line in zip(cases, lines, strict=True)]


def gold_turns(case: DialogueCase) -> Turns:
    return [[gold_call(call) for call in turn.expected] for turn in case.turns]


def ours(case: DialogueCase, turns: Turns) -> bool:
    tools = BfclTools(case)
    for turn, calls in zip(case.turns, turns, strict=True):
        for call in calls:
            tools.run(call)
        tools.end_turn(turn.expected)
    return tools.verdict().right


def theirs(line: dict[str, Any], gold: list[list[str]], turns: Turns, name: str) -> bool:
    checker, tools = pytest.importorskip(CHECKER), pytest.importorskip(TOOLS)
    written = [[[as_python(call) for call in calls]] if calls else [] for calls in turns]
    valid = checker.multi_turn_checker(written, gold, line, "", name)["valid"]
    for kept in [one for one in vars(tools) if one.startswith(name)]:
        delattr(tools, kept)
    return bool(valid)


def as_python(call: MadeCall) -> str:
    return f"{call.name}({', '.join(f'{k}={v!r}' for k, v in call.arguments.items())})"


@pytest.mark.parametrize("kind", KINDS)
def test_verdicts_on_gold_trajectories_are_those_of_the_checker(kind: str) -> None:
    found = entries(kind)
    assert len(found) == 200
    for number, (case, line, gold) in enumerate(found):
        turns = gold_turns(case)
        assert ours(case, turns) is theirs(line, gold, turns, f"gold{number}_") is True


@pytest.mark.parametrize("kind", KINDS)
def test_verdicts_on_mutated_trajectories_are_those_of_the_checker(kind: str) -> None:
    """All four make 1,250 each, 5,000 in all."""
    found = entries(kind)
    verdicts = []
    for number in range(1250):
        case, line, gold = found[number % len(found)]
        turns = mutated(gold_turns(case), case, random.Random(f"{kind}{number}"))
        verdict = ours(case, turns)
        assert verdict is theirs(line, gold, turns, f"mutant{number}_"), (case.id, number)
        verdicts.append(verdict)
    assert 0.1 < sum(verdicts) / len(verdicts) < 0.6


def mutated(turns: Turns, case: DialogueCase, draws: random.Random) -> Turns:
    for _ in range(draws.choice((1, 1, 2))):
        at = [place for place, calls in enumerate(turns) if calls]
        if not at:
            return turns
        calls = turns[draws.choice(at)]
        place = draws.randrange(len(calls))
        call = calls[place]
        kind = draws.choice(("drop", "double", "shuffle", "argument", "tool", "move"))
        if kind == "drop":
            del calls[place]
        elif kind == "double":
            calls.insert(draws.randrange(len(calls) + 1), call)
        elif kind == "shuffle":
            draws.shuffle(calls)
        elif kind == "argument" and call.arguments:
            name = draws.choice(list(call.arguments))
            other = another(call.arguments[name])
            calls[place] = MadeCall(call.name, {**call.arguments, name: other})
        elif kind == "tool":
            calls[place] = MadeCall(draws.choice(list(case.functions)), call.arguments)
        else:
            draws.choice(turns).append(calls.pop(place))
    return turns


def another(value: Any) -> Any:
    if isinstance(value, bool):
        return not value
    if isinstance(value, int | float):
        return value + 1
    return value[::-1] if isinstance(value, str) else []


class Perfect:
    """Makes the calls of the ground truth; it knows the case by what the caller has said."""

    def __init__(self, gold: dict[tuple[str, ...], list[dict[str, Any]]]) -> None:
        self.gold, self.heard = gold, tuple[str, ...]()

    def say(self, text: str) -> dict[str, Any]:
        self.heard += (text,)
        return {"text": "", "calls": self.gold[self.heard]}


@pytest.mark.parametrize("kind", KINDS)
def test_a_clean_caller_says_the_turns_and_a_perfect_agent_scores_all(
    kind: str, tmp_path: Path
) -> None:
    gold: dict[tuple[str, ...], list[dict[str, Any]]] = {}
    said = []
    for case, line, _ in entries(kind):
        words = [turn[0]["content"] if turn else NEW_TOOLS for turn in line["question"]]
        said.append(words)
        for place, calls in enumerate(gold_turns(case)):
            made = [{"name": call.name, "arguments": call.arguments} for call in calls]
            gold[tuple(words[: place + 1])] = made
    agent = PythonAgent(lambda _tools: Perfect(gold), "perfect", 10.0)
    with mg.converse(file(kind), agent, tmp_path / "a.run") as run:
        scores = run.scores()[CLEAN]
        assert [scores[name].value for name in ("task_success", "call_accuracy")] == [1, 1]
        heard = [[one["meant"] for one in each["exchanges"]] for each in transcripts_of(run)]
    assert heard == said


def test_a_tool_that_comes_later_is_offered_when_its_turn_comes() -> None:
    case = entries("miss_func")[0][0]
    place = next(at for at, turn in enumerate(case.turns) if turn.tools)
    assert case.turns[place].user == NEW_TOOLS
    first = {tool["name"] for tool in case.tools}
    assert {tool["name"] for tool in case.turns[place].tools}.isdisjoint(first)
