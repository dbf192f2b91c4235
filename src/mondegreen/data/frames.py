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
from mondegreen.data.layout import Reading, layout_of
from mondegreen.data.lines import read_lines
from mondegreen.data.records import utterance_of
from mondegreen.data.schemes import read_tags
from mondegreen.data.transcripts import Transcripts, places
from mondegreen.errors import DataError, ModelError
from mondegreen.types import Prediction, Utterance

_ANSWERS = ("tags", "slots", "label")
_PAIR = 3  # token, gold tag, predicted tag


class Frames(NamedTuple):
    """Labelled utterances, with the ids and other columns of their file."""

    file: Transcripts
    utterances: list[Utterance]


def read_frames(path: Path, format: str | None = None, scheme: str | None = None) -> Frames:
    """Read references.

    Raises:
        DataError: naming the file, the line, what is wrong and what to do.
    """
    found = format_of(path, format, Reading(scheme=scheme))
    utterances = list(found.read(path, None))
    if not any(one.slots or one.label is not None for one in utterances):
        raise DataError(f"{path}: no utterance has a slot or a label to compare with")
    return Frames(Transcripts.of(path, found, utterances), utterances)


def read_predictions(
    refs: Frames, path: Path, format: str | None = None, scheme: str | None = None
) -> list[Prediction]:
    """Read one prediction for each reference: in any labelled format, or as answers in JSON lines.

    Raises:
        DataError: naming the file and the utterance whose prediction is missing, double or wrong.
    """
    read = read_tags(scheme)
    file, answers = _read_answers(path, format, scheme)
    by_number = file.has_ids and set(file.ids) == set(refs.file.ids)  # of lines, in any order
    wanted = replace(refs.file, has_ids=True) if by_number else refs.file
    found = zip(places(wanted, file), refs.utterances, strict=True)
    try:
        return [prediction_of(answers[place], utterance, read) for place, utterance in found]
    except ModelError as error:
        raise DataError(f"{path}: {error}") from None


def check_common(refs: Frames, hyps: list[Prediction], path: Path) -> None:
    """Refuse predictions that have nothing in common with the references.

    Raises:
        DataError: naming both files.
    """
    pairs = list(zip(refs.utterances, hyps, strict=True))
    has_slots = any(one.slots for one in refs.utterances)
    slots = has_slots and any(hyp.slots is not None for hyp in hyps)
    if not slots and all(one.label is None or hyp.label is None for one, hyp in pairs):
        there, wanted = ("slots", "labels") if has_slots else ("labels", "slots")
        raise DataError(
            f"{refs.file.path} has {there} and {path} has {wanted}, so nothing can be compared; "
            f"give predictions of {there}, or references with {wanted}"
        )


def read_pairs(path: Path, scheme: str | None = None) -> tuple[Frames, list[Prediction]]:
    """Read both sides from one file as conlleval does: token, gold tag, predicted tag.

    Raises:
        DataError: naming the file, the line, what is wrong and what to do.
    """
    read = read_tags(scheme)
    utterances, hyps = [], []
    for number, rows in enumerate(_blocks(path), start=1):
        try:
            tokens, golds, tags = zip(*rows, strict=True)
            utterances.append(Utterance(str(number), tokens, read(golds)))
            hyps.append(Prediction(str(number), read(tags)))
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


def _read_answers(
    path: Path, format: str | None, scheme: str | None
) -> tuple[Transcripts, list[Record]]:
    found = format_of(path, format)
    if found.keeps_answers and found.records is not None:
        answers = _answers(path, found.records)
        return Transcripts(path, has_ids=True, ids=list(answers), texts=[]), list(answers.values())
    if found.reader is not None:
        found = found.with_reading(Reading(scheme=scheme))
    utterances = list(found.read(path, None))
    tagged = found.always_tagged or any(one.slots for one in utterances)
    return Transcripts.of(path, found, utterances), [
        {"slots": one.slots, "label": one.label} if tagged else {"label": one.label}
        for one in utterances
    ]


def _answers(path: Path, records: Records) -> dict[str, Record]:
    answers: dict[str, Record] = {}
    for number, record in records(path):
        try:
            id, answer = _answer(record)
        except DataError as error:
            raise DataError.at(path, number, str(error)) from None
        id = str(number) if id is None else id
        if id in answers:
            raise DataError.at(path, number, f"the id {id!r} occurs twice; give one prediction")
        answers[id] = answer
    return answers


def _answer(record: Record) -> tuple[str | None, Record]:
    """Return the id and the prediction of a record, whatever its columns are called."""
    layout = layout_of(tuple(record))
    id = next((str(record[key]) for key in layout.ids if record[key] is not None), None)
    label = next((record[key] for key in layout.labels if record[key] is not None), None)
    answer: Record = {"label": str(label) if isinstance(label, int) else label}
    if layout.tags:
        answer["tags"] = record[layout.tags[0]]
    if layout.slots:
        answer["slots"] = record[layout.slots[0]]
    if len(answer) == 1 and (layout.entities or layout.annotated):
        utterance = utterance_of(record, id or "")
        return id, {"slots": utterance.slots, "label": utterance.label}
    if len(answer) == 1 and label is None:
        there = ", ".join(record)
        raise DataError(f"there is no key {' or '.join(_ANSWERS)} (the keys: {there})")
    return id, answer
