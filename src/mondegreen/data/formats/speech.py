"""Transcripts of other speech tools: NeMo and Open-ASR manifests, SegLST, Lhotse."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from mondegreen.data.files.lines import Meter, read_lines
from mondegreen.data.formats.documents import read_json
from mondegreen.data.formats.format import ReadFormat, Record, Row, parse_lines
from mondegreen.data.formats.jsonl import decode_json
from mondegreen.data.layout import ReadOptions
from mondegreen.data.records import utterance_of
from mondegreen.errors import DataError
from mondegreen.types import Utterance

_SEGLST = ("session_id", "speaker", "words")


def _json_lines(path: Path, meter: Meter | None) -> Iterator[tuple[int, dict[str, Any]]]:
    for number, line in read_lines(path, meter):
        if not line.strip():
            continue
        try:
            record = msgspec.json.decode(line)
        except msgspec.DecodeError as error:
            raise DataError.at(path, number, f"not JSON: {error}") from None
        if not isinstance(record, dict):
            raise DataError.at(path, number, "a JSON object is expected on each line")
        yield number, record


def _extra(record: dict[str, Any], *used: str) -> tuple[tuple[str, object], ...]:
    return tuple((name, value) for name, value in record.items() if name not in used)


def _manifest_record(record: Any, reading: ReadOptions) -> dict[str, Any]:
    """Return a line of a manifest with its id: the recording, and where in it."""
    if not isinstance(record, dict) or not isinstance(record.get("audio_filepath"), str):
        raise DataError("a manifest line is a JSON object with an audio_filepath")
    column = dict(reading.columns).get("text", "text")
    if not isinstance(record.get(column), str):
        raise DataError(f"a manifest line needs a {column}; write an empty one for silence")
    offset = f"@{record['offset']:g}" if record.get("offset") else ""
    return {"id": f"{record['audio_filepath']}{offset}", **record}


def _manifest_records(path: Path) -> Iterator[tuple[int, Record]]:
    for number, line in read_lines(path):
        yield number, decode_json(line)


def _looks_like_manifest(lines: Any) -> bool:
    try:
        records = [msgspec.json.decode(line) for line in lines]
    except (msgspec.DecodeError, RecursionError):
        return False
    return all(isinstance(one, dict) and "audio_filepath" in one for one in records)


class Nemo(ReadFormat):
    """NeMo's manifests."""

    name = "nemo"
    holds = (
        "NeMo and Open-ASR manifests: JSON lines with audio_filepath, duration, text and pred_text"
    )
    json_lines = True
    has_columns = True
    records = staticmethod(_manifest_records)
    looks_like = staticmethod(_looks_like_manifest)

    def rows(self, path: Path, meter: Meter | None) -> Iterator[Row]:
        """Yield the lines of a manifest."""
        return parse_lines(self._utterance, path, read_lines(path, meter))

    def _utterance(self, number: int, line: str) -> Utterance:
        record = _manifest_record(decode_json(line), self.reading)
        return utterance_of(record, str(number), self.reading)


NEMO = Nemo()


def _seglst(path: Path, meter: Meter | None = None) -> Iterator[Utterance]:
    document = read_json(path)
    if not isinstance(document, list):
        raise DataError(f"{path}: SegLST is a list of segments")
    counts: dict[str, int] = {}
    for number, record in enumerate(document, start=1):
        missing = [name for name in _SEGLST if not isinstance(record, dict) or name not in record]
        if missing:
            raise DataError(f"{path}, segment {number}: it has no {' and no '.join(missing)}")
        if meter is not None:
            meter(0)
        start = f"{record.get('session_id')}-{record.get('speaker')}"
        counts[start] = counts.get(start, 0) + 1
        id = str(record.get("segment_index", f"{start}-{counts[start]}"))
        yield Utterance.of(id, str(record["words"]), extra=_extra(record, "words"))


def _is_seglst(document: Any) -> bool:
    return (
        isinstance(document, list)
        and bool(document)
        and isinstance(document[0], dict)
        and set(_SEGLST) <= document[0].keys()
    )


class SegLst(ReadFormat):
    """meeteval's SegLST."""

    name = "seglst"
    holds = "meeteval's SegLST: a JSON list of segments with session_id, speaker and words"
    read = staticmethod(_seglst)
    recognises = staticmethod(_is_seglst)


SEGLST = SegLst()


def _lhotse_rows(path: Path, meter: Meter | None) -> Iterator[Row]:
    for number, record in _json_lines(path, meter):
        for one in record.get("supervisions", [record]):
            text = one.get("text")
            if "id" not in one or "recording_id" not in one:
                raise DataError.at(
                    path, number, "a supervision with id and recording_id, or a cut, is expected"
                )
            if text is None:
                raise DataError.at(path, number, f"the supervision {one['id']!r} has no text")
            extra = _extra(one, "id", "text", "alignment", "custom", "type")
            yield number, Utterance.of(str(one["id"]), str(text), extra=extra)


def _looks_like_lhotse(lines: Any) -> bool:
    try:
        records = [msgspec.json.decode(line) for line in lines]
    except (msgspec.DecodeError, RecursionError):
        return False
    return all(
        isinstance(one, dict) and ("recording_id" in one or "supervisions" in one)
        for one in records
    )


class Lhotse(ReadFormat):
    """Lhotse's supervisions."""

    name = "lhotse"
    holds = "Lhotse's supervisions or cuts: JSON lines, also .jsonl.gz"
    suffixes = (".gz",)
    json_lines = True
    rows = staticmethod(_lhotse_rows)
    looks_like = staticmethod(_looks_like_lhotse)


LHOTSE = Lhotse()
