"""Reading labelled utterances and a system's predictions, and pairing them."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from mondegreen.data import format_of
from mondegreen.data.answers.predictions import prediction_of
from mondegreen.data.files.lines import read_lines
from mondegreen.data.formats.conll import CONLL
from mondegreen.data.formats.format import Record, Records
from mondegreen.data.layout import Reading, layout_of
from mondegreen.data.pairs.parts import in_step, parted
from mondegreen.data.pairs.transcripts import Transcripts, places
from mondegreen.data.records import utterance_of
from mondegreen.data.schemes import read_tags
from mondegreen.errors import DataError, ModelError
from mondegreen.kernel import Ids
from mondegreen.types import Prediction, Utterance

_ANSWERS = ("tags", "slots", "values", "label")
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


def judge_slots(path: Path, format: str | None = None) -> bool:
    """Return whether the references of a file have slots to judge: any slot, or no label at all.

    Raises:
        DataError: if no utterance has a slot or a label.
    """
    labels = False
    for utterance in format_of(path, format).read(path, None):
        if utterance.slots:
            return True
        labels = labels or utterance.label is not None
    if not labels:
        raise DataError(f"{path}: no utterance has a slot or a label to compare with")
    return False


def frame_parts(
    ref: Path, hyps: Sequence[Path], format: str | None, hyp_format: str | None
) -> Iterator[tuple[Any, ...]]:
    """Yield references with the predictions of each system, in parts: ``Frames``, then lists.

    Raises:
        DataError: naming the file and the utterance whose prediction is wrong.
        OutOfStep: if predictions are not in the order of the references.
    """
    found = format_of(ref, format)
    common = [_Common(path) for path in hyps]
    frames: deque[Frames] = deque()

    def files_of_parts() -> Iterator[Transcripts]:
        for utterances in parted(found.read(ref, None)):
            frames.append(Frames(Transcripts.of(ref, found, utterances), utterances))
            yield replace(frames[-1].file, has_ids=True)

    answers: list[deque[list[Record]]] = [deque() for _ in hyps]

    def answers_of_parts(path: Path, records: deque[list[Record]]) -> Iterator[Transcripts]:
        for file, part in _answer_parts(path, hyp_format):
            records.append(part)
            yield file

    sides = [answers_of_parts(*one) for one in zip(hyps, answers, strict=True)]
    for _ in in_step(files_of_parts(), *sides):
        part = frames.popleft()
        predictions = [
            _predictions(path, records.popleft(), part.utterances)
            for path, records in zip(hyps, answers, strict=True)
        ]
        for side, given in zip(common, predictions, strict=True):
            side.add(part, given)
        yield part, *predictions
    for side in common:
        side.refuse(ref)


def _predictions(
    path: Path, answers: Sequence[Record], utterances: Sequence[Utterance]
) -> list[Prediction]:
    try:
        return [prediction_of(*pair) for pair in zip(answers, utterances, strict=True)]
    except ModelError as error:
        raise DataError(f"{path}: {error}") from None


class _Common:
    """What predictions have in common with the references, and with each other."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.has: dict[str, bool] = {}
        self.slots = self.found_slots = self.labels = False

    def add(self, refs: Frames, hyps: list[Prediction]) -> None:
        """Look at a part; refuse a prediction that lacks what those of other parts have."""
        for one, hyp in zip(refs.utterances, hyps, strict=True):
            self.slots = self.slots or bool(one.slots)
            self.found_slots = self.found_slots or hyp.slots is not None
            self.labels = self.labels or (one.label is not None and hyp.label is not None)
            self._same("slots", hyp.slots is not None, one.id)
            if one.label is not None:
                self._same("label", hyp.label is not None, one.id)

    def _same(self, what: str, has: bool, id: str) -> None:  # noqa: FBT001 (told from names)
        if self.has.setdefault(what, has) != has:
            lacks = "has no" if not has else "has"
            others = "others have" if not has else "others have none"
            raise DataError(
                f"the prediction of utterance {id!r} {lacks} {what}, {others}; give all or none"
            )

    def refuse(self, ref: Path) -> None:
        """Refuse predictions that have nothing in common with the references."""
        if not (self.slots and self.found_slots) and not self.labels:
            raise _nothing_common(ref, self.path, has_slots=self.slots)


def check_common(refs: Frames, hyps: list[Prediction], path: Path) -> None:
    """Refuse predictions that have nothing in common with the references.

    Raises:
        DataError: naming both files.
    """
    pairs = list(zip(refs.utterances, hyps, strict=True))
    has_slots = any(one.slots for one in refs.utterances)
    slots = has_slots and any(hyp.slots is not None or hyp.values is not None for hyp in hyps)
    if not slots and all(one.label is None or hyp.label is None for one, hyp in pairs):
        raise _nothing_common(refs.file.path, path, has_slots=has_slots)


def _nothing_common(ref: Path, hyp: Path, *, has_slots: bool) -> DataError:
    there, wanted = ("slots", "labels") if has_slots else ("labels", "slots")
    return DataError(
        f"{ref} has {there} and {hyp} has {wanted}, so nothing can be compared; give predictions "
        f"of {there}, or references with {wanted}"
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
        answers = dict(_answers(path, found.records))
        return Transcripts(path, has_ids=True, ids=list(answers), texts=[]), list(answers.values())
    if found.reader is not None:
        found = found.with_reading(Reading(scheme=scheme))
    utterances = list(found.read(path, None))
    tagged = found.always_tagged or any(one.slots for one in utterances)
    return Transcripts.of(path, found, utterances), _frames_as_answers(utterances, tagged=tagged)


def _answer_parts(path: Path, format: str | None) -> Iterator[tuple[Transcripts, list[Record]]]:
    found = format_of(path, format)
    if found.keeps_answers and found.records is not None:
        for rows in parted(_answers(path, found.records)):
            file = Transcripts(path, has_ids=True, ids=[id for id, _ in rows], texts=[])
            yield file, [answer for _, answer in rows]
        return
    tagged = found.always_tagged or any(one.slots for one in found.read(path, None))
    for utterances in parted(found.read(path, None)):
        answers = _frames_as_answers(utterances, tagged=tagged)
        yield replace(Transcripts.of(path, found, utterances), has_ids=True), answers


def _frames_as_answers(utterances: Sequence[Utterance], *, tagged: bool) -> list[Record]:
    return [
        {"slots": one.slots, "label": one.label} if tagged else {"label": one.label}
        for one in utterances
    ]


def _answers(path: Path, records: Records) -> Iterator[tuple[str, Record]]:
    ids = Ids()
    for number, record in records(path):
        try:
            id, answer = _answer(record)
        except DataError as error:
            raise DataError.at(path, number, str(error)) from None
        id = str(number) if id is None else id
        if not ids.add(id):
            raise DataError.at(path, number, f"the id {id!r} occurs twice; give one prediction")
        yield id, answer


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
    if layout.values:
        answer["values"] = record[layout.values[0]]
    if len(answer) == 1 and (layout.entities or layout.annotated):
        utterance = utterance_of(record, id or "")
        return id, {"slots": utterance.slots, "label": utterance.label}
    if len(answer) == 1 and label is None:
        there = ", ".join(record)
        raise DataError(f"there is no key {' or '.join(_ANSWERS)} (the keys: {there})")
    return id, answer
