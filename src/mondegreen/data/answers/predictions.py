"""Read and check the answers of models, before anything else uses them."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from mondegreen.data.answers.calls import KEYS, calls_prediction, holds_calls
from mondegreen.data.formats.offsets import Span, spans_in
from mondegreen.data.layout import ENTITY_COLUMNS, LABEL_COLUMNS
from mondegreen.data.records import joint_label
from mondegreen.data.schemes import ReadTags
from mondegreen.errors import DataError, ModelError
from mondegreen.types import Prediction, Slot, Utterance, slots_of_tags, token_offsets

_SHOWN = 60
_KEYS = frozenset(
    (
        *("id", "set", "text", "tokens", "tags", "slots", "values", "scores"),
        *(*KEYS, *LABEL_COLUMNS, *ENTITY_COLUMNS),
    )
)


_Value = str | int | float | bool


class _Answer(msgspec.Struct, frozen=True):
    """The answer of a model outside this process to one utterance."""

    id: str | int | None = None
    tags: list[str] | None = None
    slots: list[Slot] | None = None
    label: str | None = None
    scores: dict[str, float] | None = None
    values: dict[str, _Value | list[_Value]] | None = None
    entities: list[Any] | None = None


def unread(answer: object) -> frozenset[str]:
    """Return the keys of an answer that are ignored.

    >>> unread({"intent": "play", "confidence": 0.9})
    frozenset({'confidence'})
    """
    return frozenset(map(str, answer)) - _KEYS if isinstance(answer, Mapping) else frozenset()


def predictions_of(answers: object, batch: Sequence[Utterance]) -> list[Prediction]:
    """Read the answers to a batch, one per utterance: ``{"tags" | "slots", "label", "scores"}``.

    The key of the label may be any of the names that data files use: ``label``, ``intent`` etc.

    >>> utterance = Utterance.of("u1", "play jazz")
    >>> predictions_of([{"tags": ["O", "B-genre"], "label": "play"}], [utterance])[0].slots
    (Slot(label='genre', start=1, end=2),)

    Raises:
        ModelError: naming the utterance whose answer is invalid.
    """
    if not isinstance(answers, list | tuple):
        raise ModelError(f"a list of answers is expected, got {_shorten(answers)}")
    _check_number(answers, batch)
    return [
        prediction_of(answer, utterance) for answer, utterance in zip(answers, batch, strict=True)
    ]


def prediction_of(
    answer: object, utterance: Utterance, read: ReadTags = slots_of_tags
) -> Prediction:
    """Read one answer.

    Args:
        answer: what a model or a file gives.
        utterance: the utterance that it answers.
        read: how to read tags.

    Raises:
        ModelError: naming the utterance, if the answer is invalid.
    """
    if isinstance(answer, Prediction):
        return answer
    if isinstance(answer, Mapping) and holds_calls(answer):
        return calls_prediction(utterance.id, answer)
    try:
        found = msgspec.convert(_labelled(answer, utterance), _Answer)
    except (msgspec.ValidationError, UnicodeEncodeError) as error:
        raise ModelError(
            f"utterance {utterance.id!r}: {error}; the answer is {_shorten(answer)}"
        ) from None
    if found.id is not None and str(found.id) != utterance.id:
        raise ModelError(
            f"utterance {utterance.id!r}: the answer is for {found.id!r}; answer the utterances of "
            "a batch in order"
        )
    if (found.tags, found.slots, found.label, found.values, found.entities) == (None,) * 5:
        raise ModelError(
            f"utterance {utterance.id!r}: neither tags, slots, entities, values nor label; the "
            "answer is "
            f"{_shorten(answer)}"
        )
    slots = _slots(found, utterance, read)
    return Prediction(utterance.id, slots, found.label, found.scores, _values(found))


def _values(found: _Answer) -> dict[str, list[str]] | None:
    """Return the values of each label as lists of texts."""
    if found.values is None:
        return None
    listed = ((label, v if isinstance(v, list) else [v]) for label, v in found.values.items())
    return {label: [str(value) for value in values] for label, values in listed}


def _labelled(answer: object, utterance: Utterance) -> object:
    """Return the answer with its label under the key ``label``."""
    if not isinstance(answer, Mapping):
        return answer
    named = {
        name: _one_label(answer[name]) for name in LABEL_COLUMNS if answer.get(name) is not None
    }
    label, *others = named.values() or (None,)
    if any(other != label for other in others):
        both = " and ".join(f"{name} {_shorten(value)}" for name, value in named.items())
        raise ModelError(
            f"utterance {utterance.id!r}: the answer has {both}; give only one of them"
        )
    entities = next((answer[name] for name in ENTITY_COLUMNS if answer.get(name) is not None), None)
    return {**answer, "label": label, "entities": entities}


def _one_label(value: object) -> object:
    """Return the label of an answer: Rasa's intent has a name, and several intents are one label.

    >>> _one_label({"name": "play", "confidence": 0.9}), _one_label(["stop", "play"])
    ('play', 'play+stop')
    """
    if isinstance(value, Mapping) and isinstance(value.get("name"), str):
        return value["name"]
    if isinstance(value, list | tuple) and all(isinstance(one, str) for one in value):
        return joint_label(value)
    return value


def _slots(found: _Answer, utterance: Utterance, read: ReadTags) -> tuple[Slot, ...] | None:
    if found.tags is None and found.slots is None and found.entities is not None:
        return _slots_of_spans(found.entities, utterance)
    if found.tags is None:
        return None if found.slots is None else tuple(found.slots)
    if len(found.tags) != len(utterance.tokens):
        raise ModelError(
            f"utterance {utterance.id!r}: {len(found.tags)} tags for {len(utterance.tokens)} "
            "tokens; give one tag per token"
        )
    try:
        return read(found.tags)
    except DataError as error:
        raise ModelError(f"utterance {utterance.id!r}: {error}") from None


def _slots_of_spans(entities: list[Any], utterance: Utterance) -> tuple[Slot, ...]:
    """Return the slots of entities by characters, as spaCy, Rasa and Hugging Face give them.

    A span covers every token that it touches.
    """
    try:
        spans = spans_in(utterance.text, without_words(entities))
    except DataError as error:
        raise ModelError(f"utterance {utterance.id!r}: {error}") from None
    starts = token_offsets(utterance)
    bounds = [(at, at + len(token)) for at, token in zip(starts, utterance.tokens, strict=True)]
    return tuple(_slot_of_span(span, bounds, utterance) for span in sorted(spans))


def without_words(entities: list[Any]) -> list[Any]:
    """Return entities without the words that Hugging Face gives: in small letters, with marks."""
    return [
        {name: value for name, value in one.items() if name != "word"}
        if isinstance(one, Mapping)
        else one
        for one in entities
    ]


def _slot_of_span(span: Span, bounds: Sequence[tuple[int, int]], utterance: Utterance) -> Slot:
    touched = [at for at, (one, two) in enumerate(bounds) if one < span.end and span.start < two]
    if not touched:
        raise ModelError(
            f"utterance {utterance.id!r}: the entity {span.label!r} covers characters {span.start} "
            f"to {span.end}, where there is no word; offsets count characters, from 0"
        )
    said = utterance.text[span.start : span.end]
    meant = None if span.value == said else span.value
    return Slot(span.label, touched[0], touched[-1] + 1, meant)


def checked(predictions: Sequence[Prediction], batch: Sequence[Utterance]) -> list[Prediction]:
    """Return the predictions after checking each one against its utterance.

    Raises:
        ModelError: naming the utterance whose prediction is invalid.
    """
    _check_number(predictions, batch)
    for prediction, utterance in zip(predictions, batch, strict=True):
        _check(prediction, utterance)
    return list(predictions)


def _check_number(answers: Sequence[Any], batch: Sequence[Utterance]) -> None:
    given, wanted = len(answers), len(batch)
    if given != wanted:
        missing = f"; the first without one is {batch[given].id!r}" if given < wanted else ""
        raise ModelError(f"{given} answers for {wanted} utterances{missing}")


def _check(prediction: Prediction, utterance: Utterance) -> None:
    if prediction.id != utterance.id:
        raise ModelError(f"utterance {utterance.id!r}: the prediction is for {prediction.id!r}")
    try:
        msgspec.json.encode(prediction)
    except (ValueError, TypeError, OverflowError, RecursionError) as error:
        raise ModelError(
            f"utterance {utterance.id!r}: the answer cannot be stored ({error}): half a character, "
            "a number of more than 64 bits, values too deep in each other, or not JSON"
        ) from None
    free = 0
    for slot in prediction.slots or ():
        if not free <= slot.start < slot.end <= len(utterance.tokens):
            raise ModelError(
                f"utterance {utterance.id!r}: slot {slot.label!r} covers tokens {slot.start} to "
                f"{slot.end}; slots must be in order, disjoint, not empty, and within the "
                f"{len(utterance.tokens)} tokens"
            )
        free = slot.end
    for label, score in (prediction.scores or {}).items():
        if not math.isfinite(score):
            raise ModelError(
                f"utterance {utterance.id!r}: the score of {label!r} is {score}, which is not a "
                "finite number"
            )


def _shorten(answer: object) -> str:
    text = repr(answer)
    return text if len(text) <= _SHOWN else text[:_SHOWN] + "…"
