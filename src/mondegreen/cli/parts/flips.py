"""Utterances that a model gets right as written and wrong as a variant, for the terminal."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import click

from mondegreen.cli.parts.show import marked
from mondegreen.perturbation.suite_recipe import ORIGINAL
from mondegreen.runs.items import RunItem
from mondegreen.runs.reading import Run
from mondegreen.runs.selection import Filter
from mondegreen.types import Prediction, Slot, Utterance, Variant


class ShownFlip(NamedTuple):
    """One such utterance: the variant with its edits marked, and both frames."""

    operator: str
    source: str
    marked: str
    expected: str
    predicted: str


def flips(run: Run, name: str) -> Iterator[ShownFlip]:
    """Yield the flips of a set in which no word of a slot has changed."""
    for item in run.flips(name):
        if item.flip < 0:
            variant = _variant(run, item)
            if _values(variant.utterance) == _values(variant.parent):
                yield _flip(variant, item.prediction)


def _variant(run: Run, item: RunItem) -> Variant:
    (source,) = run.page(Filter(set=ORIGINAL, parent=item.parent)).items
    return Variant(item.utterance, source.utterance, item.edits)


def _values(utterance: Utterance) -> list[tuple[str, ...]]:
    return [utterance.tokens[slot.start : slot.end] for slot in utterance.slots]


def _flip(variant: Variant, prediction: Prediction) -> ShownFlip:
    utterance = variant.utterance
    expected = _parts(utterance, utterance.label, utterance.slots)
    predicted = _parts(utterance, prediction.label, prediction.slots or ())
    return ShownFlip(
        variant.edits[0].operator,
        variant.parent.id,
        marked(variant),
        " · ".join(_part(part, part not in predicted) for part in expected),
        " · ".join(_part(part, part not in expected) for part in predicted),
    )


def _parts(utterance: Utterance, label: str | None, slots: tuple[Slot, ...]) -> list[str]:
    words = (f"{slot.label}: {' '.join(utterance.tokens[slot.start : slot.end])}" for slot in slots)
    return [label or "no intent", *words]


def _part(part: str, differs: bool) -> str:  # noqa: FBT001 (a part differs or does not)
    return click.style(part, fg="red") if differs else part
