"""When a call is right: BFCL's checker says the same; schemas that BFCL does not have."""

from __future__ import annotations

import random
from typing import Any

import pytest

import bfcl
from mondegreen.data.answers.cases import case_of_bfcl
from mondegreen.data.answers.conversations import Call, calls_in, functions_of
from mondegreen.metrics.calls.rules import call_right, calls_right
from mondegreen.types import MadeCall

PER_CASE = {
    "simple_python": 4,
    "live_multiple": 2,
    "live_parallel": 40,
    "live_parallel_multiple": 40,
}


def ours(case: dict[str, Any], made: bfcl.Calls) -> bool:
    read = case_of_bfcl(case, {})
    calls = [MadeCall(name, arguments) for call in made for name, arguments in call.items()]
    return calls_right(functions_of(read["tools"]), calls, calls_in(read["expected"]))


@pytest.mark.parametrize("kind", bfcl.KINDS)
def test_bfcls_checker_says_the_same(kind: str) -> None:
    check, draw = bfcl.checker(), random.Random(kind)
    compared = crashed = right = 0
    for case in bfcl.cases(kind):
        gold = bfcl.gold(case)
        assert ours(case, gold) == check(case, gold, kind), case["id"]
        for made in bfcl.mutations(case, draw, PER_CASE.get(kind, 6)):
            try:
                verdict = check(case, made, kind)
            except (KeyError, TypeError, AttributeError, IndexError):
                crashed += 1  # the checker does not expect such a value; ours says wrong
                continue
            assert ours(case, made) == verdict, (case["id"], made)
            compared += 1
            right += verdict
    assert compared > 500
    assert crashed < compared / 20
    assert 0 < right < compared


SCHEMA = {
    "name": "book",
    "parameters": {
        "type": "object",
        "properties": {
            "city": {"$ref": "#/$defs/place"},
            "guests": {"anyOf": [{"type": "integer"}, {"type": "string"}]},
            "when": {"type": ["string", "null"], "enum": ["now", "later"]},
            "size": {"type": "number"},
            "other": {"$ref": "#/nowhere"},
        },
        "$defs": {"place": {"type": "string"}},
        "required": ["city"],
    },
}


@pytest.mark.parametrize(
    ("arguments", "right"),
    [
        ({"city": "orlando"}, True),
        ({"city": 5}, False),
        ({"city": "Orlando", "guests": 2}, True),
        ({"city": "Orlando", "guests": "two"}, True),
        ({"city": "Orlando", "guests": 2.5}, False),
        ({"city": "Orlando", "when": "now"}, True),
        ({"city": "Orlando", "size": 3}, True),
        ({"city": "Orlando", "other": [1]}, True),
        ({"guests": 2}, False),
    ],
)
def test_references_and_alternatives_in_schemas(arguments: dict[str, Any], *, right: bool) -> None:
    possible: dict[str, list[Any]] = {
        "city": ["Orlando"], "guests": [2, "two", ""], "when": ["now", ""], "size": [3.0, ""],
        "other": [[1], ""],
    }  # fmt: skip
    assert call_right(SCHEMA, MadeCall("book", arguments), Call("book", possible)) == right
