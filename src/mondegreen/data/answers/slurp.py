"""SLURP's gold frames and prediction files, paired as its evaluator pairs them."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec

from mondegreen.data import format_of
from mondegreen.data.formats.annotated import SLURP
from mondegreen.data.formats.format import double_id
from mondegreen.data.formats.jsonl import json_records
from mondegreen.data.pairs.frames import frame_parts
from mondegreen.data.pairs.texts import Side
from mondegreen.data.pairs.transcripts import Transcripts, concatenated
from mondegreen.data.records import with_values
from mondegreen.errors import DataError
from mondegreen.types import Prediction, Utterance


def is_slurp(path: Path, format: str | None) -> bool:
    """Return whether a file is SLURP's: by the name of the format, or by its look."""
    return format_of(path, format).compares_fillers


def read_slurp_frames(path: Path) -> Transcripts:
    """Read gold frames, as items; values are in lower case, as SLURP's evaluator compares them.

    Raises:
        DataError: naming the file, the line, what is wrong and what to do.
    """
    frames = concatenated(list(frame_parts(Side(path, SLURP.name))))
    return replace(frames, items=[_with_fillers(one) for one in frames.items])


def _with_fillers(utterance: Utterance) -> Utterance:
    """Give each slot SLURP's filler as its value: its tokens in lower case, with spaces between."""
    fillers: dict[str, list[str]] = {}
    for slot in utterance.slots:
        words = " ".join(utterance.tokens[slot.start : slot.end])
        fillers.setdefault(slot.label, []).append(words.lower())
    return with_values(utterance, fillers)


class _Entity(msgspec.Struct):
    type: str
    filler: str


class _SlurpAnswer(msgspec.Struct):
    scenario: str
    action: str
    entities: list[_Entity]
    slurp_id: str | int | None = None
    file: str | None = None


def read_slurp_predictions(refs: Transcripts, path: Path) -> list[Prediction]:
    """Read predictions by ``slurp_id``, or by the ``file`` of a recording.

    The id of a prediction is that of its line. References without a prediction are left out with
    a warning, as by SLURP's evaluator; :func:`recorded` returns the references that are left.

    Raises:
        DataError: naming the line that is not a prediction.
    """
    found = _read(path)
    by_file = not found.keys() & set(refs.ids)
    ids = list(_recordings(refs)) if by_file else list(refs.ids)
    kept = [id for id in ids if id in found]
    if not kept:
        raise DataError(f"{path}: no prediction has the slurp_id or the file of a reference")
    if len(kept) < len(ids):
        warnings.warn(
            f"{path}: {len(ids) - len(kept)} of {len(ids)} references have no prediction and are "
            "left out",
            stacklevel=2,
        )
    if len(kept) < len(found):
        warnings.warn(
            f"{path}: {len(found) - len(kept)} predictions belong to no reference and are left out",
            stacklevel=2,
        )
    return [found[id] for id in kept]


def recorded(refs: Transcripts, hyps: Sequence[Prediction]) -> Transcripts:
    """Return the reference of each prediction, by its id or by that of its recording."""
    ids = [hyp.id for hyp in hyps]
    if ids == list(refs.ids):
        return refs
    places = {id: place for place, id in enumerate(refs.ids)}
    places = places if set(ids) <= places.keys() else _recordings(refs)
    wanted = [places[id] for id in ids]
    found = refs.only(wanted)
    items = [msgspec.structs.replace(one, id=id) for one, id in zip(found.items, ids, strict=True)]
    return replace(found, ids=ids, items=items)


def _recordings(refs: Transcripts) -> dict[str, int]:
    """Return the place of the reference of each recording."""
    places: dict[str, int] = {}
    for place, utterance in enumerate(refs.items):
        recordings: Any = dict(utterance.extra).get("recordings") or ()
        places |= dict.fromkeys((one["file"] for one in recordings), place)
    return places


def _read(path: Path) -> dict[str, Prediction]:
    found: dict[str, Prediction] = {}
    for number, record in json_records(path):
        try:
            answer = msgspec.convert(record, _SlurpAnswer)
        except msgspec.ValidationError as error:
            raise DataError.at(path, number, f"not a prediction of SLURP: {error}") from None
        id = answer.file if answer.slurp_id is None else str(answer.slurp_id)
        if id is None:
            raise DataError.at(path, number, "a prediction needs a slurp_id or a file")
        if id in found:
            raise double_id(path, number, id)
        values: dict[str, list[str]] = {}
        for entity in answer.entities:
            values.setdefault(entity.type, []).append(entity.filler)
        label = f"{answer.scenario}_{answer.action}"
        found[id] = Prediction(id, label=label, values=values)
    return found
