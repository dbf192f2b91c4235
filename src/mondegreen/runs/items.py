"""The items of a run: an utterance of a set with the model's answer."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping

import msgspec

from mondegreen.data.records import utterance_of
from mondegreen.metrics.words.steps import Step, steps_of
from mondegreen.runs.schema import COLUMN
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

    ``state`` is the worst state of its slots: kept, split, corrected or lost; empty without slots.
    ``flip`` is -1 if the original is right and this item wrong, 1 if it is the other way round.
    ``before`` are the tokens that each edit replaced. ``counts`` are the metric's columns and
    totals. ``loss`` is ``None`` if the model has no losses. Of a score, ``text`` and ``hyp`` are
    both sides as they were compared, ``alignment`` has a letter per step (see
    :func:`mondegreen.metrics.words.steps.letters_of`) unless all match, and ``columns`` are the
    other columns of the data.
    """

    number: int
    set_number: int
    position: int
    id: str
    parent: str
    operator: str
    state: str
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
    hyp: str | None = None
    alignment: str | None = None
    columns: Mapping[str, str] = {}

    @property
    def steps(self) -> list[Step] | None:
        """The alignment of both sides of a score; ``None`` if it is not known."""
        return None if self.hyp is None else steps_of(self.text, self.hyp, self.alignment or "")


_PLAIN = (
    "number", "set_number", "position", "id", "parent", "operator", "speaker", "text", "label",
    "predicted", "flip", "loss",
)  # fmt: skip
_SIDES = ("hyp", "alignment")  # not in runs before format 3
_OWN = frozenset(
    (*_PLAIN, *_SIDES, "state", "utterance", "edits", "prediction", "said_key", "gold_key")
)


def item_of(row: sqlite3.Row) -> RunItem:
    """Read an item from its row."""
    names = row.keys()
    edits = _EDITS.decode(row["edits"])
    sides = {name: row[name] for name in _SIDES if name in names}
    hyp = sides.get("hyp")
    return RunItem(
        **{name: row[name] for name in _PLAIN},
        **sides,
        state=row["state"] if "state" in names else "",
        utterance=(
            utterance_of(_UTTERANCE.decode(row["utterance"]), row["id"])
            if row["utterance"]
            else Utterance.of(row["id"], row["text"])
        ),
        edits=tuple(edit.edit() for edit in edits),
        before=tuple(edit.before for edit in edits),
        prediction=(
            _PREDICTION.decode(row["prediction"])
            if row["prediction"]
            else Prediction(row["id"], text=hyp)
        ),
        wrong=bool(row["wrong"]),
        counts={n: row[n] for n in names if n not in _OWN and not n.startswith(COLUMN)},
        columns={
            name.removeprefix(COLUMN): row[name]
            for name in names
            if name.startswith(COLUMN) and row[name] is not None
        },
    )
