"""Audio of utterances: the user's files by id, or a synthetic voice made on request."""

from __future__ import annotations

import io
import wave
from functools import cache
from pathlib import Path, PurePath
from threading import Lock
from typing import Any

from mondegreen.errors import DataError, MissingExtraError

_SUFFIXES = (".wav", ".mp3", ".ogg", ".opus", ".flac", ".m4a", ".webm", ".aac")
_RATE = 16_000  # sample rate of the voice, in hertz
_LOCK = Lock()  # there is one voice for many requests


class AudioFolder:
    """The audio files of a folder, by id: ``ID.wav``, ``ID.mp3`` and so on.

    Only plain files in the folder or its subfolders are found: ids with ``..`` and links to files
    outside the folder are not followed.
    """

    def __init__(self, folder: Path) -> None:
        if not folder.is_dir():
            raise DataError(f"{folder}: is not a folder of audio files")
        self._folder = folder.resolve()

    def find(self, id: str) -> Path | None:
        """Return the audio file of an utterance; ``None`` if there is none."""
        if not id or "\0" in id or ".." in PurePath(id).parts:
            return None
        for suffix in _SUFFIXES:
            try:
                found = (self._folder / f"{id}{suffix}").resolve(strict=True)
            except (OSError, ValueError, RuntimeError):
                continue
            if found.is_relative_to(self._folder) and found.is_file():
                return found
        return None


@cache
def _voice() -> Any:
    try:
        import ttspico

        return ttspico.TtsEngine("en-US")
    except (ImportError, RuntimeError):  # not installed, or installed without its voice
        raise MissingExtraError.of("audio", "Synthetic voices") from None


def can_speak() -> bool:
    """Return whether a synthetic voice is installed."""
    try:
        return bool(_voice())
    except MissingExtraError:
        return False


def speak(text: str) -> bytes:
    """Return a text spoken by a synthetic voice, as a WAV file.

    Raises:
        MissingExtraError: if the extra ``audio`` is not installed.
    """
    engine = _voice()
    with _LOCK:
        sound = engine.speak(text)
    content = io.BytesIO()
    with wave.open(content, "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(_RATE)
        file.writeframes(sound)
    return content.getvalue()
