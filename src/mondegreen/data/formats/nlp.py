"""Rev's ``.nlp`` references: tokens in a table, with verbalisations and entity tags beside them.

A token that can be said in several ways, such as "2020", becomes an alternation
``{ 2020 / twenty twenty / two thousand twenty }``, which is one token. Verbalisations are in
``NAME.norm.json`` beside the file or in a folder ``normalizations`` beside its folder, the classes
of its entities in ``NAME.wer_tag.json`` or a folder ``wer_tags``.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from mondegreen.data.files.lines import Meter, read_lines
from mondegreen.data.formats.format import ReadFormat
from mondegreen.errors import DataError
from mondegreen.types import Utterance

_FIRST = ("token", "speaker")
_REFERENCES = "nlp_references"
_FALLBACK = "FALLBACK"  # words that Rev's tagger could not class: not a class of entities


class _Token(NamedTuple):
    """One line: the word, the key of its verbalisations, and the entities that it is part of."""

    word: str
    key: str | None
    entities: tuple[str, ...]


def is_nlp_folder(path: Path) -> bool:
    """Return whether a folder holds ``.nlp`` references."""
    return any(True for _ in _folder(path).glob("*.nlp"))


def _folder(path: Path) -> Path:
    return path / _REFERENCES if (path / _REFERENCES).is_dir() else path


def _read(path: Path, meter: Meter | None = None) -> Iterator[Utterance]:
    files = sorted(_folder(path).glob("*.nlp")) if path.is_dir() else [path]
    if not files:
        raise DataError(f"{path}: there is no .nlp file in this folder")
    for file in files:
        yield _utterance(file, list(_tokens(file, meter)))


def _tokens(path: Path, meter: Meter | None) -> Iterator[_Token]:
    names: list[str] = []
    for number, line in read_lines(path, meter):
        cells = line.split("|")
        if number == 1:
            names = cells
            if tuple(names[:2]) != _FIRST:
                raise DataError.at(path, 1, f"a header {'|'.join(_FIRST)}|… is expected first")
            continue
        if len(cells) != len(names):
            raise DataError.at(
                path, number, f"{len(cells)} columns for the {len(names)} of the header"
            )
        row = dict(zip(names, cells, strict=True))
        tags = _list(path, number, row.get("tags") or row.get("entities") or "[]")
        key = tags[0].partition(":")[0] if tags else None
        yield _Token(row["token"], key, tuple(_list(path, number, row.get("wer_tags") or "[]")))


def _list(path: Path, number: int, cell: str) -> list[str]:
    try:
        found = ast.literal_eval(cell)
    except (SyntaxError, ValueError):
        found = None
    if not isinstance(found, list):
        raise DataError.at(path, number, f"tags are a list such as ['0:YEAR'], got {cell:.40}")
    return [str(one) for one in found]


def _utterance(path: Path, rows: list[_Token]) -> Utterance:
    verbalised = _beside(path, "normalizations", ".norm.json")
    classes = _beside(path, "wer_tags", ".wer_tag.json")
    tokens: list[str] = []
    spans: dict[str, list[int]] = {}
    start = 0
    while start < len(rows):
        key, end = rows[start].key, start + 1
        while key is not None and end < len(rows) and rows[end].key == key:
            end += 1
        words = [row.word for row in rows[start:end]]
        for entity in dict.fromkeys(one for row in rows[start:end] for one in row.entities):
            spans.setdefault(entity, []).append(len(tokens))
        found = _readings(words, verbalised.get(key or ""))
        tokens += words if len(found) == 1 else [_alternation(found)]
        start = end
    entities = [
        (label, places[0], places[-1] + 1)
        for entity, places in spans.items()
        if (label := classes.get(entity, {}).get("entity_type")) and label != _FALLBACK
    ]
    extra = (("entities", tuple(entities)),)
    return Utterance.of(path.stem, " ".join(tokens), tokens=tokens, extra=extra)


def _readings(words: list[str], entry: Any) -> list[list[str]]:
    """Return what was written, and each way to say it."""
    found = [words]
    for candidate in (entry or {}).get("candidates", ()):
        if candidate["verbalization"] not in found:
            found.append(candidate["verbalization"])
    return found


def _alternation(readings: list[list[str]]) -> str:
    sides = (" ".join(map(_escaped, words)) or "@" for words in readings)
    return f"{{ {' / '.join(sides)} }}"


def _escaped(word: str) -> str:
    for mark in "{}/":
        word = word.replace(mark, f"\\{mark}")
    return word


def _beside(path: Path, folder: str, suffix: str) -> dict[str, Any]:
    for place in (path.parent, path.parent.parent / folder):
        file = place / f"{path.stem}{suffix}"
        if file.is_file():
            try:
                found = msgspec.json.decode(file.read_bytes())
            except msgspec.DecodeError as error:
                raise DataError(f"{file}: not JSON: {error}") from None
            if not isinstance(found, dict):
                raise DataError(f"{file}: an object with one entry per tag is expected")
            return found
    return {}


class Nlp(ReadFormat):
    """Rev's references."""

    name = "nlp"
    holds = "Rev's references: a .nlp file or a folder of them, with verbalisations and entity tags"
    suffixes = (".nlp",)
    alternatives = True
    references_only = True
    read = staticmethod(_read)
    is_folder = staticmethod(is_nlp_folder)


NLP = Nlp()
