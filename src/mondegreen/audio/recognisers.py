"""Recognisers: what turns sound into text, in this process, in a program, or behind HTTP."""

from __future__ import annotations

import json
import shlex
import subprocess
import uuid
from collections.abc import Callable
from typing import Any
from urllib.error import URLError
from urllib.request import Request, urlopen

from mondegreen.audio.sound import RATE, Samples, pcm_of, wav_of
from mondegreen.errors import MissingExtraError, ModelError, PluginError
from mondegreen.plugins import Registry

TIMEOUT = 60.0
DEFAULT = "pocketsphinx"
_HERE = "mondegreen.audio.recognisers"

Recogniser = Callable[[Samples], str]
Factory = Callable[[str, float], Recogniser]
"""Makes a recogniser from the part of its name after the colon, and a time-out in seconds."""

RECOGNISERS: Registry[Factory] = Registry(
    "recogniser",
    "mondegreen.recognisers",
    {
        "pocketsphinx": f"{_HERE}:_pocketsphinx",
        "moonshine": f"{_HERE}:_moonshine",
        "python": f"{_HERE}:_python",
        "command": f"{_HERE}:_command",
        "http": f"{_HERE}:_http",
        "https": f"{_HERE}:_https",
    },
)


def load_recogniser(spec: str, timeout: float = TIMEOUT) -> Recogniser:
    """Return a function from sound (float32, 16 kHz) to text.

    Args:
        spec: ``pocketsphinx``, ``moonshine``, ``python:package.module:function``,
            ``command:PROGRAM …`` (WAV on standard input, text on standard output),
            ``http://…`` (multipart, as the OpenAI transcription API takes it), or a plugin's name.
        timeout: seconds that a program or a server may take per utterance.

    Raises:
        ModelError: if there is no such recogniser.
        MissingExtraError: if it is not installed.
    """
    kind, _, rest = spec.partition(":")
    try:
        return RECOGNISERS.named(kind)(rest, timeout)
    except PluginError as error:
        raise ModelError(str(error)) from None


def _pocketsphinx(rest: str, timeout: float) -> Recogniser:  # noqa: ARG001 (a factory's signature)
    from pocketsphinx import Decoder

    decoder = Decoder(samprate=RATE, loglevel="FATAL")

    def recognise(samples: Samples) -> str:
        decoder.start_utt()
        decoder.process_raw(pcm_of(samples), full_utt=True)
        decoder.end_utt()
        found = decoder.hyp()
        return str(found.hypstr) if found else ""

    return recognise


def _moonshine(rest: str, timeout: float) -> Recogniser:  # noqa: ARG001 (a factory's signature)
    try:
        from moonshine_voice import ModelArch, Transcriber, get_assets_path
    except ImportError:
        raise MissingExtraError.of("audio", "The recogniser moonshine") from None
    model = Transcriber(model_path=f"{get_assets_path()}/tiny-en", model_arch=ModelArch.TINY)

    def recognise(samples: Samples) -> str:
        lines = model.transcribe_without_streaming(samples.tolist(), RATE).lines
        return " ".join(line.text for line in lines)

    return recognise


def _python(rest: str, timeout: float) -> Recogniser:  # noqa: ARG001 (a factory's signature)
    from importlib import import_module

    module, _, name = rest.partition(":")
    try:
        function = getattr(import_module(module), name)
    except (ImportError, AttributeError, ValueError) as error:
        raise ModelError(f"python:{rest}: cannot be loaded: {error}") from None

    def recognise(samples: Samples) -> str:
        return _text(function(samples), f"python:{rest}")

    return recognise


def _command(rest: str, timeout: float) -> Recogniser:
    arguments = shlex.split(rest)
    if not arguments:
        raise ModelError("command: the program is missing; write command:PROGRAM ARGUMENTS")

    def recognise(samples: Samples) -> str:
        try:
            done = subprocess.run(  # noqa: S603 (the user's own program, no shell)
                arguments, input=wav_of(samples), capture_output=True, timeout=timeout, check=False
            )
        except subprocess.TimeoutExpired:
            raise ModelError(
                f"command:{rest}: no answer within {timeout:g} s; allow more time with --timeout"
            ) from None
        except OSError as error:
            raise ModelError(f"{arguments[0]}: cannot be started: {error.strerror}") from None
        if done.returncode:
            last = done.stderr.decode(errors="replace").strip().splitlines()[-1:] or ["no message"]
            raise ModelError(f"command:{rest}: exited with code {done.returncode} ({last[0]})")
        return done.stdout.decode(errors="replace").strip()

    return recognise


def _http(rest: str, timeout: float, scheme: str = "http") -> Recogniser:
    url = f"{scheme}:{rest}"

    def recognise(samples: Samples) -> str:
        boundary = uuid.uuid4().hex
        head = (
            f'--{boundary}\r\nContent-Disposition: form-data; name="model"\r\n\r\ndefault\r\n'
            f'--{boundary}\r\nContent-Disposition: form-data; name="file"; filename="a.wav"\r\n'
            "Content-Type: audio/wav\r\n\r\n"
        )
        body = head.encode() + wav_of(samples) + f"\r\n--{boundary}--\r\n".encode()
        kind = f"multipart/form-data; boundary={boundary}"
        request = Request(url, body, {"Content-Type": kind})  # noqa: S310 (http or https)
        try:
            with urlopen(request, timeout=timeout) as answer:  # noqa: S310
                content = answer.read()
        except (URLError, OSError) as error:
            raise ModelError(f"{url}: no answer: {error}") from None
        try:
            return _text(json.loads(content)["text"], url)
        except (ValueError, KeyError, TypeError):
            raise ModelError(
                f'{url}: answered {content[:60]!r}, not {{"text": "…"}} as JSON'
            ) from None

    return recognise


def _https(rest: str, timeout: float) -> Recogniser:
    return _http(rest, timeout, "https")


def _text(found: Any, place: str) -> str:
    if not isinstance(found, str):
        raise ModelError(f"{place}: answered {found!r:.60}, which is not a text")
    return found
