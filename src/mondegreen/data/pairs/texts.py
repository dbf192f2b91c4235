"""Reading the texts of a file, whole or in parts: words, words with times, n-best lists."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from mondegreen.data import format_of
from mondegreen.data.files.lines import Meter
from mondegreen.data.files.shards import is_pattern, shards_of
from mondegreen.data.formats.detection import table_by_ending
from mondegreen.data.formats.format import Record
from mondegreen.data.formats.timed import read_ctm, segment_ids, words_in_segments
from mondegreen.data.layout import ID_COLUMNS
from mondegreen.data.pairs.columns import REFERENCES, Columns, format_for
from mondegreen.data.pairs.parts import line_parts, parted, shard_line_parts
from mondegreen.data.pairs.transcripts import Transcripts, concatenated
from mondegreen.errors import DataError


class Side(NamedTuple):
    """A side of a score: a file, and its format if the user names it.

    ``meter`` is called with the number of bytes that each step has read. ``both`` says that the
    file holds references and hypotheses.
    """

    path: Path
    format: str | None = None
    meter: Meter | None = None
    both: bool = False


def text_parts(side: Side, columns: Columns = REFERENCES) -> Iterator[Transcripts]:
    """Yield the texts of a file in parts, with their ids and other columns.

    Args:
        side: the file.
        columns: the columns of a table that may hold the texts.

    Raises:
        DataError: naming the file, the line, what is wrong and what to do.
    """
    path = side.path
    found = format_for(path, side.format, columns)
    sharded = is_pattern(path)
    if found.plain_text:
        parts = shard_line_parts(path, shards_of(path), side.meter) if sharded else None
        for lines in parts or line_parts(path, side.meter):
            yield Transcripts(path, has_ids=False, ids=lines.ids, texts=lines)
    elif found.timed is not None:
        channels = found.timed(path, side.meter)
        texts, times = [one.text for one in channels.values()], [o.times for o in channels.values()]
        yield Transcripts(
            path, has_ids=True, ids=list(channels), texts=texts, alternatives=True, times=times
        )
    else:
        for utterances in parted(found.read(path, side.meter)):
            yield Transcripts.of(path, found, utterances)


def read_texts(side: Side, columns: Columns = REFERENCES) -> Transcripts:
    """Read all texts of a file, with its other columns.

    Raises:
        DataError: naming the file, the line, what is wrong and what to do.
    """
    return concatenated(list(text_parts(side, columns)))


def words_of_segments(side: Side, refs: Side) -> Iterator[Transcripts]:
    """Yield hypotheses that are words with times, in the segments of the references.

    Raises:
        DataError: if the references have no times.
    """
    read_segments = format_of(refs.path, refs.format).segments
    if read_segments is None:
        raise DataError(
            f"{side.path}: words with times need references with times, an .stm or .ctm file"
        )
    segments = read_segments(refs.path)
    texts = words_in_segments(segments, list(read_ctm(side.path)))
    scored = [place for place, one in enumerate(segments) if not one.ignored]
    ids = segment_ids([segments[place] for place in scored])
    found = [texts[place] for place in scored]
    yield Transcripts(side.path, has_ids=True, ids=ids, texts=found, alternatives=True)


def in_segments(side: Side, refs: Side) -> bool:
    """Return whether the words of hypotheses have times, and those of the references have none."""
    timed = [format_of(one.path, one.format).timed is not None for one in (side, refs)]
    return timed == [True, False]


def nbest_parts(side: Side) -> Iterator[Transcripts]:
    """Yield n-best lists, from a column ``nbest``.

    Raises:
        DataError: naming the line that has no list of texts.
    """
    for rows in parted(table_rows(side)):
        lists = []
        for number, record in rows:
            found = record.get("nbest")
            if not isinstance(found, list) or not all(isinstance(text, str) for text in found):
                raise DataError.at(
                    side.path, number, "a column nbest with a list of texts is expected"
                )
            lists.append(found)
        ids = [id_in(record, number) for number, record in rows]
        yield Transcripts(side.path, has_ids=True, ids=ids, texts=[], items=lists)


def table_rows(side: Side) -> Iterator[tuple[int, Record]]:
    """Yield the line number and the named columns of each row of a table.

    Raises:
        DataError: if the file is not a table with named columns.
    """
    named = table_by_ending(side.path) if side.format is None else None
    found = named or format_of(side.path, side.format)
    if found.records is None:
        raise DataError(f"{side.path}: a table with named columns is needed: .tsv, .csv or .jsonl")
    return found.records(side.path)


def id_in(record: Record, number: int) -> str:
    """Return the id of a row; without one, its number."""
    return next(
        (str(record[key]) for key in ID_COLUMNS if record.get(key) is not None), str(number)
    )
