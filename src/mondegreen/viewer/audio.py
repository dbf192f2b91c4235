"""Audio of utterances: the user's files by id, or a synthetic voice made on request."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path, PurePath

from mondegreen.audio.sound import wav_of
from mondegreen.audio.voices import pico_engine, speak_pico
from mondegreen.errors import DataError, MissingExtraError

_SUFFIXES = (".wav", ".mp3", ".ogg", ".opus", ".flac", ".m4a", ".webm", ".aac")


class AudioFolder:
    """The audio files of a folder, by id (``ID.wav``, ``ID.mp3`` and so on) or by their names.

    A name is a path within the folder; if there is no such file, the only file of this name in any
    of its subfolders is found. Only plain files in the folder or its subfolders are found: ids with
    ``..`` and links to files outside the folder are not followed.
    """

    def __init__(self, folder: Path) -> None:
        if not folder.is_dir():
            raise DataError(f"{folder}: is not a folder of audio files")
        self._folder = folder.resolve()

    def find(self, id: str) -> Path | None:
        """Return the audio file of an utterance; ``None`` if the folder has no such file."""
        if not id or "\0" in id or ".." in PurePath(id).parts:
            return None
        named = PurePath(id).suffix.lower() in _SUFFIXES
        for suffix in ("", *_SUFFIXES) if named else _SUFFIXES:
            found = self._inside(self._folder / f"{id}{suffix}")
            if found is not None:
                return found
        return self._inside(self._by_name.get(PurePath(id).name)) if named else None

    def _inside(self, path: Path | None) -> Path | None:
        """Return the file that a path leads to, if it is in the folder."""
        try:
            found = path.resolve(strict=True) if path is not None else None
        except (OSError, ValueError, RuntimeError):
            return None
        within = found is not None and found.is_relative_to(self._folder) and found.is_file()
        return found if within else None

    @cached_property
    def _by_name(self) -> dict[str, Path | None]:
        """The files of all subfolders by their names; ``None`` for a name that occurs twice."""
        found: dict[str, Path | None] = {}
        for path in self._folder.rglob("*"):
            if path.suffix.lower() in _SUFFIXES:
                found[path.name] = None if path.name in found else path
        return found


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
