"""The one place where a model's answers are looked at, before anything is made of them."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from mondegreen.data.records import LABEL_COLUMNS
from mondegreen.errors import DataError, ModelError
from mondegreen.types import Prediction, Slot, Utterance, slots_of_tags

_SHOWN = 60
_TOLD = frozenset(("id", "set", "text", "tokens", "tags", "slots", "scores", *LABEL_COLUMNS))


class _Answer(msgspec.Struct, frozen=True):
    """What a model outside this process may say of an utterance."""

    id: str | int | None = None
    tags: list[str] | None = None
    slots: list[Slot] | None = None
    label: str | None = None
    scores: dict[str, float] | None = None


def unread(answer: object) -> frozenset[str]:
    """Return the keys of an answer that nothing is made of.

    >>> unread({"intent": "play", "confidence": 0.9})
    frozenset({'confidence'})
    """
    return frozenset(map(str, answer)) - _TOLD if isinstance(answer, Mapping) else frozenset()


def predictions_of(answers: object, batch: Sequence[Utterance]) -> list[Prediction]:
    """Read the answers to a batch, one an utterance: ``{"tags" | "slots", "label", "scores"}``.

    The label goes by the names that it has in data: ``label``, ``intent`` and so on.

    >>> said = Utterance.of("u1", "play jazz")
    >>> predictions_of([{"tags": ["O", "B-genre"], "label": "play"}], [said])[0].slots
    (Slot(label='genre', start=1, end=2),)

    Raises:
        ModelError: naming the utterance whose answer is none.
    """
    if not isinstance(answers, list | tuple):
        raise ModelError(f"a list of answers is expected, got {_shown(answers)}")
    _check_number(answers, batch)
    return [prediction_of(answer, said) for answer, said in zip(answers, batch, strict=True)]


def prediction_of(answer: object, said: Utterance) -> Prediction:
    """Read one answer.

    Raises:
        ModelError: naming the utterance, if it is none.
    """
    if isinstance(answer, Prediction):
        return answer
    try:
        read = msgspec.convert(_labelled(answer, said), _Answer)
    except msgspec.ValidationError as error:
        raise ModelError(
            f"utterance {said.id!r}: {error}; the answer is {_shown(answer)}"
        ) from None
    if read.id is not None and str(read.id) != said.id:
        raise ModelError(
            f"utterance {said.id!r}: the answer is for {read.id!r}; answer in the order of the "
            "batch, one an utterance"
        )
    if read.tags is None and read.slots is None and read.label is None:
        raise ModelError(
            f"utterance {said.id!r}: neither tags, slots nor label; the answer is {_shown(answer)}"
        )
    return Prediction(said.id, _slots(read, said), read.label, read.scores)


def _labelled(answer: object, said: Utterance) -> object:
    """Call the label ``label``, by whichever of its names it came."""
    if not isinstance(answer, Mapping):
        return answer
    named = {name: answer[name] for name in LABEL_COLUMNS if answer.get(name) is not None}
    label, *others = named.values() or (None,)
    if any(other != label for other in others):
        both = " and ".join(f"{name} {_shown(value)}" for name, value in named.items())
        raise ModelError(f"utterance {said.id!r}: the answer has {both}; give one of them")
    return {**answer, "label": label}


def _slots(read: _Answer, said: Utterance) -> tuple[Slot, ...] | None:
    if read.tags is None:
        return None if read.slots is None else tuple(read.slots)
    if len(read.tags) != len(said.tokens):
        raise ModelError(
            f"utterance {said.id!r}: {len(read.tags)} tags for {len(said.tokens)} tokens; give one "
            "a token"
        )
    try:
        return slots_of_tags(read.tags)
    except DataError as error:
        raise ModelError(f"utterance {said.id!r}: {error}") from None


def checked(predictions: Sequence[Prediction], batch: Sequence[Utterance]) -> list[Prediction]:
    """Return the predictions if every one is a prediction of its utterance.

    Raises:
        ModelError: naming the utterance whose prediction is not.
    """
    _check_number(predictions, batch)
    for prediction, said in zip(predictions, batch, strict=True):
        _check(prediction, said)
    return list(predictions)


def _check_number(answers: Sequence[Any], batch: Sequence[Utterance]) -> None:
    given, wanted = len(answers), len(batch)
    if given != wanted:
        missing = f"; the first without one is {batch[given].id!r}" if given < wanted else ""
        raise ModelError(f"{given} answers for {wanted} utterances{missing}")


def _check(prediction: Prediction, said: Utterance) -> None:
    if prediction.id != said.id:
        raise ModelError(f"utterance {said.id!r}: the prediction is of {prediction.id!r}")
    free = 0
    for slot in prediction.slots or ():
        if not free <= slot.start < slot.end <= len(said.tokens):
            raise ModelError(
                f"utterance {said.id!r}: slot {slot.label!r} covers tokens {slot.start} to "
                f"{slot.end}; slots must be in order, disjoint, not empty, and within the "
                f"{len(said.tokens)} tokens"
            )
        free = slot.end
    for label, score in (prediction.scores or {}).items():
        if not math.isfinite(score):
            raise ModelError(
                f"utterance {said.id!r}: the score of {label!r} is {score}, which is no number"
            )


def _shown(answer: object) -> str:
    text = repr(answer)
    return text if len(text) <= _SHOWN else text[:_SHOWN] + "…"
