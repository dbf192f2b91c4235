"""CoNLL: one token per line, its tag in the last column, a blank line between utterances.

Where a slot means something else than its words, a column between the two holds its value, on the
line of its first token, and ``_`` on the other lines; ``# columns = token value tag`` says so.
"""

from __future__ import annotations

from codecs import BOM_UTF8
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec

from mondegreen.data.files.lines import Meter, open_source, read_lines
from mondegreen.data.files.output import whole_file
from mondegreen.data.formats.format import (
    Format,
    Item,
    Row,
    Sink,
    Target,
    utterance_in,
)
from mondegreen.data.formats.text_part import TextPart, TextSink
from mondegreen.data.layout import ReadOptions
from mondegreen.data.pairs.parts import Lines, parted, whole_lines
from mondegreen.data.schemes import ReadTags
from mondegreen.errors import DataError, MondegreenError, OutputError
from mondegreen.kernel import block_starts
from mondegreen.kernel.rewriting import DOCUMENT, is_blank
from mondegreen.text.patterns import lazy_pattern
from mondegreen.types import Slot, Utterance

_TAG = lazy_pattern(r"[BIESLU]-\S+|O")
_COLUMNS = "token value tag"
_NO_VALUE = "_"
_NOTE = lazy_pattern(r"# ([\w-]+)(?: =|:)(?: (.*))?")
"""A comment above the tokens: ``# id = 1``, or ``# id: 1`` as xSID writes it."""
_PART = 1 << 16
"""Lines of a part."""
_XSID = 4  # columns: number, token, intent, tag


class _Block:
    """The lines of one utterance, as far as they are read."""

    def __init__(self, first: int) -> None:
        self.first = first
        self.notes: dict[str, str] = {}
        self.tokens: list[str] = []
        self.tags: list[str] = []
        self.values: list[str] = []
        self.numbered = 0
        """How many lines of xSID's four columns were read."""

    def add(self, line: str) -> None:
        note = None if self.tokens or self.numbered else _NOTE.fullmatch(line)
        if note is not None:
            self.notes[note[1]] = note[2] or ""
            return
        fields = line.split("\t") if "\t" in line else line.split()
        if len(fields) < 2:  # noqa: PLR2004 (token and tag)
            raise DataError(f"a token and its tag are expected, got {line!r:.60}")
        if len(fields) == _XSID and fields[0] == str(self.numbered + 1):
            self.numbered += 1
            self.notes.setdefault("intent", fields[2])
            del fields[0]
            if fields[0] == "" and fields[-1] == "O":  # xSID numbers a double space as a token
                return
        self.tokens.append(fields[0])
        self.tags.append(fields[-1])
        self.values.append(fields[1] if self.notes.get("columns") == _COLUMNS else _NO_VALUE)

    def utterance(self, default_id: str, read_tags: ReadTags) -> Utterance:
        return Utterance.of(
            self.notes.get("id", default_id),
            self._text(),
            [self._with_value(slot) for slot in read_tags(self.tags)],
            self.notes.get("label", self.notes.get("intent")),
            tokens=self.tokens,
        )

    def _text(self) -> str:
        """Return the text of the note, if the tokens are its words; xSID writes some otherwise."""
        plain = " ".join(self.tokens)
        text = self.notes.get("text", plain)
        if text.startswith('"') and text.endswith('"'):  # as we write it
            return msgspec.json.decode(text, type=str)
        return text if "".join(text.split()) == "".join(self.tokens) else plain

    def _with_value(self, slot: Slot) -> Slot:
        value = self.values[slot.start]
        if value == _NO_VALUE:
            return slot
        return Slot(slot.label, slot.start, slot.end, msgspec.json.decode(value, type=str))


def _blocks(path: Path, lines: Iterable[tuple[int, str]]) -> Iterator[_Block]:
    block: _Block | None = None
    for number, line in lines:
        if is_blank(line):
            if block is not None:
                yield block
            block = None
            continue
        block = block or _Block(number)
        try:
            block.add(line)
        except MondegreenError as error:
            raise DataError.at(path, number, str(error)) from None
    if block is not None:
        yield block


def _utterances(
    path: Path, lines: Iterable[tuple[int, str]], first: int, read_tags: ReadTags
) -> Iterator[Row]:
    """Yield the utterances between blank lines, with the numbers of their first lines."""
    for count, block in enumerate(_blocks(path, lines), start=first):
        try:
            yield block.first, block.utterance(str(count), read_tags)
        except (MondegreenError, msgspec.DecodeError) as error:
            reason = f"in the utterance from here: {error}"
            raise DataError.at(path, block.first, reason) from None


class ConllPart(TextPart):
    """Consecutive utterances of a CoNLL file."""

    def __init__(self, path: Path, before: int, lines: Lines, reading: ReadOptions) -> None:
        raw = lines.raw.removeprefix(BOM_UTF8) if lines.first == 1 else lines.raw
        self.starts = block_starts(raw)
        super().__init__(path, before, len(self.starts), [lines], reading)

    def __iter__(self) -> Iterator[Utterance]:
        (lines,) = self.files
        numbered = enumerate(lines, lines.first)
        rows = _utterances(self.path, numbered, self.before + 1, self.reading.read_tags)
        return (utterance for _, utterance in rows)

    def at(self, place: int) -> Utterance:
        """Return one of the utterances."""
        (lines,) = self.files
        start, *after = self.starts[place : place + 2]
        block = lines[start : after[0] if after else len(lines)]
        numbered = enumerate(block, lines.first + start)
        first = self.before + 1 + place
        return next(_utterances(self.path, numbered, first, self.reading.read_tags))[1]

    def rewritten(self, rewriter: Any, texts: Sequence[bytes], plan: Any, *how: Any) -> Any:
        """Return what the kernel makes of the text."""
        return rewriter.rewrite_conll(*texts, plan, self.before + 1, *how)


def _parts(path: Path, meter: Meter | None, reading: ReadOptions) -> Iterator[ConllPart]:
    """Yield a file in parts that end with blank lines."""
    before, first = 0, 1
    rest: list[bytes] = []
    with open_source(path) as file:
        for more in parted(whole_lines(path, file), _PART):
            if meter is not None:
                meter(sum(map(len, more)))
            end = next((at for at in range(len(more), 0, -1) if not more[at - 1].strip()), 0)
            if not end:
                rest += more
                continue
            part = ConllPart(path, before, _joined(path, first, [*rest, *more[:end]]), reading)
            yield part
            before, first, rest = before + len(part), first + part.files[0].n, more[end:]
    if first == 1 and not rest:
        raise DataError(f"{path}: the file is empty; there is nothing to read")
    if rest:
        yield ConllPart(path, before, _joined(path, first, rest), reading)


def _joined(path: Path, first: int, lines: list[bytes]) -> Lines:
    return Lines(path, first, len(lines), b"".join(lines))


@contextmanager
def _open(target: Target) -> Iterator[Sink]:
    with whole_file(target.path, force=target.force) as file:
        yield TextSink([file], _texts_of, target)


def _texts_of(item: Item, target: Target) -> list[bytes]:
    utterance = utterance_in(item)
    notes = (utterance.id, utterance.label or "")
    if any("\n" in note or "\r" in note for note in notes) or DOCUMENT in utterance.tokens:
        raise OutputError(
            f"{target.path}: utterance {utterance.id!r} has a line break in its id or its "
            f"label, or the token {DOCUMENT}, which CoNLL cannot keep; write .jsonl"
        )
    lines = [f"# id = {utterance.id}"]
    if utterance.label is not None:
        lines.append(f"# label = {utterance.label}")
    if utterance.raw is not None:
        lines.append(f"# text = {msgspec.json.encode(utterance.raw).decode()}")
    values = {s.start: s.value for s in utterance.slots if s.value is not None}
    if values:
        lines.append(f"# columns = {_COLUMNS}")
    for at, (token, tag) in enumerate(zip(utterance.tokens, utterance.tags, strict=True)):
        if len(token.split()) != 1 or len(tag.split()) != 1:
            raise OutputError(
                f"{target.path}: utterance {utterance.id!r}: {token!r} or {tag!r} holds "
                "white space, which CoNLL cannot keep; write .jsonl"
            )
        value = f"{_value_field(values.get(at))}\t" if values else ""
        lines.append(f"{token}\t{value}{tag}")
    return [(target.newline.join(lines) + 2 * target.newline).encode()]


def _value_field(value: str | None) -> str:
    return _NO_VALUE if value is None else msgspec.json.encode(value).decode()


def _looks_like(lines: Sequence[str]) -> bool:
    return all(map(_is_token_line, lines))


def _is_token_line(line: str) -> bool:
    if _NOTE.fullmatch(line):
        return True
    fields = line.split()
    return len(fields) > 1 and _TAG.fullmatch(fields[-1]) is not None


class Conll(Format):
    """CoNLL: a token and its tag on each line."""

    name = "conll"
    holds = "CoNLL: token, tag; blank line between"
    suffixes = (".conll", ".bio", ".iob")
    has_tags = True
    always_tagged = True
    form = "conll"
    open = staticmethod(_open)
    texts_of = staticmethod(_texts_of)
    looks_like = staticmethod(_looks_like)

    def rows(self, path: Path, meter: Meter | None) -> Iterator[Row]:
        """Yield the utterances between blank lines."""
        return _utterances(path, read_lines(path, meter), 1, self.reading.read_tags)

    def row_parts(self, path: Path, meter: Meter | None, size: int) -> Iterator[ConllPart]:  # noqa: ARG002 (lines are counted)
        """Yield the utterances in parts."""
        return _parts(path, meter, self.reading)


CONLL = Conll()
