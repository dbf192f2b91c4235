"""Seeds of the metrics that score more than texts, for scripts/fuzz_targets.py."""

from __future__ import annotations

import json
from typing import Any, NamedTuple


class Pair(NamedTuple):
    """A file of references and one of hypotheses; each is damaged while the other is whole."""

    ending: str
    ref: bytes
    hyp: bytes


def _lines(*rows: object) -> bytes:
    return b"".join(json.dumps(row).encode() + b"\n" for row in rows)


def _tool(name: str, **types: str) -> dict[str, Any]:
    properties = {key: {"type": kind} for key, kind in types.items()}
    parameters = {"type": "object", "properties": properties, "required": [next(iter(types))]}
    return {"name": name, "parameters": parameters}


def _case(id: str, text: str, city: str) -> dict[str, Any]:
    messages = [
        {"role": "system", "content": "You book flights."},
        {"role": "user", "content": "Hello there."},
        {"role": "assistant", "content": "Where to?"},
        {"role": "user", "content": text},
    ]
    expected = [{"name": "fly", "arguments": {"city": [city], "nights": [2, ""]}}]
    tools = [_tool("fly", city="string", nights="integer")]
    return {"id": id, "messages": messages, "tools": tools, "expected": expected}


CITIES = ("Orlando", "Denver", "Oslo")
CASES = _lines(*(_case(city, f"Fly me to {city} for 2 nights.", city) for city in CITIES))
_CALLS = _lines(
    *(
        {"id": city, "calls": [{"name": "fly", "arguments": {"city": city, "nights": 3}}]}
        for city in CITIES
    )
)
_DIALOGUES = _lines(
    *(
        {
            "id": id,
            "turns": [
                {"user": "a table for four at eight", "values": {"people": ["four"]}},
                {"user": "no, for six", "values": {"people": ["six", "6"]}},
            ],
            "tools": [_tool("book", people="integer", time="string")],
            "expected": [{"name": "book", "arguments": {"people": [6], "time": ["eight", ""]}}],
        }
        for id in "12"
    )
)
_TRANSCRIPTS = _lines(
    *(
        {
            "id": id,
            "exchanges": [
                {
                    "turn": 0,
                    "kind": "turn",
                    "meant": "a table for four at eight",
                    "heard": "a table for five at eight",
                    "values": [{"name": "people", "state": "lost", "words": "five"}],
                    "reply": "Booked.",
                    "calls": [{"name": "book", "arguments": {"people": 5, "time": "eight"}}],
                }
            ],
        }
        for id in "12"
    )
)
BFCL = _lines(
    {
        "id": "multi_turn_base_0",
        "question": [[{"role": "user", "content": "sort a.txt"}]],
        "initial_config": {"GorillaFileSystem": {"root": {}}},
        "involved_classes": ["GorillaFileSystem"],
        "ground_truth": [["sort('a.txt')"]],
    }
)


def _segments(*words: str) -> bytes:
    return json.dumps(
        [
            {"session_id": "m", "speaker": f"s{n % 2}", "words": text}
            | {"start_time": n, "end_time": n + 1.5}
            for n, text in enumerate(words)
        ]
    ).encode()


PAIRS = {
    "calls": Pair(".jsonl", CASES, _CALLS),
    "conversations": Pair(".jsonl", _DIALOGUES, _TRANSCRIPTS),
    "correctness": Pair(
        ".tsv",
        b"utterance_id\tcorrectness\na\tTrue\nb\tFalse\nc\tTrue\n",
        b"utterance_id\tprediction\na\tTrue\nb\tTrue\nc\tFalse\n",
    ),
    "meetings": Pair(
        ".json", _segments("hello there", "good day", "bye"), _segments("hello their", "day", "by")
    ),
    "phonemes": Pair(
        ".tsv",
        b"utterance_id\ttranscript\nhouse\tHH AW S\ncomb\tK OW M\nsil\t<sil> AH\n",
        b"utterance_id\tasr_transcript\nhouse\tHH AA S\ncomb\tG OW M\nsil\tAH\n",
    ),
}
