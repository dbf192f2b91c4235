"""Sound: reading and writing WAV files, and degrading what they hold."""

from __future__ import annotations

import hashlib
import io
import struct
import wave
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from mondegreen.errors import DataError

RATE = 16_000
"""Samples per second of all sound."""
PAD = 0.3
"""Seconds of silence before and after an utterance; recognisers miss words without it."""
WAV_ERRORS = (wave.Error, EOFError, OSError, ValueError, OverflowError, struct.error, MemoryError)
"""What the library raises for damaged files."""
NOISES = ("white", "pink", "babble")
_FULL = 32_767
_WIDTH = 2  # bytes per sample
_RATES = (4_000, 384_000)  # samples per second of recordings
_SILENT = 1e-4
_TELEPHONE = (300.0, 3400.0)  # hertz
_TALKERS = 5

Samples = NDArray[np.float32]


def read_wav(content: bytes, place: object) -> Samples:
    """Return the sound of a WAV file of 16 bits, as one channel at 16 kHz.

    Raises:
        DataError: if it is not such a file, or holds no sound.
    """
    try:
        with wave.open(io.BytesIO(content)) as file:
            width, channels, rate = file.getsampwidth(), file.getnchannels(), file.getframerate()
            frames = file.readframes(file.getnframes())
    except WAV_ERRORS as error:
        raise DataError(f"{place}: not a WAV file ({error}); convert it to WAV, 16 bits") from None
    if width != _WIDTH:
        raise DataError(f"{place}: has {8 * width} bits per sample; convert it to 16 bits")
    if not _RATES[0] <= rate <= _RATES[1]:
        raise DataError(
            f"{place}: has {rate:,} samples per second; {_RATES[0]:,} to {_RATES[1]:,} can be read"
        )
    whole = len(frames) // (_WIDTH * channels) * channels  # a frame may be cut off
    samples = floats_of(frames[: _WIDTH * whole]).reshape(-1, channels).mean(1, dtype=np.float32)
    if not len(samples) or float(np.abs(samples).max()) < _SILENT:
        raise DataError(f"{place}: is silent; record it again, or leave the utterance out")
    return _resampled(samples, rate / RATE)


def wav_of(samples: Samples) -> bytes:
    """Return a WAV file of 16 bits at 16 kHz."""
    content = io.BytesIO()
    with wave.open(content, "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(_WIDTH)
        file.setframerate(RATE)
        file.writeframes(pcm_of(samples))
    return content.getvalue()


def pcm_of(samples: Samples) -> bytes:
    """Return samples as 16-bit integers."""
    return (np.clip(samples, -1, 1) * _FULL).astype("<i2").tobytes()


def floats_of(pcm: bytes) -> Samples:
    """Return 16-bit integers as samples."""
    return np.frombuffer(pcm, "<i2").astype(np.float32) / np.float32(_FULL)


def padded(samples: Samples) -> Samples:
    """Return sound with silence before and after it."""
    return np.pad(samples, int(PAD * RATE))


def _resampled(samples: Samples, step: float) -> Samples:
    """Return sound played ``step`` times as fast."""
    if step == 1:
        return samples
    places = np.arange(0, len(samples) - 1, step)
    found: Samples = np.interp(places, np.arange(len(samples)), samples).astype(np.float32)
    return found


@dataclass(frozen=True)
class Degradation:
    """What is done to the sound before it is recognised.

    Args:
        snr: ratio of speech to noise in decibels; ``None`` for no noise.
        noise: ``white``, ``pink``, or ``babble`` (other utterances at once).
        speed: how much faster it is played; 1 is unchanged.
        telephone: cut to the band of a telephone.
        reverb: seconds until the echo of a room has died away; 0 for none.
    """

    snr: float | None = None
    noise: str = "pink"
    speed: float = 1.0
    telephone: bool = False
    reverb: float = 0.0

    def __post_init__(self) -> None:
        if self.noise not in NOISES:
            raise DataError(f"the noise must be {', '.join(NOISES)}; got {self.noise!r}")
        if not 0.25 <= self.speed <= 4:  # noqa: PLR2004 (beyond, nothing can be understood)
            raise DataError(f"the speed must be from 0.25 to 4, got {self.speed:g}")
        if not 0 <= self.reverb <= 10:  # noqa: PLR2004 (a cathedral)
            raise DataError(f"the reverberation must be from 0 to 10 seconds, got {self.reverb:g}")

    def __str__(self) -> str:
        parts = [f"snr:{self.snr:g}", self.noise] if self.snr is not None else []
        parts += [f"speed:{self.speed:g}"] if self.speed != 1 else []
        parts += ["telephone"] if self.telephone else []
        parts += [f"reverb:{self.reverb:g}"] if self.reverb else []
        return "+".join(parts) or "clean"

    def apply(self, samples: Samples, key: str) -> Samples:
        """Return degraded sound; the same key gives the same noise."""
        seed = int.from_bytes(hashlib.blake2b(key.encode(), digest_size=8).digest(), "little")
        rng = np.random.default_rng(seed)
        samples = _resampled(samples, self.speed)
        if self.reverb:
            samples = _reverberated(samples, self.reverb, rng)
        if self.snr is not None:
            power = float((samples**2).mean()) / 10 ** (self.snr / 10)
            noise = _noise(self.noise, samples, rng)
            samples = samples + noise * np.sqrt(power / max(float((noise**2).mean()), 1e-12))
        if self.telephone:
            samples = _band(samples, *_TELEPHONE)
        return np.clip(samples, -1, 1).astype(np.float32)


CLEAN = Degradation()
"""Sound as it is."""


def _noise(kind: str, samples: Samples, rng: np.random.Generator) -> Samples:
    n = len(samples)
    if kind == "babble":  # several talkers: the speech itself, shifted and reversed
        shifts = rng.integers(0, n, _TALKERS)
        talkers = [np.roll(samples[:: -1 if i % 2 else 1], shift) for i, shift in enumerate(shifts)]
        mixed: Samples = np.sum(talkers, axis=0).astype(np.float32)
        return mixed
    white = rng.standard_normal(n)
    if kind == "white":
        return white.astype(np.float32)
    spectrum = np.fft.rfft(white)
    spectrum /= np.sqrt(np.maximum(np.arange(len(spectrum)), 1))
    pink: Samples = np.fft.irfft(spectrum, n).astype(np.float32)
    return pink


def _reverberated(samples: Samples, seconds: float, rng: np.random.Generator) -> Samples:
    n = int(seconds * RATE)
    echo = rng.standard_normal(n) * 10 ** (-3 * np.arange(n) / n)  # minus 60 dB at the end
    echo[0] = 1.0
    echo[1:] *= 0.3 / np.sqrt((echo[1:] ** 2).sum())
    size = len(samples) + n
    mixed = np.fft.irfft(np.fft.rfft(samples, size) * np.fft.rfft(echo, size), size)
    found: Samples = mixed[: len(samples)].astype(np.float32)
    return found


def _band(samples: Samples, low: float, high: float) -> Samples:
    spectrum = np.fft.rfft(samples)
    hertz = np.fft.rfftfreq(len(samples), 1 / RATE)
    spectrum[(hertz < low) | (hertz > high)] = 0
    found: Samples = np.fft.irfft(spectrum, len(samples)).astype(np.float32)
    return found


def recording_path(folder: Path, id: str) -> Path:
    """Return where the recording of an utterance is: ``ID.wav`` in a folder or its subfolders.

    Raises:
        DataError: if the id would lead out of the folder, or cannot be the name of a file.
    """
    path = folder / f"{id}.wav"
    try:
        inside = path.resolve().is_relative_to(folder.resolve())
    except (OSError, ValueError, RuntimeError):  # a NUL, half a character, a link in a circle
        inside = False
    if not inside or not id.strip("/."):
        raise DataError(f"utterance {id!r:.80}: its id cannot be the name of a file in {folder}")
    return path


def read_recording(folder: Path, id: str) -> Samples:
    """Return the recording of an utterance: ``ID.wav`` in a folder.

    Raises:
        DataError: if there is no such recording, or it cannot be read.
    """
    path = recording_path(folder, id)
    try:
        content = path.read_bytes()
    except OSError:
        raise DataError(
            f"{path}: there is no recording of utterance {id!r}; name it after the id"
        ) from None
    return read_wav(content, path)
