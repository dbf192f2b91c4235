"""The items of a run: an utterance of a set with the model's answer."""

from __future__ import annotations

import sqlite3

import msgspec

from mondegreen.data.records import utterance_of
from mondegreen.types import Edit, Prediction, Utterance

_UTTERANCE = msgspec.json.Decoder()


class _StoredEdit(msgspec.Struct):
    """An edit as a run stores it, with the tokens that it replaced."""

    start: int
    end: int
    tokens: tuple[str, ...]
    operator: str
    kind: str
    before: tuple[str, ...] = ()

    def edit(self) -> Edit:
        return Edit(self.start, self.end, self.tokens, self.operator, self.kind)


_EDITS = msgspec.json.Decoder(tuple[_StoredEdit, ...])
_PREDICTION = msgspec.json.Decoder(Prediction)


class RunItem(msgspec.Struct, frozen=True, kw_only=True):
    """One item of a run.

    ``flip`` is -1 if the original is right and this item wrong, 1 if it is the other way round.
    ``before`` are the tokens that each edit replaced. ``counts`` are the metric's columns and
    totals. ``loss`` is ``None`` if the model has no losses.
    """

    number: int
    set_number: int
    position: int
    id: str
    parent: str
    operator: str
    speaker: str | None
    text: str
    label: str | None
    predicted: str | None
    utterance: Utterance
    edits: tuple[Edit, ...]
    before: tuple[tuple[str, ...], ...]
    prediction: Prediction
    wrong: bool
    flip: int
    loss: float | None
    counts: dict[str, int]


_PLAIN = (
    "number", "set_number", "position", "id", "parent", "operator", "speaker", "text", "label",
    "predicted", "flip", "loss",
)  # fmt: skip
_OWN = frozenset((*_PLAIN, "utterance", "edits", "prediction", "said_key", "gold_key"))


def item_of(row: sqlite3.Row) -> RunItem:
    """Read an item from its row."""
    names = row.keys()
    edits = _EDITS.decode(row["edits"])
    return RunItem(
        **{name: row[name] for name in _PLAIN},
        utterance=utterance_of(_UTTERANCE.decode(row["utterance"]), row["id"]),
        edits=tuple(edit.edit() for edit in edits),
        before=tuple(edit.before for edit in edits),
        prediction=_PREDICTION.decode(row["prediction"]),
        wrong=bool(row["wrong"]),
        counts={name: row[name] for name in names if name not in _OWN},
    )
