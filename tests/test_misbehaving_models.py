"""Models that misbehave: programs that hang or shift, servers that drip, damaged weights."""

from __future__ import annotations

import base64
import json
import resource
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Event, Thread
from typing import Any

import numpy as np
import pytest

import mondegreen as mg
from commands import COMMAND, fails
from mondegreen import load_model
from mondegreen.errors import DataError, ModelError, OutputError, ShiftedError
from mondegreen.models import command as command_models
from mondegreen.models import posting
from mondegreen.models.crfsuite import CrfTagger
from mondegreen.models.crfsuite_file import is_complete
from mondegreen.models.reference import load_folder, train
from mondegreen.models.wire import without_password

BATCH = [mg.Utterance.of(f"u{i}", f"play jazz {i}") for i in range(4)]
LABELLED = [
    mg.Utterance.of(str(i), text, [mg.Slot("what", 1, 2)], label)
    for i, (text, label) in enumerate([("play jazz", "play"), ("stop this", "stop")] * 4)
]

SHIFTING = """
import json, sys
for i, line in enumerate(sys.stdin):
    answer = json.dumps({"label": json.loads(line)["text"].split()[0]})
    print(answer, flush=True)
    if i == 0:
        print(answer, flush=True)
"""


def program(tmp_path: Path, text: str) -> str:
    path = tmp_path / "program.py"
    path.write_text(text)
    return f"command:{sys.executable} {path}"


@pytest.fixture
def suite(tmp_path: Path) -> Path:
    mg.write(LABELLED, tmp_path / "test.jsonl")
    mg.suite(tmp_path / "test.jsonl", tmp_path / "suite", "typo", random=0)
    return tmp_path / "suite"


@pytest.mark.parametrize("batch", [3, 1000])
def test_a_surplus_line_in_any_batch_is_noticed_and_nothing_is_kept(
    batch: int, suite: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    model = program(tmp_path, SHIFTING)
    arguments = ["evaluate", str(suite), "--model", model, "-o", str(tmp_path / "a.run")]
    for _ in range(2):  # the same command again does not take shifted answers for right ones
        fails([*arguments, "--batch", str(batch), "-q"], "too many lines", capsys)


def test_a_surplus_line_is_noticed_though_the_writing_thread_ends_late(
    suite: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Late(Thread):
        def run(self) -> None:
            super().run()
            time.sleep(0.5)

    monkeypatch.setattr(command_models, "Thread", Late)
    slow = SHIFTING.replace("answer = ", "import time; time.sleep(0.05); answer = ")
    with pytest.raises(ShiftedError):
        mg.evaluate(suite, program(tmp_path, slow), tmp_path / "a.run")


def test_a_surplus_line_spoils_a_hard_set(suite: Path, tmp_path: Path) -> None:
    assert suite.exists()
    with pytest.raises(ShiftedError):
        mg.suite(tmp_path / "test.jsonl", tmp_path / "h", hard=program(tmp_path, SHIFTING))
    assert not (tmp_path / "h").exists()


def test_blank_lines_at_the_end_do_no_harm(suite: Path, tmp_path: Path) -> None:
    text = SHIFTING.replace("if i == 0:\n        print(answer, flush=True)", "pass") + "print()\n"
    with mg.evaluate(suite, program(tmp_path, text), tmp_path / "a.run") as run:
        assert run.score("original")["intent_accuracy"].value == 1


def living(group: int) -> list[str]:
    """Return the states of the processes of a group, but for those that wait to be collected."""
    found = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            state, _, owner = path.read_text().rpartition(")")[2].split()[:3]
            if int(owner) == group and state != "Z":
                found.append(state)
    return found


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="no /proc")
def test_a_grandchild_that_holds_the_output_is_killed(tmp_path: Path) -> None:
    note = tmp_path / "pid"
    model = load_model(f"command:sh -c 'echo $$ > {note}; sleep 300; true'", timeout=0.5)
    start = time.monotonic()
    with pytest.raises(ModelError, match="no answer within"), model:
        model.predict(BATCH)
    assert time.monotonic() - start < 30  # not the 300 s of the grandchild
    assert not living(int(note.read_text()))


def test_a_program_that_does_not_read_cannot_block(tmp_path: Path) -> None:
    many = [mg.Utterance.of(str(i), "play " + "jazz " * 200) for i in range(500)]
    model = load_model(program(tmp_path, "import time; time.sleep(300)"), timeout=0.5)
    start = time.monotonic()
    with pytest.raises(ModelError, match="no answer within"), model:
        model.predict(many)
    assert time.monotonic() - start < 30


class Handler(BaseHTTPRequestHandler):
    """Answers as the path says."""

    seen: list[str | None]
    stop: Event

    def do_POST(self) -> None:
        length = int(self.headers["Content-Length"])
        count = len(json.loads(self.rfile.read(length))["utterances"])
        self.seen.append(self.headers["Authorization"])
        if self.path == "/busy":
            self.send_error(503)
            return
        self.send_response(200)
        self.end_headers()
        if self.path == "/right":
            self.wfile.write(json.dumps([{"label": "play"}] * count).encode())
        elif self.path == "/drip":
            while not self.stop.wait(0.05):
                self.wfile.write(b" ")
        elif self.path == "/flood":
            while not self.stop.is_set():
                self.wfile.write(b" " * (1 << 20))

    def log_message(self, *_: Any) -> None:
        """Print nothing."""


@contextmanager
def served() -> Iterator[tuple[str, list[str | None]]]:
    """Yield the address of a server, and the authorizations that it has seen."""
    handler: Any = type("Own", (Handler,), {"seen": [], "stop": Event()})
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        server.daemon_threads = True
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"127.0.0.1:{server.server_port}", handler.seen
        handler.stop.set()
        server.shutdown()


def test_the_time_out_bounds_the_whole_request() -> None:
    with served() as (host, _), load_model(f"http://{host}/drip", timeout=0.4, retries=0) as model:
        start = time.monotonic()
        with pytest.raises(ModelError, match=r"no answer within 0\.4 s"):
            model.predict(BATCH)
        assert time.monotonic() - start < 10  # a drop every 0.05 s went on for ever


def test_the_time_out_bounds_a_dripping_header() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        stop = Event()

        def drip() -> None:
            connection, _ = server.accept()
            with connection:
                while not stop.wait(0.05):
                    try:
                        connection.sendall(b"H")
                    except OSError:
                        return

        Thread(target=drip, daemon=True).start()
        url = f"http://127.0.0.1:{server.getsockname()[1]}/"
        model = load_model(url, timeout=0.4, retries=0)
        with model, pytest.raises(ModelError, match="no answer"):
            model.predict(BATCH)
        stop.set()


def test_the_length_of_an_answer_is_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(posting, "_MOST_BYTES", 4 << 20)
    with (
        served() as (host, _),
        load_model(f"http://{host}/flood", retries=0) as model,
        pytest.raises(ModelError, match="longer than 4 MiB"),
    ):
        model.predict(BATCH)


def test_closing_does_not_wait_for_the_tries() -> None:
    with served() as (host, _):
        model = load_model(f"http://{host}/busy", retries=50)

        def ask() -> None:
            with pytest.raises(ModelError):
                model.predict(BATCH)

        asking = Thread(target=ask)
        asking.start()
        time.sleep(0.3)
        start = time.monotonic()
        model.close()
        asking.join(10)
        assert not asking.is_alive()
        assert time.monotonic() - start < 5  # fifty tries take minutes


def test_a_password_is_sent_but_stored_masked(suite: Path, tmp_path: Path) -> None:
    with served() as (host, seen):
        url = f"http://me:s%65cret@{host}/right"
        with mg.evaluate(suite, url, tmp_path / "a.run") as run:
            assert run.meta["model"] == run.meta["model_spec"] == f"http://me:***@{host}/right"
    sent = base64.b64encode(b"me:secret").decode()
    assert set(seen) == {f"Basic {sent}"}
    assert b"s%65cret" not in (tmp_path / "a.run").read_bytes()


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("http://host/a@b:c", "http://host/a@b:c"),
        ("http://me@host/", "http://me@host/"),
        ("https://me:a:b@c@host/x", "https://me:***@host/x"),
        ("my-crf", "my-crf"),
    ],
)
def test_only_passwords_are_masked(url: str, shown: str) -> None:
    assert without_password(url) == shown


SLOW = """
import time
def predict(batch):
    open("called", "w").close()
    time.sleep(60)
"""


@pytest.mark.parametrize(("number", "code"), [(signal.SIGTERM, 143), (signal.SIGINT, 130)])
def test_a_signal_is_not_the_models_failure(
    number: signal.Signals, code: int, suite: Path, tmp_path: Path
) -> None:
    (tmp_path / "slow.py").write_text(SLOW)
    arguments = ["evaluate", str(suite), "--model", "python:slow:predict", "-o", "a.run", "-q"]
    process = subprocess.Popen([*COMMAND, *arguments], cwd=tmp_path, stderr=subprocess.PIPE)
    for _ in range(600):
        if (tmp_path / "called").exists():
            break
        time.sleep(0.05)
    process.send_signal(number)
    _, errors = process.communicate(timeout=30)
    assert process.returncode == code
    assert b"the function failed" not in errors
    assert not list(tmp_path.glob(".a.run*"))


@pytest.fixture(scope="module")
def crf(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("models") / "crf"
    train("crf", LABELLED, folder)
    return folder


def test_truncated_weights_never_reach_crfsuite(crf: Path, tmp_path: Path) -> None:
    content = (crf / "slots.crfsuite").read_bytes()
    assert is_complete(content)
    cut = tmp_path / "cut.crfsuite"
    for size in range(0, len(content), 97):
        cut.write_bytes(content[:size])
        with pytest.raises(DataError, match="or a damaged one"):
            CrfTagger(cut)


DAMAGE = """
import random, sys
from pathlib import Path
from mondegreen.errors import DataError
from mondegreen.models.crfsuite import CrfTagger

content, path = Path(sys.argv[1]).read_bytes(), Path(sys.argv[2])
rng = random.Random(7)
refused = 0
for _ in range(800):
    data = bytearray(content)
    # half of the damage is where the offsets and numbers are: in the head of the file, in the
    # tables of names and in the references; the rest is anywhere
    for _ in range(rng.choice((1, 1, 4))):
        heads = [48, *(int.from_bytes(content[at : at + 4], "little") for at in range(28, 48, 4))]
        start = rng.choice(heads) if rng.random() < 0.5 else 0
        at = min(len(data) - 4, rng.randrange(start, start + 3000 if start else len(data)))
        data[at : at + 4] = rng.choice((b"\\xff" * 4, b"\\0" * 4, rng.randbytes(4)))
    path.write_bytes(data)
    try:
        tagger = CrfTagger(path)
    except DataError:
        refused += 1
        continue
    items = [["w=play", "bias"], ["nothing"]]
    tagger.tag(items), tagger.probabilities(items), tagger.loss(items, tagger.labels[:1] * 2)
print(refused)
"""


def test_34_20_damaged_weights_are_errors_and_never_a_crash(crf: Path, tmp_path: Path) -> None:
    """As in a folder whose hashes were made again: CRFsuite follows what it reads anywhere."""
    for name in ("slots.crfsuite", "labels.crfsuite"):
        call = [sys.executable, "-c", DAMAGE, str(crf / name), str(tmp_path / "x.crfsuite")]
        done = subprocess.run(call, capture_output=True, text=True, timeout=120, check=False)
        assert (done.returncode, done.stderr) == (0, "")
        assert int(done.stdout) > 300


def test_a_changed_byte_of_the_weights_is_noticed(crf: Path, tmp_path: Path) -> None:
    copy = tmp_path / "crf"
    copy.mkdir()
    for path in crf.iterdir():
        (copy / path.name).write_bytes(path.read_bytes())
    weights = bytearray((copy / "slots.crfsuite").read_bytes())
    weights[len(weights) // 2] ^= 1
    (copy / "slots.crfsuite").write_bytes(weights)
    with pytest.raises(DataError, match="is not the file that was trained"):
        load_folder(copy)
    (copy / "slots.crfsuite").unlink()
    with pytest.raises(DataError, match="incomplete"):
        load_folder(copy)


def test_a_card_without_hashes_gives_a_note(crf: Path, tmp_path: Path) -> None:
    copy = tmp_path / "old"
    copy.mkdir()
    for path in crf.iterdir():
        (copy / path.name).write_bytes(path.read_bytes())
    card = json.loads((copy / "model.json").read_text())
    del card["files"]
    (copy / "model.json").write_text(json.dumps(card))
    with pytest.warns(UserWarning, match="no hashes"):
        load_folder(copy)


def test_a_full_disk_ends_training_with_an_error(tmp_path: Path) -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (3000, hard))
    try:
        with pytest.raises(OutputError):
            train("crf", LABELLED, tmp_path / "crf")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert not list(tmp_path.iterdir())


def test_damaged_linear_models_are_errors(tmp_path: Path) -> None:
    train("linear", LABELLED, tmp_path / "m")
    path = tmp_path / "m" / "weights.npz"
    (weights,) = [one for one in (tmp_path / "m").iterdir() if one.suffix == ".npz"] or [path]
    card = json.loads((tmp_path / "m" / "model.json").read_text()) | {"files": {}}
    (tmp_path / "m" / "model.json").write_text(json.dumps(card))
    content = weights.read_bytes()
    rng = np.random.default_rng(1)
    for _ in range(200):
        damaged = bytearray(content[: rng.integers(1, len(content) + 1)])
        damaged[rng.integers(len(damaged))] ^= int(rng.integers(1, 256))
        weights.write_bytes(damaged)
        try:
            with pytest.warns(UserWarning, match="no hashes"):
                load_folder(tmp_path / "m").predict(BATCH)
        except DataError:
            continue
