"""Recordings to look at: the waveform of a WAV file, and when each word is spoken."""

from __future__ import annotations

import wave
from pathlib import Path
from typing import NamedTuple

import numpy as np

from mondegreen.audio.sound import WAV_ERRORS
from mondegreen.report.svg import element

_WIDTH, _HEIGHT = 600, 60
_MOST = 20 * 60 * 48_000  # samples: longer recordings are not drawn
_TYPES = {1: np.uint8, 2: np.int16, 4: np.int32}
_CTM_FIELDS = 5


class AudioWord(NamedTuple):
    """A word and when it starts, in seconds."""

    word: str
    start: float


def waveform(path: Path) -> str:
    """Draw a WAV file of 8, 16 or 32 bits; empty for other files."""
    try:
        with wave.open(str(path), "rb") as file:
            kind = _TYPES.get(file.getsampwidth())
            if kind is None or not 0 < file.getnframes() <= _MOST:
                return ""
            found = file.readframes(file.getnframes())
            whole = len(found) // (file.getsampwidth() * file.getnchannels())  # one may be cut off
            samples = np.frombuffer(
                found[: whole * file.getsampwidth() * file.getnchannels()], kind
            )
            samples = samples[:: file.getnchannels()].astype(np.float64)
    except WAV_ERRORS:
        return ""
    if not len(samples):
        return ""
    if kind is np.uint8:
        samples -= 128
    samples /= float(np.abs(samples).max()) or 1.0
    middle = _HEIGHT / 2
    tops, bottoms = [], []
    for x, part in enumerate(np.array_split(samples, min(_WIDTH, len(samples)))):
        tops.append(f"{x},{middle - float(part.max()) * (middle - 1):.1f}")
        bottoms.append(f"{x},{middle - float(part.min()) * (middle - 1):.1f}")
    outline = element("polygon", class_="wave", points=" ".join([*tops, *reversed(bottoms)]))
    title = element("title", "waveform")
    return element(
        "svg",
        title + outline,
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {_WIDTH} {_HEIGHT}",
        preserveAspectRatio="none",
        width="100%",
        height=_HEIGHT,
        role="img",
    )


def word_times(path: Path) -> list[AudioWord]:
    """Return when each word is spoken, from a file ``ID.ctm`` beside ``ID.wav``; else nothing.

    A line of CTM has a recording, a channel, a start, a duration and a word.
    """
    try:
        lines = path.with_suffix(".ctm").read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError):
        return []
    found = []
    for line in lines:
        fields = line.split()
        if len(fields) >= _CTM_FIELDS and not line.startswith(";;"):
            try:
                found.append(AudioWord(fields[4], float(fields[2])))
            except ValueError:
                return []
    return found
