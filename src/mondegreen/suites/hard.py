"""The hard set: for each utterance, the variant on which a model does worst."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec
from msgspec.structs import replace

from mondegreen.data.answers.conversations import context_of, expects_calls
from mondegreen.errors import ModelError, ShiftedError
from mondegreen.metrics.calls.metric import calls
from mondegreen.metrics.slu.metric import slu
from mondegreen.models.batching import Answer, ask, with_batch
from mondegreen.models.protocol import Model
from mondegreen.types import Prediction, Utterance, Variant


def hardest(
    model: Model,
    candidates: Sequence[Sequence[Variant]],
    batches: Iterator[int],
    *,
    slots: bool | None = None,
) -> list[Variant]:
    """Return the variant of each utterance on which the model does worst.

    A wrong frame or call is worse than a right one, then a greater loss is worse; among equals,
    the first operator wins. A variant without edits is chosen only if no variant has edits.

    Args:
        model: the model.
        candidates: the variants of each utterance.
        batches: yields the numbers of the batches, for messages.
        slots: whether the whole set has slots, even if these utterances have none.

    Raises:
        ModelError: naming the batch in which the model failed.
    """
    all_variants = [variant for variants in candidates for variant in variants]
    utterances = [variant.utterance for variant in all_variants]
    answers = _answers(model, utterances, batches)
    predictions = [answer.prediction for answer in answers]
    wrong = _wrong(utterances, predictions, slots=slots)
    found, at = [], 0
    for variants in candidates:
        rows = range(at, at + len(variants))
        ranks = [(bool(all_variants[i].edits), wrong[i], answers[i].loss or 0.0, -i) for i in rows]
        found.append(all_variants[-max(ranks)[-1]])
        at += len(variants)
    return found


def _wrong(
    utterances: Sequence[Utterance], predictions: Sequence[Prediction], *, slots: bool | None
) -> list[int]:
    """Return 1 for each wrong answer, else 0: by its calls if calls are expected, or its frame."""
    if expects_calls(utterances):
        score = calls(utterances, predictions)
    else:
        score = slu(utterances, predictions, slots=slots)
    found: list[int] = score.counts[:, score.metric.columns.index("wrong")].tolist()
    return found


def _answers(model: Model, utterances: Sequence[Utterance], batches: Iterator[int]) -> list[Answer]:
    """Ask the model about each distinct utterance once; it is not shown what is expected."""
    utterances = [replace(one, extra=context_of(one)) for one in utterances]
    keys = [
        (one.tokens, one.raw, one.slots, one.label, msgspec.json.encode(one.extra))
        for one in utterances
    ]
    distinct = dict(zip(reversed(keys), reversed(utterances), strict=True))
    unique = list(distinct.values())
    answers: list[Answer] = []
    for start in range(0, len(unique), model.batch):
        batch = unique[start : start + model.batch]
        try:
            answers += ask(model, batch)
        except ShiftedError:
            raise
        except ModelError as error:
            raise with_batch(error, next(batches), batch) from None
        next(batches)
    known = dict(zip(distinct, answers, strict=True))
    return [known[key].of(one.id) for key, one in zip(keys, utterances, strict=True)]
