"""The audio loop: sound, voices, recognisers, what was heard as a variant, and the command."""

from __future__ import annotations

import json
import shutil
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from commands import fails
from mondegreen.audio.loop import hear
from mondegreen.audio.recognisers import load_recogniser
from mondegreen.audio.sound import RATE, Degradation, Samples, read_wav, wav_of
from mondegreen.audio.variants import heard_variant
from mondegreen.audio.voices import PICO, check_voice, default_voice, load_voice
from mondegreen.cli.main import main
from mondegreen.data.sample import sample
from mondegreen.errors import DataError, MissingExtraError, ModelError, MondegreenError
from mondegreen.language.simulation.units import words_of
from mondegreen.testing.strategies import utterances
from mondegreen.types import Slot, Utterance

TONE: Samples = (0.3 * np.sin(np.arange(RATE // 4) / 5)).astype(np.float32)
needs_flite = pytest.mark.skipif(shutil.which("flite") is None, reason="needs the program flite")
SAY = (
    f"command:{sys.executable} -c \"import sys; sys.stdout.buffer.write(open('{{}}','rb').read())\""
)


def deaf(samples: Samples) -> str:
    """Hear nothing."""
    return "" if len(samples) else "never"


def same(samples: Samples) -> str:
    """Hear one sentence, whatever is said."""
    return f"play some jaws {len(samples) * 0}"


@given(samples=st.lists(st.floats(-1, 1, width=32), min_size=1, max_size=50))
def test_sound_survives_a_file(samples: list[float]) -> None:
    sound = np.array([0.5, *samples], np.float32)
    assert read_wav(wav_of(sound), "a.wav") == pytest.approx(sound, abs=1e-4)


def test_sound_is_degraded_as_asked() -> None:
    for noise in ("white", "pink", "babble"):
        heard = Degradation(snr=10, noise=noise).apply(TONE, "key")
        ratio = 10 * np.log10((TONE**2).mean() / ((heard - TONE) ** 2).mean())
        assert ratio == pytest.approx(10, abs=0.5)
        assert (Degradation(snr=10, noise=noise).apply(TONE, "key") == heard).all()
        assert (Degradation(snr=10, noise=noise).apply(TONE, "other") != heard).any()
    assert len(Degradation(speed=2).apply(TONE, "")) == pytest.approx(len(TONE) / 2, abs=2)
    high = np.sin(np.arange(RATE) * 2 * np.pi * 6000 / RATE).astype(np.float32)
    assert np.abs(Degradation(telephone=True).apply(high, "")).max() < 0.01
    assert len(Degradation(reverb=0.3).apply(TONE, "")) == len(TONE)
    with pytest.raises(DataError, match="speed must be"):
        Degradation(speed=100)


@pytest.mark.parametrize(
    ("heard", "text", "slots"),
    [
        ("play miles davis now", "Play Miles Davis now.", [("artist", "Miles Davis")]),
        ("play miles now", "Play Miles now.", [("artist", "Miles")]),
        ("lay my list davis now", "Lay My list Davis now.", [("artist", "My list Davis")]),
        ("play now", "Play now.", []),
        ("", "", []),
        ("please play smiles davis", "please Play Smiles Davis", [("artist", "Smiles Davis")]),
    ],
)
def test_what_was_heard(heard: str, text: str, slots: list[tuple[str, str]]) -> None:
    utterance = Utterance.of("u1", "Play Miles Davis now.", [Slot("artist", 1, 3)], "play")
    variant = heard_variant(utterance, heard, id="u1/hear")
    found = variant.utterance
    assert found.text == text
    assert [(s.label, " ".join(found.tokens[s.start : s.end])) for s in found.slots] == slots
    assert (found.label, variant.parent) == ("play", utterance)
    if not slots:
        assert any(edit.kind == "lost slot: artist" for edit in variant.edits)


@given(utterance=utterances(), heard=st.lists(st.sampled_from(["a", "the", "play", "one", "jazz"])))
@settings(deadline=None)
def test_the_variant_has_the_words_that_were_heard(utterance: Utterance, heard: list[str]) -> None:
    variant = heard_variant(utterance, " ".join(heard), id="v")
    words = (word.strip("'") for word in words_of(" ".join(variant.utterance.tokens)))
    assert [word for word in words if word] == heard  # punctuation of the source is kept


@needs_flite
def test_the_loop_hears_what_flite_says() -> None:
    data = list(sample())[:2]
    found = list(hear(data, voice="flite:slt", recogniser="pocketsphinx"))
    assert [variant.parent for variant in found] == data
    right = sum(len(variant.edits) <= 3 for variant in found)
    assert right >= 1


@needs_flite
def test_moonshine_hears_as_well() -> None:
    pytest.importorskip("moonshine_voice", reason="needs the extra audio")
    (found,) = hear(["turn on the kitchen lights"], voice="flite:slt", recogniser="moonshine")
    assert "lights" in found.utterance.text.lower()


def wav(path: Path, samples: Samples = TONE) -> Path:
    """Write a recording."""
    path.write_bytes(wav_of(samples))
    return path


def test_recordings_and_a_function_that_recognises(tmp_path: Path) -> None:
    wav(tmp_path / "u1.wav")
    data = [Utterance.of("u1", "play some jazz", label="play")]
    options = {
        "audio": tmp_path,
        "recogniser": "python:test_hear:same",
        "keep_audio": tmp_path / "k",
    }
    (found,) = hear(data, **options)  # type: ignore[arg-type]
    assert found.utterance.text == "play some jaws 0"
    assert (tmp_path / "k" / "u1.wav").exists()
    (silence,) = hear(data, audio=tmp_path, recogniser="python:test_hear:deaf")
    assert silence.utterance.text == ""


def test_a_killed_run_goes_on(tmp_path: Path) -> None:
    cache = tmp_path / "cache.jsonl"
    for id in ("u1", "u2"):
        wav(tmp_path / f"{id}.wav")
    data = [Utterance.of(id, f"play {id}") for id in ("u1", "u2")]
    next(hear(data, audio=tmp_path, recogniser="python:test_hear:same", cache=cache))
    (line,) = cache.read_text(encoding="utf-8").splitlines()
    changed = json.loads(line) | {"heard": "from the cache"}
    cache.write_text(json.dumps(changed) + '\n{"key": half', encoding="utf-8")
    found = list(hear(data, audio=tmp_path, recogniser="python:test_hear:same", cache=cache))
    assert [one.utterance.text for one in found] == ["from the cache", "play some jaws 0"]


@pytest.fixture
def server() -> Iterator[str]:
    """A server that answers as the OpenAI transcription API does."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            text = "play jazz" if b"RIFF" in body and b'name="file"' in body else "no file"
            content = json.dumps({"text": text}).encode()
            self.send_response(200)
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *_: object) -> None:
            """Print nothing."""

    with HTTPServer(("127.0.0.1", 0), Handler) as found:
        threading.Thread(target=found.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{found.server_port}/v1/audio/transcriptions"
        found.shutdown()


def test_programs_and_servers_recognise(server: str, tmp_path: Path) -> None:
    assert load_recogniser(server)(TONE) == "play jazz"
    program = tmp_path / "ear.py"
    program.write_text("import sys; print(len(sys.stdin.buffer.read()) > 100)", encoding="utf-8")
    assert load_recogniser(f"command:{sys.executable} {program}")(TONE) == "True"


def test_voices_may_be_programs(tmp_path: Path) -> None:
    spoken = load_voice(SAY.format(wav(tmp_path / "a.wav")))("play")
    assert len(spoken) > len(TONE)


def test_failures_say_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = tmp_path / "p.py"
    program.write_text("import sys, time; time.sleep(9) if sys.argv[1:] else 1/0", encoding="utf-8")
    dies, hangs = f"command:{sys.executable} {program}", f"command:{sys.executable} {program} slow"
    with pytest.raises(ModelError, match=r"exited with code 1 .*division by zero"):
        load_recogniser(dies)(TONE)
    with pytest.raises(ModelError, match=r"no answer within 0.2 s"):
        load_recogniser(hangs, 0.2)(TONE)
    with pytest.raises(ModelError, match=r"cannot be imported"):
        load_recogniser("python:nowhere:at_all")
    with pytest.raises(ModelError, match="No recogniser named 'pocketsphynx'"):
        load_recogniser("pocketsphynx")
    with pytest.raises(DataError, match="is not a voice"):
        check_voice("siri")
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(MissingExtraError, match="apt-get install flite"):
        check_voice("flite:slt")
    with pytest.raises(DataError, match="not a WAV file"):
        read_wav(b"RIFF", "a.wav")
    with pytest.raises(DataError, match="is silent"):
        read_wav(wav_of(np.zeros(100, np.float32)), "a.wav")
    with pytest.raises(DataError, match="no recording of utterance 'u9'"):
        list(hear([Utterance.of("u9", "play")], audio=tmp_path))
    with pytest.raises(MondegreenError, match=r"utterance '1'.*failed at 'play'"):
        list(hear(["play"], voice=dies))


def test_the_command_writes_variants_and_a_ledger(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    wav(tmp_path / "u1.wav")
    source = tmp_path / "said.jsonl"
    row = {"id": "u1", "tokens": ["go", "to", "rome"], "tags": ["O", "O", "B-city"], "label": "go"}
    source.write_text(json.dumps(row) + "\n", encoding="utf-8")
    output, ledger = tmp_path / "heard.jsonl", tmp_path / "ledger.jsonl"
    arguments = ["hear", str(source), "-o", str(output), "--audio", str(tmp_path)]
    arguments += ["--recogniser", "python:test_hear:deaf", "--ledger", str(ledger)]
    assert main(arguments) == 0
    assert "1 slots were not heard at all" in capsys.readouterr().err
    found = json.loads(output.read_text(encoding="utf-8"))
    assert (found["parent"], found["label"], found.get("tags", [])) == ("u1", "go", [])
    assert "lost slot: city" in ledger.read_text(encoding="utf-8")
    assert not list(tmp_path.glob("*.hearing.jsonl"))
    fails(arguments, "exists already", capsys)
    (tmp_path / "u1.wav").unlink()
    fails([*arguments, "--force"], "there is no recording", capsys)


@pytest.mark.parametrize("recogniser", ["pocketsphinx", "moonshine"])
def test_other_languages_need_a_recogniser_of_your_own(
    recogniser: str, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["hear", "--language", "de", "--recogniser", recogniser, "-q"]
    fails(arguments, "recognises English only, and no package on the index recognises 'de'", capsys)
    with pytest.raises(ModelError, match=r"python:package\.module:function"):
        hear(["stell den wecker"], recogniser=recogniser, language="de")


def test_pico_speaks_other_languages() -> None:
    pytest.importorskip("ttspico")
    spoken = {code: load_voice(f"pico:{code}")("sieben").tobytes() for code in PICO}
    assert len(set(spoken.values())) == len(PICO)
    with pytest.raises(DataError, match="language of pico named 'zh'"):
        load_voice("pico:zh")


def test_german_is_heard_by_a_recogniser_of_your_own() -> None:
    try:
        default_voice("de")
    except MissingExtraError:
        pytest.skip("needs a German voice")
    said = Utterance("1", ("weck", "mich", "um", "sieben"), (Slot("time", 3, 4),), "alarm")
    here = f"python:{__name__}:sieben"
    (variant,) = hear([said], recogniser=here, language="de")
    assert variant.utterance.text == "weck dich um sieben"
    assert variant.utterance.slots == said.slots


def sieben(samples: Samples) -> str:
    """Hear a German sentence."""
    return f"weck dich um sieben {len(samples) * 0}".removesuffix(" 0")
