"""A folder of three files, line by line: ``seq.in`` words, ``seq.out`` tags, ``label`` intents."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import zip_longest
from pathlib import Path
from typing import Any

from mondegreen.data.files.lines import Meter, read_lines
from mondegreen.data.files.output import whole_path
from mondegreen.data.formats.format import Format, Item, Sink, Target, utterance_in
from mondegreen.data.formats.text_part import TextPart, TextSink
from mondegreen.data.layout import ReadOptions
from mondegreen.data.pairs.parts import line_parts
from mondegreen.data.schemes import ReadTags
from mondegreen.errors import DataError, MondegreenError, OutputError
from mondegreen.types import Utterance

_ALL = WORDS, TAGS, LABELS = "seq.in", "seq.out", "label"


def _names(path: Path) -> tuple[str, ...]:
    """Return the names of the files that are there."""
    for name in (WORDS, TAGS):
        if not (path / name).is_file():
            raise DataError(f"{path}: a folder of {WORDS}, {TAGS} and {LABELS}; {name} is missing")
    return (WORDS, TAGS, LABELS) if (path / LABELS).exists() else (WORDS, TAGS)


def _read(path: Path, meter: Meter | None, read_tags: ReadTags) -> Iterator[Utterance]:
    names = _names(path)
    files = (read_lines(path / name, meter if name == WORDS else None) for name in names)
    for number, lines in enumerate(zip_longest(*files), start=1):
        if None in lines:
            raise _too_short(path / names[lines.index(None)], number - 1)
        yield _utterance(path, number, [line for _, line in lines], read_tags)


def _too_short(file: Path, lines: int) -> DataError:
    return DataError(f"{file}: ends at line {lines}, another file does not")


class FolderPart(TextPart):
    """Consecutive lines of the files of a folder."""

    has_ids = False

    def __iter__(self) -> Iterator[Utterance]:
        return map(self.at, range(self.n))

    def at(self, place: int) -> Utterance:
        """Return one of the utterances."""
        lines = [file[place] for file in self.files]
        return _utterance(self.path, self.before + 1 + place, lines, self.reading.read_tags)

    def rewritten(self, rewriter: Any, texts: Sequence[bytes], plan: Any, *how: Any) -> Any:
        """Return what the kernel makes of the texts; without labels, that file is empty."""
        words, tags, labels = (*texts, b"")[: len(_ALL)]
        return rewriter.rewrite_folder(words, tags, labels, plan, self.before + 1, *how)


def _parts(
    path: Path, meter: Meter | None, size: int, reading: ReadOptions
) -> Iterator[FolderPart]:
    """Yield a folder in parts of the same number of lines of each file."""
    names, before = _names(path), 0
    files = (line_parts(path / name, meter if name == WORDS else None, size) for name in names)
    for parts in zip_longest(*files):
        counts = [0 if part is None else part.n for part in parts]
        n = min(counts)
        if n < max(counts):
            raise _too_short(path / names[counts.index(n)], before + n)
        yield FolderPart(path, before, n, parts, reading)
        before += n


def _utterance(path: Path, number: int, lines: list[str], read_tags: ReadTags) -> Utterance:
    line, tag_line, *label = lines
    tokens, tags = line.split(), tag_line.split()
    if len(tokens) != len(tags):
        raise DataError.at(
            path / TAGS, number, f"{len(tags)} tags for {len(tokens)} tokens; give one per token"
        )
    try:
        slots = read_tags(tags)
    except MondegreenError as error:
        raise DataError.at(path / TAGS, number, str(error)) from None
    return Utterance.of(
        str(number), line, slots, label[0] or None if label else None, tokens=tokens
    )


def _is_data(path: Path) -> bool:
    return {part.name for part in path.iterdir()} == {WORDS, TAGS, LABELS}


@contextmanager
def _open(target: Target) -> Iterator[Sink]:
    with whole_path(target.path, force=target.force, ours=_is_data) as folder:
        folder.mkdir()
        with (
            (folder / WORDS).open("wb") as words,
            (folder / TAGS).open("wb") as tags,
            (folder / LABELS).open("wb") as labels,
        ):
            yield TextSink([words, tags, labels], _texts_of, target)


def _texts_of(item: Item, target: Target) -> list[bytes]:
    utterance = utterance_in(item)
    return [
        (part_of(target.path, utterance) + target.newline).encode()
        for part_of in (_line, _tag_line, _label)
    ]


def _line(path: Path, utterance: Utterance) -> str:
    """The text where it splits into the tokens again; otherwise the tokens."""
    if (
        utterance.raw is not None
        and "\n" not in utterance.raw
        and tuple(utterance.raw.split()) == utterance.tokens
    ):
        return utterance.raw
    line = " ".join(utterance.tokens)
    if len(line.split()) != len(utterance.tokens):
        raise OutputError(
            f"{path}: utterance {utterance.id!r} has a token with white space in it, which {WORDS} "
            "cannot keep; write .jsonl"
        )
    return line


def _tag_line(path: Path, utterance: Utterance) -> str:
    line = " ".join(utterance.tags)
    if len(line.split()) != len(utterance.tags):
        raise OutputError(
            f"{path}: utterance {utterance.id!r} has a slot whose label holds white space, which "
            f"{TAGS} cannot keep; write .jsonl"
        )
    return line


def _label(path: Path, utterance: Utterance) -> str:
    label = utterance.label or ""
    if "\n" in label or "\r" in label:
        raise OutputError(
            f"{path}: utterance {utterance.id!r} has a line break in its label, which the file "
            f"{LABELS} cannot keep; write .jsonl"
        )
    return label


class Folder(Format):
    """A folder of three files."""

    name = "folder"
    holds = f"a folder of {WORDS}, {TAGS}, {LABELS}"
    has_ids = False
    streams = False
    keeps_spacing = False
    has_tags = True
    always_tagged = True
    form = "folder"
    open = staticmethod(_open)
    texts_of = staticmethod(_texts_of)

    def read(self, path: Path, meter: Meter | None = None) -> Iterator[Utterance]:
        """Yield the utterances of the files, line by line."""
        return _read(path, meter, self.reading.read_tags)

    def row_parts(self, path: Path, meter: Meter | None, size: int) -> Iterator[FolderPart]:
        """Yield the utterances in parts."""
        return _parts(path, meter, size, self.reading)

    def is_folder(self, path: Path) -> bool:
        """Return whether one of the files is there."""
        return (path / WORDS).exists() or (path / TAGS).exists()


FOLDER = Folder()
