"""NIST's STM references and CTM hypotheses, paired by their times.

An STM line is ``file channel speaker start end [<labels>] words``; a CTM line is ``file channel
start duration word [confidence]``. The words of a CTM file are put into the segments of the STM
file that hold the middle of each word, as SCTK does.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from mondegreen.data.files.lines import Meter, read_lines
from mondegreen.data.formats.format import ReadFormat
from mondegreen.errors import DataError
from mondegreen.text.patterns import lazy_pattern
from mondegreen.types import Utterance

_IGNORED = "IGNORETIMESEGMENTINSCORING"
_COMMENT = ";;"
_LABELS = lazy_pattern(r"<[^>\s]*>")
_STM_FIELDS, _CTM_FIELDS = 5, 5
_STM_LINE = lazy_pattern(r"\S+\s+\S+\s+\S+\s+\d+(\.\d*)?\s+\d+(\.\d*)?(\s.*)?")
_CTM_LINE = lazy_pattern(r"\S+\s+\S+\s+(\d*\.?\d+|\*)\s+(\d*\.?\d+|\*)\s+\S+(\s+[\d.]+)?(\s.*)?")
_ALTERNATIVES = {"<ALT_BEGIN>": "{", "<ALT>": "/", "<ALT_END>": "}"}


class Segment(NamedTuple):
    """A stretch of a recording: its file and channel, its times in seconds, and what was said."""

    file: str
    channel: str
    start: float
    end: float
    speaker: str
    text: str
    line: int

    @property
    def ignored(self) -> bool:
        """Whether the segment is not scored: SCTK's mark, with or without its underscores."""
        return self.text.upper().replace("_", "") == _IGNORED

    @property
    def key(self) -> tuple[str, str]:
        """File and channel; capitals do not count."""
        return self.file.lower(), self.channel.lower()


class TimedText(NamedTuple):
    """A text, and when each of its words begins and ends, in seconds.

    The words of alternatives have times, too; their marks and the empty alternative have none.
    """

    text: str
    times: Sequence[tuple[float, float]]


class TimedWord(NamedTuple):
    """A word of a hypothesis with its times in seconds.

    ``times`` are those of each word where it is an alternation.
    """

    key: tuple[str, str]
    start: float
    end: float
    word: str
    line: int
    times: tuple[tuple[float, float], ...] = ()

    @property
    def middle(self) -> float:
        """The middle of the word."""
        return (self.start + self.end) / 2


def read_stm(path: Path, meter: Meter | None = None) -> Iterator[Segment]:
    """Yield the segments of an STM file, also those that are ignored in scoring.

    Raises:
        DataError: naming the line that is not a segment, or if no segment has text.
    """
    number, silent = 0, True
    for number, line in read_lines(path, meter):
        if line.startswith(_COMMENT) or not line.strip():
            continue
        cells = line.split(None, _STM_FIELDS)
        if len(cells) < _STM_FIELDS:
            raise DataError.at(
                path, number, "file, channel, speaker, start, end and the words are expected"
            )
        start, end = (_seconds(path, number, cell) for cell in cells[3:5])
        if end < start:
            raise DataError.at(path, number, f"the segment ends at {end} before it starts")
        rest = cells[5] if len(cells) > _STM_FIELDS else ""
        label = _LABELS.match(rest)
        text = rest[label.end() :].strip() if label else rest.strip()
        silent = silent and not text
        yield Segment(cells[0], cells[1], start, end, cells[2], text, number)
    if silent:
        raise DataError.at(
            path, number, "no segment of this stm file has text: words are expected after the times"
        )


def _seconds(path: Path, number: int, cell: str) -> float:
    try:
        return float(cell)
    except ValueError:
        raise DataError.at(path, number, f"a time in seconds is expected, got {cell!r}") from None


def read_ctm(path: Path, meter: Meter | None = None) -> Iterator[TimedWord]:
    """Yield the words of a CTM file; an alternation is one word, in braces.

    Raises:
        DataError: naming the line that is not a word, or whose times overlap those before it.
    """
    last: dict[tuple[str, str], TimedWord] = {}
    alternation: list[str] = []
    spans: list[tuple[float, float]] = []
    for number, line in read_lines(path, meter):
        if line.startswith(_COMMENT) or not line.strip():
            continue
        cells = line.split()
        if len(cells) < _CTM_FIELDS:
            raise DataError.at(path, number, "file, channel, start, duration and word are expected")
        mark = _ALTERNATIVES.get(cells[4].upper())
        if mark or alternation:
            alternation.append(mark or cells[4])
            if mark != "}":
                if "*" not in cells[2:4]:
                    last[_key(cells)] = timed = _word(path, number, cells, "")
                    spans += timed.times
                continue
            times = last.get(_key(cells))
            if times is None:
                raise DataError.at(path, number, "an alternation without a word that has times")
            word = times._replace(word=" ".join(alternation), line=number, times=tuple(spans))
            alternation, spans = [], []
        else:
            word = _word(path, number, cells, cells[4])
            _check_order(path, word, last.get(word.key))
        last[word.key] = word
        yield word


def _key(cells: Sequence[str]) -> tuple[str, str]:
    return cells[0].lower(), cells[1].lower()


def _word(path: Path, number: int, cells: Sequence[str], word: str) -> TimedWord:
    start, duration = (_seconds(path, number, cell) for cell in cells[2:4])
    if duration < 0:
        raise DataError.at(path, number, f"a duration cannot be below 0, got {cells[3]}")
    spans = ((start, start + duration),) if cells[4] != "@" else ()
    return TimedWord(_key(cells), start, start + duration, word, number, spans)


def _check_order(path: Path, word: TimedWord, before: TimedWord | None) -> None:
    """Refuse a word that starts before the one above it has started, or well within it."""
    if before is None:
        return
    if word.start < before.start:
        raise DataError.at(
            path,
            word.line,
            f"the word {word.word!r} starts at {word.start:.2f}, before the word of line "
            f"{before.line}, which starts at {before.start:.2f}; sort the words of each channel by "
            "time",
        )
    length = before.end - before.start
    if length > 0 and word.start < before.start + length / 2:
        raise DataError.at(
            path,
            word.line,
            f"the word {word.word!r} starts at {word.start:.2f}, within the word of line "
            f"{before.line}, which ends at {before.end:.2f}; times of one channel may not overlap",
        )


def words_in_segments(segments: Sequence[Segment], words: Sequence[TimedWord]) -> list[str]:
    """Return the words of each segment: those whose middle is before its end, as SCTK does.

    A word between two segments belongs to the later one, a word after the last segment to that one,
    so that none is lost.

    Raises:
        DataError: naming a file and channel that has words and no segment.
    """
    places: dict[tuple[str, str], list[int]] = {}
    for place, segment in enumerate(segments):
        places.setdefault(segment.key, []).append(place)
    for one in places.values():
        one.sort(key=lambda place: segments[place].end)
    found: list[list[str]] = [[] for _ in segments]
    for word in words:
        if word.key not in places:
            file, channel = word.key
            raise DataError(
                f"line {word.line} of the hypotheses: the file {file!r}, channel {channel!r}, has "
                "no segment in the references"
            )
        later = (place for place in places[word.key] if word.middle < segments[place].end)
        found[next(later, places[word.key][-1])].append(word.word)
    return [" ".join(one) for one in found]


def segment_ids(segments: Sequence[Segment]) -> list[str]:
    """Return ids of segments: file, channel and start, as ``file-channel-0012.30``."""
    return [f"{one.file}-{one.channel}-{one.start:07.2f}" for one in segments]


def _stm_utterances(path: Path, meter: Meter | None = None) -> Iterator[Utterance]:
    segments = [one for one in read_stm(path, meter) if not one.ignored]
    for id, one in zip(segment_ids(segments), segments, strict=True):
        extra = (("speaker", one.speaker), ("start", one.start), ("end", one.end))
        yield Utterance.of(id, "" if one.text == "@" else one.text, extra=extra)


def read_channels(path: Path, meter: Meter | None = None) -> dict[str, TimedText]:
    """Return the words of each file and channel of a CTM file, with their times."""
    channels: dict[tuple[str, str], list[TimedWord]] = {}
    for word in read_ctm(path, meter):
        channels.setdefault(word.key, []).append(word)
    return {
        f"{file}-{channel}": TimedText(
            " ".join(one.word for one in words), [span for one in words for span in one.times]
        )
        for (file, channel), words in channels.items()
    }


def _ctm_utterances(path: Path, meter: Meter | None = None) -> Iterator[Utterance]:
    for id, (text, _) in read_channels(path, meter).items():
        yield Utterance.of(id, text)


def _all_match(pattern: re.Pattern[str], lines: Sequence[str]) -> bool:
    plain = [line for line in lines if not line.startswith(_COMMENT)]
    return bool(plain) and all(map(pattern.fullmatch, plain))


class Stm(ReadFormat):
    """NIST's stm."""

    name = "stm"
    holds = (
        "NIST's stm: file, channel, speaker, start, end and words; ignored segments are left out"
    )
    suffixes = (".stm",)
    alternatives = True
    read = staticmethod(_stm_utterances)

    def segments(self, path: Path) -> list[Segment]:
        """Return the segments with their times."""
        return list(read_stm(path))

    def looks_like(self, lines: Sequence[str]) -> bool:
        """Return whether all lines are segments."""
        return _all_match(_STM_LINE, lines)


class Ctm(ReadFormat):
    """NIST's ctm."""

    name = "ctm"
    holds = (
        "NIST's ctm: file, channel, start, duration and one word per line; scored against stm or "
        "ctm"
    )
    suffixes = (".ctm",)
    alternatives = True
    read = staticmethod(_ctm_utterances)
    timed = staticmethod(read_channels)

    def looks_like(self, lines: Sequence[str]) -> bool:
        """Return whether all lines are words with times."""
        return _all_match(_CTM_LINE, lines)


STM, CTM = Stm(), Ctm()
