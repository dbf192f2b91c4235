"""The loop: speak each utterance, degrade the sound, recognise it, return what was heard."""

from __future__ import annotations

import hashlib
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import msgspec

from mondegreen.audio.recognisers import (
    DEFAULT,
    TIMEOUT,
    Recogniser,
    check_language,
    load_recogniser,
)
from mondegreen.audio.sound import (
    CLEAN,
    Degradation,
    Samples,
    read_recording,
    recording_path,
    wav_of,
)
from mondegreen.audio.variants import heard_variant
from mondegreen.audio.voices import Voice, check_voice, default_voice, load_voice
from mondegreen.data.files.places import temporary_beside
from mondegreen.draw import Draw, key_of, prefix_of
from mondegreen.engines import PROCESSES, open_workers
from mondegreen.errors import DataError, MondegreenError, OutputError
from mondegreen.language.languages import ENGLISH
from mondegreen.types import Utterance, Variant

OnProgress = Callable[[int], object]


@dataclass(frozen=True)
class Listener:
    """How utterances are spoken and recognised.

    Args:
        voices: the voices; one is drawn per utterance, by its text and the seed.
        recogniser: what recognises them.
        sound: what is done to the sound before that.
        audio: a folder of recordings ``ID.wav``, used instead of voices.
        keep: a folder for the sound that was recognised, as ``ID.wav``.
        seed: another seed draws other voices and other noise.
        timeout: seconds that a function, a program or a server may take per utterance.
    """

    voices: tuple[str, ...]
    recogniser: str = DEFAULT
    sound: Degradation = CLEAN
    audio: Path | None = None
    keep: Path | None = None
    seed: int = 0
    timeout: float = TIMEOUT

    def voice_of(self, utterance: Utterance) -> str:
        """Return the voice that says an utterance; its recording, where there are recordings."""
        if self.audio is not None:
            return f"recording:{utterance.id}"
        key = key_of(prefix_of(self.seed, "hear"), utterance)
        return self.voices[Draw(key, 0).below(len(self.voices))]

    def cache_key(self, utterance: Utterance) -> str:
        """Return what decides the text that is heard, as a hash."""
        recording = ""
        if self.audio is not None:
            recording = _hash(recording_path(self.audio, utterance.id).read_bytes())
        parts = (self.voice_of(utterance), recording, str(self.sound), self.recogniser)
        return _hash("\x1f".join((*parts, str(self.seed), utterance.text)).encode())

    def hear(self, utterance: Utterance) -> str:
        """Speak and recognise one utterance.

        Raises:
            MondegreenError: naming the utterance that cannot be spoken or recognised.
        """
        samples = self._sound_of(utterance)
        if samples is None:
            return ""
        samples = self.sound.apply(samples, f"{self.seed}\x1f{utterance.text}")
        if self.keep is not None:
            _keep(recording_path(self.keep, utterance.id), wav_of(samples))
        try:
            return _recogniser(self.recogniser, self.timeout)(samples)
        except MondegreenError as error:
            raise type(error)(f"utterance {utterance.id!r}: {error}") from None

    def _sound_of(self, utterance: Utterance) -> Samples | None:
        """Return the sound of an utterance; ``None`` if it has nothing to say."""
        if self.audio is not None:
            return read_recording(self.audio, utterance.id)
        if not any(map(str.isalnum, utterance.text)):
            return None
        try:
            return _voice(self.voice_of(utterance))(utterance.text)
        except DataError as error:
            raise DataError(f"utterance {utterance.id!r}: {error}") from None


def _keep(target: Path, content: bytes) -> None:
    """Write a sound file, all of it or nothing."""
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with temporary_beside(target) as temporary:
            temporary.write_bytes(content)
            temporary.replace(target)
    except OSError as error:
        raise OutputError(f"{target}: cannot be written: {error.strerror}") from None


def _hash(content: bytes) -> str:
    return hashlib.blake2b(content, digest_size=16).hexdigest()


@lru_cache(maxsize=16)
def _voice(spec: str) -> Voice:
    return load_voice(spec)


@lru_cache(maxsize=4)
def _recogniser(spec: str, timeout: float) -> Recogniser:
    return load_recogniser(spec, timeout)


class _AudioRow(msgspec.Struct):
    key: str
    heard: str


class Cache:
    """What was heard before, in a file of JSON lines; each line is written at once.

    A run that was killed continues after its last complete line.
    """

    def __init__(self, path: Path | None) -> None:
        self.path = path
        self._known: dict[str, str] = {}
        if path is not None and path.exists():
            for line in path.read_bytes().split(b"\n"):
                try:
                    row = msgspec.json.decode(line, type=_AudioRow)
                except (msgspec.DecodeError, UnicodeDecodeError):
                    continue
                self._known[row.key] = row.heard

    def get(self, key: str) -> str | None:
        """Return what was heard; ``None`` if it is not known."""
        return self._known.get(key)

    def put(self, key: str, heard: str) -> None:
        """Store what was heard.

        Raises:
            OutputError: if the file cannot be written.
        """
        self._known[key] = heard
        if self.path is None:
            return
        try:
            with self.path.open("ab") as file:
                file.write(msgspec.json.encode(_AudioRow(key, heard)) + b"\n")
        except OSError as error:
            raise OutputError(f"{self.path}: cannot be written: {error.strerror}") from None


def hear(
    data: Iterable[Utterance | str],
    *,
    voice: str | Sequence[str] = (),
    recogniser: str = DEFAULT,
    sound: Degradation | None = None,
    audio: Path | str | None = None,
    keep_audio: Path | str | None = None,
    cache: Path | str | None = None,
    workers: int = 1,
    seed: int = 0,
    timeout: float = TIMEOUT,
    on_progress: OnProgress | None = None,
    language: str = ENGLISH,
) -> Iterator[Variant]:
    """Yield each utterance as a recogniser heard it, in order.

    The variant has the differences as edits; labels and slots move with them.

    Args:
        data: utterances, or texts.
        voice: one voice or several; by default the first that is installed.
        recogniser: what recognises the sound.
        sound: noise, speed, telephone band and reverberation.
        audio: a folder of recordings ``ID.wav`` to use instead of voices.
        keep_audio: a folder for the sound that was recognised.
        cache: a file of what was heard before; a run that was killed goes on.
        workers: processes.
        seed: another seed draws other voices and other noise.
        timeout: seconds that a function, a program or a server may take per utterance.
        on_progress: called with 1 after each utterance.
        language: code of the language that is spoken; for another than English, name a recogniser.

    Raises:
        MissingExtraError: naming a package or program that is not installed.
        MondegreenError: naming the utterance that cannot be spoken or recognised.
    """
    check_language(recogniser, language)
    voices = (voice,) if isinstance(voice, str) else tuple(voice)
    if audio is None:
        voices = voices or (default_voice(language),)
        for one in voices:
            check_voice(one)
    elif not Path(audio).is_dir():
        raise DataError(f"{audio}: is not a folder of recordings")
    if workers < 1:
        raise DataError(f"workers must be 1 or more, got {workers}")
    ear = Listener(
        voices,
        recogniser,
        sound or CLEAN,
        Path(audio) if audio is not None else None,
        Path(keep_audio) if keep_audio is not None else None,
        seed,
        timeout,
    )
    known = Cache(Path(cache) if cache is not None else None)
    return _variants(ear, _numbered(data), known, workers, on_progress)


def _numbered(data: Iterable[Utterance | str]) -> list[Utterance]:
    if isinstance(data, str):
        raise DataError("a single text is not a list of texts; put it into a list")
    return [
        Utterance.of(str(number), item) if isinstance(item, str) else item
        for number, item in enumerate(data, start=1)
    ]


def _variants(
    ear: Listener,
    data: Sequence[Utterance],
    cache: Cache,
    workers: int,
    on_progress: OnProgress | None,
) -> Iterator[Variant]:
    for utterance, text in _texts(ear, data, cache, workers):
        yield heard_variant(utterance, text, id=f"{utterance.id}/hear/0")
        if on_progress is not None:
            on_progress(1)


def _texts(
    ear: Listener, data: Sequence[Utterance], cache: Cache, workers: int
) -> Iterator[tuple[Utterance, str]]:
    """Yield what was heard, from the cache where it is known and no sound is to be kept."""

    def known(utterance: Utterance) -> str | None:
        if ear.audio is not None:
            read_recording(ear.audio, utterance.id)  # a missing recording is an error
        return cache.get(ear.cache_key(utterance)) if ear.keep is None else None

    waiting: deque[tuple[Utterance, str | None]] = deque()

    def unknown() -> Iterator[Utterance]:
        for utterance in data:
            waiting.append((utterance, known(utterance)))
            if waiting[-1][1] is None:
                yield utterance

    engine = open_workers(PROCESSES, workers) if workers > 1 else open_workers()
    for heard in engine.map(ear.hear, unknown()):
        while waiting[0][1] is not None:
            yield waiting[0][0], waiting.popleft()[1] or ""
        utterance, _ = waiting.popleft()
        cache.put(ear.cache_key(utterance), heard)
        yield utterance, heard
    for utterance, text in waiting:
        yield utterance, text or ""
