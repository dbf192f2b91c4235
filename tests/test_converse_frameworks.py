"""Pipecat's evals and LiveKit's agents, with the real packages and a scripted model inside."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import dialogues
import mondegreen as mg
from mondegreen.cli.main import main
from mondegreen.conversations.results import conversations_of
from mondegreen.conversations.running import CLEAN
from mondegreen.data.dialogues.reading import read_cases

EVALS = """
name: booking
judge: !include ../judge.yaml
scenarios:
  - name: table
    turns:
      - expect:
          - event: response
            eval: greets
      - user: book a table for four
        expect: []
      - user: at eight please
        expect:
          - event: function_call
            calls:
              - name: book_table
                args: {people: 4}
"""
REASON = "pip install --group conversations"


def test_evals_are_read_as_cases(tmp_path: Path) -> None:
    path = tmp_path / "booking.yaml"
    path.write_text(EVALS, encoding="utf-8")
    with pytest.warns(UserWarning, match="not read: eval, turns without words"):
        [case] = read_cases(path)
    assert (case.id, case.open) == ("booking/table", True)
    assert [turn.user for turn in case.turns] == ["book a table for four", "at eight please"]
    assert [[call.name for call in turn.expected] for turn in case.turns] == [[], ["book_table"]]


def test_arguments_that_an_eval_does_not_list_are_open(tmp_path: Path) -> None:
    path = tmp_path / "booking.yaml"
    path.write_text(EVALS.replace("eval: greets", "within_ms: 5"), encoding="utf-8")

    class Books:
        def __init__(self, _tools: Any) -> None:
            self.heard: list[str] = []

        def say(self, text: str) -> dict[str, Any]:
            self.heard.append(text)
            call = {"name": "book_table", "arguments": {"people": 4, "time": "eight"}}
            return {"text": "", "calls": [call] if len(self.heard) > 1 else []}

    from mondegreen.conversations.agents.python import PythonAgent

    with pytest.warns(UserWarning, match="turns without words"):
        run = mg.converse(path, PythonAgent(Books, "books", 5), tmp_path / "a.run")
    with run:
        assert run.scores()[CLEAN]["task_success"].value == 1


def test_cases_are_written_as_evals_that_pipecat_reads(tmp_path: Path) -> None:
    scenario = pytest.importorskip("pipecat.evals.scenario", reason=REASON)
    cases = dialogues.write_cases(tmp_path / "cases.jsonl", 5)
    path = tmp_path / "evals.yaml"
    assert main(["export", str(cases), "--to", "pipecat", "-o", str(path)]) == 0
    loaded = scenario.EvalScenarioFile.load(path)
    ours = read_cases(cases)
    assert [one.name for one in loaded] == [f"evals/{case.id}" for case in ours]
    for one, case in zip(loaded, ours, strict=True):
        assert [turn.user for turn in one.turns] == [turn.user for turn in case.turns]
        [call] = one.turns[0].expect[0].calls
        assert (call.name, call.args) == (
            "book_table", {name: values[0] for name, values in case.expected[0].arguments.items()},
        )  # fmt: skip
    again = read_cases(path)
    assert [(one.turns, one.tools) for one in again] == [(one.turns, one.tools) for one in ours]


LIVEKIT = '''
import json, re
import dialogues
from livekit.agents import Agent, function_tool, llm

class Scripted(llm.LLM):
    def chat(self, *, chat_ctx, tools=None, conn_options=None, **_):
        return Stream(self, chat_ctx=chat_ctx, tools=tools or [], conn_options=conn_options)

class Stream(llm.LLMStream):
    async def _run(self):
        items = self._chat_ctx.items
        agent = dialogues.Good.fresh()([dialogues.TOOL])
        for one in items:
            if one.type == "message" and one.role == "user":
                agent.hear((one.text_content or "").partition(". ")[0])
        if items[-1].type == "function_call_output":
            delta = llm.ChoiceDelta(role="assistant", content="Booked.")
        else:
            made = agent.answer()
            calls = [
                llm.FunctionToolCall(
                    name=one["name"], arguments=json.dumps(one["arguments"]), call_id="1"
                )
                for one in made["calls"]
            ]
            text = None if calls else made["text"]
            delta = llm.ChoiceDelta(role="assistant", content=text, tool_calls=calls)
        self._event_ch.send_nowait(llm.ChatChunk(id="1", delta=delta))

class Booking(Agent):
    def __init__(self):
        super().__init__(instructions="Book tables.", llm=Scripted())

    @function_tool
    async def book_table(self, people: int, time: str, day: str, name: str) -> str:
        """Book a table."""
        return "ok"
'''


@pytest.mark.filterwarnings("default")
def test_an_agent_of_livekit_in_text_mode(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("livekit.agents", reason=REASON)
    (tmp_path / "livekit_booking.py").write_text(LIVEKIT, encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    cases = dialogues.write_cases(tmp_path / "cases.jsonl", 4)
    run = mg.converse(
        cases, "livekit:livekit_booking:Booking", tmp_path / "a.run",
        operators=["recogniser(wer=0.2)"], seed=1, timeout=30, correct=0,
    )  # fmt: skip
    with run:
        assert run.scores()[CLEAN]["task_success"].value == 1, [
            kept.transcript for _, kept in conversations_of(run)
        ]
        assert run.scores()["perturbed"]["failed"].value == 0
