"""Read cases of dialogues: JSON lines of ours, BFCL's multi-turn files, Pipecat's evals."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec

from mondegreen.data.answers.cases import bfcl_answers
from mondegreen.data.dialogues.bfcl import KEYS as BFCL_KEYS
from mondegreen.data.dialogues.bfcl import multi_turn_case
from mondegreen.data.dialogues.cases import DialogueCase, case_of
from mondegreen.data.dialogues.transcripts import Transcript
from mondegreen.data.formats.jsonl import json_records
from mondegreen.errors import DataError

OURS, BFCL, PIPECAT = FORMATS = ("jsonl", "bfcl", "pipecat")
"""The formats of cases."""
_YAML = (".yaml", ".yml")


def read_cases(path: Path | str, format: str | None = None) -> list[DialogueCase]:
    """Read the cases of a file, or of a folder of Pipecat's evals.

    Args:
        path: the file.
        format: ``jsonl``, ``bfcl`` or ``pipecat``; by default, the file shows it.

    Raises:
        DataError: naming the line that is wrong, or a double id.
    """
    place = Path(path)
    if format is not None and format not in FORMATS:
        raise DataError(f"there is no format {format!r} of cases; give {', '.join(FORMATS)}")
    if not place.exists():
        raise DataError(f"{place}: there is no such file")
    if format == PIPECAT or (format is None and (place.is_dir() or place.suffix in _YAML)):
        from mondegreen.data.dialogues.pipecat import read_scenarios

        return _unique(place, read_scenarios(place))
    return _unique(place, _lines(place, format))


def _lines(path: Path, format: str | None) -> Iterator[tuple[str, DialogueCase]]:
    answers: dict[str, Any] | None = None
    for number, record in json_records(path):
        try:
            if format == BFCL or (format is None and record.keys() >= BFCL_KEYS):
                answers = bfcl_answers(path) if answers is None else answers
                case = multi_turn_case(record, answers)
            else:
                _check_kind(record)
                case = _noted(path, number, record)
        except DataError as error:
            raise DataError.at(path, number, str(error)) from None
        yield f"line {number}", case


def _noted(path: Path, number: int, record: Mapping[str, Any]) -> DialogueCase:
    """Read a case of ours; its warnings name the line."""
    with warnings.catch_warnings(record=True) as given:
        warnings.simplefilter("always")
        case = case_of(record, str(number))
    for one in given:
        warnings.warn(f"{path}, line {number}: {one.message}", stacklevel=4)
    return case


def _check_kind(record: Mapping[str, Any]) -> None:
    if "turns" not in record and ("messages" in record or "question" in record):
        raise DataError(
            "this is a case of a single answer; score it with mondegreen evaluate, or give turns"
        )


def _unique(path: Path, cases: Iterator[tuple[str, DialogueCase]]) -> list[DialogueCase]:
    found: dict[str, DialogueCase] = {}
    for where, case in cases:
        if case.id in found:
            raise DataError(f"{path}, {where}: the id {case.id!r} occurs twice")
        found[case.id] = case
    if not found:
        raise DataError(f"{path}: there is no case")
    return list(found.values())


def read_transcripts(path: Path | str) -> list[Transcript]:
    """Read transcripts, as ``mondegreen converse --transcripts`` writes them.

    Raises:
        DataError: naming the line that is wrong.
    """
    found = []
    for number, record in json_records(Path(path)):
        try:
            found.append(msgspec.convert(record, Transcript))
        except msgspec.ValidationError as error:
            raise DataError.at(Path(path), number, f"not a transcript: {error}") from None
    return found
