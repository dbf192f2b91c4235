"""Ask a model about one batch: hide the gold slots and labels, check every answer."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from msgspec.structs import replace

from mondegreen.data.answers.predictions import checked
from mondegreen.errors import ModelError
from mondegreen.models.protocol import Model
from mondegreen.types import Prediction, Utterance

_LEAST = 1e-12  # a probability of 0 would give an infinite loss


class Answer(NamedTuple):
    """A prediction for an utterance, and the loss of the gold frame in nats, if known."""

    prediction: Prediction
    loss: float | None

    def of(self, id: str) -> Answer:
        """Return this answer for another utterance with the same text."""
        return Answer(replace(self.prediction, id=id), self.loss)


def ask(model: Model, batch: Sequence[Utterance]) -> list[Answer]:
    """Return one answer per utterance.

    If a model has no losses but gives scores, the loss is that of the gold label.

    Raises:
        ModelError: if the model fails, or if an answer is invalid.
    """
    unlabelled = [
        Utterance(utterance.id, utterance.tokens, (), None, utterance.raw, utterance.extra)
        for utterance in batch
    ]
    predictions = checked(model.predict(unlabelled), batch)
    return [
        Answer(prediction, loss)
        for prediction, loss in zip(predictions, losses(model, batch, predictions), strict=True)
    ]


def losses(
    model: Model, batch: Sequence[Utterance], predictions: Sequence[Prediction]
) -> list[float | None]:
    """Return the loss of each gold frame; ``None`` if it is unknown.

    Raises:
        ModelError: if there are too few or too many losses, or if one is not a number.
    """
    found = model.losses(batch)
    if found is None:
        return [_label_loss(*pair) for pair in zip(batch, predictions, strict=True)]
    if len(found) != len(batch):
        raise ModelError(f"{len(found)} losses for {len(batch)} utterances")
    for utterance, loss in zip(batch, found, strict=True):
        if math.isnan(loss):
            raise ModelError(f"utterance {utterance.id!r}: the loss is not a number")
    return list(found)


def _label_loss(utterance: Utterance, prediction: Prediction) -> float | None:
    if prediction.scores is None or utterance.label is None:
        return None
    return -math.log(max(prediction.scores.get(utterance.label, 0.0), _LEAST))


def with_batch(error: ModelError, number: int, batch: Sequence[Utterance]) -> ModelError:
    """Return the error with the batch in which it was raised."""
    first, last = batch[0].id, batch[-1].id
    span = repr(first) if len(batch) == 1 else f"{len(batch)} utterances, {first!r} to {last!r}"
    return ModelError(f"batch {number} ({span}): {error}")
