"""Tool calls from a file of cases to a report, with a small server; servers that misbehave."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path
from typing import Any

import pytest

import bfcl
import mondegreen as mg
from chat_server import Reply, completion, last_city, serving
from commands import fails
from mondegreen.cli.main import main
from mondegreen.data.answers.conversations import messages_of
from mondegreen.errors import ModelError
from mondegreen.runs.selection import Filter
from mondegreen.types import Slot

PAGE = Path(__file__).resolve().parents[1] / "docs" / "agents.md"
TOOL = {
    "type": "function",
    "function": {
        "name": "book.flight",
        "parameters": {
            "type": "object",
            "properties": {"city": {"type": "string"}, "nights": {"type": "integer"}},
            "required": ["city"],
        },
    },
}
TEXTS = {
    "Orlando": "Book me a flight to Orlando, please.",
    "Denver": "I need to fly to Denver on Monday.",
    "Boston": "Get me to Boston as soon as you can!",
    "Chicago": "Fly me to Chicago tomorrow morning.",
}


def case(id: str, text: str, city: str) -> dict[str, Any]:
    return {
        "id": id,
        "messages": [
            {"role": "system", "content": "You are a travel agent."},
            {"role": "user", "content": text},
        ],
        "tools": [TOOL],
        "expected": [{"name": "book.flight", "arguments": {"city": [city, ""]}}],
    }


@pytest.fixture
def cases(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "cases.jsonl"
    records = [case(f"c{n}", text, city) for n, (city, text) in enumerate(TEXTS.items(), start=1)]
    path.write_text("".join(json.dumps(record) + "\n" for record in records))
    return path


def test_the_page_runs(cases: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (block,) = re.findall(r"```sh\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    with serving() as (url, requests):
        for line in block.replace("http://127.0.0.1:8000/v1", url).splitlines():
            assert main(shlex.split(line)[1:]) == 0, capsys.readouterr().err
    printed = capsys.readouterr().out
    assert "argument accuracy" in printed
    assert "pass^3" in printed
    assert "<html" in (cases.parent / "report.html").read_text(encoding="utf-8")
    assert all(request["path"] == "/v1/chat/completions" for request in requests)
    assert requests[0]["tools"][0]["function"]["name"] == "book_flight"
    assert "expected" not in requests[0]


def evaluated(url: str, *more: str) -> int:
    arguments = ["evaluate", "suite", "--model", f"openai:{url}#m", "-o", "a.run", "-q", *more]
    return main(arguments)


def make_suite(*operators: str) -> None:
    ops = [part for name in operators for part in ("--op", name)]
    assert main(["suite", "cases.jsonl", "-o", "suite", "--random", "0", "-q", *ops]) == 0


def test_stale_values_repeats_and_tokens(cases: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["fit", "values", str(cases), "-o", "values.json", "-q"]) == 0
    make_suite("repairs(values='values.json',slots=True)")
    with serving() as (url, requests):
        assert evaluated(url, "--repeat", "3", "--json") == 0
        found = json.loads(capsys.readouterr().out)
        asked = len(requests)
        assert evaluated(url, "--repeat", "3") == 0  # it is finished: nothing is asked again
        assert len(requests) == asked == 24
    assert found["repeat"] == 3
    assert found["tokens"] == {"prompt_tokens": 240, "completion_tokens": 120}
    original, repaired = (found["sets"][name] for name in ("original", "repairs"))
    assert (original["n"], original["scores"]["call_accuracy"]["value"]) == (4, 1.0)
    assert repaired["scores"]["stale_rate"]["value"] == 1.0
    assert repaired["scores"]["pass^3"]["value"] == 0.0
    assert repaired["scores"]["call_accuracy"]["denominator"] == 12
    with mg.open_run("a.run") as run:
        assert {item.state for item in run.items(Filter(state="corrected"))} == {"corrected"}


def test_a_lost_value_that_is_asked_for(cases: Path, capsys: pytest.CaptureFixture[str]) -> None:
    del cases
    make_suite("typo")
    with serving() as (url, _):
        assert evaluated(url, "--json") == 0
    scores = json.loads(capsys.readouterr().out)["sets"]["typo"]["scores"]
    lost = scores["ask_rate"]
    assert lost["denominator"] == scores["misheard_rate"]["denominator"]
    assert lost["value"] in (None, 1.0)  # the server asks where it hears no city


def test_the_hard_set_has_the_variants_with_wrong_calls(
    cases: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["fit", "values", str(cases), "-o", "values.json", "-q"]) == 0
    operators = ["--op", "fillers", "--op", "repairs(values='values.json',slots=True)"]
    with serving() as (url, requests):
        make = ["suite", "cases.jsonl", "-o", "suite", "--random", "0", "-q", *operators]
        assert main([*make, "--hard", f"openai:{url}#m"]) == 0
        assert evaluated(url, "--json") == 0
    assert mg.open_suite("suite")["hard"].operators == {"repairs": 4}  # the others are right
    scores = {
        name: one["scores"] for name, one in json.loads(capsys.readouterr().out)["sets"].items()
    }
    assert scores["fillers"]["call_accuracy"]["value"] == 1.0
    assert scores["hard"]["call_accuracy"]["value"] == 0.0
    assert "expected" not in json.dumps(requests)


@pytest.mark.parametrize(
    ("reply", "message"),
    [
        ((500, {}, b"broken"), "status 500"),
        ((429, {"Retry-After": "0.01"}, b"slow down"), "status 429"),
        ((200, {}, b"<html>Welcome</html>"), "is not JSON"),
        ((200, {"Content-Length": "9999"}, b'{"choices": ['), "no answer"),
        ((200, {}, b'{"error": "x"}'), "has no key 'choices'"),
        ((404, {}, b'{"error": "model not found"}'), "is there a model 'm'"),
        ((401, {}, b'{"error": "no key"}'), "OPENAI_API_KEY"),
    ],
)
def test_a_server_that_fails(
    reply: Reply, message: str, cases: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    del cases
    make_suite("fillers")
    with serving(lambda _: reply) as (url, _):
        arguments = ["evaluate", "suite", "--model", f"openai:{url}#m", "-o", "a.run", "-q"]
        fails([*arguments, "--retries", "1", "--timeout", "5"], message, capsys)


def test_a_server_that_recovers(cases: Path, capsys: pytest.CaptureFixture[str]) -> None:
    del cases
    make_suite("fillers")
    failures = iter([(429, {"Retry-After": "0"}, b""), (503, {}, b"")])
    with serving(lambda body: next(failures, None) or last_city(body)) as (url, requests):
        assert evaluated(url, "--concurrency", "1") == 0
        assert len(requests) == 2 + 8
    assert "call accuracy" in capsys.readouterr().out


def test_the_key_is_sent_and_never_stored(
    cases: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "a-secret-key")
    make_suite("fillers")
    with serving() as (url, requests):
        assert evaluated(url) == 0
    assert requests[0]["headers"]["Authorization"] == "Bearer a-secret-key"
    assert b"a-secret-key" not in (cases.parent / "a.run").read_bytes()
    assert "a-secret-key" not in capsys.readouterr().out


@pytest.mark.filterwarnings("ignore:.*not JSON")
def test_arguments_that_are_not_json_are_wrong(cases: Path) -> None:
    del cases
    make_suite("fillers")
    with serving(lambda _: (200, {}, completion("book_flight", "{city: x"))) as (url, _):
        assert evaluated(url) == 0
    with mg.open_run("a.run") as run:
        assert run.score("original")["call_accuracy"].value == 0


@pytest.mark.parametrize("name", ["http://x/v1", "#m", "http:///v1#m"])
def test_a_model_without_address_or_name(name: str) -> None:
    with pytest.raises(ModelError, match=r"BASE_URL#MODEL|host is missing"):
        mg.load_model(f"openai:{name}")


BAD = [
    ({"expected": [{"name": "book.flight", "arguments": {"town": ["x"]}}]}, "no argument 'town'"),
    ({"messages": [{"role": "system", "content": "hi"}]}, "no turn of the user"),
    ({"expected": [{"name": "other", "arguments": {}}]}, "the tools are: book.flight"),
    ({"expected": "fly"}, "expected:"),
    ({"tools": [{"x": 1}]}, "a tool has no name"),
]


@pytest.mark.parametrize(("change", "message"), BAD)
def test_a_bad_case_is_named_and_the_rest_kept(
    change: dict[str, Any], message: str, tmp_path: Path
) -> None:
    good = case("good", "Fly to Denver", "Denver")
    path = tmp_path / "cases.jsonl"
    path.write_text(json.dumps(good) + "\n" + json.dumps({**good, "id": "bad", **change}) + "\n")
    with pytest.warns(UserWarning, match=f"line 2: case 'bad' is left out: .*{message}"):
        assert [one.id for one in mg.read(path)] == ["good"]


def test_each_turn_of_the_user(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    record = case("c", "To Denver.", "Denver")
    record["messages"].insert(1, {"role": "user", "content": "I want to fly."})
    Path("cases.jsonl").write_text(json.dumps(record) + "\n")
    arguments = ["perturb", "cases.jsonl", "-q", "--op", "spoken"]
    assert main([*arguments, "--turns", "all", "-o", "all.jsonl"]) == 0
    assert main([*arguments, "-o", "last.jsonl"]) == 0
    said = [[m["content"] for m in messages_of(one) or []][1:] for one in mg.read("all.jsonl")]
    assert said == [["i want to fly", "To Denver."], ["I want to fly.", "to denver"]]
    (last,) = mg.read("last.jsonl")
    assert last.values == {"city": ["Denver"]}
    assert last.slots == (Slot("city", 1, 2, "Denver"),)


def test_what_is_exported_is_read_back(cases: Path, capsys: pytest.CaptureFixture[str]) -> None:
    make_suite("fillers")
    for to in ("bfcl", "inspect", "promptfoo", "openai"):
        assert main(["export", "suite", "--to", to, "-o", to, "-q"]) == 0
    made, back = (list(mg.read(path)) for path in ("suite/fillers.jsonl", "bfcl/BFCL_fillers.json"))
    assert [one.text for one in back] == [one.text for one in made]
    assert [one.values for one in back] == [one.values for one in made]
    sample = json.loads((cases.parent / "inspect/fillers.jsonl").read_text().splitlines()[0])
    assert sample["input"][-1]["content"] == made[0].text
    assert json.loads(sample["target"])[0]["arguments"] == {"city": ["Orlando", ""]}
    fails(["export", "suite", "--to", "bfcl", "-o", "bfcl", "-q"], "exists", capsys)


@pytest.mark.parametrize("kind", ["simple_python", "live_simple"])
def test_arguments_that_stand_in_the_text_are_grounded(kind: str) -> None:
    from mondegreen.data.answers.conversations import expected_of
    from mondegreen.data.answers.grounding import leaves_of

    verbatim = grounded = 0
    for one in mg.read(bfcl.data() / f"BFCL_v4_{kind}.json"):
        leaves = [leaf for call in expected_of(one) or () for leaf in leaves_of(call)]
        there = sum(any(_stands(one.text, a) for a in leaf.answers) for leaf in leaves)
        verbatim += there > 0
        grounded += 0 < there <= len(one.slots)
    assert grounded >= 0.95 * verbatim


def _stands(text: str, answer: object) -> bool:
    pattern = rf"(?<!\w){re.escape(str(answer))}(?!\w)"
    return not isinstance(answer, bool) and re.search(pattern, text) is not None


_PROTECTED = re.compile(
    r"https?://\S+|[\w.]+@[\w.]+\.\w+|\"[^\"]+\"|\b\d[\d,.]*\b|\b[A-Z]{2,}\d+\w*\b"
)


@pytest.mark.parametrize("operator", ["speako", "mondegreen", "typo", "disfluencies", "spelling"])
def test_codes_numbers_and_quotations_come_through(operator: str) -> None:
    data = [*mg.read(bfcl.data() / "BFCL_v4_simple_python.json")][:60]
    data += [*mg.read(bfcl.data() / "BFCL_v4_live_simple.json")][:60]
    for variant in mg.perturb(data, operator, seed=5):
        for code in _PROTECTED.findall(variant.parent.text):
            assert code in variant.utterance.text, variant.edits


def test_names_that_sound_alike(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    names = tmp_path / "names.txt"
    names.write_text("Austin\nBoston\nKyoto\n")
    assert main(["collide", str(names), "--json", "--most", "1"]) == 0
    (pair,) = json.loads(capsys.readouterr().out)["groups"]["names"]
    assert (pair["first"], pair["second"], pair["phonemes"]) == ("Austin", "Boston", 2)
    tools = tmp_path / "tools.json"
    tools.write_text(
        json.dumps([{"name": "getWeather"}, {"name": "get_whether"}, {"name": "stop"}])
    )
    assert main(["collide", str(tools)]) == 0
    assert "getWeather / get_whether" in capsys.readouterr().out.splitlines()[1]
    tools.write_text('{"a": 1}')
    fails(["collide", str(tools)], "neither tools with names nor values", capsys)
