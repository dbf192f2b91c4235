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
    intents, names = set(run.labels()), {one.number: one.name for one in run.sets}
    known: set[str] | None = None
    found: dict[tuple[str, str], UnknownLabel] = {}
    rows = run.rows(
        "SELECT set_number, id, predicted, prediction FROM items WHERE wrong = 1 ORDER BY number"
    )
    for set_number, id, predicted, prediction in rows:
        strange = predicted is not None and bool(intents) and predicted not in intents
        if not strange and '"slots":[{' not in prediction:
            continue  # it names nothing but a known intent
        answer = _DECODER.decode(prediction)
        if known is None and answer.slots:
            known = slot_types(run)
        parts = [
            ("slot", slot.label) for slot in answer.slots or () if slot.label not in (known or ())
        ]
        if strange and answer.calls is None:
            parts.append(("intent", predicted))
        for part, label in parts:
            if (part, label) not in found:
                found[part, label] = UnknownLabel(part, label, names[set_number], id)
    return list(found.values())
