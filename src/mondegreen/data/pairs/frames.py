"""Reading labelled utterances and a system's predictions, in parts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import Any

from mondegreen.data import format_of
from mondegreen.data.answers.predictions import prediction_of, without_words
from mondegreen.data.files.lines import read_lines
from mondegreen.data.formats.format import Record, Records, double_id
from mondegreen.data.layout import ReadOptions, layout_of
from mondegreen.data.pairs.parts import parted
from mondegreen.data.pairs.texts import Side
from mondegreen.data.pairs.transcripts import Transcripts
from mondegreen.data.records import utterance_of
from mondegreen.data.schemes import read_tags
from mondegreen.errors import DataError, ModelError
from mondegreen.kernel import Ids
from mondegreen.types import Prediction, Utterance

_ANSWERS = ("tags", "slots", "values", "entities", "label")
_PAIR = 3  # token, gold tag, predicted tag


def frame_parts(side: Side, scheme: str | None = None) -> Iterator[Transcripts]:
    """Yield labelled utterances in parts, as the items of their file.

    Raises:
        DataError: naming the file, the line, what is wrong and what to do.
    """
    if side.both:
        yield from _gold_parts(side.path, scheme)
        return
    found = format_of(side.path, side.format, ReadOptions(scheme=scheme))
    parts = parted(found.read(side.path, side.meter))
    first = next(parts, [])
    second = next(parts, None)
    if second is None:
        judge_slots(first, side.path)  # refuses what cannot be compared
    for utterances in chain((first,), () if second is None else (second,), parts):
        yield replace(Transcripts.of(side.path, found, utterances), items=utterances)


def judge_slots(utterances: Sequence[Utterance], path: Path) -> bool:
    """Return whether references have slots to judge: any slot, or no label at all.

    Raises:
        DataError: if no utterance has a slot or a label.
    """
    if any(one.slots for one in utterances):
        return True
    if all(one.label is None for one in utterances):
        raise DataError(f"{path}: no utterance has a slot or a label to compare with")
    return False


def answer_parts(side: Side, scheme: str | None = None) -> Iterator[Transcripts]:
    """Yield predictions in parts: frames in any labelled format, or answers in JSON lines.

    Raises:
        DataError: naming the file and the line that is wrong.
    """
    if side.both:
        yield from _answer_pairs(side.path, scheme)
        return
    found = format_of(side.path, side.format)
    if found.keeps_answers and found.records is not None:
        for rows in parted(_answers(side.path, found.records)):
            ids, items = [id for id, _ in rows], [answer for _, answer in rows]
            yield Transcripts(side.path, has_ids=True, ids=ids, texts=[], items=items)
        return
    if found.has_tags or found.has_columns:
        found = found.with_reading(ReadOptions(scheme=scheme))
    utterances = list(found.read(side.path, side.meter))
    tagged = found.always_tagged or any(one.slots for one in utterances)
    items = [
        {"slots": one.slots, "label": one.label} if tagged else {"label": one.label}
        for one in utterances
    ]
    yield replace(Transcripts.of(side.path, found, utterances), items=items)


class Predictions:
    """The predictions of a system: read, those that are missing filled in, and checked.

    Args:
        path: their file.
        scheme: the tagging scheme, if tags are to be read strictly.
    """

    def __init__(self, path: Path, scheme: str | None = None) -> None:
        self.path = path
        self.has: dict[str, bool] = {}
        self.slots = self.found_slots = self.labels = False
        self._read = read_tags(scheme)

    def of(self, utterances: Sequence[Utterance], answers: Sequence[Any]) -> list[Prediction]:
        """Return the predictions of a part; one that is missing has no slots and no label.

        Raises:
            DataError: naming the utterance whose prediction is wrong, or lacks what others have.
        """
        pairs = list(zip(utterances, answers, strict=True))
        try:
            found = [None if a is None else prediction_of(a, one, self._read) for one, a in pairs]
        except ModelError as error:
            raise DataError(f"{self.path}: {error}") from None
        self._look(utterances, [one for one in found if one is not None])
        empty = self._empty(next((one for one in found if one is not None), None))
        predictions = [
            Prediction(utterance.id, **empty) if one is None else one
            for utterance, one in zip(utterances, found, strict=True)
        ]
        for utterance, one in zip(utterances, predictions, strict=True):
            self._add(utterance, one)
        return predictions

    def _look(self, utterances: Sequence[Utterance], found: Sequence[Prediction]) -> None:
        for one in found[:1]:
            self.has.setdefault("slots", one.slots is not None)
        labelled = any(one.label is not None for one in utterances)
        if labelled and found:
            self.has.setdefault("label", any(one.label is not None for one in found))

    def _empty(self, other: Prediction | None) -> dict[str, Any]:
        """Return what an empty prediction has: nothing, of all that others have."""
        return {
            "slots": () if self.has.get("slots", True) else None,
            "label": "" if self.has.get("label", True) else None,
            "values": {} if other is not None and other.values is not None else None,
        }

    def _add(self, one: Utterance, hyp: Prediction) -> None:
        self.slots = self.slots or bool(one.slots)
        self.found_slots = self.found_slots or hyp.slots is not None or hyp.values is not None
        self.labels = self.labels or (one.label is not None and hyp.label is not None)
        if hyp.values is None:
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

    def finish(self, ref: Path) -> None:
        """Refuse predictions that have nothing in common with the references.

        Raises:
            DataError: naming both files.
        """
        if (self.slots and self.found_slots) or self.labels:
            return
        there, wanted = ("slots", "labels") if self.slots else ("labels", "slots")
        raise DataError(
            f"{ref} has {there} and {self.path} has {wanted}, so nothing can be compared; give "
            f"predictions of {there}, or references with {wanted}"
        )


def _gold_parts(path: Path, scheme: str | None) -> Iterator[Transcripts]:
    """Yield the references of a file with both sides, as conlleval reads it."""
    read, found = read_tags(scheme), []
    for number, rows in enumerate(_blocks(path), start=1):
        try:
            found.append(
                Utterance(str(number), tuple(r[0] for r in rows), read([r[1] for r in rows]))
            )
        except DataError as error:
            raise DataError(f"{path}: utterance {number}: {error}") from None
    if not found:
        raise DataError(f"{path}: no utterances; give lines of token, gold tag, predicted tag")
    ids, texts = [one.id for one in found], [one.text for one in found]
    yield Transcripts(path, has_ids=False, ids=ids, texts=texts, items=found)


def _answer_pairs(path: Path, scheme: str | None) -> Iterator[Transcripts]:
    """Yield the predictions of a file with both sides."""
    read, found = read_tags(scheme), []
    for number, rows in enumerate(_blocks(path), start=1):
        try:
            found.append(Prediction(str(number), read([row[2] for row in rows])))
        except DataError as error:
            raise DataError(f"{path}: utterance {number}: {error}") from None
    yield Transcripts(path, has_ids=False, ids=[one.id for one in found], texts=[], items=found)


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


def _answers(path: Path, records: Records) -> Iterator[tuple[str, Record]]:
    ids = Ids()
    for number, record in records(path):
        try:
            id, answer = _answer(record)
        except DataError as error:
            raise DataError.at(path, number, str(error)) from None
        id = str(number) if id is None else id
        if not ids.add(id):
            raise double_id(path, number, id)
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
    if len(answer) == 1 and (layout.texts or layout.tokens or layout.annotated):
        if layout.entities or layout.annotated:
            plain = {name: value for name, value in record.items() if name not in layout.labels}
            for name in layout.entities:
                if isinstance(plain[name], list):
                    plain[name] = without_words(plain[name])
            return id, answer | {"slots": utterance_of(plain, id or "").slots}
    elif len(answer) == 1 and layout.entities:
        return id, answer | {"entities": record[layout.entities[0]]}  # of the reference's text
    if len(answer) == 1 and label is None:
        there = ", ".join(record)
        raise DataError(f"there is no key {' or '.join(_ANSWERS)} (the keys: {there})")
    return id, answer
