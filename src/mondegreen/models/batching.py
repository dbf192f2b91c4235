"""Ask a model about one batch: hide the gold slots and labels, check every answer."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from msgspec.structs import replace

from mondegreen.data.answers.predictions import checked
from mondegreen.errors import ModelError, PartlyError, ShiftedError
from mondegreen.models.protocol import Model
from mondegreen.types import Prediction, Utterance

STOP, SKIP, RETRY = "stop", "skip", "retry"
ON_ERROR = (STOP, SKIP, RETRY)
"""What to do about a text that has no answer."""
_IN_A_ROW = 10  # texts without an answer: then the model is not there at all
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


class Asking:
    """Asks a model batch by batch, and decides what becomes of texts that have no answer.

    Args:
        model: the model.
        on_error: ``stop``; ``retry`` asks again about single texts; ``skip`` does so as well, and
            the texts that still have no answer count as wrong.
        retries: how often a single text is asked again.
    """

    def __init__(self, model: Model, on_error: str = STOP, retries: int = 0) -> None:
        if on_error not in ON_ERROR:
            raise ModelError(f"on_error is {on_error!r}; give one of {', '.join(ON_ERROR)}")
        self.model, self.on_error, self._retries = model, on_error, retries
        self._in_a_row = 0

    def answers(self, batch: Sequence[Utterance]) -> list[Answer | ModelError]:
        """Return the answer to each utterance, or the error that came instead.

        Raises:
            ModelError: if many texts in a row have no answer.
            ShiftedError: if answers may belong to other utterances.
        """
        found = self._asked(batch)
        if self.on_error == STOP or len(found) == sum(isinstance(one, Answer) for one in found):
            return found
        return self._apart(batch, found)

    def _apart(
        self, batch: Sequence[Utterance], found: list[Answer | ModelError]
    ) -> list[Answer | ModelError]:
        """Ask again about the texts without an answer, in ever smaller batches."""
        left = [at for at, one in enumerate(found) if isinstance(one, ModelError)]
        if len(left) == 1:
            found[left[0]] = self._alone(batch[left[0]], found[left[0]])
            return found
        for part in (left[: len(left) // 2], left[len(left) // 2 :]):
            if part:
                asked = [batch[at] for at in part]
                again = self._apart(asked, self._asked(asked))
                for at, one in zip(part, again, strict=True):
                    found[at] = one
        return found

    def _alone(self, utterance: Utterance, found: Answer | ModelError) -> Answer | ModelError:
        for _ in range(self._retries):
            (found,) = self._asked([utterance])
            if isinstance(found, Answer):
                self._in_a_row = 0
                return found
        self._in_a_row += 1
        if self._in_a_row >= _IN_A_ROW:
            raise ModelError(f"{_IN_A_ROW} texts in a row have no answer; the last one: {found}")
        return found

    def _asked(self, batch: Sequence[Utterance]) -> list[Answer | ModelError]:
        try:
            found: list[Answer | ModelError] = [*ask(self.model, batch)]
        except ShiftedError:
            raise
        except ModelError as error:
            known = error.answers if isinstance(error, PartlyError) else [None] * len(batch)
            return [self._kept(*pair, error) for pair in zip(batch, known, strict=True)]
        self._in_a_row = 0
        return found

    def _kept(
        self, utterance: Utterance, prediction: Prediction | None, error: ModelError
    ) -> Answer | ModelError:
        if prediction is None:
            return error
        try:
            checked([prediction], [utterance])
            return Answer(prediction, losses(self.model, [utterance], [prediction])[0])
        except ModelError as other:
            return other


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
