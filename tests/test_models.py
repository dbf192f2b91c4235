"""Models of every kind: their answers, and the errors for invalid answers."""

from __future__ import annotations

import json
import sys
import threading
import time
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest
from hypothesis import given

from mondegreen.data.answers.predictions import checked, predictions_of
from mondegreen.data.layout import LABEL_COLUMNS
from mondegreen.errors import DataError, ModelError
from mondegreen.models import posting
from mondegreen.models.batching import ask
from mondegreen.models.callable import CallableModel
from mondegreen.models.command import CommandModel
from mondegreen.models.http import HttpModel
from mondegreen.models.loading import load_model
from mondegreen.models.predictions_file import PredictionsFile
from mondegreen.models.protocol import Model
from mondegreen.testing.strategies import utterances
from mondegreen.types import Prediction, Slot, Utterance

BATCH = [Utterance.of("u1", "play jazz"), Utterance.of("u2", "stop the music now")]
RIGHT = [{"tags": ["O", "B-genre"], "label": "play"}, {"tags": ["O"] * 4, "label": "stop"}]


@given(utterances())
def test_tags_in_an_answer_become_slots(utterance: Utterance) -> None:
    (prediction,) = predictions_of([{"tags": utterance.tags, "label": "x"}], [utterance])
    again = Utterance(utterance.id, utterance.tokens, prediction.slots or ())
    assert again.tags == utterance.tags
    assert checked([prediction], [utterance]) == [prediction]


@pytest.mark.parametrize("name", LABEL_COLUMNS)
def test_a_label_may_have_any_name_that_data_files_use(tmp_path: Path, name: str) -> None:
    assert predictions_of([{name: "play"}], BATCH[:1]) == [Prediction("u1", None, "play")]
    assert _file(tmp_path, {"id": "u1", name: "play"}).predict(BATCH[:1])[0].label == "play"


def _with(**second: Any) -> list[dict[str, Any]]:
    return [RIGHT[0], second]


@pytest.mark.parametrize(
    ("answers", "message"),
    [
        (RIGHT[:1], "1 answers for 2 utterances; the first without one is 'u2'"),
        ([*RIGHT, RIGHT[0]], "3 answers for 2 utterances"),
        ({"a": 1}, "a list of answers is expected"),
        (None, "a list of answers is expected"),
        (_with(tags=["O"]), "utterance 'u2': 1 tags for 4 tokens"),
        (_with(tags=["O", "O", "O", "X-genre"]), "utterance 'u2': tag 3 is 'X-genre'"),
        (_with(tags=["O", "O", "O", "B-"]), "utterance 'u2': tag 3 is 'B-'"),
        (_with(tags="OOOO"), "utterance 'u2': Expected `array | null`, got `str`"),
        (_with(label=7), "utterance 'u2': Expected `str | null`, got `int`"),
        (_with(), "utterance 'u2': neither tags, slots, entities, values nor label"),
        (_with(**{"label\ud800": "play"}), "utterance 'u2': 'utf-8' codec can't encode"),
        ([RIGHT[0], "stop"], "utterance 'u2': Expected `object`, got `str`"),
        (_with(label="a", scores={"a": float("nan")}), "'u2': the score of 'a' is nan"),
        (_with(label="a", scores={"a": float("inf")}), "'u2': the score of 'a' is inf"),
        (_with(label="a", scores={"a": "much"}), "'u2': Expected `float`, got `str`"),
        (
            _with(label="a", intent="b"),
            "'u2': the answer has label 'a' and intent 'b'; give only one",
        ),
        (_with(id="u7", label="a"), "utterance 'u2': the answer is for 'u7'"),
        (_with(slots=[{"label": "x", "start": 3, "end": 5}]), "covers tokens 3 to 5"),
        (_with(slots=[{"label": "x", "start": 1, "end": 1}]), "covers tokens 1 to 1"),
        (_with(slots=[{"label": "x"}]), "'u2': Object missing required field `start`"),
    ],
)
def test_an_invalid_answer_raises_an_error_with_its_utterance(answers: Any, message: str) -> None:
    model = CallableModel(lambda _: answers, "broken")
    with pytest.raises(ModelError) as error:
        ask(model, BATCH)
    assert message in str(error.value)


class Peeking(Model):
    """Records the utterances that it was given."""

    signature = "peeking"

    def __init__(self) -> None:
        self.given: list[Utterance] = []

    def predict(self, batch: Any) -> list[Prediction]:
        self.given += batch
        return [Prediction(utterance.id, (), "a", {"a": 0.25, "b": 0.75}) for utterance in batch]


def test_a_model_never_sees_the_gold() -> None:
    model = Peeking()
    utterance = Utterance("u1", ("play", "jazz"), (Slot("genre", 1, 2),), "b", " play jazz")
    (answer,) = ask(model, [utterance])
    assert model.given == [Utterance("u1", ("play", "jazz"), (), None, " play jazz")]
    assert answer.loss == pytest.approx(0.287682, abs=1e-6)  # -ln 0.75: of the gold label


def test_invalid_losses_raise_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    model = Peeking()
    for found, message in (([1.0], "1 losses for 2"), ([1.0, float("nan")], "'u2': the loss")):
        monkeypatch.setattr(model, "losses", lambda _, found=found: found)
        with pytest.raises(ModelError, match=message):
            ask(model, BATCH)


# predictions files


def _file(tmp_path: Path, *records: dict[str, Any]) -> PredictionsFile:
    path = tmp_path / "answers.jsonl"
    path.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    model = load_model(str(path))
    assert isinstance(model, PredictionsFile)
    return model


def _in_set(name: str, id: str, text: str) -> Utterance:
    return Utterance.of(f"{name}/{id}", text, extra=(("set", name),))


def test_predictions_are_looked_up_by_set_and_id_by_text_and_by_id(tmp_path: Path) -> None:
    model = _file(
        tmp_path,
        {"set": "typo", "id": "u1/typo/0", "label": "by set"},
        {"text": "play jazz", "label": "by text"},
        {"id": "u2", "label": "by id"},
    )
    batch = [
        _in_set("typo", "u1/typo/0", "plsy jazz"),
        _in_set("original", "u1", "play jazz"),
        _in_set("original", "u2", "stop"),
    ]
    assert [found.label for found in model.predict(batch)] == ["by set", "by text", "by id"]


def test_an_id_with_two_answers_needs_its_set(tmp_path: Path) -> None:
    model = _file(tmp_path, {"id": "u1", "label": "a"}, {"id": "u1", "label": "b"})
    with pytest.raises(ModelError, match=r"'original/u1'.*several answers for 'u1'; add the set"):
        model.predict([_in_set("original", "u1", "stop")])


def test_a_missing_prediction_raises_an_error_with_its_utterance(tmp_path: Path) -> None:
    model = _file(tmp_path, {"id": "u1", "label": "a"})
    with pytest.raises(ModelError, match=r"'original/u9'.*has no prediction for it"):
        model.predict([_in_set("original", "u9", "stop")])


@pytest.mark.parametrize("record", [{"label": "a"}, {"id": "u1"}, {"text": 3, "label": "a"}])
def test_a_line_that_is_not_a_prediction_raises_an_error_with_its_number(
    tmp_path: Path, record: dict[str, Any]
) -> None:
    with pytest.raises(DataError, match=r"answers.jsonl, line 2: a prediction needs an id"):
        _file(tmp_path, {"id": "u0", "label": "a"}, record)


# Python functions


def _module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, source: str) -> None:
    (tmp_path / f"{name}.py").write_text(source, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))


def test_a_function_in_the_working_directory_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = "def answer(batch):\n    return [{'label': item['text'].upper()} for item in batch]\n"
    _module(tmp_path, monkeypatch, "mg_shouting", source)
    model = load_model("python:mg_shouting:answer")
    assert [found.label for found in model.predict(BATCH)] == ["PLAY JAZZ", "STOP THE MUSIC NOW"]
    assert model.signature.startswith("python:mg_shouting:answer|sha:")


def test_a_function_may_return_numpy_values() -> None:
    import numpy as np

    answer = {
        "tags": np.array(["O", "B-genre"]),
        "label": np.array(["play"])[0],
        "scores": dict(zip(np.array(["play", "stop"]), np.array([0.5, 0.5], "f4"), strict=True)),
    }
    (found,) = CallableModel(lambda _: [answer], "numpy").predict(BATCH[:1])
    assert found == Prediction("u1", (Slot("genre", 1, 2),), "play", {"play": 0.5, "stop": 0.5})
    assert type(found.label) is str


def test_a_function_that_fails_raises_an_error_with_its_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _module(tmp_path, monkeypatch, "mg_failing", "def answer(batch):\n    return batch[0]['tag']\n")
    with pytest.raises(ModelError, match=r"KeyError: 'tag' \(mg_failing.py, line 2\)"):
        load_model("python:mg_failing:answer").predict(BATCH)


@pytest.mark.parametrize("timeout", [None, 60.0])
@pytest.mark.parametrize(
    ("raised", "message"),
    [
        (SystemExit(2), r"the function failed: SystemExit: 2 \(test_models.py, line \d+\)"),
        (ValueError("one\ntwo"), r"the function failed: ValueError: one two \("),
    ],
)
def test_the_error_of_a_function_is_one_line(
    raised: BaseException, message: str, timeout: float | None
) -> None:
    def fail(_: object) -> object:
        raise raised

    with pytest.raises(ModelError, match=message):
        CallableModel(fail, "broken", timeout).predict(BATCH)


def test_a_function_that_raises_keyboard_interrupt_is_a_model_error() -> None:
    def interrupt(_: object) -> object:
        raise KeyboardInterrupt

    with pytest.raises(ModelError, match="the function failed: KeyboardInterrupt"):
        CallableModel(interrupt, "broken", timeout=60).predict(BATCH)


def test_a_module_that_calls_exit_raises_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _module(tmp_path, monkeypatch, "mg_ending", "import sys\nsys.exit('no weights')\n")
    with pytest.raises(ModelError, match="cannot be imported: SystemExit: no weights"):
        load_model("python:mg_ending:answer")


def test_a_function_that_hangs_raises_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = (
        "import time\n"
        "def answer(batch):\n"
        "    time.sleep(30 if batch[0]['id'] == 'u2' else 0)\n"
        "    return [{'label': 'a'} for item in batch]\n"
    )
    _module(tmp_path, monkeypatch, "mg_hanging", source)
    model = load_model("python:mg_hanging:answer", timeout=0.3)
    assert model.predict(BATCH[:1])[0].label == "a"
    with pytest.raises(ModelError, match=r"no answer within 0.3 s; allow more time"):
        model.predict(BATCH[1:])
    assert model.predict(BATCH[:1])[0].label == "a"  # in a new thread


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("", "names no function"),
        ("json", "names no function"),
        ("json:nothing", "json has no 'nothing'"),
        ("no_such_module_here:answer", "cannot be imported: ModuleNotFoundError"),
    ],
)
def test_a_function_that_does_not_exist_raises_an_error(name: str, message: str) -> None:
    with pytest.raises(ModelError, match=message):
        load_model(f"python:{name}")


# programs

_PROGRAM = """
import json, os, sys, time
for number, line in enumerate(sys.stdin, start=1):
    utterance = json.loads(line)
    {body}
    print(json.dumps({{"label": "x", "tags": ["O"] * len(utterance["tokens"])}}), flush=True)
"""


def _program(tmp_path: Path, body: str = "pass", timeout: float = 20) -> CommandModel:
    path = tmp_path / "my program.py"
    path.write_text(_PROGRAM.format(body=body), encoding="utf-8")
    return CommandModel(f"{sys.executable} '{path}'", timeout)


def test_a_program_stays_running(tmp_path: Path) -> None:
    with _program(tmp_path, "utterance['tokens'] and None; number > 3 and os._exit(9)") as model:
        assert [found.id for found in model.predict(BATCH)] == ["u1", "u2"]
        assert model.predict(BATCH[:1])[0].slots == ()
        with pytest.raises(ModelError, match="'u1': the program exited with code 9 before"):
            model.predict(BATCH[:1])
        assert model.predict(BATCH[:1])[0].label == "x"  # by a new process


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("sys.exit('out of memory') if number == 2 else 0", r"'u2': .*code 1 \(out of memory\)"),
        ("print('loading'); sys.stdout.flush()", r"utterance 'u1': the answer is not JSON"),
        ('print(\'{"label": "a", "scores": {"a": NaN}}\', flush=True); continue', "'a' is nan"),
        ("print('{}')", "'u1': neither tags, slots, entities, values nor label"),
    ],
)
def test_a_program_that_fails_raises_an_error(tmp_path: Path, body: str, message: str) -> None:
    with _program(tmp_path, body) as model, pytest.raises(ModelError, match=message):
        ask(model, BATCH)


def test_a_program_that_hangs_is_stopped(tmp_path: Path) -> None:
    with _program(tmp_path, "time.sleep(60) if number == 3 else 0") as model:
        model.predict(BATCH[:1])  # so that the start does not count
        model.timeout = 0.5
        message = r"'u2': no answer within 0.5 s \(1 of 2 were answered\); allow more time"
        with pytest.raises(ModelError, match=message):
            model.predict(BATCH)


def test_a_program_that_writes_too_many_lines_raises_an_error(tmp_path: Path) -> None:
    with _program(tmp_path, 'print(\'{"label": "a"}\', flush=True)') as model:
        model.predict(BATCH[:1])
        time.sleep(0.2)  # for the second line to arrive
        with pytest.raises(ModelError, match="too many lines"):
            model.predict(BATCH[:1])


def test_a_batch_larger_than_the_buffer_of_a_pipe_is_answered(tmp_path: Path) -> None:
    many = [Utterance.of(str(i), "word " * 100) for i in range(3000)]
    with _program(tmp_path) as model:
        assert len(model.predict(many)) == 3000


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("", "the program is missing"),
        ("no-such-program-here", "no-such-program-here: cannot be started"),
        ("'unclosed", "cannot be parsed: No closing quotation"),
    ],
)
def test_a_program_that_does_not_exist_raises_an_error(command: str, message: str) -> None:
    with pytest.raises(ModelError, match=message):
        load_model(f"command:{command}").predict(BATCH)


# HTTP

Reply = Callable[[list[dict[str, Any]], int], tuple[int, bytes]]


class _Server:
    """A model behind HTTP; ``reply`` gets the utterances and the number of the request."""

    def __init__(self, reply: Reply) -> None:
        self.requests = self.now = self.most = 0
        lock = threading.Lock()
        server = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                with lock:
                    server.requests += 1
                    number = server.requests
                    server.now += 1
                    server.most = max(server.most, server.now)
                status, content = reply(json.loads(body)["utterances"], number)
                with lock:
                    server.now -= 1
                self.send_response(status)
                self.send_header("Content-Length", str(len(content)))
                self.end_headers()
                self.wfile.write(content)

            def log_message(self, *_: object) -> None:
                """Log nothing."""

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}/predict"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()


@pytest.fixture
def serve(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[Reply], _Server]]:
    monkeypatch.setattr(posting, "_FIRST_PAUSE", 0.001)
    servers: list[_Server] = []

    def start(reply: Reply) -> _Server:
        servers.append(_Server(reply))
        return servers[-1]

    yield start
    for one in servers:
        one.server.shutdown()
        one.server.server_close()


def _labels(utterance: list[dict[str, Any]], _: int) -> tuple[int, bytes]:
    found = [{"id": one["id"], "label": " ".join(one["tokens"])} for one in utterance]
    return 200, json.dumps({"predictions": found}).encode()


def test_batches_are_posted_several_at_a_time_and_come_back_in_order(
    serve: Callable[[Reply], _Server],
) -> None:
    meet = threading.Barrier(4, timeout=20)

    def reply(utterance: list[dict[str, Any]], number: int) -> tuple[int, bytes]:
        meet.wait()  # no request is answered before four have arrived
        return _labels(utterance, number)

    server = serve(reply)
    batch = [Utterance.of(f"u{i}", f"number {i}") for i in range(40)]
    with HttpModel(server.url, 20, 0, 4, size=10) as model:
        assert model.batch == 40
        found = model.predict(batch)
    assert [one.label for one in found] == [utterance.text for utterance in batch]
    assert (server.requests, server.most) == (4, 4)


def test_a_temporary_error_is_retried(serve: Callable[[Reply], _Server]) -> None:
    faults = {1: (500, b"busy"), 2: (429, b"later"), 3: (503, b"")}
    server = serve(lambda utterance, number: faults.get(number) or _labels(utterance, number))
    with load_model(server.url, retries=3, concurrency=1) as model:
        assert model.predict(BATCH)[0].label == "play jazz"
    assert server.requests == 4


@pytest.mark.parametrize(
    ("answer", "message", "requests"),
    [
        ((500, b"boom"), r"status 500 .*'boom' \(attempts: 3\)", 3),
        ((404, b"no such page"), "status 404", 1),
        ((200, b"<html>"), "is not JSON", 3),
        ((200, b'{"results": []}'), r"no key 'predictions' \(its keys: results\)", 1),
        ((200, b'{"predictions": 3}'), "a list of answers is expected", 1),
        ((200, b'[{"label": "a"}]'), "1 answers for 2 utterances", 1),
    ],
)
def test_a_lasting_error_is_raised(
    serve: Callable[[Reply], _Server], answer: tuple[int, bytes], message: str, requests: int
) -> None:
    server = serve(lambda *_: answer)
    with load_model(server.url, retries=2) as model, pytest.raises(ModelError, match=message):
        model.predict(BATCH)
    assert server.requests == requests


def test_a_server_that_hangs_or_is_gone_raises_an_error(serve: Callable[[Reply], _Server]) -> None:
    done = threading.Event()

    def reply(utterance: list[dict[str, Any]], number: int) -> tuple[int, bytes]:
        done.wait(20)
        return _labels(utterance, number)

    server = serve(reply)
    with (
        load_model(server.url, timeout=0.2, retries=1) as model,
        pytest.raises(ModelError, match=r"no answer within 0.2 s \(attempts: 2\)"),
    ):
        model.predict(BATCH)
    done.set()
    with (
        load_model("http://127.0.0.1:9/", timeout=2, retries=0) as model,
        pytest.raises(ModelError, match=r"no answer .*Refused"),
    ):
        model.predict(BATCH)


# names of models


@pytest.mark.parametrize(
    ("spec", "options", "message"),
    [
        ("no/such/folder", {}, "no/such/folder: there is no such model; give a folder made by"),
        (__file__, {}, "is a file, but not a .jsonl"),
        (str(Path(__file__).parent), {}, "contains neither model.json nor config.json"),
        ("", {}, "no model is named; give a folder made by"),
        ("ftp://x", {}, "ftp://x: there is no such model; give a folder made by"),
        ("http://", {}, "the host is missing"),
        ("https://[", {}, "Invalid IPv6 URL"),
        ("http://host:port/", {}, "Port could not be cast"),
        ("http://host/", {"timeout": 0}, "timeout must be above 0"),
        ("http://host/", {"concurrency": 0}, "concurrency 1 or more"),
        ("http://host/", {"batch": 0}, "a batch must have 1 utterance or more"),
    ],
)
def test_a_model_that_does_not_exist_raises_an_error(
    spec: str, options: dict[str, Any], message: str
) -> None:
    with pytest.raises(ModelError, match=message):
        load_model(spec, **options)


def test_a_folder_with_a_config_is_a_hugging_face_model(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    loaded: list[Path] = []

    def load(folder: Path) -> Model:
        loaded.append(folder)
        return Peeking()

    neural, face = ModuleType("neural"), ModuleType("huggingface")
    vars(face)["HuggingFace"] = SimpleNamespace(load=load)
    monkeypatch.setitem(sys.modules, "mondegreen.models.neural", neural)
    monkeypatch.setitem(sys.modules, "mondegreen.models.neural.huggingface", face)
    (tmp_path / "config.json").write_text("{}", encoding="utf-8")
    assert isinstance(load_model(tmp_path, batch=5), Peeking)
    assert loaded == [tmp_path]


def test_the_batch_size_can_be_set(tmp_path: Path) -> None:
    path = tmp_path / "answers.jsonl"
    path.write_text('{"id": "u1", "label": "a"}\n', encoding="utf-8")
    assert load_model(f"predictions:{path}", batch=7).batch == 7
    with load_model("http://host/", batch=7, concurrency=2) as model:
        assert model.batch == 14


def test_a_trained_folder_is_a_model(tmp_path: Path) -> None:
    from mondegreen.data.sample import sample
    from mondegreen.models.reference import train

    data = list(sample())[:40]
    trained = train("crf", data, tmp_path / "crf", iterations=2, label_iterations=5)
    model = load_model(tmp_path / "crf")
    assert model.signature == trained.signature
    assert all(answer.loss is not None for answer in ask(model, data[:3]))
