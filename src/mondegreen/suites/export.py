"""Write the sets of a suite of tool calls for other tools: BFCL, inspect_ai, promptfoo, OpenAI."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec

from mondegreen.data.answers.conversations import LANGUAGE, expected_of, functions_of, messages_of
from mondegreen.data.files.output import whole_path
from mondegreen.errors import DataError
from mondegreen.models.openai import sent_functions, sent_names
from mondegreen.provenance.suite_manifest import SetEntry
from mondegreen.suites.reading import Suite, open_suite
from mondegreen.types import Utterance

_ENCODER = msgspec.json.Encoder()
Record = dict[str, Any]
Files = Iterator[tuple[str, Iterator[Record]]]
"""File names, each with the records of its lines."""


def export(
    suite: Suite | Path | str, to: str, folder: Path | str, *, force: bool = False
) -> list[Path]:
    """Write every set of a suite in the format of another tool; return the files.

    Args:
        suite: a suite of cases of tool calls, or its folder.
        to: ``bfcl``, ``inspect``, ``promptfoo`` or ``openai``.
        folder: the folder to write.
        force: replace an existing folder that was written before.

    Raises:
        DataError: if the suite has no tool calls, or the format is unknown.
        OutputError: if the folder exists or cannot be written.
    """
    if to not in WRITERS:
        raise DataError(f"there is no format {to!r} to export to; give {', '.join(WRITERS)}")
    source = suite if isinstance(suite, Suite) else open_suite(suite)
    target, found = Path(folder), []
    with whole_path(target, force=force, ours=_is_export) as work:
        work.mkdir()
        (work / _MARK).write_text(f"{source.manifest.signature}\n", encoding="utf-8")
        for entry in source.manifest.sets:
            for name, records in WRITERS[to](entry.name.replace("/", "-"), _cases(source, entry)):
                path = work / name
                path.parent.mkdir(exist_ok=True)
                path.write_bytes(_ENCODER.encode_lines(list(records)))
                found.append(target / name)
    return found


_MARK = "suite.txt"


def _is_export(path: Path) -> bool:
    return (path / _MARK).is_file()


def _cases(suite: Suite, entry: SetEntry) -> list[Utterance]:
    cases = [case.utterance for case in suite.cases(entry)]
    for case in cases:
        if expected_of(case) is None or messages_of(case) is None:
            raise DataError(
                f"{suite.folder}: {case.id!r} has no messages or no expected calls; export needs a "
                "suite made from cases of tool calls"
            )
    return cases


def _column(case: Utterance, name: str) -> Any:
    return dict(case.extra).get(name) or []


def _bfcl(name: str, cases: list[Utterance]) -> Files:
    """Write questions, and possible answers in a folder beside them."""
    file = f"BFCL_{name}.json"
    yield (
        file,
        (
            {
                "id": case.id,
                "question": [messages_of(case)],
                "function": list(
                    map(_without_language, functions_of(_column(case, "tools")).values())
                ),
            }
            for case in cases
        ),
    )
    yield (
        f"possible_answer/{file}",
        (
            {
                "id": case.id,
                "ground_truth": [{c.name: c.arguments} for c in expected_of(case) or ()],
            }
            for case in cases
        ),
    )


def _without_language(function: Mapping[str, Any]) -> dict[str, Any]:
    """Return a function as BFCL documents it: the language is in the id of the case."""
    parameters = function.get("parameters")
    if not isinstance(parameters, Mapping):
        return dict(function)
    rest = {name: value for name, value in parameters.items() if name != LANGUAGE}
    return {**function, "parameters": rest}


def _inspect(name: str, cases: list[Utterance]) -> Files:
    """Write samples: the messages, the expected calls as target, the rest as metadata."""
    yield (
        f"{name}.jsonl",
        (
            {
                "id": case.id,
                "input": messages_of(case),
                "target": _ENCODER.encode(expected_of(case)).decode(),
                "metadata": {"tools": _column(case, "tools"), "set": name},
            }
            for case in cases
        ),
    )


def _promptfoo(name: str, cases: list[Utterance]) -> Files:
    """Write tests: the conversation as variables, and a check of the expected calls."""
    yield (
        f"{name}.jsonl",
        (
            {
                "description": case.id,
                "vars": {"messages": messages_of(case), "tools": _sent(case)},
                "assert": [
                    {"type": "is-valid-openai-tools-call"},
                    *(
                        _assertion(_sent_name(case, call.name), call.arguments)
                        for call in expected_of(case) or ()
                    ),
                ],
            }
            for case in cases
        ),
    )


def _assertion(name: str, arguments: dict[str, list[Any]]) -> Record:
    wanted = _ENCODER.encode(arguments).decode()
    tool = _ENCODER.encode(name).decode()
    return {
        "type": "javascript",
        "value": (
            f"const possible = {wanted}; const calls = Array.isArray(output) ? output : [output]; "
            f"return calls.some(c => c.function && c.function.name === {tool} && "
            "(a => Object.keys(possible).every(k => k in a ? possible[k].some(v => "
            "JSON.stringify(v) === JSON.stringify(a[k])) : possible[k].includes('')))"
            "(JSON.parse(c.function.arguments)));"
        ),
    }


def _openai(name: str, cases: list[Utterance]) -> Files:
    """Write OpenAI evals' samples: input, ideal, and the tools."""
    yield (
        f"{name}.jsonl",
        (
            {
                "input": messages_of(case),
                "ideal": _ENCODER.encode(
                    [{"name": c.name, "arguments": c.arguments} for c in expected_of(case) or ()]
                ).decode(),
                "tools": _sent(case),
                "id": case.id,
            }
            for case in cases
        ),
    )


def _sent(case: Utterance) -> list[Record]:
    functions = sent_functions(functions_of(_column(case, "tools")))
    return [{"type": "function", "function": one} for one in functions]


def _sent_name(case: Utterance, name: str) -> str:
    return sent_names([*functions_of(_column(case, "tools")), name])[name]


WRITERS: dict[str, Callable[[str, list[Utterance]], Files]] = {
    "bfcl": _bfcl,
    "inspect": _inspect,
    "promptfoo": _promptfoo,
    "openai": _openai,
}
"""The formats to export to."""
