"""``crf``: a small, fast model. One conditional random field for slots, one for intents."""

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
from mondegreen.models.crfsuite import CrfTagger, Items, TrainingJob, fit
from mondegreen.models.protocol import Progress, Trainable, silent
from mondegreen.models.reference import read_settings, signature_of
from mondegreen.types import Prediction, Utterance, slots_of_tags

SLOTS, LABELS = "slots.crfsuite", "labels.crfsuite"

_AFFIX = 4  # letters; longer affixes are almost the whole word
_WINDOW = 3  # words on each side
_EDGE = ("",) * _WINDOW  # padding; no real word is empty
_RUN = re.compile(r"(.)\1+")


class CrfSettings(msgspec.Struct, frozen=True):
    """The settings of the model.

    Args:
        iterations: passes of the slots' perceptron over the data.
        label_iterations: maximum number of steps of L-BFGS for the labels.
        label_penalty: L2 regularisation of the labels' weights.
    """

    iterations: int = 15
    label_iterations: int = 100
    label_penalty: float = 0.1

    def __post_init__(self) -> None:
        if self.iterations < 1 or self.label_iterations < 1 or self.label_penalty < 0:
            raise DataError(
                "iterations and label_iterations must be at least 1, label_penalty at least 0"
            )


class Crf(Trainable):
    """Predicts slots by an averaged perceptron over windows of words, labels by maximum entropy."""

    kind: ClassVar[str] = "crf"

    def __init__(self, signature: str, slots: CrfTagger | None, labels: CrfTagger | None) -> None:
        self.signature = signature
        self._slots = slots
        self._labels = labels

    @classmethod
    def train(
        cls,
        data: Sequence[Utterance],
        folder: Path,
        *,
        dev: Sequence[Utterance] = (),  # noqa: ARG003 (no epoch is chosen)
        seed: int = 0,
        progress: Progress = silent,
        **options: Any,
    ) -> Self:
        """Train on slots if the data has slots, and on labels if it has labels.

        Raises:
            DataError: if an option is wrong, or if there is only one label and no slots.
        """
        settings = read_settings(CrfSettings, options)
        has_slots = any(utterance.slots for utterance in data)
        labels = {utterance.label for utterance in data}
        if not has_slots and len(labels) == 1:
            raise DataError(
                f"the data has only one label, {labels.pop()!r}, and no slots: nothing to learn"
            )
        order = np.random.default_rng(seed).permutation(len(data)).tolist()
        shuffled = [data[i] for i in order]
        if has_slots:
            _fit_slots(shuffled, folder / SLOTS, settings, progress)
        if None not in labels:
            _fit_labels(shuffled, folder / LABELS, settings, progress)
        return cls.load(folder)

    @classmethod
    def load(cls, folder: Path) -> Self:
        """Read a model from its folder.

        Raises:
            DataError: if the folder contains neither part of the model.
        """
        slots, labels = (
            CrfTagger(folder / name) if (folder / name).exists() else None
            for name in (SLOTS, LABELS)
        )
        if slots is None and labels is None:
            raise DataError(f"{folder}: contains neither {SLOTS} nor {LABELS}; train it again")
        return cls(signature_of(cls.kind, folder), slots, labels)

    def predict(self, batch: Sequence[Utterance]) -> list[Prediction]:
        """Return slots and labels; ``None`` for what the training data did not have."""
        return [self._prediction(utterance) for utterance in batch]

    def _prediction(self, utterance: Utterance) -> Prediction:
        slots = label = scores = None
        if self._slots is not None:
            tags = self._slots.tag(slot_features(utterance.tokens)) if utterance.tokens else ()
            slots = slots_of_tags(tags)
        if self._labels is not None:
            scores = self._labels.probabilities(label_features(utterance.tokens))
            label = max(scores, key=scores.__getitem__)
        return Prediction(utterance.id, slots, label, scores)

    def losses(self, batch: Sequence[Utterance]) -> list[float] | None:
        """Return the sum of the losses of the gold tags and the gold label."""
        return [self._loss(utterance) for utterance in batch]

    def _loss(self, utterance: Utterance) -> float:
        loss = 0.0
        if self._slots is not None and utterance.tokens:
            loss += self._slots.loss(slot_features(utterance.tokens), utterance.tags)
        if self._labels is not None and utterance.label is not None:
            loss += self._labels.loss(label_features(utterance.tokens), [utterance.label])
        return loss


def _fit_slots(
    data: Sequence[Utterance], path: Path, settings: CrfSettings, progress: Progress
) -> None:
    total = settings.iterations
    job = TrainingJob(str(path), "ap", {"max_iterations": total})
    fit(
        (
            (slot_features(utterance.tokens), utterance.tags)
            for utterance in data
            if utterance.tokens
        ),
        job,
        lambda done: progress("slots", done, total),
    )


def _fit_labels(
    data: Sequence[Utterance], path: Path, settings: CrfSettings, progress: Progress
) -> None:
    total = settings.label_iterations
    job = TrainingJob(str(path), "lbfgs", {"max_iterations": total, "c2": settings.label_penalty})
    fit(
        ((label_features(utterance.tokens), [utterance.label or ""]) for utterance in data),
        job,
        lambda done: progress("labels", done, total),
    )
    progress("labels", total, total)


@lru_cache(maxsize=100_000)
def _word_features(word: str) -> tuple[str, ...]:
    """Return the features of a word itself: its shape, its prefixes and its suffixes."""
    lower = word.lower()
    affixes = range(1, min(len(lower), _AFFIX + 1))
    return (
        f"s={shape(word)}",
        *(f"p={lower[:n]}" for n in affixes),
        *(f"x={lower[-n:]}" for n in affixes),
    )


def shape(word: str) -> str:
    """Return a word's shape: its kinds of characters, with runs cut to two.

    >>> shape("McDonald's"), shape("2038")
    ('AaAaa.a', '00')
    """
    kinds = (
        "0" if c.isdigit() else "A" if c.isupper() else "a" if c.isalpha() else "." for c in word
    )
    return _RUN.sub(r"\1\1", "".join(kinds))


def slot_features(tokens: Sequence[str]) -> Items:
    """Return the features of each token: its neighbours, the first word, its own shape.

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
    """Return one item: the words, their prefixes, pairs of neighbours, and the first words.

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
