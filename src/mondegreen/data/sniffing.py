"""Recognising a file's format by its first lines."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice
from pathlib import Path

from mondegreen.data.formats import Format
from mondegreen.data.lines import open_source, read_lines

_LINES = 20
_PARQUET = b"PAR1"


def is_parquet(path: Path) -> bool:
    """Return whether a file begins as Parquet files do."""
    with open_source(path) as file:
        return file.read(len(_PARQUET)) == _PARQUET


def sniff(path: Path, formats: Iterable[Format]) -> Format | None:
    """Return the first format that the first lines of a file look like; ``None`` if none.

    Raises:
        DataError: if the file cannot be read as text.
    """
    lines = [line for _, line in islice(read_lines(path), _LINES) if line.strip()]
    if not lines:
        return None
    return next((f for f in formats if f.looks_like is not None and f.looks_like(lines)), None)
