"""BFCL's cases and checker, from the wheel bfcl-eval (installed without its dependencies)."""

from __future__ import annotations

import copy
import importlib
import json
import random
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

KINDS = (
    "simple_python", "multiple", "parallel", "parallel_multiple", "live_simple", "live_multiple",
    "live_parallel", "live_parallel_multiple",
)  # fmt: skip
CODE_KINDS = ("simple_java", "simple_javascript")
"""The cases whose arguments are texts of code."""
Calls = list[dict[str, dict[str, Any]]]


def data() -> Path:
    """Return the folder of the cases; skip without the wheel."""
    package = pytest.importorskip("bfcl_eval", reason="pip install --no-deps bfcl-eval")
    return Path(str(package.__file__)).parent / "data"


def checker() -> Any:
    """Return BFCL's checker. Its table of models, which needs their packages, is not loaded."""
    data()

    class Config:
        underscore_to_dot = False

    class Models(dict[str, Any]):
        def __missing__(self, key: str) -> type:
            return Config

    name = "bfcl_eval.constants.model_config"
    if name not in sys.modules:
        stub = ModuleType(name)
        stub.MODEL_CONFIG_MAPPING = Models()  # type: ignore[attr-defined]
        sys.modules[name] = stub
    module = importlib.import_module("bfcl_eval.eval_checker.ast_eval.ast_checker")
    languages = importlib.import_module("bfcl_eval.constants.enums").Language

    def check(case: dict[str, Any], made: Calls, kind: str) -> bool:
        functions, truth = case["function"], case["ground_truth"]
        named = kind.removeprefix("simple_").upper()
        language = languages[named if kind in CODE_KINDS else "PYTHON"]
        verdict = module.ast_checker(functions, made, truth, language, kind, "none")
        return bool(verdict["valid"])

    return check


def cases(kind: str) -> list[dict[str, Any]]:
    """Return the cases of a file, each with its possible answers."""
    file = f"BFCL_v4_{kind}.json"
    answers = {}
    for line in (data() / "possible_answer" / file).read_text().splitlines():
        record = json.loads(line)
        answers[record["id"]] = record["ground_truth"]
    found = map(json.loads, (data() / file).read_text().splitlines())
    return [{**case, "ground_truth": answers[case["id"]]} for case in found]


def gold(case: dict[str, Any]) -> Calls:
    """Return calls with the first possible value of each argument."""
    return [
        {name: {k: _value(v) for k, v in arguments.items() if v and v[0] != ""}}
        for call in case["ground_truth"]
        for name, arguments in call.items()
    ]


def _value(possible: Any) -> Any:
    if not isinstance(possible, list):
        return possible  # a slip in BFCL's data
    first = next((one for one in possible if one != ""), "")
    if isinstance(first, dict):
        return {k: _value(v) for k, v in first.items() if v not in ([], [""])}
    if isinstance(first, list):
        return [_value([one]) if isinstance(one, dict) else one for one in first]
    return first


def mutations(case: dict[str, Any], draw: random.Random, n: int) -> Iterator[Calls]:
    """Yield wrong (and sometimes still right) versions of the gold calls."""
    for _ in range(n):
        calls = copy.deepcopy(gold(case))
        mutate = draw.choice(_MUTATIONS)
        mutate(calls, case, draw)
        yield calls


def _pick(calls: Calls, draw: random.Random) -> tuple[dict[str, Any], str] | None:
    arguments = next(iter(draw.choice(calls).values())) if calls else {}
    return (arguments, draw.choice(list(arguments))) if arguments else None


_OTHERS = ["other", "", 7, 7.5, True, None, ["x"], [1, 2], {"a": 1}, "New York", 0, [], [[1]]]


def _other_value(calls: Calls, _case: dict[str, Any], draw: random.Random) -> None:
    if (found := _pick(calls, draw)) is not None:
        found[0][found[1]] = draw.choice(_OTHERS)


def _other_type(calls: Calls, _case: dict[str, Any], draw: random.Random) -> None:
    if (found := _pick(calls, draw)) is None:
        return
    arguments, name = found
    value = arguments[name]
    if isinstance(value, bool):
        arguments[name] = str(value)
    elif isinstance(value, int):
        arguments[name] = draw.choice([float(value), str(value), value + 1])
    elif isinstance(value, float):
        arguments[name] = draw.choice([str(value), round(value), value + 0.5])
    elif isinstance(value, list):
        arguments[name] = draw.choice(
            [tuple(value), list(map(str, value)), value[::-1], value[:-1]]
        )
    else:
        arguments[name] = [value]


def _other_letters(calls: Calls, _case: dict[str, Any], draw: random.Random) -> None:
    if (found := _pick(calls, draw)) is None:
        return
    arguments, name = found
    if isinstance(arguments[name], str):
        changed = draw.choice(["upper", "signs", "more"])
        text = arguments[name]
        arguments[name] = {
            "upper": text.upper(),
            "signs": text.replace(" ", "-") + ".",
            "more": text + " x",
        }[changed]


def _other_possible(calls: Calls, case: dict[str, Any], draw: random.Random) -> None:
    at = draw.randrange(len(calls))
    ((name, possible),) = case["ground_truth"][at].items()
    if possible:
        argument = draw.choice(list(possible))
        values = possible[argument] or [""]  # a few of BFCL's lists are empty
        calls[at][name][argument] = _value([draw.choice(values) or "x"])


def _inside(calls: Calls, _case: dict[str, Any], draw: random.Random) -> None:
    """Change a list or an object inside."""
    for call in calls:
        for arguments in call.values():
            for name, value in arguments.items():
                if isinstance(value, dict) and value:
                    key = draw.choice(list(value))
                    if draw.random() < 0.5:
                        del value[key]
                    else:
                        value["x"] = 1
                elif isinstance(value, list) and value:
                    arguments[name] = [*value, draw.choice(["x", 1, {"a": 1}])]


def _other_name(calls: Calls, case: dict[str, Any], draw: random.Random) -> None:
    at = draw.randrange(len(calls))
    ((name, arguments),) = calls[at].items()
    others = [one["name"] for one in case["function"] if one["name"] != name] or [name + "_x"]
    calls[at] = {draw.choice(others): arguments}


def _missing(calls: Calls, _case: dict[str, Any], draw: random.Random) -> None:
    if (found := _pick(calls, draw)) is not None:
        del found[0][found[1]]


def _extra(calls: Calls, _case: dict[str, Any], draw: random.Random) -> None:
    for arguments in draw.choice(calls).values():
        arguments[draw.choice(["extra", "unit", "date"])] = draw.choice(_OTHERS)


def _order(calls: Calls, _case: dict[str, Any], draw: random.Random) -> None:
    draw.shuffle(calls)


def _more_or_fewer(calls: Calls, _case: dict[str, Any], draw: random.Random) -> None:
    if draw.random() < 0.5:
        calls.pop()
    else:
        calls.append(copy.deepcopy(calls[0]))


_MUTATIONS = (
    _other_value, _other_type, _other_letters, _other_possible, _inside, _other_name, _missing,
    _extra, _order, _more_or_fewer,
)  # fmt: skip


def in_code(case: dict[str, Any], calls: Calls, kind: str, draw: random.Random) -> Calls:
    """Return calls whose values are written as code of the types of the function."""
    properties = case["function"][0]["parameters"]["properties"]
    write = _java if kind == "simple_java" else _javascript
    return [
        {
            name: {
                argument: write(value, properties.get(argument, {}).get("type", "any"), draw)
                for argument, value in arguments.items()
            }
        }
        for call in calls
        for name, arguments in call.items()
    ]


def _literal(value: Any) -> str:
    return json.dumps(value) if not isinstance(value, float) else repr(value)


def _java(value: Any, named: str, draw: random.Random) -> Any:
    if draw.random() < 0.02:
        return value  # not as code
    if isinstance(value, dict):
        puts = "; ".join(f'put("{key}", {_literal(one)})' for key, one in value.items())
        return f"new HashMap<String, Object>() {{{{ {puts}; }}}}"
    if isinstance(value, list | tuple):
        items = ", ".join(_literal(one) for one in value)
        if named == "Array":
            return f"new String[]{{{items}}}"
        added = " ".join(f"add({_literal(one)});" for one in value)
        return draw.choice(
            [f"new ArrayList<>(Arrays.asList({items}))", f"new ArrayList<>() {{{{ {added} }}}}"]
        )
    if isinstance(value, str):
        return draw.choice([value] * 8 + [f'"{value}"', f"{value}\n"])
    ending = {"long": "L", "float": "f"}.get(named, "")
    return _literal(value) + draw.choice([ending] * 8 + ["L", "f"])


def _javascript(value: Any, named: str, draw: random.Random) -> Any:
    if draw.random() < 0.02:
        return value
    if isinstance(value, list | tuple):
        items = ", ".join(
            str(_javascript(one, "any", draw)) if one != "" else "''" for one in value
        )
        return draw.choice([f"[{items}]"] * 4 + [f"new Array({items})", f"[[{items}], [1]]"])
    if isinstance(value, dict):
        pairs = (f"{draw.choice([k, json.dumps(k)])}: {_literal(v)}" for k, v in value.items())
        return f"{{{', '.join(pairs)}}}"
    if isinstance(value, str):
        return draw.choice([value, f'"{value}"', f"'{value}'"])
    return _literal(value) + ("n" if named == "Bigint" else draw.choice(["", "", "n"]))
