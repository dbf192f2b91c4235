"""Utterances that a model has right as they were, and wrong with a change: for the terminal."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import click
import msgspec

from mondegreen.cli.show import marked
from mondegreen.data.records import utterance_of
from mondegreen.runs.reading import Filter, Run
from mondegreen.suites.manifest import ORIGINAL
from mondegreen.types import Edit, Prediction, Slot, Utterance, Variant


class Flip(NamedTuple):
    """One of them: the variant with its edits marked, the right frame and the model's."""

    operator: str
    source: str
    marked: str
    right: str
    given: str


def flips(run: Run, name: str) -> Iterator[Flip]:
    """Yield those of a set whose slots have kept their words: nobody could call these unfair."""
    for item in run.flips(name):
        if item["flip"] < 0:
            variant = _variant(run, item)
            if _values(variant.utterance) == _values(variant.parent):
                yield _flip(variant, msgspec.convert(item["prediction"], Prediction))


def _variant(run: Run, item: dict[str, Any]) -> Variant:
    (source,) = run.page(Filter(set=ORIGINAL, parent=item["parent"])).items
    said, parent = (utterance_of(one["utterance"], one["id"]) for one in (item, source))
    return Variant(said, parent, tuple(msgspec.convert(item["edits"], list[Edit])))


def _values(said: Utterance) -> list[tuple[str, ...]]:
    return [said.tokens[slot.start : slot.end] for slot in said.slots]


def _flip(variant: Variant, found: Prediction) -> Flip:
    said = variant.utterance
    right = _parts(said, said.label, said.slots)
    given = _parts(said, found.label, found.slots or ())
    return Flip(
        variant.edits[0].operator,
        variant.parent.id,
        marked(variant),
        " · ".join(_part(part, part not in given) for part in right),
        " · ".join(_part(part, part not in right) for part in given),
    )


def _parts(said: Utterance, label: str | None, slots: tuple[Slot, ...]) -> list[str]:
    words = (f"{slot.label}: {' '.join(said.tokens[slot.start : slot.end])}" for slot in slots)
    return [label or "no intent", *words]


def _part(part: str, differs: bool) -> str:  # noqa: FBT001 (a part differs or does not)
    return click.style(part, fg="red") if differs else part
