"""The audio loop against hostile ids, servers, programs, functions and recordings."""

from __future__ import annotations

import io
import json
import os
import struct
import sys
import time
import wave
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import numpy as np
import pytest

from commands import fails
from mondegreen.audio.recognisers import load_recogniser
from mondegreen.audio.sound import RATE, Samples, read_wav, wav_of
from mondegreen.cli.main import main
from mondegreen.errors import DataError, ModelError
from mondegreen.viewer.waveform import waveform
from test_hear import SAY, needs_flite

TONE: Samples = (0.3 * np.sin(np.arange(RATE // 4) / 5)).astype(np.float32)
HEAR = "python:test_hear:same"


@pytest.fixture
def said(tmp_path: Path) -> str:
    """A voice that always says the same."""
    (tmp_path / "voice.wav").write_bytes(wav_of(TONE))
    return SAY.format(tmp_path / "voice.wav")


@pytest.mark.parametrize(
    "id", ["../../escaped", "/{}/escaped", "a/../../escaped", "..", "a\\u0000b", "\\ud800"]
)
def test_no_id_leads_out_of_the_folder(
    tmp_path: Path, said: str, id: str, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "a" / "b" / "kept"
    id = id.replace("{}", str(tmp_path).strip("/"))
    (tmp_path / "in.jsonl").write_text(f'{{"id": "{id}", "text": "play jazz"}}\n')
    before = {path for path in tmp_path.rglob("*") if path.suffix == ".wav"}
    arguments = ["hear", str(tmp_path / "in.jsonl"), "-o", str(tmp_path / "out.txt"), "-q"]
    arguments += ["--voice", said, "--recogniser", HEAR, "--keep-audio", str(folder)]
    assert main(arguments) == 1
    assert "Traceback" not in capsys.readouterr().err
    assert {path for path in tmp_path.rglob("*") if path.suffix == ".wav"} == before
    assert not list(tmp_path.parent.glob("*.wav"))


def test_ids_with_folders_are_kept_inside(tmp_path: Path, said: str) -> None:
    (tmp_path / "in.jsonl").write_text('{"id": "call/1", "text": "play jazz"}\n')
    arguments = ["hear", str(tmp_path / "in.jsonl"), "-o", str(tmp_path / "out.txt"), "-q"]
    arguments += ["--voice", said, "--recogniser", HEAR, "--keep-audio", str(tmp_path / "kept")]
    assert main(arguments) == 0
    assert [path.name for path in (tmp_path / "kept" / "call").iterdir()] == ["1.wav"]


class Server(BaseHTTPRequestHandler):
    """Answers badly, in the way that the path names."""

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["Content-Length"]))
        getattr(self, self.path.strip("/"))()

    def do_GET(self) -> None:
        self.send(200, {"text": "from the redirect"})

    def send(self, status: int, answer: object, **headers: str) -> None:
        content = json.dumps(answer).encode()
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def moved(self) -> None:
        self.send(302, {}, Location="/elsewhere")

    def echo(self) -> None:
        self.send(200, {"text": f"you are {self.headers['Authorization']} secret-word"})

    def drip(self) -> None:
        self.send_response(200)
        self.end_headers()
        for _ in range(100):
            self.wfile.write(b" ")
            self.wfile.flush()
            time.sleep(0.1)

    def flood(self) -> None:
        self.send_response(200)
        self.end_headers()
        while True:
            self.wfile.write(b" " * (1 << 20))

    def wrong(self) -> None:
        self.send(200, {"heard": "play"})

    def number(self) -> None:
        self.send(200, {"text": 7})

    def half(self) -> None:
        self.send(200, {"text": "\ud800"})

    def handle(self) -> None:
        with suppress(OSError):  # the client has gone
            super().handle()

    def log_message(self, *_: object) -> None:
        pass


@contextmanager
def served() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Server)
    server.daemon_threads = True
    Thread(target=server.serve_forever, daemon=True).start()
    yield f"127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


@pytest.mark.parametrize(
    ("path", "message"),
    [
        ("moved", "status 302"),
        ("drip", "no answer within 0.5 s"),
        ("flood", "the answer is longer than 64 MiB"),
        ("wrong", 'not {"text"'),
        ("number", "which is not a text"),
        ("half", "half a character"),
    ],
)
def test_servers_are_limited_as_those_of_models(
    path: str, message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("mondegreen.audio.recognisers.RETRIES", 0)
    timeout = 0.5 if path == "drip" else 30.0
    with served() as host, pytest.raises(ModelError) as raised:
        load_recogniser(f"http://me:secret-word@{host}/{path}", timeout)(TONE)
    assert message in str(raised.value)
    assert "secret-word" not in str(raised.value)


def test_a_password_that_a_server_repeats_is_masked() -> None:
    with served() as host:
        assert (
            load_recogniser(f"http://me:secret-word@{host}/echo")(TONE) == "you are Basic *** ***"
        )


def alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return "Z" not in Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="looks at /proc")
@pytest.mark.parametrize("ends", [True, False], ids=["exits", "hangs"])
def test_what_a_program_has_started_ends_with_it(tmp_path: Path, *, ends: bool) -> None:
    note = tmp_path / "pid"
    rest = "echo hello" if ends else "sleep 300"
    spec = f"command:sh -c 'sleep 300 & echo $! > {note}; {rest}'"
    if ends:
        spec = f"command:sh -c 'sleep 300 >&- 2>&- & echo $! > {note}; cat > /dev/null; {rest}'"
        assert load_recogniser(spec, 20)(TONE) == "hello"
    else:
        with pytest.raises(ModelError, match="no answer within"):
            load_recogniser(spec, 1)(TONE)
    for _ in range(50):
        if not alive(int(note.read_text())):
            break
        time.sleep(0.1)
    assert not alive(int(note.read_text()))


@pytest.mark.parametrize(
    ("code", "message"),
    [
        ("while True: sys.stdout.write('x' * 100000)", "writes more than 1 MiB"),
        ("while True: sys.stderr.write('x' * 100000)", "no answer within"),
        ("sys.stdin.close(); sys.exit(3)", "exited with code 3"),
        ("sys.stderr.write('a'*10**6 + chr(10) + 'no sound'); sys.exit(1)", "(no sound)"),
    ],
)
def test_programs_are_limited(code: str, message: str) -> None:
    spec = f"command:{sys.executable} -c \"import sys; exec('''{code}''')\""
    with pytest.raises(ModelError) as raised:
        load_recogniser(spec, 3)(TONE)
    assert message in str(raised.value)


def test_a_function_that_exits_is_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], said: str
) -> None:
    (tmp_path / "mg_ends.py").write_text(
        "import sys, time\ndef end(_):\n    sys.exit(0)\n"
        "def hang(_):\n    time.sleep(60)\nclass Mute(Exception):\n"
        "    def __str__(self):\n        raise self\ndef mute(_):\n    raise Mute\n"
    )
    (tmp_path / "in.txt").write_text("play jazz\n")
    monkeypatch.chdir(tmp_path)
    command = ["hear", "in.txt", "-o", "out.txt", "--voice", said, "--timeout", "1", "-q"]
    for name, message in (
        ("end", "the function failed: SystemExit: 0"),
        ("hang", "no answer within 1 s"),
        ("mute", "its message cannot be shown"),
    ):
        fails([*command, "--recogniser", f"python:mg_ends:{name}"], message, capsys)
    assert not Path("out.txt").exists()


def header(rate: int, channels: int, bits: int, claimed: int, data: bytes) -> bytes:
    block = channels * bits // 8
    fmt = struct.pack(
        "<HHIIHH", 1, channels, rate, rate * block % (1 << 32), block % (1 << 16), bits
    )
    chunks = b"WAVEfmt " + struct.pack("<I", len(fmt)) + fmt
    return (
        b"RIFF"
        + struct.pack("<I", 36 + claimed)
        + chunks
        + b"data"
        + struct.pack("<I", claimed)
        + data
    )


@pytest.mark.parametrize(
    "content",
    [
        header(1, 1, 16, 200_000, b"\1\2" * 100_000),
        header(4_000_000_000, 1, 16, 4, b"\1\2\3\4"),
        header(16_000, 0, 16, 4, b"\1\2\3\4"),
        header(16_000, 1, 16, 4_000_000_000, b""),
        header(16_000, 65_535, 16, 4, b"\1\2\3\4"),
        b"RIFF", b"", header(16_000, 1, 16, 4, b"\1\2")[:30],
    ],
)  # fmt: skip
def test_odd_headers_of_recordings_are_errors(content: bytes, tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"odd\.wav"):
        read_wav(content, "odd.wav")
    (tmp_path / "odd.wav").write_bytes(content)
    assert waveform(tmp_path / "odd.wav") == "" or content[22:24] == b"\1\0"


def test_a_recording_that_is_cut_off_is_read_as_far_as_it_goes(tmp_path: Path) -> None:
    content = wav_of(TONE)[:-1]
    assert len(read_wav(content, "a.wav")) == len(TONE) - 1
    (tmp_path / "a.wav").write_bytes(content)
    assert "polygon" in waveform(tmp_path / "a.wav")
    with wave.open(io.BytesIO(), "wb") as file:
        file.setparams((1, 2, RATE, 0, "NONE", ""))
    (tmp_path / "b.wav").write_bytes(header(RATE, 1, 16, 100, b""))
    assert waveform(tmp_path / "b.wav") == ""


@needs_flite
def test_a_voice_that_flite_does_not_have_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    fails(["hear", "--voice", "flite:nosuch", "--limit", "1"], "No voice of flite", capsys)


def test_a_damaged_cache_is_passed_over(tmp_path: Path, said: str) -> None:
    (tmp_path / "in.txt").write_text("play jazz\n")
    (tmp_path / "cache").write_bytes(b'\xff\xfe\n{"key": 1}\n[]\n{"key": "a", "heard": 7}\n{"ke')
    arguments = ["hear", str(tmp_path / "in.txt"), "-o", str(tmp_path / "out.txt"), "-q"]
    arguments += ["--voice", said, "--recogniser", HEAR, "--cache", str(tmp_path / "cache")]
    assert main(arguments) == 0
    assert (tmp_path / "out.txt").read_text() == "play some jaws 0\n"
