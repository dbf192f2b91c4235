"""Voices that speak a text: ``pico:LANGUAGE``, ``flite:NAME``, ``espeak:NAME``, ``command:…``."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Lock
from typing import Any

from mondegreen.audio.sound import Samples, floats_of, padded, read_wav
from mondegreen.errors import DataError, MissingExtraError, ModelError, MondegreenError, unknown
from mondegreen.language.languages import ENGLISH
from mondegreen.models.programs import arguments_of, run_program

DEFAULT_VOICES = ("flite:slt", "pico", "espeak:en-us")
"""The voices that are tried, in this order, if none is named."""
PICO = {"en": "en-US", "de": "de-DE", "es": "es-ES", "fr": "fr-FR", "it": "it-IT"}
"""The languages that ``pico`` speaks."""
_ESPEAK = {"zh": "cmn"}
_TIMEOUT = 60.0
_MOST = 1 << 28  # bytes of a spoken text: over an hour
_LOCK = Lock()  # pico has one engine for all threads

Voice = Callable[[str], Samples]


def load_voice(spec: str) -> Voice:
    """Return a function that speaks a text.

    Args:
        spec: ``pico`` or ``pico:LANGUAGE``, ``flite:NAME``, ``espeak:NAME``, or
            ``command:PROGRAM …``, which reads the text on standard input and writes a WAV file to
            standard output.

    Raises:
        DataError: if there is no such voice.
        MissingExtraError: if it is not installed.
    """
    kind, _, name = spec.partition(":")
    if kind == "pico":
        if name and name not in PICO:
            raise DataError(f"{unknown('language of pico', name, PICO)}")
        pico_engine(name or ENGLISH)  # raises if it is not installed
        return partial(_pico, name or ENGLISH)
    if kind == "flite":
        return partial(_to_file, spec, ("flite", "-voice", name or "slt"), ("-t",), ("-o",))
    if kind == "espeak":
        return partial(_to_file, spec, ("espeak-ng", "-v", name or "en-us"), (), ("-w",))
    if kind == "command" and name.strip():
        try:
            return partial(_command, arguments_of(name))
        except ModelError as error:
            raise DataError(str(error)) from None
    raise DataError(
        f"{spec!r} is not a voice; give pico, pico:LANGUAGE, flite:NAME, espeak:NAME or "
        "command:PROGRAM ARGUMENTS"
    )


def check_voice(spec: str) -> None:
    """Check that a voice is installed.

    Raises:
        DataError: if there is no such voice.
        MissingExtraError: naming what to install.
    """
    load_voice(spec)
    kind, _, name = spec.partition(":")
    program = {"flite": "flite", "espeak": "espeak-ng"}.get(kind)
    if program is not None and shutil.which(program) is None:
        raise MissingExtraError(
            f"The voice {spec} needs the program {program}. Install it with: apt-get install "
            f"{program}"
        )
    if name and kind == "flite":  # it would speak with another voice, without a word
        listed = _run(("flite", "-lv"), b"", spec, "").decode(errors="replace")
        known = listed.partition(":")[2].split()
        if name not in known and not Path(name).is_file():
            raise DataError(f"{unknown('voice of flite', name, known)}")
    if name and kind == "espeak":
        _run(("espeak-ng", "-q", "-v", name, "a"), b"", spec, "a")


def default_voice(language: str = ENGLISH) -> str:
    """Return the first voice of a language that is installed.

    Raises:
        MissingExtraError: if none is.
    """
    pico = (f"pico:{language}",) if language in PICO else ()
    specs: tuple[str, ...] = (*pico, f"espeak:{_ESPEAK.get(language, language)}")
    if language == ENGLISH:
        specs = DEFAULT_VOICES
    for spec in specs:
        try:
            check_voice(spec)
        except MondegreenError:
            continue
        return spec
    of, program = ("", "flite") if language == ENGLISH else (f" of {language!r}", "espeak-ng")
    extra = ", or: pip install 'mondegreen[audio]'" if language in PICO else ""
    raise MissingExtraError(
        f"No voice{of} is installed. Install one with: apt-get install {program}{extra}"
    )


@cache
def pico_engine(language: str = ENGLISH) -> Any:
    """Return the engine of the voice ``pico`` for a language; there is one.

    Raises:
        MissingExtraError: if the extra ``audio`` is not installed.
    """
    try:
        import ttspico

        return ttspico.TtsEngine(PICO[language])
    except (ImportError, RuntimeError):  # not installed, or installed without its voice
        raise MissingExtraError.of("audio", "The voice pico") from None


def speak_pico(text: str, language: str = ENGLISH) -> Samples:
    """Return a text spoken by ``pico``, without silence around it; empty if it cannot say it.

    Raises:
        MissingExtraError: if the extra ``audio`` is not installed.
    """
    with _LOCK:
        return floats_of(pico_engine(language).speak(text))


def _pico(language: str, text: str) -> Samples:
    return _checked(speak_pico(text, language), "pico", text)


def _to_file(
    spec: str, program: tuple[str, ...], before: tuple[str, ...], target: tuple[str, ...], text: str
) -> Samples:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "voice.wav"
        spoken = text.lstrip("-")  # a text is not an option
        _run((*program, *target, str(path), *before, spoken), b"", spec, text)
        content = path.read_bytes() if path.exists() else b""
    return _checked(_read(content, spec, text), spec, text)


def _command(arguments: list[str], text: str) -> Samples:
    content = _run(tuple(arguments), text.encode(), f"command:{arguments[0]}", text)
    return _checked(_read(content, f"command:{arguments[0]}", text), "command", text)


def _run(arguments: tuple[str, ...], content: bytes, spec: str, text: str) -> bytes:
    try:
        return run_program(arguments, content, name=spec, timeout=_TIMEOUT, most=_MOST)
    except ModelError as error:
        reason = str(error).removeprefix(f"{spec}: ")
        raise DataError(f"{spec}: failed at {text!r:.60}: {reason}") from None


def _read(content: bytes, spec: str, text: str) -> Samples:
    return read_wav(content, f"{spec}: what it said for {text!r:.60}")


def _checked(samples: Samples, spec: str, text: str) -> Samples:
    if not len(samples):
        raise DataError(f"{spec}: cannot say {text!r:.60}; write it in words")
    return padded(samples)
