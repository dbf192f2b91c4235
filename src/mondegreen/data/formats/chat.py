r"""CHAT transcripts (``.cha``) of TalkBank, with a fluency tag per word.

Retraced and repeated words (``<I want> [//] I need``) get the tag ``RM``, fillers (``&-um``) ``F``,
fragments (``&+fr``) ``FR``; all other words ``O``. Pauses, events and comments are not words.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from mondegreen.data.files.lines import Meter, read_lines
from mondegreen.data.formats.format import ReadFormat, Record
from mondegreen.errors import DataError
from mondegreen.text.patterns import lazy_pattern
from mondegreen.types import Utterance

_SPEAKER = lazy_pattern(r"\*([^:\s]+):\s*(.*)", re.DOTALL)
_BULLET = lazy_pattern(r"\x15(\d+)_(\d+)\x15")
_PIECE = lazy_pattern(r"\[[^\]]*\]|[<>]|[^\s<>\[\]]+")
_RETRACE = lazy_pattern(r"\[(?:/|//|///|/-|/\?)\]")
_TIMES = lazy_pattern(r"\[x\s*(\d+)\]")
_COMMENT = lazy_pattern(
    r"""\[(?::{1,2}\s.*|\*.*|=[!?]?\s?.*|%.*|\+\s.*|\^.*|[!?]|!!|[<>]\d?|-\s.*|\$.*|\#.*|"|e|c\s.*)\]"""
)
_TERMINATOR = lazy_pattern(r"[.?!]|\+[./!?\"^<,+]*")
_PAUSE = lazy_pattern(r"\((?:\.{1,3}|\d+:?[\d.]*)\)")
_EVENT = lazy_pattern(r"&[=*{}].*|[‡„,;:]|0.*|⌈.*|⌊.*")
_INSIDE = lazy_pattern(r"[()ˈˌ:^↑↓≠⌈⌉⌊⌋°▁▔☺∆∇♋⁇↫∾*]")
_FILLER, _FRAGMENT, _RETRACED, _FLUENT = "F", "FR", "RM", "O"
_PREFIXES = {"&-": _FILLER, "&+": _FRAGMENT, "&~": _FRAGMENT}


class _Line(NamedTuple):
    """A main line: who said it, what is transcribed, and the number of the line."""

    speaker: str
    text: str
    number: int


def _lines(path: Path, meter: Meter | None) -> Iterator[_Line]:
    """Yield the main lines, joined with the lines that continue them."""
    current: _Line | None = None
    main = False
    for number, line in read_lines(path, meter):
        if line.startswith(("\t", " ")):
            if current is not None and main:
                current = current._replace(text=f"{current.text} {line.strip()}")
            continue
        if current is not None and line[:1] in ("*", "@"):
            yield current
            current = None
        main = line.startswith("*")
        if main:
            match = _SPEAKER.fullmatch(line)
            if match is None:
                raise DataError.at(path, number, "a main line is *SPEAKER: and the words")
            current = _Line(match[1], match[2], number)
        elif line[:1] not in ("@", "%", ""):
            raise DataError.at(path, number, "a line of CHAT starts with *, @, % or a tab")
    if current is not None:
        yield current


class Parsed(NamedTuple):
    """Words with their fluency tags, and the times of the line in milliseconds."""

    words: list[str]
    tags: list[str]
    times: tuple[int, int] | None


def parse_chat(text: str) -> Parsed:
    """Return the words of a main line with their tags.

    >>> parse_chat("<I want> [//] I &-um need it .")[:2]
    (['I', 'want', 'I', 'um', 'need', 'it'], ['RM', 'RM', 'O', 'F', 'O', 'O'])

    Raises:
        DataError: if a code in square brackets is unknown, or angle brackets do not match.
    """
    bullet = _BULLET.search(text)
    times = (int(bullet[1]), int(bullet[2])) if bullet else None
    words: list[str] = []
    tags: list[str] = []
    open_at: list[int] = []
    scope = 0
    for piece in _PIECE.findall(_BULLET.sub(" ", text)):
        if piece == "<":
            open_at.append(len(words))
        elif piece == ">":
            if not open_at:
                raise DataError("an angle bracket is closed that was not opened")
            scope = open_at.pop()
        elif piece.startswith("["):
            _apply(piece, words, tags, scope)
        else:
            scope = len(words)
            _add(piece, words, tags)
    if open_at:
        raise DataError("an angle bracket is not closed")
    return Parsed(words, tags, times)


def _apply(code: str, words: list[str], tags: list[str], scope: int) -> None:
    """Apply a code in square brackets to the words from ``scope`` on."""
    if _RETRACE.fullmatch(code):
        tags[scope:] = [_RETRACED if tag == _FLUENT else tag for tag in tags[scope:]]
    elif times := _TIMES.fullmatch(code):
        said = words[scope:]
        tags[scope:] = [_RETRACED] * len(said)
        for left in range(int(times[1]) - 1, 0, -1):
            words += said
            tags += [_RETRACED if left > 1 else _FLUENT] * len(said)
    elif not _COMMENT.fullmatch(code):
        raise DataError(f"the CHAT code {code} is unknown")


def _add(piece: str, words: list[str], tags: list[str]) -> None:
    tag = _PREFIXES.get(piece[:2], _FLUENT)
    if tag == _FLUENT and (
        _TERMINATOR.fullmatch(piece) or _PAUSE.fullmatch(piece) or _EVENT.fullmatch(piece)
    ):
        return
    plain = piece[2:] if tag != _FLUENT else piece
    plain = _INSIDE.sub("", plain.partition("@")[0])
    parts = [part for part in re.split(r"[+_]", plain) if part]
    words += parts
    tags += [tag] * len(parts)


def _records(path: Path, meter: Meter | None = None) -> Iterator[tuple[int, Record]]:
    counts: dict[str, int] = {}
    for line in _lines(path, meter):
        try:
            found = parse_chat(line.text)
        except DataError as error:
            raise DataError.at(path, line.number, str(error)) from None
        counts[line.speaker] = counts.get(line.speaker, 0) + 1
        record: dict[str, Any] = {
            "id": f"{line.speaker}-{counts[line.speaker]}",
            "tokens": found.words,
            "tags": found.tags,
            "speaker": line.speaker,
        }
        if found.times is not None:
            record |= {"start": found.times[0] / 1000, "end": found.times[1] / 1000}
        yield line.number, record


def _read(path: Path, meter: Meter | None = None) -> Iterator[Utterance]:
    for _, record in _records(path, meter):
        tokens, extra = record["tokens"], dict(record)
        del extra["id"], extra["tokens"]
        extra["tags"] = " ".join(record["tags"])
        yield Utterance.of(
            record["id"], " ".join(tokens), tokens=tokens, extra=tuple(extra.items())
        )


class Chat(ReadFormat):
    """TalkBank's CHAT."""

    name = "chat"
    holds = (
        "TalkBank's CHAT: one utterance per main line, retraces, fillers and fragments as fluency "
        "tags"
    )
    suffixes = (".cha",)
    read = staticmethod(_read)
    records = staticmethod(_records)

    def looks_like(self, lines: Sequence[str]) -> bool:
        """Return whether a line begins a transcript."""
        return any(line.startswith("@Begin") for line in lines)


CHAT = Chat()
