"""Recognisers: what turns sound into text, in this process, in a program, or behind HTTP.

Functions, programs and servers are reached as models are: with the same limits of time and size.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable
from typing import Any

from mondegreen.audio.sound import RATE, Samples, pcm_of, wav_of
from mondegreen.errors import MissingExtraError, ModelError, PluginError
from mondegreen.language.languages import ENGLISH
from mondegreen.models.callable import TimedFunction, load_function
from mondegreen.models.loading import RETRIES
from mondegreen.models.posting import Poster
from mondegreen.models.programs import arguments_of, run_program
from mondegreen.models.wire import decode_json
from mondegreen.plugins import Registry

TIMEOUT = 60.0
DEFAULT = "pocketsphinx"
_ENGLISH_ONLY = frozenset(("pocketsphinx", "moonshine"))
_HERE = "mondegreen.audio.recognisers"
_LONGEST = 1 << 20  # bytes of a transcript

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
        timeout: seconds that a function, a program or a server may take per utterance.

    Raises:
        ModelError: if there is no such recogniser.
        MissingExtraError: if it is not installed.
    """
    if not timeout > 0:
        raise ModelError(f"timeout must be above 0, got {timeout:g}")
    kind, _, rest = spec.partition(":")
    try:
        return RECOGNISERS.named(kind)(rest, timeout)
    except PluginError as error:
        raise ModelError(str(error)) from None


def check_language(spec: str, language: str) -> None:
    """Refuse a built-in recogniser, which knows English, for another language.

    Raises:
        ModelError: naming what to give instead.
    """
    if language != ENGLISH and spec.partition(":")[0] in _ENGLISH_ONLY:
        raise ModelError(
            f"{spec} recognises English only, and no package on the index recognises {language!r}; "
            "give your own with --recogniser python:package.module:function, command:PROGRAM or "
            "http://…"
        )


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


def _python(rest: str, timeout: float) -> Recogniser:
    caller = TimedFunction(load_function(rest), timeout)

    def recognise(samples: Samples) -> str:
        return _text(caller.call(samples), f"python:{rest}")

    return recognise


def _command(rest: str, timeout: float) -> Recogniser:
    arguments = arguments_of(rest)

    def recognise(samples: Samples) -> str:
        found = run_program(
            arguments, wav_of(samples), name=f"command:{rest}", timeout=timeout, most=_LONGEST
        )
        return _text(found.decode(errors="replace").strip(), f"command:{rest}")

    return recognise


def _http(rest: str, timeout: float, scheme: str = "http") -> Recogniser:
    boundary = uuid.uuid4().hex
    kind = f"multipart/form-data; boundary={boundary}"
    poster = Poster(f"{scheme}:{rest}", timeout, RETRIES, {"Content-Type": kind})
    head = (
        f'--{boundary}\r\nContent-Disposition: form-data; name="model"\r\n\r\ndefault\r\n'
        f'--{boundary}\r\nContent-Disposition: form-data; name="file"; filename="a.wav"\r\n'
        "Content-Type: audio/wav\r\n\r\n"
    )

    def recognise(samples: Samples) -> str:
        body = head.encode() + wav_of(samples) + f"\r\n--{boundary}--\r\n".encode()
        where = f"{poster.name}: the answer"
        answer = poster.post(body, lambda content: decode_json(content, where))
        if not isinstance(answer, dict) or "text" not in answer:
            raise ModelError(
                poster.masked(f'{poster.name}: answered {answer!r:.60}, not {{"text": "…"}}')
            )
        return poster.masked(_text(answer["text"], poster.name))

    return recognise


def _https(rest: str, timeout: float) -> Recogniser:
    return _http(rest, timeout, "https")


def _text(found: Any, place: str) -> str:
    """Return a transcript, if it is one.

    Raises:
        ModelError: if it is not a text, or if it is longer than any transcript.
    """
    if not isinstance(found, str):
        raise ModelError(f"{place}: answered {found!r:.60}, which is not a text")
    if len(found) > _LONGEST:
        raise ModelError(f"{place}: answered a text of {len(found):,} characters")
    try:
        found.encode()
    except UnicodeEncodeError:
        raise ModelError(f"{place}: answered {found!r:.60}, which has half a character") from None
    return found
