"""Reading labelled utterances and what a system made of them, so that each finds its other."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from mondegreen.data import format_of
from mondegreen.data.jsonl import json_records
from mondegreen.data.lines import read_lines
from mondegreen.data.records import ID_COLUMNS, LABEL_COLUMNS
from mondegreen.errors import DataError, ModelError
from mondegreen.metrics.pairs import Transcripts, has_ids, places
from mondegreen.models.answers import prediction_of
from mondegreen.types import Prediction, Utterance, slots_of_tags

_ALWAYS_TAGGED = ("folder", "conll")  # other formats may have labels alone
_ANSWERS = ("tags", "slots", "label")
_PAIR = 3  # token, gold tag, predicted tag


class Frames(NamedTuple):
    """Labelled utterances, with the ids and other columns of their file."""

    file: Transcripts
    said: list[Utterance]


def read_frames(path: Path, format: str | None = None) -> Frames:
    """Read references.

    Raises:
        DataError: naming the file, the line, what is wrong and what to do.
    """
    found = format_of(path, format)
    said = list(found.read(path, None))
    if not any(one.slots or one.label is not None for one in said):
        raise DataError(f"{path}: no utterance has a slot or a label to compare with")
    return Frames(_file(path, found.name, said), said)


def read_predictions(refs: Frames, path: Path, format: str | None = None) -> list[Prediction]:
    """Read one prediction for each reference: in any labelled format, or as answers in JSON lines.

    Raises:
        DataError: naming the file and the utterance that has no prediction, two, or a wrong one.
    """
    file, answers = _read_answers(path, format)
    named = file.has_ids and set(file.ids) == set(refs.file.ids)  # by line numbers, in any order
    wanted = refs.file._replace(has_ids=True) if named else refs.file
    found = zip(places(wanted, file), refs.said, strict=True)
    try:
        return [prediction_of(answers[place], said) for place, said in found]
    except ModelError as error:
        raise DataError(f"{path}: {error}") from None


def check_common(refs: Frames, hyps: list[Prediction], path: Path) -> None:
    """Refuse predictions that tell nothing of what the references have.

    Raises:
        DataError: naming both files.
    """
    pairs = list(zip(refs.said, hyps, strict=True))
    has_slots = any(said.slots for said in refs.said)
    slots = has_slots and any(hyp.slots is not None for hyp in hyps)
    if not slots and all(said.label is None or hyp.label is None for said, hyp in pairs):
        there, wanted = ("slots", "labels") if has_slots else ("labels", "slots")
        raise DataError(
            f"{refs.file.path} has {there} and {path} {wanted}: nothing can be compared; give "
            f"predictions of {there}, or references with {wanted}"
        )


def read_pairs(path: Path) -> tuple[Frames, list[Prediction]]:
    """Read both sides from one file as conlleval does: token, gold tag, predicted tag.

    Raises:
        DataError: naming the file, the line, what is wrong and what to do.
    """
    said, hyps = [], []
    for number, rows in enumerate(_blocks(path), start=1):
        try:
            tokens, golds, tags = zip(*rows, strict=True)
            said.append(Utterance(str(number), tokens, slots_of_tags(golds)))
            hyps.append(Prediction.of(str(number), tags))
        except DataError as error:
            raise DataError(f"{path}: utterance {number}: {error}") from None
    if not said:
        raise DataError(f"{path}: no utterances; give lines of token, gold tag, predicted tag")
    return Frames(_file(path, "conll", said), said), hyps


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


def _file(path: Path, format: str, said: list[Utterance]) -> Transcripts:
    return Transcripts(
        path,
        has_ids(format),
        [one.id for one in said],
        [one.text for one in said],
        [dict(one.extra) | ({"label": one.label} if one.label else {}) for one in said],
        format,
    )


def _read_answers(path: Path, format: str | None) -> tuple[Transcripts, list[dict[str, Any]]]:
    found = format_of(path, format)
    if found.name == "jsonl":
        answers = _json_answers(path)
        return Transcripts(path, True, list(answers), [], []), list(answers.values())  # noqa: FBT003
    said = list(found.read(path, None))
    tagged = found.name in _ALWAYS_TAGGED or any(one.slots for one in said)
    return _file(path, found.name, said), [
        {"tags": one.tags, "label": one.label} if tagged else {"label": one.label} for one in said
    ]


def _json_answers(path: Path) -> dict[str, dict[str, Any]]:
    answers: dict[str, dict[str, Any]] = {}
    for number, record in json_records(path):
        id = next((str(record[key]) for key in ID_COLUMNS if record.get(key) is not None), None)
        id = str(number) if id is None else id
        if id in answers:
            raise DataError.at(path, number, f"the id {id!r} stands twice; give one prediction")
        label = next((record[key] for key in LABEL_COLUMNS if record.get(key) is not None), None)
        answer = {key: record[key] for key in ("tags", "slots") if key in record}
        if not answer and label is None:
            there = ", ".join(record)
            raise DataError.at(
                path, number, f"neither {', '.join(_ANSWERS)} is there (there are: {there})"
            )
        answers[id] = answer | {"label": str(label) if isinstance(label, int) else label}
    return answers
