"""Audio of utterances: the user's files by id, or a synthetic voice made on request."""

from __future__ import annotations

import io
import wave
from functools import cache
from pathlib import Path, PurePath
from threading import Lock
from typing import Any

from mondegreen.errors import DataError, MissingExtraError

_KINDS = (".wav", ".mp3", ".ogg", ".opus", ".flac", ".m4a", ".webm", ".aac")
_RATE = 16_000  # of the voice, in Hertz
_SPEAKING = Lock()  # the voice is one, and requests are many


class AudioFolder:
    """The audio files of a folder, by id: ``ID.wav`` and its like.

    Only plain files that lie in the folder itself, or below it, are ever given: no ``..``, no
    links that lead out of it.
    """

    def __init__(self, folder: Path) -> None:
        if not folder.is_dir():
            raise DataError(f"{folder}: is not a folder of audio files")
        self._folder = folder.resolve()

    def find(self, id: str) -> Path | None:
        """Return the audio of an utterance, or nothing."""
        if not id or "\0" in id or ".." in PurePath(id).parts:
            return None
        for kind in _KINDS:
            try:
                found = (self._folder / f"{id}{kind}").resolve(strict=True)
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
    except (ImportError, RuntimeError):  # not there, or there without its voice
        raise MissingExtraError.of("audio", "Synthetic voices") from None


def can_speak() -> bool:
    """Tell whether there is a voice."""
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
    with _SPEAKING:
        sound = engine.speak(text)
    content = io.BytesIO()
    with wave.open(content, "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(_RATE)
        file.writeframes(sound)
    return content.getvalue()
