"""``linear``: classifies texts, such as reviews, by their words and pairs of words."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, ClassVar, Self

import msgspec
import numpy as np
import numpy.typing as npt

from mondegreen.errors import DataError
from mondegreen.models.protocol import Progress, Trainable, silent
from mondegreen.models.reference import read_settings, signature_of
from mondegreen.types import Prediction, Utterance

WEIGHTS = "weights.npz"

Keys = npt.NDArray[np.uint64]
Floats = npt.NDArray[np.float64]

_MIX = np.uint64(0x9E3779B97F4A7C15)  # odd, with irregular bits, so that pairs do not collide
_LEAST = 1e-300


class LinearSettings(msgspec.Struct, frozen=True):
    """The settings of the model.

    Args:
        epochs: passes over the data.
        rate: learning rate.
        least: ignore words and pairs that occur in fewer texts than this.
    """

    epochs: int = 5
    rate: float = 0.1
    least: int = 2

    def __post_init__(self) -> None:
        if self.epochs < 1 or self.least < 1 or not 0 < self.rate < 1:
            raise DataError("epochs and least must be at least 1, rate between 0 and 1")


class Linear(Trainable):
    """Logistic regression over words and pairs of neighbours, weighted by their rarity."""

    kind: ClassVar[str] = "linear"

    def __init__(
        self, signature: str, labels: tuple[str, ...], keys: Keys, rarity: Floats, weights: Floats
    ) -> None:
        self.signature = signature
        self.labels = labels
        self._keys = keys
        self._rarity = rarity
        self._weights = weights

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
        """Train with AdaGrad on the shuffled texts.

        Raises:
            DataError: if an option is wrong, or if there are fewer than two labels.
        """
        settings = read_settings(LinearSettings, options)
        labels = tuple(
            sorted({utterance.label for utterance in data if utterance.label is not None})
        )
        if len(labels) < 2:  # noqa: PLR2004 (a classifier needs two)
            count = f"only one, {labels[0]!r}" if labels else "none"
            raise DataError(f"linear needs at least two labels; the data has {count}")
        found = [features(utterance.tokens) for utterance in data]
        keys, times = np.unique(np.concatenate(found), return_counts=True)
        frequent = times >= settings.least
        keys, times = keys[frequent], times[frequent]
        rarity = np.log((1 + len(data)) / (1 + times)) + 1
        model = cls("", labels, keys, rarity, np.zeros((len(keys), len(labels))))
        model._fit([model._vector(one) for one in found], data, seed, settings, progress)
        np.savez_compressed(
            folder / WEIGHTS,
            labels=np.array(labels),
            keys=keys,
            rarity=rarity.astype(np.float32),
            weights=model._weights.astype(np.float32),
        )
        return cls.load(folder)

    def _fit(
        self,
        vectors: list[tuple[npt.NDArray[np.int64], Floats]],
        data: Sequence[Utterance],
        seed: int,
        settings: LinearSettings,
        progress: Progress,
    ) -> None:
        golds = [
            self.labels.index(utterance.label) for utterance in data if utterance.label is not None
        ]
        shuffle = np.random.default_rng(seed)
        weights, squares = self._weights, np.full_like(self._weights, 1e-8)
        for epoch in range(settings.epochs):
            for item in shuffle.permutation(len(data)).tolist():
                places, values = vectors[item]
                error = _softmax(values @ weights[places])
                error[golds[item]] -= 1
                gradient = np.outer(values, error)
                squares[places] += gradient * gradient
                weights[places] -= settings.rate * gradient / np.sqrt(squares[places])
            progress("texts", epoch + 1, settings.epochs)

    @classmethod
    def load(cls, folder: Path) -> Self:
        """Read the weights.

        Raises:
            DataError: if they cannot be read.
        """
        try:
            with (
                (folder / WEIGHTS).open("rb") as file,
                np.load(file, allow_pickle=False) as parts,
            ):
                labels, keys, rarity, weights = (
                    parts[name] for name in ("labels", "keys", "rarity", "weights")
                )
            _check_shapes(labels, keys, rarity, weights)
        except OSError:
            raise
        except Exception:  # noqa: BLE001 (numpy raises whatever it likes on damaged files)
            raise DataError(f"{folder / WEIGHTS}: not a linear model; train it again") from None
        names = tuple(map(str, labels))
        return cls(
            signature_of(cls.kind, folder), names, keys, rarity.astype(float), weights.astype(float)
        )

    def predict(self, batch: Sequence[Utterance]) -> list[Prediction]:
        """Return the label of each text, and the probability of each label."""
        found = []
        for utterance in batch:
            probabilities = self._probabilities_of(utterance)
            scores = dict(zip(self.labels, probabilities.tolist(), strict=True))
            found.append(
                Prediction(utterance.id, None, self.labels[int(probabilities.argmax())], scores)
            )
        return found

    def losses(self, batch: Sequence[Utterance]) -> list[float] | None:
        """Return the loss of each gold label; it is large for labels not in the training data."""
        return [float(-np.log(self._gold_probability(utterance))) for utterance in batch]

    def _gold_probability(self, utterance: Utterance) -> float:
        if utterance.label not in self.labels:
            return _LEAST
        return max(
            float(self._probabilities_of(utterance)[self.labels.index(utterance.label)]), _LEAST
        )

    def _probabilities_of(self, utterance: Utterance) -> Floats:
        places, values = self._vector(features(utterance.tokens))
        return _softmax(values @ self._weights[places])

    def _vector(self, found: Keys) -> tuple[npt.NDArray[np.int64], Floats]:
        """Return the indices of a text's known features, and their weights as a unit vector."""
        places = np.searchsorted(self._keys, found)
        places = places[places < len(self._keys)]
        places = places[self._keys[places] == found[: len(places)]]
        values = self._rarity[places]
        return places, values / max(float(np.sqrt(values @ values)), 1.0)


def _check_shapes(*parts: npt.NDArray[Any]) -> None:
    """Check that the parts of a model fit together.

    Raises:
        ValueError: if they do not.
    """
    labels, keys, rarity, weights = parts
    fits = labels.ndim == 1 and keys.ndim == 1 and keys.dtype == np.uint64
    fits = fits and rarity.shape == keys.shape and weights.shape == (len(keys), len(labels))
    if not (fits and len(labels) and np.isfinite(rarity).all() and np.isfinite(weights).all()):
        raise ValueError("the parts do not fit together")


def _softmax(sums: Floats) -> Floats:
    powers = np.exp(sums - sums.max())
    probabilities: Floats = powers / powers.sum()
    return probabilities


@lru_cache(maxsize=200_000)
def _key(word: str) -> int:
    return zlib.crc32(word.lower().encode(errors="surrogatepass"))


def features(tokens: Sequence[str]) -> Keys:
    """Return the hashes of a text's words and pairs of neighbours, sorted and unique.

    >>> len(features(["a", "film", "a", "film"]))
    4
    """
    words = np.fromiter(map(_key, tokens), np.uint64, len(tokens))
    pairs = (words[:-1] * _MIX) ^ (words[1:] + _MIX)
    return np.unique(np.concatenate([words, pairs]))
