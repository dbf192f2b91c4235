"""Cases of table bookings, and scripted agents: a good one, and one for each mistake."""

from __future__ import annotations

import json
import re
from itertools import islice, pairwise, product
from pathlib import Path
from typing import Any, ClassVar

NUMBERS = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven",
)  # fmt: skip
VALUES = {
    "people": ("two", "three", "four", "five", "six"),
    "time": ("seven", "eight", "nine", "ten", "eleven"),
    "day": ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday"),
    "name": ("miller", "johnson", "garcia", "wilson", "parker", "turner", "cooper"),
}
QUESTIONS = {
    "people": "For how many people, please?",
    "time": "What time would you like?",
    "day": "On which day?",
    "name": "Under what name?",
}
LEADS = {"for": "people", "at": "time", "on": "day", "under": "name"}
TEXTS = (
    "book a table for {people} at {time} on {day} under {name}",
    "i need a table on {day} at {time} for {people} under {name}",
    "can you reserve a table under {name} for {people} on {day} at {time}",
)
TOOL: dict[str, Any] = {
    "name": "book_table",
    "description": "Book a table in a restaurant",
    "parameters": {
        "type": "object",
        "properties": {
            "people": {"type": "integer", "description": "Number of guests"},
            "time": {"type": "string", "description": "Time of the reservation"},
            "day": {"type": "string", "description": "Day of the week"},
            "name": {"type": "string", "description": "Name of the guest"},
        },
        "required": list(VALUES),
    },
}


def argument(name: str, word: str) -> Any:
    return NUMBERS.index(word) if name == "people" and word in NUMBERS else word


def cases(n: int) -> list[dict[str, Any]]:
    found = []
    every = list(islice(product(TEXTS, *VALUES.values()), None))
    for number in range(n):
        text, *words = every[number * 97 % len(every)]
        values = dict(zip(VALUES, words, strict=True))
        found.append(
            {
                "id": f"case {number}",
                "turns": [
                    {"user": text.format(**values), "values": {k: [v] for k, v in values.items()}}
                ],
                "tools": [TOOL],
                "expected": [
                    {
                        "name": "book_table",
                        "arguments": {k: [argument(k, v)] for k, v in values.items()},
                    }
                ],
            }
        )
    return found


def write_cases(path: Path, n: int) -> Path:
    path.write_text("".join(json.dumps(case) + "\n" for case in cases(n)), encoding="utf-8")
    return path


class Good:
    """Understands values by their words, asks for what is missing, and books once all is known.

    ``mistaken`` says afterwards whether it made the mistake of its class.
    """

    started: ClassVar[list[Good]] = []

    def __init__(self, tools: list[Any]) -> None:
        assert tools == [TOOL]
        self.started.append(self)
        self.known: dict[str, str] = {}
        self.booked: dict[str, Any] | None = None
        self.bookings: list[dict[str, Any]] = []
        self.mistaken = False

    @classmethod
    def fresh(cls) -> type[Good]:
        return type(cls.__name__, (cls,), {"started": []})

    def booked_wrongly(self, expected: dict[str, list[Any]]) -> bool:
        """Whether any of its bookings was not what was expected, or there was none."""
        return not self.bookings or any(
            one.get(name) not in possible
            for one in self.bookings
            for name, possible in expected.items()
        )

    def hear(self, text: str) -> None:
        for word in re.findall(r"[a-z-]+", text.lower()):
            for name, words in VALUES.items():
                if word in words:
                    self.take(name, word)

    def take(self, name: str, word: str) -> None:
        self.known[name] = word

    def say(self, text: str) -> dict[str, Any]:
        self.hear(text.partition(". ")[0])  # what is spelt follows the value
        return self.answer()

    def answer(self) -> dict[str, Any]:
        missing = [name for name in VALUES if name not in self.known]
        if missing:
            return {"text": QUESTIONS[missing[0]], "calls": []}
        return self.book()

    def book(self) -> dict[str, Any]:
        wanted = {name: argument(name, word) for name, word in self.known.items()}
        if wanted == self.booked:
            return {"text": "It is booked.", "calls": []}
        self.booked = wanted
        self.bookings.append(wanted)
        return {"text": "Booked.", "calls": [{"name": "book_table", "arguments": wanted}]}


class Stale(Good):
    """Keeps the first value that it hears."""

    def take(self, name: str, word: str) -> None:
        if self.known.setdefault(name, word) != word:
            self.mistaken = True


class Premature(Good):
    """Books as soon as it has heard anything."""

    def answer(self) -> dict[str, Any]:
        if len(self.known) < len(VALUES) and self.booked is None:
            self.mistaken = True
            return self.book()
        return super().answer()


class PassesOn(Good):
    """Takes whatever stands where a value should stand, and never asks."""

    def hear(self, text: str) -> None:
        words = re.findall(r"[a-z-]+", text.lower())
        for lead, word in pairwise(words):
            if lead in LEADS and word not in LEADS and word not in ("um", "uh", "er"):
                self.known[LEADS[lead]] = word
        super().hear(text)

    def answer(self) -> dict[str, Any]:
        if len(self.known) < len(VALUES):
            return {"text": "One moment."}
        self.mistaken |= any(word not in VALUES[name] for name, word in self.known.items())
        return self.book()


class NeverAsks(Good):
    """Says nothing if it has not understood everything."""

    def answer(self) -> dict[str, Any]:
        self.mistaken = len(self.known) < len(VALUES)
        return {"text": "One moment.", "calls": []} if self.mistaken else self.book()


class AsksForEver(Good):
    """Always asks the same."""

    def answer(self) -> dict[str, Any]:
        self.mistaken = True
        return {"text": QUESTIONS["people"], "calls": []}


def good(tools: list[Any]) -> Good:
    return Good(tools)


AGENTS: dict[str, type[Good]] = {
    "stale": Stale, "premature": Premature, "passes on": PassesOn, "never asks": NeverAsks,
    "asks for ever": AsksForEver,
}  # fmt: skip
