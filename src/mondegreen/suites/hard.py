"""The hard set: of all operators' variants of an utterance, the one that a model does worst on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from mondegreen.errors import ModelError
from mondegreen.metrics.slu import COLUMNS, slu
from mondegreen.models.batching import Answer, ask, with_batch
from mondegreen.models.protocol import Model
from mondegreen.types import Utterance, Variant

_WRONG = COLUMNS.index("wrong")


def hardest(
    model: Model,
    candidates: Sequence[Sequence[Variant]],
    batches: Iterator[int],
    *,
    slots: bool | None = None,
) -> list[Variant]:
    """Return for each utterance the worst of its variants; ``batches`` numbers what is asked.

    ``slots`` says whether the whole set has any, of which these utterances may be a part. Wrong
    frames come before right ones, then the greater loss, then the operator that was named first.
    A variant that its operator could not change is chosen only if all are unchanged.

    Raises:
        ModelError: naming the batch in which the model failed.
    """
    flat = [variant for variants in candidates for variant in variants]
    utterances = [variant.utterance for variant in flat]
    answers = _answers(model, utterances, batches)
    given = [answer.prediction for answer in answers]
    wrong = slu(utterances, given, slots=slots).counts[:, _WRONG]
    found, at = [], 0
    for variants in candidates:
        rows = range(at, at + len(variants))
        ranks = [(bool(flat[i].edits), int(wrong[i]), answers[i].loss or 0.0, -i) for i in rows]
        found.append(flat[-max(ranks)[-1]])
        at += len(variants)
    return found


def _answers(model: Model, utterances: Sequence[Utterance], batches: Iterator[int]) -> list[Answer]:
    """Ask for each distinct utterance once."""
    keys = [(one.tokens, one.raw, one.slots, one.label) for one in utterances]
    distinct = dict(zip(reversed(keys), reversed(utterances), strict=True))
    units = list(distinct.values())
    answers: list[Answer] = []
    for start in range(0, len(units), model.batch):
        batch = units[start : start + model.batch]
        try:
            answers += ask(model, batch)
        except ModelError as error:
            raise with_batch(error, next(batches), batch) from None
        next(batches)
    known = dict(zip(distinct, answers, strict=True))
    return [known[key].of(one.id) for key, one in zip(keys, utterances, strict=True)]
