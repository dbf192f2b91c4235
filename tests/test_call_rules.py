"""When a call is right: BFCL's checker says the same; schemas that BFCL does not have."""

from __future__ import annotations

import importlib
import json
import random
import time
import warnings
from pathlib import Path
from typing import Any

import pytest

import bfcl
import mondegreen as mg
from mondegreen.data.answers.calls import calls_prediction
from mondegreen.data.answers.cases import case_of_bfcl
from mondegreen.data.answers.conversations import (
    JAVA,
    JAVASCRIPT,
    Call,
    calls_in,
    functions_of,
)
from mondegreen.metrics.calls.languages import TYPES, converted
from mondegreen.metrics.calls.rules import call_right, calls_right
from mondegreen.models.openai import sent_functions
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


@pytest.mark.parametrize("kind", bfcl.CODE_KINDS)
def test_27_14_java_and_javascript_are_judged_by_their_own_rules(kind: str) -> None:
    check, draw = bfcl.checker(), random.Random(kind)
    compared = crashed = right = 0
    for case in bfcl.cases(kind):
        gold = bfcl.in_code(case, bfcl.gold(case), kind, random.Random(1))
        for made in [gold, *bfcl.mutations(case, draw, 20)]:
            code = made if made is gold else bfcl.in_code(case, made, kind, draw)
            try:
                verdict = check(case, code, kind)
            except (KeyError, TypeError, AttributeError, IndexError):
                crashed += 1
                continue
            assert ours(case, code) == verdict, (case["id"], code)
            compared += 1
            right += verdict
    assert compared > 900
    assert crashed < compared / 20
    assert compared / 10 < right < compared


def test_27_14_code_is_read_as_bfcl_reads_it() -> None:
    bfcl.checker()
    package = "bfcl_eval.eval_checker.ast_eval.type_convertor"
    theirs: dict[str, Any] = {
        JAVA: importlib.import_module(f"{package}.java_type_converter").java_type_converter,
        JAVASCRIPT: importlib.import_module(f"{package}.js_type_converter").js_type_converter,
    }
    draw, values = random.Random(27), 0
    for _ in range(20_000):
        language = draw.choice((JAVA, JAVASCRIPT))
        named = draw.choice(("Array", "ArrayList", "HashMap", "array", "dict", *TYPES[language]))
        if named in ("Set", "Hashtable", "Queue", "Stack") or named not in TYPES[language]:
            continue
        nested = draw.choice((None, "String", "integer", "float", "any"))
        parts = [draw.choice(_BEGINNINGS), *draw.choices(_PARTS, k=draw.choice((0, 1, 2, 4, 8)))]
        code = "".join([*parts, draw.choice(_ENDS)])
        wanted = theirs[language](code, named, nested)
        assert converted(language, code, named, nested) == wanted, (language, named, nested, code)
        values += not isinstance(wanted, str)
    assert values > 400


_BEGINNINGS = (
    "", "[", "[[", "{", "new Array(", "new Array([", "new ArrayList<>(Arrays.asList(", "new int[]{",
    "new HashMap<String, Object>() {{ ", "new ArrayList<Integer>() {{ ",
)  # fmt: skip
_ENDS = ("", "]", "]]", "}", ")", "])", "))", "}}")
_PARTS = (
    *"[]{}(),: \"'1ab\n", "-2", "3.5", "5L", "2f", "7n", "true", "], [", "add(1);", "put(", '"k", ',
    'put("k", "v");', "a: 1", "'b'", '"c"', "1e5", ", ", "[1, 2]", "é",
)  # fmt: skip


@pytest.mark.parametrize(
    ("named", "code"),
    [
        ("array", "[[" + "],[" * 6_000),
        ("dict", "{" + "a:," * 6_000 + "}"),
        ("HashMap", "new HashMap<>(){" + " " * 19_000),
        ("HashMap", 'new HashMap<>(){put("' + '",' * 9_000),
        ("ArrayList", "new ArrayList<>() {{" + " " * 19_000),
        ("array", "[[" * 100_000),
    ],
)
def test_27_14_hostile_code_is_quick(named: str, code: str) -> None:
    begin = time.process_time()
    converted(JAVASCRIPT if named in TYPES[JAVASCRIPT] else JAVA, code, named, "String")
    assert time.process_time() - begin < 2


def test_27_14_a_result_in_code_is_read() -> None:
    text = '[Area.of(width=5L, names=new ArrayList<String>(Arrays.asList("a", "b")), to=\'x, y\')]'
    found = calls_prediction("simple_java_1", {"result": text}).calls
    names = 'new ArrayList<String>(Arrays.asList("a", "b"))'
    assert found == (MadeCall("Area.of", {"width": "5L", "names": names, "to": "x, y"}),)
    for broken in ("[f(a=1]", "[f(a=1, a=2)]", "[f(1)]", "no call", "", "[f(a='x)]"):
        assert calls_prediction("simple_javascript_1", {"result": broken}).calls == ()
    assert calls_prediction("simple_python_1", {"result": "[f(a=1)]"}).calls == (
        MadeCall("f", {"a": 1}),
    )


def test_27_14_models_are_told_to_write_code_as_texts(tmp_path: Path) -> None:
    kind = "simple_javascript"
    source = bfcl.data() / f"BFCL_v4_{kind}.json"
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        cases = list(mg.read(source, format="bfcl"))
    tools: Any = dict(cases[0].extra)["tools"]
    [sent] = sent_functions(functions_of(tools))
    field = sent["parameters"]["properties"]["isComplete"]
    assert field["type"] == "string"
    assert field["description"].endswith(
        "JavaScript Boolean type parameter in string representation."
    )
    assert sent["description"].endswith("Note that the provided function is in JavaScript syntax.")
    assert "language" not in sent["parameters"]
    mg.suite(source, tmp_path / "suite", "fillers", random=0)
    mg.export(tmp_path / "suite", "bfcl", tmp_path / "out")
    text = (tmp_path / "out" / "BFCL_original.json").read_text()
    assert json.loads(text.splitlines()[0])["function"] == bfcl.cases(kind)[0]["function"]


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
