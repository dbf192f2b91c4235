"""``crf``: slots by a conditional random field, intents by the same over one item. Quick, small."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from typing import Any, ClassVar, Self

import msgspec
import numpy as np

from mondegreen.errors import DataError
from mondegreen.models.crfsuite import Items, Job, Tagger, fit
from mondegreen.models.protocol import Progress, Trainable, silent
from mondegreen.models.reference import read_settings, signature_of
from mondegreen.types import Prediction, Utterance, slots_of_tags

SLOTS, LABELS = "slots.crfsuite", "labels.crfsuite"

_AFFIX = 4  # letters; longer ones are almost the word
_WINDOW = 3  # words each way
_EDGE = ("",) * _WINDOW  # no word is empty, so these are none
_RUN = re.compile(r"(.)\1+")


class Settings(msgspec.Struct, frozen=True):
    """What may be set.

    Args:
        iterations: how often the slots' perceptron reads the data.
        label_iterations: how many steps the labels' fit takes at most.
        label_penalty: how much large weights of labels cost (L2).
    """

    iterations: int = 15
    label_iterations: int = 100
    label_penalty: float = 0.1

    def __post_init__(self) -> None:
        if self.iterations < 1 or self.label_iterations < 1 or self.label_penalty < 0:
            raise DataError("iterations must be at least 1, and a penalty at least 0")


class Crf(Trainable):
    """Slots by an averaged perceptron over windows of words; labels by maximum entropy."""

    kind: ClassVar[str] = "crf"

    def __init__(self, signature: str, slots: Tagger | None, labels: Tagger | None) -> None:
        self.signature = signature
        self._slots = slots
        self._labels = labels

    @classmethod
    def train(
        cls,
        data: Sequence[Utterance],
        folder: Path,
        *,
        dev: Sequence[Utterance] = (),  # noqa: ARG003 (nothing is chosen)
        seed: int = 0,
        progress: Progress = silent,
        **options: Any,
    ) -> Self:
        """Train slots where there are any, and labels where there are any.

        Raises:
            DataError: if an option is wrong, or if all that could be told is one label.
        """
        settings = read_settings(Settings, options)
        has_slots = any(said.slots for said in data)
        labels = {said.label for said in data}
        if not has_slots and len(labels) == 1:
            raise DataError(f"only one label, {labels.pop()!r}, and no slots: nothing to learn")
        order = np.random.default_rng(seed).permutation(len(data)).tolist()
        mixed = [data[i] for i in order]
        if has_slots:
            _fit_slots(mixed, folder / SLOTS, settings, progress)
        if None not in labels:
            _fit_labels(mixed, folder / LABELS, settings, progress)
        return cls.load(folder)

    @classmethod
    def load(cls, folder: Path) -> Self:
        """Read the parts that were trained.

        Raises:
            DataError: if there are none.
        """
        slots, labels = (
            Tagger(folder / name) if (folder / name).exists() else None for name in (SLOTS, LABELS)
        )
        if slots is None and labels is None:
            raise DataError(f"{folder}: neither {SLOTS} nor {LABELS}; train it again")
        return cls(signature_of(cls.kind, folder), slots, labels)

    def predict(self, batch: Sequence[Utterance]) -> list[Prediction]:
        """Return slots and labels, as far as they were learnt."""
        return [self._prediction(said) for said in batch]

    def _prediction(self, said: Utterance) -> Prediction:
        slots = label = scores = None
        if self._slots is not None:
            tags = self._slots.tag(slot_features(said.tokens)) if said.tokens else ()
            slots = slots_of_tags(tags)
        if self._labels is not None:
            scores = self._labels.chances(label_features(said.tokens))
            label = max(scores, key=scores.__getitem__)
        return Prediction(said.id, slots, label, scores)

    def losses(self, batch: Sequence[Utterance]) -> list[float] | None:
        """Return the surprise at the gold tags and at the gold label, added."""
        return [self._loss(said) for said in batch]

    def _loss(self, said: Utterance) -> float:
        loss = 0.0
        if self._slots is not None and said.tokens:
            loss += self._slots.loss(slot_features(said.tokens), said.tags)
        if self._labels is not None and said.label is not None:
            loss += self._labels.loss(label_features(said.tokens), [said.label])
        return loss


def _fit_slots(
    data: Sequence[Utterance], path: Path, settings: Settings, progress: Progress
) -> None:
    total = settings.iterations
    job = Job(str(path), "ap", {"max_iterations": total})
    fit(
        ((slot_features(said.tokens), said.tags) for said in data if said.tokens),
        job,
        lambda done: progress("slots", done, total),
    )


def _fit_labels(
    data: Sequence[Utterance], path: Path, settings: Settings, progress: Progress
) -> None:
    total = settings.label_iterations
    job = Job(str(path), "lbfgs", {"max_iterations": total, "c2": settings.label_penalty})
    fit(
        ((label_features(said.tokens), [said.label or ""]) for said in data),
        job,
        lambda done: progress("labels", done, total),
    )
    progress("labels", total, total)


@lru_cache(maxsize=100_000)
def _word_features(word: str) -> tuple[str, ...]:
    """What the word itself tells: its letters' shape, its beginning and its end."""
    lower = word.lower()
    affixes = range(1, min(len(lower), _AFFIX + 1))
    return (
        f"s={shape(word)}",
        *(f"p={lower[:n]}" for n in affixes),
        *(f"x={lower[-n:]}" for n in affixes),
    )


def shape(word: str) -> str:
    """Return the word's shape: kinds of characters, runs cut to two.

    >>> shape("McDonald's"), shape("2038")
    ('AaAaa.a', '00')
    """
    kinds = (
        "0" if c.isdigit() else "A" if c.isupper() else "a" if c.isalpha() else "." for c in word
    )
    return _RUN.sub(r"\1\1", "".join(kinds))


def slot_features(tokens: Sequence[str]) -> Items:
    """Return for each token what is around it, how the utterance starts, and what it looks like.

    >>> slot_features(["play", "jazz"])[1][:4]
    ['0=jazz', '-1 0=play jazz', '0 +1=jazz ', '-2 -1= play']
    """
    words = [token.lower() for token in tokens]
    padded = [*_EDGE, *words, *_EDGE]
    found = []
    for i, (token, word) in enumerate(zip(tokens, words, strict=True)):
        before, after = padded[i : i + _WINDOW], padded[i + _WINDOW + 1 : i + 2 * _WINDOW + 1]
        found.append([
            f"0={word}",
            f"-1 0={before[-1]} {word}",
            f"0 +1={word} {after[0]}",
            f"-2 -1={before[-2]} {before[-1]}",
            f"first={words[0]}",
            *(f"-{n}={other}" for n, other in enumerate(reversed(before), start=1)),
            *(f"+{n}={other}" for n, other in enumerate(after, start=1)),
            *_word_features(token),
        ])  # fmt: skip
    return found


def label_features(tokens: Sequence[str]) -> Items:
    """Return one item: the words, their beginnings, pairs of neighbours, and how it starts.

    >>> label_features(["play", "jazz"])
    [['b= play', 'b=jazz ', 'b=play jazz', 'f=play', 'ff=play jazz', 'w=jazz', 'w=play']]
    """
    words = [token.lower() for token in tokens]
    padded = ["", *words, ""]
    found = {f"w={word}" for word in words}
    found |= {f"x={word[:_AFFIX]}" for word in words if len(word) > _AFFIX}
    found |= {f"b={a} {b}" for a, b in pairwise(padded)}
    if words:
        found |= {f"f={words[0]}", f"ff={' '.join(words[:2])}"}
    return [sorted(found)]
