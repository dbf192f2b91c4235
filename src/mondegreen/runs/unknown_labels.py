"""Labels in a model's answers that the suite does not have: often a mistake in their names."""

from __future__ import annotations

from typing import NamedTuple

import msgspec

from mondegreen.runs.reading import Run
from mondegreen.types import Prediction

_DECODER = msgspec.json.Decoder(Prediction)


class UnknownLabel(NamedTuple):
    """A predicted label that is not in the suite, and the first utterance that has it.

    ``part`` is ``slot`` or ``intent``.
    """

    part: str
    label: str
    set_name: str
    id: str


class _Tags(msgspec.Struct):
    tags: tuple[str, ...] = ()


def slot_types(run: Run) -> set[str]:
    """Return the labels of the gold slots of the original set."""
    first = run.sets[0]
    gold = run.rows("SELECT utterance FROM items WHERE number < ?", (first.n,))
    tags = {tag for row in gold for tag in msgspec.json.decode(row[0], type=_Tags).tags}
    return {tag[2:] for tag in tags - {"O"}}


def unknown_labels(run: Run) -> list[UnknownLabel]:
    """Return the predicted slot and intent labels that no gold frame has."""
    known = {"slot": slot_types(run), "intent": set(run.labels())}
    names = {one.number: one.name for one in run.sets}
    found: dict[tuple[str, str], UnknownLabel] = {}
    wrong = run.rows("SELECT set_number, id, prediction FROM items WHERE wrong = 1 ORDER BY number")
    for set_number, id, prediction in wrong:
        answer = _DECODER.decode(prediction)
        parts = [("slot", slot.label) for slot in answer.slots or ()]
        if answer.label is not None and known["intent"] and answer.calls is None:
            parts.append(("intent", answer.label))
        for part, label in parts:
            if label not in known[part] and (part, label) not in found:
                found[part, label] = UnknownLabel(part, label, names[set_number], id)
    return list(found.values())
