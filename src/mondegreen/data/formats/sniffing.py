"""Recognising a file's format by its content."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

import msgspec

from mondegreen.data.files.lines import open_source, read_lines
from mondegreen.data.formats.documents import read_json
from mondegreen.data.formats.format import Format
from mondegreen.errors import DataError

_LINES = 20


def sniff(path: Path, formats: Iterable[Format]) -> Format | None:
    """Return the first format that the content of a file looks like; ``None`` if none.

    Raises:
        DataError: if the file cannot be read as text.
    """
    known = tuple(formats)
    with open_source(path) as file:
        start = file.read(4)
    for format in known:
        if format.magic and start.startswith(format.magic):
            return format
    lines = first_lines(path)
    document = _document(path, lines)
    if document is not None:
        found = next((format for format in known if format.recognises(document)), None)
        if found is not None or len(lines) > 1:
            return found
    return looks_like(lines, known)


def first_lines(path: Path) -> list[str]:
    """Return the first lines of a file that are not blank."""
    return [line for _, line in islice(read_lines(path), _LINES) if line.strip()]


def looks_like(lines: Sequence[str], formats: Iterable[Format]) -> Format | None:
    """Return the first format that lines look like; ``None`` if none."""
    if not lines:
        return None
    return next((format for format in formats if format.looks_like(lines)), None)


def _document(path: Path, lines: Sequence[str]) -> Any:
    """Return the JSON document of a file; ``None`` for JSON lines and everything else."""
    if not lines or lines[0].lstrip()[:1] not in ("{", "["):
        return None
    if len(lines) > 1 and all(map(_is_json, lines[:2])):
        return None
    try:
        return read_json(path)
    except DataError:
        return None


def _is_json(line: str) -> bool:
    try:
        msgspec.json.decode(line)
    except (msgspec.DecodeError, RecursionError):
        return False
    return True
