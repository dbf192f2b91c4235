"""Attacks on conversations and on the comparison of values, for scripts/attack.py."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from typing import NamedTuple

TOOL = {"name": "book", "parameters": {"type": "object", "properties": {}}}
CASE = {
    "id": "c1",
    "turns": [{"user": "a table for four", "values": {"people": ["four"]}}],
    "tools": [TOOL],
    "expected": [{"name": "book", "arguments": {"people": [4]}}],
}
STORED = '"$@"; C=$?; grep -qE "secret-word|sk-secret-key" r.run && exit 99; exit $C'
"""Runs the command, and ends with another code if a secret is in the run."""


class Call(NamedTuple):
    """A command, its files, whether it must fail, and the shell program around it."""

    name: str
    arguments: list[str]
    files: dict[str, str]
    fails: bool
    around: str = ""


def agents(paths: tuple[str, ...]) -> Iterator[Call]:
    """Yield attacks by agents, by cases of conversations, and by texts that are compared."""
    files = {"c.jsonl": json.dumps(CASE) + "\n"}
    call = ["converse", "c.jsonl", "-o", "r.run", "--timeout", "2", "--retries", "1", "-q"]
    for path in paths:
        for kind, end in (("http:", ""), ("openai:http:", "#m")):
            agent = f"{kind}//me:secret-word@HOST/{path}{end}"
            title = f"agent: {kind}{path}"
            yield Call(title, [*call, "--agent", agent], files, fails=False, around=STORED)
    for program in ("sleep 300", "false", "yes", "nothing-at-all", "cat /dev/zero", "echo 7"):
        agent = f"command:{program}"
        yield Call(f"agent: {agent}", [*call, "--agent", agent], files, fails=False)
    for body in (
        "raise SystemExit(0)",
        "while True: pass",
        "return 7",
        "return {'text': '\\ud800'}",
    ):
        files = {**files, "a.py": f"class A:\n def __init__(s, t): 0\n def say(s, t):\n  {body}\n"}
        yield Call(f"agent: python, {body}", [*call, "--agent", "python:a:A"], files, fails=False)
    yield from _cases(call)
    yield from _texts()


def _cases(call: list[str]) -> Iterator[Call]:
    laughs = "name: x\na: &a [x,x,x,x,x,x,x,x,x]\n" + "".join(
        f"{new}: &{new} [{','.join(['*' + old] * 9)}]\n"
        for old, new in zip("abcdefgh", "bcdefghi", strict=True)
    )
    bfcl = {"id": "a", "question": [[]], "involved_classes": ["GorillaFileSystem"]}
    for name, content in (
        ("c.yaml", f"{laughs}scenarios: *i\n"),
        ("c.yaml", "name: x\nscenarios: &a [*a]\n"),
        ("c.jsonl", json.dumps(bfcl | {"ground_truth": [["(" * 100_000]]}) + "\n"),
        ("c.jsonl", "[" * 100_000 + "\n"),
        ("c.jsonl", json.dumps(CASE | {"turns": [{"user": 7}]}) + "\n"),
    ):
        arguments = [one.replace("c.jsonl", name) for one in call]
        title = f"cases: {name}, {content:.12}".replace("\n", " ")
        yield Call(title, [*arguments, "--agent", "command:cat"], {name: content}, fails=True)


def _texts() -> Iterator[Call]:
    for name, text in (
        ("digits", "1" * 10_000), ("abbreviations", "a.b.c." * 9_000),
        ("scales", "million " * 9_000),
        ("readings", "eight 55 or 5:50 " * 3_000), ("spelled", "b c d 1 2 " * 5_000),
        ("marks", "e" + "\u0301" * 50_000), ("right to left", "\u202e5 " * 9_000),
    ):  # fmt: skip
        files = {
            "p.tsv": f"ref\thyp\n{text}\t{text[:-3]} five\n",
            "r.txt": text,
            "h.txt": "five " + text,
        }
        yield Call(f"same: {name}", ["same", "p.tsv"], files, fails=False)
        words = ["score", "words", "--ref", "r.txt", "--hyp", "h.txt", "--format-equal", "en"]
        yield Call(f"format-equal: {name}", words, files, fails=False)


if __name__ == "__main__":
    sys.exit("run scripts/attack.py")
