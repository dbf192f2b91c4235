"""Models that repeat secrets, write without end, or answer what cannot be stored."""

from __future__ import annotations

import json
import resource
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

import mondegreen as mg
from commands import fails
from mondegreen.cli.main import main
from mondegreen.errors import ModelError, ShiftedError
from mondegreen.models import loading
from mondegreen.models.command import CommandModel
from mondegreen.models.openai import sent_functions, sent_names
from mondegreen.models.posting import Poster
from mondegreen.models.wire import without_password
from mondegreen.types import Utterance

BATCH = [Utterance.of("u1", "play jazz"), Utterance.of("u2", "stop it")]
KEY = "sk-very-secret/42"
TOOL = {"name": "play", "parameters": {"type": "object", "properties": {}}}
CASE = {
    "id": "c1",
    "messages": [{"role": "user", "content": "play jazz"}],
    "tools": [TOOL],
    "expected": [{"name": "play", "arguments": {}}],
}


@contextmanager
def answering(content: Any, status: int = 200, reason: str = "OK", **more: str) -> Iterator[str]:
    """Serve one answer to every request; yield the host."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            self.rfile.read(int(self.headers["Content-Length"]))
            body = content(self) if callable(content) else content
            found = body if isinstance(body, bytes) else json.dumps(body).encode()
            self.send_response(status, reason)
            for name, value in more.items():
                self.send_header(name.replace("_", "-"), value)
            self.send_header("Content-Length", str(len(found)))
            self.end_headers()
            self.wfile.write(found)

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    Thread(target=server.serve_forever, daemon=True).start()
    yield f"127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


def chat(text: str) -> dict[str, Any]:
    """Return an answer that repeats a text everywhere."""
    call = {"function": {"name": f"play {text}", "arguments": json.dumps({text: [text]})}}
    return {"choices": [{"message": {"content": text, "tool_calls": [call]}}]}


def test_a_key_that_a_server_repeats_is_nowhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    (tmp_path / "cases.jsonl").write_text(json.dumps(CASE) + "\n")
    mg.suite(tmp_path / "cases.jsonl", tmp_path / "suite", "fillers", random=0)
    escaped = "".join(f"\\u{ord(c):04x}" for c in KEY)

    def echo(handler: BaseHTTPRequestHandler) -> bytes:
        assert handler.headers["Authorization"] == f"Bearer {KEY}"
        return json.dumps(chat(f"{KEY} HERE")).replace("HERE", escaped).encode()

    run = tmp_path / "a.run"
    with answering(echo) as host:
        model = f"openai:http://me:pass-word@{host}/v1#m"
        assert main(["evaluate", str(tmp_path / "suite"), "--model", model, "-o", str(run)]) == 0
    assert main(["report", str(run), "-o", str(tmp_path / "r.html")]) == 0
    printed = capsys.readouterr()
    shown = printed.out + printed.err + (tmp_path / "r.html").read_text()
    for secret in (KEY, KEY.partition("/")[0], "pass-word"):
        assert secret not in shown
        assert secret.encode() not in run.read_bytes()
    assert "***" in (tmp_path / "r.html").read_text()


def test_a_password_that_a_server_repeats_is_nowhere() -> None:
    def echo(handler: BaseHTTPRequestHandler) -> list[dict[str, str]]:
        return [{"label": f"pass/word {handler.headers['Authorization']}"}] * 2

    with answering(echo) as host, mg.load_model(f"http://me:pass%2Fword@{host}/") as model:
        assert [one.label for one in model.predict(BATCH)] == ["*** Basic ***"] * 2


@pytest.mark.parametrize("status", [400, 429, 503])
def test_a_reason_or_an_error_with_the_key_is_masked(status: int) -> None:
    with answering({"error": f"no {KEY}"}, status, f"Bad key {KEY}") as host:
        poster = Poster(f"http://{host}/", 5, 0, key=KEY)
        with pytest.raises(ModelError) as raised:
            poster.post(b"{}")
    assert "Bad key ***" in str(raised.value)
    assert KEY not in str(raised.value)


@pytest.mark.parametrize("key", [f"{KEY}\rx", f"{KEY}\nX-Other: 1", f"{KEY}\0", f"{KEY}é"])
def test_a_key_that_cannot_be_sent_is_not_printed(
    key: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("os.environ", {**__import__("os").environ, "OPENAI_API_KEY": key})
    with pytest.raises(ModelError, match="the key has a line break or another odd") as raised:
        mg.load_model("openai:http://127.0.0.1:9/v1#m")
    assert KEY not in str(raised.value)


def test_white_space_around_a_key_is_no_part_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", f"{KEY}\r\n")
    seen: list[str] = []

    def answer(handler: BaseHTTPRequestHandler) -> dict[str, Any]:
        seen.append(handler.headers["Authorization"])
        return chat("")

    with answering(answer) as host, mg.load_model(f"openai:http://{host}/v1#m") as model:
        extra = tuple((name, value) for name, value in CASE.items() if name != "id")
        model.predict([Utterance.of("c1", "play jazz", extra=extra)])
    assert seen == [f"Bearer {KEY}"]


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("http://me:se/cret@host/x", "http://me:***@host/x"),
        ("http://me:a@b@host/x", "http://me:***@host/x"),
        ("http://host:8000/a@b", "http://host:8000/a@b"),
        ("http://[::1]:80/", "http://[::1]:80/"),
    ],
)
def test_odd_passwords_are_masked(url: str, shown: str) -> None:
    assert without_password(url) == shown
    if "***" not in shown:
        return
    with pytest.raises(ModelError) as raised:
        Poster(f"{url.partition('@')[0]}@/", 1, 0)
    assert "cret" not in str(raised.value)


def program(code: str) -> str:
    return f"{sys.executable} -u -c \"import sys; exec('''{code}''')\""


ANSWER = 'for line in sys.stdin: print(chr(123) + chr(34) + "label" + chr(34) + ": 1" + chr(125))'


def test_blank_lines_after_the_end_do_not_hang(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mondegreen.models.command._LAST", 1.0)
    label = 'print(chr(123)+chr(34)+"label"+chr(34)+":"+chr(34)+"a"+chr(34)+chr(125))'
    code = f"[{label} for _ in zip(range(2), sys.stdin)]\nwhile True: print()".replace('"', '\\"')
    model = CommandModel(program(code), 20)
    begun = time.monotonic()
    assert [one.label for one in model.predict(BATCH)] == ["a", "a"]
    model.finish()
    assert time.monotonic() - begun < 60


@pytest.mark.parametrize(
    ("code", "message"),
    [
        ("while True: sys.stdout.write(10**6 * chr(120))", "wrote a line of over 64 MiB"),
        ("while True: print(10**5 * chr(120))", "not JSON|too many lines"),
        ("while True: sys.stderr.write(10**6 * chr(120))", "no answer within"),
    ],
)
def test_endless_output_takes_little_memory(code: str, message: str) -> None:
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with pytest.raises(ModelError, match=message):
        CommandModel(program(code), 4).predict(BATCH)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 400_000  # KiB


def test_surplus_lines_wait_in_the_program() -> None:
    label = 'print(chr(123)+chr(34)+\\"label\\"+chr(34)+\\":1\\"+chr(125)+200*chr(32))'
    model = CommandModel(program(f"sys.stdin.readline()\nwhile True: {label}"), 20)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with pytest.raises(ModelError):
        model.predict(BATCH)  # labels are texts
    model = CommandModel(program("while True: print(chr(123)+chr(125)+10**4*chr(32))"), 20)
    with pytest.raises(ModelError):
        model.predict(BATCH)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 400_000  # KiB


def test_two_tools_never_have_one_name() -> None:
    long = "x" * 64
    names = ["a.b", "a_b", "a b", long + "1", long + "2", "", "_"]
    sent = sent_names(names)
    assert list(sent) == names
    assert len(set(sent.values())) == len(names)
    assert (sent["a_b"], sent["_"]) == ("a_b", "_")
    assert all(0 < len(one) <= 64 for one in sent.values())
    tools = sent_functions({name: {"name": name} for name in names})
    assert [tool["name"] for tool in tools] == list(sent.values())


def test_the_call_of_a_numbered_tool_is_the_right_one() -> None:
    tools = [{"name": "a_b", "parameters": {}}, {"name": "a.b", "parameters": {}}]
    case = {**CASE, "tools": tools, "expected": [{"name": "a.b", "arguments": {}}]}
    extra = tuple((name, value) for name, value in case.items() if name != "id")
    call = {"function": {"name": "a_b_2", "arguments": "{}"}}
    answer = {"choices": [{"message": {"tool_calls": [call]}}]}
    with answering(answer) as host, mg.load_model(f"openai:http://{host}/v1#m") as model:
        (found,) = model.predict([Utterance.of("c1", "play jazz", extra=extra)])
    assert found.label == "a.b"


def test_hostile_schemas_are_errors() -> None:
    deep: Any = {}
    for _ in range(100_000):
        deep = {"properties": deep}
    with pytest.raises(ModelError, match="are too deep"):
        sent_functions({"f": {"name": "f", "parameters": deep}})


@pytest.mark.parametrize(
    "answer",
    [
        b'{"choices": null}',
        b'{"choices": []}',
        b'{"choices": [{"message": null}]}',
        b'{"choices": [{"message": {"content": "\\ud800"}}]}',
        b"[" * 100_000,
        b'{"choices": [{"message": {"tool_calls": [{"function": {"name": "\\udfff"}}]}}]}',
        b"\xff\xfe",
        b"1" * 5_000,
    ],
)
def test_answers_that_are_no_answers_are_errors(answer: bytes, tmp_path: Path) -> None:
    (tmp_path / "cases.jsonl").write_text(json.dumps(CASE) + "\n")
    mg.suite(tmp_path / "cases.jsonl", tmp_path / "suite", "fillers", random=0)
    with answering(answer) as host, pytest.raises(ModelError):
        mg.evaluate(tmp_path / "suite", f"openai:http://{host}/v1#m", tmp_path / "a.run", retries=0)


@pytest.mark.filterwarnings("ignore:case ")
@pytest.mark.parametrize(
    "arguments", ["[" * 100_000, '{"a":' * 400 + "1" + "}" * 400, '{"a": ' + "1" * 4_200 + "}"]
)
def test_arguments_that_cannot_be_stored_are_wrong(arguments: str, tmp_path: Path) -> None:
    (tmp_path / "cases.jsonl").write_text(json.dumps(CASE) + "\n")
    mg.suite(tmp_path / "cases.jsonl", tmp_path / "suite", "fillers", random=0)
    call = {"function": {"name": "play", "arguments": arguments}}
    answer = {"choices": [{"message": {"tool_calls": [call]}}]}
    with answering(answer) as host:
        model = f"openai:http://{host}/v1#m"
        with mg.evaluate(tmp_path / "suite", model, tmp_path / "a.run") as run:
            assert run.scores()["original"]["call_accuracy"].value == 0


@pytest.mark.parametrize(
    "value", ["Fri, 31 Dec 99999 23:59:59 GMT", "Fri, 31 Dec 9999 23:59:59 -9999", "1e999", "-1"]
)
def test_an_odd_pause_is_no_foreign_error(value: str) -> None:
    with (
        answering({}, 429, "Busy", Retry_After=value) as host,
        pytest.raises(ModelError, match="status 429"),
    ):
        Poster(f"http://{host}/", 5, 0).post(b"{}")


@pytest.mark.parametrize("value", ["'\\ud800'", "object()", "{1: {2: 3}, 'b': {(1, 2): 3}}"])
def test_functions_whose_answers_cannot_be_stored_are_named(
    value: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    name = f"mg_odd_{abs(hash(value))}"
    (tmp_path / f"{name}.py").write_text(
        f"def answer(batch):\n    calls = [{{'name': 'f', 'arguments': {{'a': {value}}}}}]\n"
        "    return [{'calls': calls} for _ in batch]\n"
    )
    (tmp_path / "cases.jsonl").write_text(json.dumps(CASE) + "\n")
    monkeypatch.chdir(tmp_path)
    mg.suite(tmp_path / "cases.jsonl", tmp_path / "suite", "fillers", random=0)
    arguments = ["evaluate", "suite", "--model", f"python:{name}:answer", "-o", "a.run", "-q"]
    fails(arguments, "the answer cannot be stored", capsys)


def test_surplus_answers_are_still_noticed() -> None:
    label = 'print(chr(123)+chr(34)+\\"label\\"+chr(34)+\\":\\"+chr(34)+\\"a\\"+chr(34)+chr(125))'
    model = CommandModel(program(f"[{label} for _ in sys.stdin]\n{label}"), 20)
    model.predict(BATCH)
    with pytest.raises(ShiftedError):
        model.finish()
    assert loading.RETRIES == 3
