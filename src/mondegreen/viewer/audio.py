"""Audio of utterances: the user's files by id, or a synthetic voice made on request."""

from __future__ import annotations

from pathlib import Path, PurePath

from mondegreen.audio.sound import wav_of
from mondegreen.audio.voices import pico_engine, speak_pico
from mondegreen.errors import DataError, MissingExtraError

_SUFFIXES = (".wav", ".mp3", ".ogg", ".opus", ".flac", ".m4a", ".webm", ".aac")


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
        """Return the audio file of an utterance; ``None`` if the folder has no such file."""
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


def can_speak() -> bool:
    """Return whether a synthetic voice is installed."""
    try:
        return bool(pico_engine())
    except MissingExtraError:
        return False


def speak(text: str) -> bytes:
    """Return a text spoken by a synthetic voice, as a WAV file.

    Raises:
        MissingExtraError: if the extra ``audio`` is not installed.
    """
    return wav_of(speak_pico(text))
