"""Which column of a table holds what was said, and which what was heard. The only list of them."""

from __future__ import annotations

import warnings
from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path

from mondegreen.data import format_of
from mondegreen.data.formats.detection import table_by_ending
from mondegreen.data.formats.format import Format
from mondegreen.data.layout import HYP, ID_COLUMNS, REF, ReadOptions, layout_of
from mondegreen.errors import DataError, unknown

_SAID = ("reference", "ref", "transcript", "text")
_HEARD = ("hypothesis", "hyp", "pred_text", "asr_transcript")
_ANSWER = ("prediction",)
_OPTIONS = {REF: "--map {role}={column}", HYP: "--hyp FILE:{column} or --map {role}={column}"}


@dataclass(frozen=True)
class Columns:
    """The columns that a metric reads of a side, if the file is a table.

    Args:
        role: the side, ``ref`` or ``hyp``, by which a user maps a column.
        names: the columns that may hold it.
        otherwise: those that hold it where none of ``names`` is there, the next best first.
        needed: whether one of them must be there; otherwise the words of the utterances are read.
    """

    role: str
    names: tuple[str, ...]
    otherwise: tuple[tuple[str, ...], ...] = ()
    needed: bool = False

    def is_missing(self, columns: Iterable[str]) -> bool:
        """Return whether a table has no column that might hold the side."""
        layout = layout_of(tuple(columns))
        there = {str(column).lower() for column in columns}
        known = layout.texts or layout.tokens or layout.annotated
        return not known and there.isdisjoint(chain(self.names, *self.otherwise))

    def chosen(self, columns: Iterable[str], path: Path) -> str | None:
        """Return the column of a table that holds the side; ``None`` if it has no such column.

        Raises:
            DataError: if two columns could be meant, or if one is needed and missing.
        """
        there = {str(column).lower(): str(column) for column in columns}
        for names in (self.names, *self.otherwise):
            found = [there[name] for name in names if name in there]
            if len(found) > 1:
                ways = _OPTIONS[self.role].format(role=self.role, column=found[0])
                raise DataError(
                    f"{path}: the columns {found[0]} and {found[1]} could both hold the "
                    f"{'references' if self.role == REF else 'hypotheses'}; name one: {ways}"
                )
            if found:
                return found[0]
        if self.needed:
            raise DataError(
                f"{path}: there is no column {' or '.join(self.names)} (the columns: "
                f"{', '.join(there.values())}); name it: --map {self.role}=COLUMN"
            )
        return None


REFERENCES = Columns(REF, _SAID)
HYPOTHESES = Columns(HYP, _HEARD, otherwise=(_ANSWER, _SAID))
_ALL = frozenset((*_SAID, *_HEARD, *_ANSWER))


def _table(path: Path, columns: Columns) -> Format | None:
    """Return the format of a table: by its ending if a column is needed, or if its header has ids.

    A header that is misspelt is then an error, which says so, and no utterance.
    """
    table = table_by_ending(path) if path.is_file() else None
    if table is None or table.records is None or columns.needed:
        return table
    try:
        _, first = next(table.records(path), (0, {}))
    except DataError:
        return None
    has_id = any(str(name).lower() in ID_COLUMNS for name in first)
    return table if has_id and columns.is_missing(first) else None


def format_for(path: Path, format: str | None, columns: Columns) -> Format:
    """Return the format for reading one side of a file: a column of a table, or the utterances.

    Raises:
        DataError: if two columns could be meant, or if a column is needed and missing.
    """
    found = _table(path, columns) if format is None else None
    columns = columns if found is None else replace(columns, needed=True)
    found = found or format_of(path, format)
    mapped = dict(found.reading.columns)
    own = mapped.pop(columns.role, None)
    mapped = {role: column for role, column in mapped.items() if role not in (REF, HYP)}
    if found.records is None:
        if columns.needed:
            raise DataError(f"{path}: a table with named columns is needed: .tsv, .csv or .jsonl")
        return found
    if own is None and "text" in mapped:
        return found
    plain = found.plain
    records = plain.records if path.is_file() else None
    if records is None and own is None:
        return found
    _, first = next(records(path), (0, {})) if records is not None else (0, {})
    if own is not None and first and own not in first:
        raise DataError(f"{path}: {unknown('column', own, [str(name) for name in first])}")
    column = own or columns.chosen(first, path)
    if column is None:
        return found
    others = tuple(str(c) for c in first if str(c).lower() in _ALL and c != column)
    kept = {**mapped, "text": column}
    reading = ReadOptions(tuple(kept.items()), found.reading.classes, found.reading.scheme, others)
    return plain.with_reading(reading)


def column_of(path: Path, format: str | None, columns: Columns) -> str | None:
    """Return the column of a table that holds a side; without one, the format as it is named."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # reading the file says it, as it says errors
        try:
            found = format_for(path, format, columns)
        except DataError:
            return format
    return dict(found.reading.columns).get("text", format)
