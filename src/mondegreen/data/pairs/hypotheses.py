"""Hypotheses in the order of their references: words with times, and n-best lists."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from mondegreen.data import format_of
from mondegreen.data.formats.timed import (
    CTM,
    STM,
    read_ctm,
    read_stm,
    segment_ids,
    words_in_segments,
)
from mondegreen.data.layout import ID_COLUMNS
from mondegreen.data.pairs.transcripts import Transcripts, named_records, places, read_transcripts
from mondegreen.errors import DataError


def read_hypotheses(
    refs: Transcripts, path: Path, format: str | None = None, prefer: Sequence[str] = ()
) -> Transcripts:
    """Read hypotheses; words with times are put into the segments of the references.

    Raises:
        DataError: naming the file, the line, what is wrong and what to do.
    """
    if format_of(path, format) is not CTM or refs.times is not None:
        return read_transcripts(path, format, prefer)
    if format_of(refs.path) is not STM:
        raise DataError(
            f"{path}: words with times need references with times, an .stm or .ctm file"
        )
    segments = list(read_stm(refs.path))
    texts = words_in_segments(segments, list(read_ctm(path)))
    scored = [place for place, one in enumerate(segments) if not one.ignored]
    ids = segment_ids([segments[place] for place in scored])
    return Transcripts(
        path,
        has_ids=True,
        ids=ids,
        texts=[texts[place] for place in scored],
        alternatives=True,
    )


def read_nbest(refs: Transcripts, path: Path, format: str | None = None) -> list[list[str]]:
    """Read n-best lists, from a column ``nbest``, in the order of the references.

    Raises:
        DataError: naming the line that has no list of texts, or an id without partner.
    """
    lists: dict[str, list[str]] = {}
    for number, record in named_records(path, format):
        found = record.get("nbest")
        if not isinstance(found, list) or not all(isinstance(text, str) for text in found):
            raise DataError.at(path, number, "a column nbest with a list of texts is expected")
        id = next((str(record[key]) for key in ID_COLUMNS if key in record), str(number))
        lists[id] = found
    hyps = Transcripts(path, has_ids=refs.has_ids, ids=list(lists), texts=[])
    given = list(lists.values())
    return [given[place] if place >= 0 else [] for place in places(refs, hyps)]
