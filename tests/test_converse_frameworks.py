"""Pipecat's evals and LiveKit's agents, with the real packages and a scripted model inside."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

import dialogues
import mondegreen as mg
from mondegreen.cli.main import main
from mondegreen.conversations.results import conversations_of
from mondegreen.conversations.running import CLEAN
from mondegreen.data.dialogues.reading import read_cases
from mondegreen.errors import ModelError

HERE = Path(__file__).parent

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


PIPECAT = """
import dialogues
from pipecat.adapters.schemas.function_schema import FunctionSchema
from pipecat.adapters.schemas.tools_schema import ToolsSchema
from pipecat.evals.transport import EvalTransportParams
from pipecat.frames.frames import (
    FunctionCallFromLLM, LLMContextFrame, LLMFullResponseEndFrame, LLMFullResponseStartFrame,
    LLMTextFrame,
)
from pipecat.pipeline.pipeline import Pipeline
from pipecat.pipeline.runner import PipelineRunner
from pipecat.pipeline.task import PipelineTask
from pipecat.processors.aggregators.llm_context import LLMContext
from pipecat.processors.aggregators.llm_response_universal import LLMContextAggregatorPair
from pipecat.runner.utils import create_transport
from pipecat.services.llm_service import LLMService

class Scripted(LLMService):
    async def process_frame(self, frame, direction):
        await super().process_frame(frame, direction)
        if not isinstance(frame, LLMContextFrame):
            await self.push_frame(frame, direction)
            return
        await self.push_frame(LLMFullResponseStartFrame())
        messages = frame.context.get_messages()
        agent = dialogues.Good.fresh()([dialogues.TOOL])
        for one in messages:
            if one.get("role") == "user":
                agent.hear(str(one["content"]).partition(". ")[0])
        calls = []
        if messages[-1].get("role") == "tool":
            await self.push_frame(LLMTextFrame("Booked."))
        else:
            made = agent.answer()
            calls = [
                FunctionCallFromLLM(
                    function_name=one["name"], tool_call_id="1", arguments=one["arguments"],
                    context=frame.context,
                )
                for one in made["calls"]
            ]
            if not calls:
                for word in made["text"].split():
                    await self.push_frame(LLMTextFrame(word + " "))
        await self.push_frame(LLMFullResponseEndFrame())
        await self.run_function_calls(calls)

async def book_table(params):
    await params.result_callback({"status": "ok"})

async def bot(runner_args):
    transport = await create_transport(runner_args, {"eval": lambda: EvalTransportParams()})
    llm = Scripted()
    llm.register_function("book_table", book_table)
    tool = dialogues.TOOL["parameters"]
    schema = FunctionSchema("book_table", "Book", tool["properties"], tool["required"])
    context = LLMContext(tools=ToolsSchema([schema]))
    pair = LLMContextAggregatorPair(context)
    parts = [transport.input(), pair.user(), llm, transport.output(), pair.assistant()]
    await PipelineRunner(handle_sigint=False).run(PipelineTask(Pipeline(parts)))

if __name__ == "__main__":
    from pipecat.runner.run import main
    main()
"""


@pytest.fixture
def pipecat_bot(tmp_path: Path) -> Iterator[str]:
    """Run a bot with Pipecat's own runner; return the address of its eval endpoint."""
    pytest.importorskip("pipecat.evals.fastapi_transport", reason=REASON)
    pytest.importorskip("pipecat.runner.run", reason=REASON)
    path = tmp_path / "bot.py"
    path.write_text(PIPECAT, encoding="utf-8")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(HERE), *sys.path])}
    with (tmp_path / "bot.log").open("wb") as log:
        bot = subprocess.Popen(
            [sys.executable, str(path), "--host", "127.0.0.1", "--port", str(port)],
            env=environment, cwd=tmp_path, stdout=log, stderr=log,
        )  # fmt: skip
    try:
        for _ in range(600):
            with suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
                break
            assert bot.poll() is None, (tmp_path / "bot.log").read_text(encoding="utf-8")[-2000:]
            time.sleep(0.2)
        yield f"pipecat:ws://127.0.0.1:{port}/ws"
    finally:
        bot.kill()
        bot.wait()


@pytest.mark.filterwarnings("default")
def test_a_bot_of_pipecat_behind_its_eval_endpoint(tmp_path: Path, pipecat_bot: str) -> None:
    cases = dialogues.write_cases(tmp_path / "cases.jsonl", 3)
    run = mg.converse(
        cases, pipecat_bot, tmp_path / "a.run", operators=["recogniser(wer=0.2)"], seed=1,
        timeout=60, correct=0,
    )  # fmt: skip
    with run:
        assert run.scores()[CLEAN]["task_success"].value == 1, [
            kept.transcript for _, kept in conversations_of(run)
        ]
        assert run.scores()["perturbed"]["failed"].value == 0


def test_an_endpoint_that_is_not_there_is_named(tmp_path: Path) -> None:
    pytest.importorskip("websockets.sync.client", reason=REASON)
    cases = dialogues.write_cases(tmp_path / "cases.jsonl", 1)
    with mg.converse(cases, "pipecat:ws://127.0.0.1:9/ws", tmp_path / "a.run", timeout=5) as run:
        [(_, kept)] = conversations_of(run)
    assert "cannot be reached" in kept.transcript.error
    with pytest.raises(ModelError, match="give the address of the bot's eval endpoint"):
        mg.converse(cases, "pipecat:my_bot", tmp_path / "b.run")
