"""Utterances that a model understands as written, and not with a change: for the terminal."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import click

from mondegreen.cli.show import marked
from mondegreen.perturbation.suite_recipe import ORIGINAL
from mondegreen.runs.items import RunItem
from mondegreen.runs.reading import Filter, Run
from mondegreen.types import Prediction, Slot, Utterance, Variant


class Flip(NamedTuple):
    """One such utterance: the variant with its edits marked, the gold frame, the model's frame."""

    operator: str
    source: str
    marked: str
    right: str
    given: str


def flips(run: Run, name: str) -> Iterator[Flip]:
    """Yield the flips of a set whose slots keep their words, so that nobody calls them unfair."""
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


def _flip(variant: Variant, found: Prediction) -> Flip:
    utterance = variant.utterance
    right = _parts(utterance, utterance.label, utterance.slots)
    given = _parts(utterance, found.label, found.slots or ())
    return Flip(
        variant.edits[0].operator,
        variant.parent.id,
        marked(variant),
        " · ".join(_part(part, part not in given) for part in right),
        " · ".join(_part(part, part not in right) for part in given),
    )


def _parts(utterance: Utterance, label: str | None, slots: tuple[Slot, ...]) -> list[str]:
    words = (f"{slot.label}: {' '.join(utterance.tokens[slot.start : slot.end])}" for slot in slots)
    return [label or "no intent", *words]


def _part(part: str, differs: bool) -> str:  # noqa: FBT001 (a part differs or does not)
    return click.style(part, fg="red") if differs else part
