"""Asking a model for one batch: without the gold, and with every answer looked at."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from msgspec.structs import replace

from mondegreen.data.answers import checked
from mondegreen.errors import ModelError
from mondegreen.models.protocol import Model
from mondegreen.types import Prediction, Utterance

_LEAST = 1e-12  # a probability of 0 would be an endless surprise


class Answer(NamedTuple):
    """What a model said of an utterance, and how surprised it is by the gold frame, in nats."""

    prediction: Prediction
    loss: float | None

    def of(self, id: str) -> Answer:
        """Return the same answer as that of another utterance, which reads the same."""
        return Answer(replace(self.prediction, id=id), self.loss)


def ask(model: Model, batch: Sequence[Utterance]) -> list[Answer]:
    """Return one answer an utterance.

    Where a model cannot tell its loss but gives scores, the gold label's stands in.

    Raises:
        ModelError: if the model fails, or answers what is no answer.
    """
    unlabelled = [Utterance(said.id, said.tokens, (), None, said.raw, said.extra) for said in batch]
    predictions = checked(model.predict(unlabelled), batch)
    return [
        Answer(prediction, loss)
        for prediction, loss in zip(predictions, losses(model, batch, predictions), strict=True)
    ]


def losses(
    model: Model, batch: Sequence[Utterance], predictions: Sequence[Prediction]
) -> list[float | None]:
    """Return the loss of each gold frame, where there is a way to tell.

    Raises:
        ModelError: if there are too few, or one is not a number.
    """
    told = model.losses(batch)
    if told is None:
        return [_surprise(*pair) for pair in zip(batch, predictions, strict=True)]
    if len(told) != len(batch):
        raise ModelError(f"{len(told)} losses for {len(batch)} utterances")
    for said, loss in zip(batch, told, strict=True):
        if math.isnan(loss):
            raise ModelError(f"utterance {said.id!r}: the loss is not a number")
    return list(told)


def _surprise(said: Utterance, prediction: Prediction) -> float | None:
    if prediction.scores is None or said.label is None:
        return None
    return -math.log(max(prediction.scores.get(said.label, 0.0), _LEAST))


def named(error: ModelError, number: int, batch: Sequence[Utterance]) -> ModelError:
    """Say in which batch a model failed."""
    first, last = batch[0].id, batch[-1].id
    span = repr(first) if len(batch) == 1 else f"{len(batch)} utterances, {first!r} to {last!r}"
    return ModelError(f"batch {number} ({span}): {error}")
