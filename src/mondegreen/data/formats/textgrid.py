"""Praat's TextGrid, long and short: one utterance per labelled interval."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from mondegreen.data.files.lines import Meter, open_source
from mondegreen.data.formats.format import ReadFormat
from mondegreen.errors import DataError
from mondegreen.text.patterns import lazy_pattern
from mondegreen.types import Utterance

_TOKEN = lazy_pattern(r'"(?:[^"]|"")*"|<exists>|(?<![\w\[])-?\d+(?:\.\d+)?(?![\w\]])')
_MARKS = {b"\xfe\xff": "UTF-16", b"\xff\xfe": "UTF-16", b"\x00": "UTF-16"}


def _text(path: Path) -> str:
    with open_source(path) as file:
        content = file.read()
    for mark, name in _MARKS.items():
        if content.startswith(mark) or content[1:2] == b"\x00":
            raise DataError(
                f"{path}: the TextGrid is in {name}; save it as UTF-8 in Praat (Preferences, text "
                "writing), or convert it with: iconv -f utf-16 -t utf-8"
            )
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise DataError(f"{path}: byte {error.start + 1} is not UTF-8; convert the file") from None


def _tokens(path: Path) -> Iterator[tuple[int, str]]:
    """Yield the strings and numbers of a TextGrid with their lines; names of fields are dropped."""
    text = _text(path)
    line, at = 1, 0
    for match in _TOKEN.finditer(text):
        line += text.count("\n", at, match.start())
        at = match.start()
        yield line, match[0]


class _Reader:
    """Reads one value after the other."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.values = _tokens(path)
        self.line = 1

    def next(self) -> str:
        try:
            self.line, value = next(self.values)
        except StopIteration:
            raise DataError.at(self.path, self.line, "the TextGrid ends too early") from None
        return value

    def string(self) -> str:
        value = self.next()
        if not value.startswith('"'):
            raise DataError.at(self.path, self.line, f"a text in quotes is expected, got {value}")
        return value[1:-1].replace('""', '"')

    def number(self) -> float:
        value = self.next()
        try:
            return float(value)
        except ValueError:
            raise DataError.at(self.path, self.line, f"a number is expected, got {value}") from None


def _read(path: Path, meter: Meter | None = None) -> Iterator[Utterance]:  # noqa: ARG001
    reader = _Reader(path)
    if (reader.string(), reader.string()) != ("ooTextFile", "TextGrid"):
        raise DataError.at(path, 1, 'a header of Praat is expected: File type = "ooTextFile"')
    reader.number(), reader.number()
    if reader.next() != "<exists>":
        raise DataError.at(path, reader.line, "the TextGrid has no tiers")
    for _ in range(int(reader.number())):
        kind, tier = reader.string(), reader.string()
        reader.number(), reader.number()
        for number in range(1, int(reader.number()) + 1):
            start = reader.number()
            end = reader.number() if kind == "IntervalTier" else start
            text = reader.string().strip()
            if end < start:
                raise DataError.at(path, reader.line, f"an interval ends at {end} before it starts")
            if text:
                extra = (("tier", tier), ("speaker", tier), ("start", start), ("end", end))
                yield Utterance.of(f"{tier}-{number}", text, extra=extra)


def _looks_like(lines: object) -> bool:
    return isinstance(lines, list) and bool(lines) and "ooTextFile" in lines[0]


class TextGrid(ReadFormat):
    """Praat's TextGrid."""

    name = "textgrid"
    holds = "Praat's TextGrid: one utterance per interval or point with text, the tier as speaker"
    suffixes = (".TextGrid", ".textgrid")
    read = staticmethod(_read)
    looks_like = staticmethod(_looks_like)


TEXTGRID = TextGrid()
