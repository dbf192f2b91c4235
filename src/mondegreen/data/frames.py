"""Reading labelled utterances and a system's predictions, and pairing them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from mondegreen.data import format_of
from mondegreen.data.answers import prediction_of
from mondegreen.data.conll import CONLL
from mondegreen.data.formats import Record, Records
from mondegreen.data.layout import ID_COLUMNS, LABEL_COLUMNS
from mondegreen.data.lines import read_lines
from mondegreen.data.transcripts import Transcripts, places
from mondegreen.errors import DataError, ModelError
from mondegreen.types import Prediction, Utterance, slots_of_tags

_PARTS = ("tags", "slots", "values")
_ANSWERS = (*_PARTS, "label")
_PAIR = 3  # token, gold tag, predicted tag


class Frames(NamedTuple):
    """Labelled utterances, with the ids and other columns of their file."""

    file: Transcripts
    utterances: list[Utterance]


def read_frames(path: Path, format: str | None = None) -> Frames:
    """Read references.

    Raises:
        DataError: naming the file, the line, what is wrong and what to do.
    """
    found = format_of(path, format)
    utterances = list(found.read(path, None))
    if not any(one.slots or one.label is not None for one in utterances):
        raise DataError(f"{path}: no utterance has a slot or a label to compare with")
    return Frames(Transcripts.of(path, found, utterances), utterances)


def read_predictions(refs: Frames, path: Path, format: str | None = None) -> list[Prediction]:
    """Read one prediction for each reference: in any labelled format, or as answers in JSON lines.

    Raises:
        DataError: naming the file and the utterance whose prediction is missing, double or wrong.
    """
    file, answers = _read_answers(path, format)
    by_number = file.has_ids and set(file.ids) == set(refs.file.ids)  # of lines, in any order
    wanted = replace(refs.file, has_ids=True) if by_number else refs.file
    found = zip(places(wanted, file), refs.utterances, strict=True)
    try:
        return [prediction_of(answers[place], utterance) for place, utterance in found]
    except ModelError as error:
        raise DataError(f"{path}: {error}") from None


def check_common(refs: Frames, hyps: list[Prediction], path: Path) -> None:
    """Refuse predictions that have nothing in common with the references.

    Raises:
        DataError: naming both files.
    """
    pairs = list(zip(refs.utterances, hyps, strict=True))
    has_slots = any(one.slots for one in refs.utterances)
    slots = has_slots and any(hyp.slots is not None or hyp.values is not None for hyp in hyps)
    if not slots and all(one.label is None or hyp.label is None for one, hyp in pairs):
        there, wanted = ("slots", "labels") if has_slots else ("labels", "slots")
        raise DataError(
            f"{refs.file.path} has {there} and {path} has {wanted}, so nothing can be compared; "
            f"give predictions of {there}, or references with {wanted}"
        )


def read_pairs(path: Path) -> tuple[Frames, list[Prediction]]:
    """Read both sides from one file as conlleval does: token, gold tag, predicted tag.

    Raises:
        DataError: naming the file, the line, what is wrong and what to do.
    """
    utterances, hyps = [], []
    for number, rows in enumerate(_blocks(path), start=1):
        try:
            tokens, golds, tags = zip(*rows, strict=True)
            utterances.append(Utterance(str(number), tokens, slots_of_tags(golds)))
            hyps.append(Prediction.of(str(number), tags))
        except DataError as error:
            raise DataError(f"{path}: utterance {number}: {error}") from None
    if not utterances:
        raise DataError(f"{path}: no utterances; give lines of token, gold tag, predicted tag")
    return Frames(Transcripts.of(path, CONLL, utterances), utterances), hyps


def _blocks(path: Path) -> Iterator[list[tuple[str, str, str]]]:
    block: list[tuple[str, str, str]] = []
    for number, line in read_lines(path):
        fields = line.split()
        if fields and len(fields) < _PAIR:
            raise DataError.at(
                path, number, f"token, gold tag and predicted tag are expected, got {line!r:.60}"
            )
        if fields:
            block.append((fields[0], fields[-2], fields[-1]))
        elif block:
            yield block
            block = []
    if block:
        yield block


def _read_answers(path: Path, format: str | None) -> tuple[Transcripts, list[Record]]:
    found = format_of(path, format)
    if found.keeps_answers and found.records is not None:
        answers = _answers(path, found.records)
        return Transcripts(path, has_ids=True, ids=list(answers), texts=[]), list(answers.values())
    utterances = list(found.read(path, None))
    tagged = found.always_tagged or any(one.slots for one in utterances)
    return Transcripts.of(path, found, utterances), [
        {"tags": one.tags, "label": one.label} if tagged else {"label": one.label}
        for one in utterances
    ]


def _answers(path: Path, records: Records) -> dict[str, Record]:
    answers: dict[str, Record] = {}
    for number, record in records(path):
        id = next((str(record[key]) for key in ID_COLUMNS if record.get(key) is not None), None)
        id = str(number) if id is None else id
        if id in answers:
            raise DataError.at(path, number, f"the id {id!r} occurs twice; give one prediction")
        label = next((record[key] for key in LABEL_COLUMNS if record.get(key) is not None), None)
        answer = {key: record[key] for key in _PARTS if key in record}
        if not answer and label is None:
            there = ", ".join(record)
            raise DataError.at(
                path, number, f"there is no key {' or '.join(_ANSWERS)} (the keys: {there})"
            )
        answers[id] = answer | {"label": str(label) if isinstance(label, int) else label}
    return answers
