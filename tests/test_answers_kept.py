"""Models that change, fail now and then, or answer what cannot be read."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

import mondegreen as mg
from mondegreen.cli.main import main
from mondegreen.data.answers.calls import calls_prediction
from mondegreen.runs.reading import open_run


@pytest.fixture
def suite(tmp_path: Path) -> Path:
    data, made = tmp_path / "d.jsonl", tmp_path / "suite"
    rows = [{"id": str(i), "text": f"play song {i}", "label": "play"} for i in range(60)]
    data.write_text("".join(json.dumps(row) + "\n" for row in rows))
    arguments = ["--op", "typo", "--random", "0", "-q"]
    assert main(["suite", str(data), "-o", str(made), *arguments]) == 0
    return made


class Server:
    """Answers ``play``; a bad text gets a body that breaks off, as often as ``bad`` says."""

    def __init__(self, bad: dict[str, int]) -> None:
        asked: list[list[str]] = []
        self.asked = asked

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                texts = [one["text"] for one in body["utterances"]]
                asked.append(texts)
                content = json.dumps({"predictions": [{"label": "play"} for _ in texts]}).encode()
                for text in texts:
                    if bad.get(text, 0) > 0:
                        bad[text] -= 1
                        content = content[: len(content) // 2]
                        break
                self.send_response(200)
                self.send_header("Content-Length", str(len(content)))
                self.end_headers()
                self.wfile.write(content)

            def log_message(self, *_: Any) -> None:
                """Print nothing."""

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        Thread(target=self.server.serve_forever, daemon=True).start()
        self.url = f"http://127.0.0.1:{self.server.server_port}/predict"


@pytest.fixture
def started() -> Iterator[list[Server]]:
    servers: list[Server] = []
    yield servers
    for one in servers:
        one.server.shutdown()
        one.server.server_close()


def evaluated(suite: Path, server: Server, run: Path, *arguments: str) -> int:
    model = ["--model", server.url, "--batch", "4", "--concurrency", "2", "-q"]
    return main(["evaluate", str(suite), *model, "-o", str(run), *arguments])


def test_27_17_a_body_that_breaks_off_is_asked_for_again(
    suite: Path, tmp_path: Path, started: list[Server]
) -> None:
    server = Server({"play song 7": 1, "play song 30": 2})
    started.append(server)
    assert evaluated(suite, server, tmp_path / "a.run") == 0
    assert max(map(len, server.asked)) == 4


def test_27_17_answers_are_kept_one_by_one_and_the_batch_is_obeyed_on_resuming(
    suite: Path, tmp_path: Path, started: list[Server]
) -> None:
    server = Server({"play song 7": 1})
    started.append(server)
    run = tmp_path / "a.run"
    assert evaluated(suite, server, run, "--retries", "0") == 1
    first = [text for texts in server.asked for text in texts]
    kept = [text for texts in server.asked for text in texts if "play song 7" not in texts]
    server.asked.clear()
    assert evaluated(suite, server, run, "--retries", "0") == 0
    again = {text for texts in server.asked for text in texts}
    assert "play song 7" in again
    assert not again & set(kept)
    assert len(first) == 8
    assert max(map(len, server.asked)) == 4
    with open_run(run) as found:
        assert found.scores()["original"]["intent_accuracy"].value == 1


def test_27_17_texts_without_an_answer_can_be_left_out(
    suite: Path, tmp_path: Path, started: list[Server], capsys: pytest.CaptureFixture[str]
) -> None:
    server = Server({"play song 7": 10**6, "play song 9": 10**6})
    started.append(server)
    run = tmp_path / "a.run"
    assert evaluated(suite, server, run, "--retries", "1", "--on-error", "retry") == 1
    assert "run the same command again" in capsys.readouterr().err
    assert evaluated(suite, server, run, "--retries", "1", "--on-error", "skip") == 0
    assert "2 texts have no answer and count as wrong: '7', '9'" in capsys.readouterr().err
    with open_run(run) as found:
        assert found.scores()["original"]["intent_accuracy"].numerator == 58


def test_27_17_a_model_that_is_not_there_stops_the_run_however_errors_are_skipped(
    suite: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "broken.py").write_text(
        "import sys\nfor n, line in enumerate(sys.stdin):\n"
        "    print('{\"label\": \"play\"}' if n < 1 else 'x', flush=True)\n"
    )
    command = f"command:{sys.executable} {tmp_path / 'broken.py'}"
    arguments = ["--batch", "1", "--on-error", "skip", "--retries", "0", "-q"]
    run = str(tmp_path / "a.run")
    assert main(["evaluate", str(suite), "--model", command, "-o", run, *arguments]) in (0, 1)
    text = capsys.readouterr().err
    assert "no answer" in text


def test_27_05_a_finished_run_says_so_and_a_changed_model_is_noticed(
    suite: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    program = tmp_path / "program.py"
    code = (
        "import json, sys\nfor line in sys.stdin:\n    print(json.dumps({'label': 'LABEL'}), "
        "flush=True)\n"
    )
    program.write_text(code.replace("LABEL", "play"))
    command = [str(suite), "--model", f"command:{sys.executable} program.py", "-q"]
    assert main(["evaluate", *command, "-o", "c.run"]) == 0
    assert "was finished" not in capsys.readouterr().err
    assert main(["evaluate", *command, "-o", "c.run"]) == 0
    err = capsys.readouterr().err
    assert "c.run was finished on 20" in err
    assert "the model was not asked again. If it has changed, start over with --force" in err
    program.write_text(code.replace("LABEL", "stop"))
    assert main(["evaluate", *command, "-o", "c.run"]) == 1
    assert "another model" in capsys.readouterr().err


def test_27_05_all_files_of_a_package_are_hashed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(str(tmp_path))
    package = tmp_path / "my_models_27"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "weights.py").write_text("LABEL = 'play'\n")
    (package / "model.py").write_text(
        "from my_models_27.weights import LABEL\n"
        "def answer(batch):\n    return [{'label': LABEL} for _ in batch]\n"
    )
    first = mg.load_model("python:my_models_27.model:answer").signature
    (package / "weights.py").write_text("LABEL = 'stop'\n")
    assert mg.load_model("python:my_models_27.model:answer").signature != first


CASE = {
    "id": "1",
    "messages": [{"role": "user", "content": "Fly me to Orlando."}],
    "tools": [{"name": "fly", "parameters": {"properties": {"city": {"type": "string"}}}}],
    "expected": [{"name": "fly", "arguments": {"city": ["Orlando"]}}],
}


@pytest.mark.filterwarnings("ignore:.*not JSON")
def test_27_14_broken_json_is_not_invented(tmp_path: Path) -> None:
    path = tmp_path / "cases.jsonl"
    path.write_text(json.dumps(CASE) + "\n")
    broken = {"tool_calls": [{"function": {"name": "fly", "arguments": '{"city": "Orl'}}]}
    score = mg.score.calls(list(mg.read(path)), [calls_prediction("1", broken)])
    assert score["invented_rate"].value is None
    assert score["unreadable_rate"].value == 1
    assert score["call_accuracy"].value == 0


SAYINGS = ("fly me to orlando please", "book a flight to denver", "i want to go to boston")


@pytest.fixture
def agents(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A suite of cases, and two agents: one is right in two of three answers, one always."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    tool = {"name": "fly", "parameters": {"properties": {"city": {"type": "string"}}}}
    with (tmp_path / "cases.jsonl").open("w") as file:
        for number in range(30):
            text = SAYINGS[number % 3] + f" number {number}"
            city = text.split(" number")[0].removesuffix(" please").split()[-1]
            case = {
                "id": str(number),
                "messages": [{"role": "user", "content": text}],
                "tools": [tool],
                "expected": [{"name": "fly", "arguments": {"city": [city]}}],
            }
            file.write(json.dumps(case) + "\n")
    (tmp_path / "agents_27.py").write_text(
        "import re\nfrom collections import Counter\nasked = Counter()\n"
        "def city(text):\n    found = [c for c in ('orlando', 'denver', 'boston') if c in text]\n"
        "    return found[-1] if found else 'nowhere'\n"
        "def steady(batch):\n"
        "    return [{'calls': [{'name': 'fly', 'arguments': {'city': city(one['text'])}}]}\n"
        "            for one in batch]\n"
        "def shaky(batch):\n    found = []\n    for one in batch:\n"
        "        asked[one['text']] += 1\n        third = asked[one['text']] % 3 == 0\n"
        "        there = 'nowhere' if third else city(one['text'])\n"
        "        found.append({'calls': [{'name': 'fly', 'arguments': {'city': there}}]})\n"
        "    return found\n"
    )
    arguments = ["--op", "repairs", "--random", "0", "-q"]
    assert main(["suite", "cases.jsonl", "-o", "suite", *arguments]) == 0
    for name in ("steady", "shaky"):
        model = ["--model", f"python:agents_27:{name}", "--repeat", "3", "-q"]
        assert main(["evaluate", "suite", *model, "-o", f"{name}.run"]) == 0
    return tmp_path


def test_27_18_rates_over_repeats_are_gates(
    agents: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert agents.is_dir()
    capsys.readouterr()
    assert main(["compare", "steady.run", "shaky.run", "--fail-if-worse", "pass^3"]) == 3
    assert "pass^3: worse on original" in capsys.readouterr().err
    assert main(["compare", "shaky.run", "steady.run", "--fail-if-worse", "pass^3"]) == 0
    found = mg.compare("steady.run", "shaky.run").set("original").rates
    assert (found["pass^3"].first, found["pass^3"].second) == (1, 0)
    assert (found["flip_rate"].first, found["flip_rate"].second) == (0, 1)
    again = ["evaluate", "suite", "--model", "python:agents_27:steady", "--repeat", "3", "-q"]
    assert main([*again, "-o", "steady.run", "--fail-under", "original:pass^3=90%"]) == 0
    again[3] = "python:agents_27:shaky"
    assert main([*again, "-o", "shaky.run", "--fail-under", "pass^3=90%"]) == 3
    assert "pass^3 of original is 0.00 %, under 90 %" in capsys.readouterr().err
    assert main([*again, "-o", "shaky.run", "--fail-over", "nothing:flip_rate=1%"]) == 2


def test_27_18_the_report_has_what_matters(agents: Path) -> None:
    assert main(["report", "shaky.run", "-o", "report.html"]) == 0
    html = (agents / "report.html").read_text()
    figures = html[html.index("All figures") :]
    for name in ("stale rate", "pass^1", "pass^3", "flip rate", "invented rate"):
        assert f'<th scope="col">{name}</th>' in figures, name
    assert "60, each 3 times" in html  # 30 as written, 30 with a repair
    assert "<td>30</td>" in figures


def test_27_18_one_thing_has_one_name() -> None:
    from mondegreen.metrics.slu.rates import RATES

    titles = {rate.name: rate.title for rate in RATES}
    assert titles["frame_accuracy"] == "frame accuracy"
