"""Reading references and hypotheses, and pairing them: by id, or line by line."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from mondegreen.data import format_of
from mondegreen.data.files.compression import bare
from mondegreen.data.files.lines import STANDARD_STREAM, read_lines
from mondegreen.data.files.shards import is_pattern
from mondegreen.data.formats.format import Format, Record
from mondegreen.data.formats.plain import TXT
from mondegreen.data.formats.tables import csv_records, tsv_records
from mondegreen.data.formats.timed import CTM, read_channels
from mondegreen.data.layout import ID_COLUMNS, Reading
from mondegreen.errors import DataError
from mondegreen.kernel import Ids
from mondegreen.types import Utterance

REFERENCE = ("transcript", "reference", "ref", "text")
HYPOTHESIS = ("asr_transcript", "hypothesis", "hyp", "prediction", "transcript", "text")
REFERENCE_WORDS = ("reference", "ref", "text", "transcript")
HYPOTHESIS_WORDS = ("hypothesis", "hyp", "pred_text", "asr_transcript")
"""The columns of words in a table that has both sides, the preferred one first."""
_SIDES = (*REFERENCE_WORDS, *HYPOTHESIS_WORDS)
LENGTH = "length"
"""The column that every file has: groups of utterances by their number of words."""
_LENGTHS = (1, 4, 8, 16, 32, 64)
_TABLES = {".csv": csv_records, ".tsv": tsv_records}


@lru_cache(maxsize=8)
def numbers(n: int) -> tuple[str, ...]:
    """Return the ids of utterances without ids: their numbers, from 1."""
    return tuple(map(str, range(1, n + 1)))


@dataclass(frozen=True)
class Transcripts:
    """The texts of a file, with their ids and other columns.

    ``has_ids`` is false where the ids are only line numbers; ``alternatives`` is true where texts
    may hold alternatives such as ``{ a / b / @ }``. ``entities`` are the class, the first token and
    the token after the last of each entity, if the file tags any. ``caseless`` is true where case
    does not count. ``times`` are when each word of each text begins and ends, in seconds, if the
    file has times of words. ``missing`` says what happens to utterances that only one side has:
    ``error``, ``empty`` (a missing hypothesis is empty) or ``skip``.
    """

    path: Path
    has_ids: bool
    ids: Sequence[str]
    texts: Sequence[str]
    extra: Sequence[Record] = field(default=())
    alternatives: bool = False
    entities: Sequence[Sequence[tuple[str, int, int]]] | None = None
    caseless: bool = False
    missing: str = "error"
    times: Sequence[Sequence[tuple[float, float]]] | None = None

    @classmethod
    def of(cls, path: Path, format: Format, utterances: Sequence[Utterance]) -> Transcripts:
        """Make transcripts of the utterances of a file."""
        return cls(
            path,
            format.has_ids,
            [one.id for one in utterances],
            [one.text for one in utterances],
            [dict(one.extra) | ({"label": one.label} if one.label else {}) for one in utterances],
            format.alternatives,
            _entities(utterances),
            format.references_only,
            times=_times(utterances),
        )

    def only(self, places: Sequence[int]) -> Transcripts:
        """Return some of the utterances."""
        return replace(
            self,
            ids=[self.ids[place] for place in places],
            texts=[self.texts[place] for place in places],
            extra=[self.extra[place] for place in places] if self.extra else (),
            entities=None if self.entities is None else [self.entities[place] for place in places],
            times=None if self.times is None else [self.times[place] for place in places],
        )

    def column(self, name: str) -> list[str]:
        """Return another column of the file, for groups; ``length`` groups by number of words.

        Raises:
            DataError: if an utterance lacks it.
        """
        if name == LENGTH and not (self.extra and name in self.extra[0]):
            return [_length_of(text) for text in self.texts]
        if not self.extra:
            raise DataError(f"{self.path}: a file of plain lines has no column {name!r}")
        for id, columns in zip(self.ids, self.extra, strict=True):
            if name not in columns:
                known = ", ".join(columns) or "none"
                raise DataError(
                    f"{self.path}: utterance {id!r} has no column {name!r} (its columns: {known})"
                )
        return [group_name(columns[name], name) for columns in self.extra]


def group_name(value: object, column: str) -> str:
    """Return the group of an utterance by its value of a column, also if it has none.

    >>> group_name("wales", "accent"), group_name("", "accent"), group_name(None, "accent")
    ('wales', '(no accent)', '(no accent)')
    """
    return f"(no {column})" if value is None or value == "" else str(value)


def _length_of(text: str) -> str:
    """Return the group of a text by its number of words.

    >>> _length_of("play some jazz"), _length_of("")
    ('01-03 words', '00 words')
    """
    n = len(text.split())
    low = max((edge for edge in _LENGTHS if edge <= n), default=0)
    high = next((edge - 1 for edge in _LENGTHS if edge > n), None)
    return (
        f"{low:02}+ words" if high is None else f"{low:02}-{high:02} words" if low else "00 words"
    )


def _entities(utterances: Sequence[Utterance]) -> list[list[tuple[str, int, int]]] | None:
    """Return the entities of utterances: their own, or their slots; ``None`` if there are none."""
    found = [
        list(dict(one.extra).get("entities") or ())  # type: ignore[call-overload]
        if not one.slots
        else [(slot.label, slot.start, slot.end) for slot in one.slots]
        for one in utterances
    ]
    fits = all(isinstance(entity, tuple) for row in found for entity in row)
    return found if fits and any(found) else None


def _times(utterances: Sequence[Utterance]) -> list[Any] | None:
    """Return the times that records have in a column of that name; ``None`` if some have none."""
    found = [dict(one.extra).get("times") for one in utterances]
    return found if found and all(isinstance(row, list) for row in found) else None


def read_transcripts(
    path: Path, format: str | None = None, prefer: Sequence[str] = ()
) -> Transcripts:
    """Read all texts of a file, with its other columns.

    Args:
        path: the file.
        format: its format; by default known from its name and content.
        prefer: the columns to read, if the file has one of them and the user has named none.

    Raises:
        DataError: naming the file, the line, what is wrong and what to do.
    """
    found = preferring(format_of(path, format), path, prefer)
    if found is TXT:
        texts = _plain_lines(path)
        return Transcripts(path, has_ids=False, ids=numbers(len(texts)), texts=texts)
    if found is CTM:
        channels = read_channels(path)
        return Transcripts(
            path,
            has_ids=True,
            ids=list(channels),
            texts=[one.text for one in channels.values()],
            alternatives=True,
            times=[one.times for one in channels.values()],
        )
    return Transcripts.of(path, found, list(found.read(path, None)))


def preferring(format: Format, path: Path, names: Sequence[str]) -> Format:
    """Return the format for reading the first of some columns that the file has."""
    if format.records is None or not path.is_file() or "text" in dict(format.reading.columns):
        return format
    _, first = next(format.records(path), (0, {}))
    there = {str(column).lower(): str(column) for column in first}
    column = next((there[name] for name in names if name in there), None)
    if column is None:
        return format
    others = tuple(there[name] for name in _SIDES if name in there and there[name] != column)
    columns = {**dict(format.reading.columns), "text": column}
    return format.with_reading(Reading(tuple(columns.items()), other=others))


def _plain_lines(path: Path) -> list[str]:
    """Read the lines of a text file at once; one by one where a line may be at fault."""
    if path != STANDARD_STREAM and path.is_file():
        try:
            text = path.read_bytes().decode()
        except (OSError, UnicodeDecodeError):
            text = ""
        if text and "\0" not in text and "\r" not in text and text[0] != "\ufeff":
            return text.removesuffix("\n").split("\n")
    return [line for _, line in read_lines(path)]


def read_side(path: Path, names: tuple[str, ...], format: str | None = None) -> Transcripts:
    """Read one of several columns of a table; of any other format, the texts.

    A ``.tsv`` or ``.csv`` file is a table even if its header is misspelt, so that the error says
    which column is missing.

    Raises:
        DataError: naming the file, the line, what is wrong and what to do.
    """
    if is_table(path, format):
        return read_columns(path, names, format)
    return read_transcripts(path, format)


def is_table(path: Path, format: str | None = None) -> bool:
    """Return whether a file has named columns."""
    if format is None and bare(path).suffix in _TABLES:
        return True
    return format_of(path, format).records is not None


def read_columns(path: Path, names: tuple[str, ...], format: str | None = None) -> Transcripts:
    """Read one of several columns, and the ids.

    Raises:
        DataError: if the column, an id, or a field is missing, or if an id occurs twice.
    """
    return columns_of(path, list(column_rows(path, names, format)))


class ColumnRow(NamedTuple):
    """A field of a table, with the id and the record of its row."""

    id: str
    text: str
    record: Record


def columns_of(path: Path, rows: Sequence[ColumnRow]) -> Transcripts:
    """Make transcripts of the rows of a table."""
    return Transcripts(
        path,
        has_ids=True,
        ids=[row.id for row in rows],
        texts=[row.text for row in rows],
        extra=[row.record for row in rows],
    )


def column_rows(
    path: Path, names: tuple[str, ...], format: str | None = None
) -> Iterator[ColumnRow]:
    """Yield one of several columns row by row, with the ids.

    Raises:
        DataError: if the column, an id, or a field is missing, or if an id occurs twice.
    """
    ids = Ids()
    named = format is None and path.suffix in _TABLES
    # JSON lines without ids go by their numbers
    numbered = not named and format_of(path, format).keeps_answers
    for number, record in named_records(path, format):
        name = next((name for name in names if name in record), None)
        if name is None:
            there = ", ".join(map(str, record))
            wanted = " or ".join(names)
            raise DataError.at(path, number, f"there is no column {wanted} (the columns: {there})")
        id = _id_of(path, number, record, numbered=numbered)
        if not ids.add(id):
            _refuse_double(path, format, number, id, numbered=numbered)
        value = record[name]
        text = value if isinstance(value, str) else "" if value is None else str(value)
        yield ColumnRow(id, text, record)


def _id_of(path: Path, number: int, record: Record, *, numbered: bool) -> str:
    key = next((key for key in ID_COLUMNS if key in record), None)
    if key is None and not numbered:
        there = ", ".join(map(str, record))
        raise DataError.at(path, number, f"there is no column utterance_id (the columns: {there})")
    return str(number if key is None else record[key])


def _refuse_double(path: Path, format: str | None, number: int, id: str, *, numbered: bool) -> None:
    """Refuse an id whose fingerprint has occurred before, if the id itself has."""
    if path == STANDARD_STREAM:
        raise DataError.at(path, number, f"the id {id!r} occurs twice")
    for first, record in named_records(path, format):
        if first >= number:
            return
        if _id_of(path, first, record, numbered=numbered) == id:
            message = f"the id {id!r} occurs twice (first on line {first})"
            raise DataError.at(path, number, message)


def named_records(path: Path, format: str | None) -> Iterator[tuple[int, Record]]:
    """Yield the line number and the named columns of each row of a table.

    Raises:
        DataError: if the file is not a table with named columns.
    """
    if format is None and bare(path).suffix in _TABLES and not is_pattern(path):
        return _TABLES[bare(path).suffix](path)
    found = format_of(path, format)
    if found.records is None:
        raise DataError(f"{path}: a table with named columns is needed: .tsv, .csv or .jsonl")
    return found.records(path)


def paired(refs: Transcripts, hyps: Transcripts, *, ignore_case: bool = False) -> list[str]:
    """Return the texts of the hypotheses in the order of the references.

    Raises:
        DataError: naming a reference or a hypothesis that has no partner.
    """
    found = places(refs, hyps, ignore_case=ignore_case)
    return [hyps.texts[place] if place >= 0 else "" for place in found]


def places(refs: Transcripts, hyps: Transcripts, *, ignore_case: bool = False) -> range | list[int]:
    """Return for each reference the place of its hypothesis; -1 where a missing one is empty.

    Raises:
        DataError: naming a reference or a hypothesis that has no partner.
    """
    if not refs.has_ids or not hyps.has_ids:
        if len(refs.ids) != len(hyps.ids):
            raise DataError(
                f"{refs.path} has {len(refs.ids):,} lines, {hyps.path} has {len(hyps.ids):,}; "
                "write an empty line for silence, leave no line out"
            )
        return range(len(refs.ids))
    wanted, given = (
        [id.lower() for id in side.ids] if ignore_case else side.ids for side in (refs, hyps)
    )
    found = {id: place for place, id in enumerate(given)}
    missing = [id for id in wanted if id not in found]
    known = set(wanted)
    more = [id for id in given if id not in known]
    if (missing or more) and refs.missing == "error":
        raise DataError(
            f"{refs.path} and {hyps.path} do not pair up: {_example(missing)} without hypothesis, "
            f"{_example(more)} without reference. Write an empty text for silence; leave none out; "
            "or choose --missing skip or --missing empty."
        )
    if missing or more:
        warnings.warn(
            f"{hyps.path}: {_example(missing)} without hypothesis, {_example(more)} without "
            f"reference ({'left out' if refs.missing == 'skip' else 'taken as empty'})",
            stacklevel=3,
        )
    return [found.get(id, -1) for id in wanted]


def warn_same(refs: Transcripts, hyps: Transcripts) -> None:
    """Warn if references and hypotheses are the same texts of the same file."""
    if refs.path == hyps.path and refs.path != STANDARD_STREAM and refs.texts == hyps.texts:
        warnings.warn(
            f"{refs.path}: references and hypotheses are the same texts of the same file, so there "
            "are no errors to find; if another column holds the hypotheses, name it with --hyp-map "
            "text=COLUMN",
            stacklevel=2,
        )


def _example(ids: Sequence[str]) -> str:
    return f"{len(ids):,} (such as {ids[0]!r})" if ids else "0"
