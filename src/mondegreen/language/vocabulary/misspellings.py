"""Misspellings that people have written: the package's English list, or those of a file."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from mondegreen.data.files.by_content import by_content
from mondegreen.data.files.lines import read_lines
from mondegreen.errors import DataError
from mondegreen.resources import read_resource

Misspellings = dict[str, tuple[str, ...]]
_SHIPPED = "languages/en/misspellings.txt.gz"
_LEAST = 2  # a word and one misspelling


@by_content
def misspellings(path: str = "") -> Misspellings:
    """Return the misspellings of each word, in lower case; each file is read once.

    A line of a file has a word and its misspellings, separated by spaces.

    >>> misspellings()["tomorrow"][:3]
    ('temorrow', 'tmorrow', 'tomarow')

    Raises:
        DataError: if a line of the file has no misspelling.
    """
    if not path:
        return _table(line.split() for line in read_resource(_SHIPPED).decode().splitlines())
    rows = []
    for number, line in read_lines(Path(path)):
        row = line.lower().split()
        if len(row) < _LEAST:
            raise DataError.at(
                path, number, f"a word and its misspellings are expected, got {line!r}"
            )
        rows.append(row)
    return _table(rows)


def _table(rows: Iterable[list[str]]) -> Misspellings:
    """Return misspellings by word; those of a word in several rows are merged."""
    table: Misspellings = {}
    for word, *others in rows:
        known = table.get(word, ())
        table[word] = (*known, *(o for o in dict.fromkeys(others) if o != word and o not in known))
    return table
