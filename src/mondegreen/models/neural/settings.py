"""The settings of neural models: how a network is built and trained."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from mondegreen.errors import DataError
from mondegreen.models.reference import read_settings


class NeuralSettings(msgspec.Struct, frozen=True, kw_only=True):
    """Settings of a neural model; each model has its own defaults.

    Args:
        encoder: a Hugging Face folder, ``hub:NAME``, or ``words`` for embeddings that are learnt.
        epochs: maximum number of epochs.
        patience: stop after this many epochs without improvement on the development data.
        batch: utterances per step.
        rate: learning rate of the new layers.
        encoder_rate: learning rate of the pretrained encoder.
        warm: share of the steps for warm-up; after it the learning rates fall to 0.
        dropout: dropout rate in training.
        width: width of the embeddings if there is no pretrained encoder.
        hidden: width of the LSTMs.
        device: ``auto`` (a GPU if there is one), ``cpu`` or ``cuda``.
    """

    encoder: str | None = None
    epochs: int = 30
    patience: int = 5
    batch: int = 32
    rate: float = 1e-3
    encoder_rate: float = 1e-4
    warm: float = 0.05
    dropout: float = 0.2
    width: int = 256
    hidden: int = 256
    device: str = "auto"

    def with_options(self, options: Mapping[str, Any]) -> NeuralSettings:
        """Return these settings with some of them changed.

        >>> NeuralSettings().with_options({"epochs": "3"}).epochs
        3

        Raises:
            DataError: if there is no such setting, or if its value is wrong.
        """
        changed = read_settings(NeuralSettings, msgspec.structs.asdict(self) | dict(options))
        changed.check()
        return changed

    def check(self) -> None:
        """Check that every number is within its limits.

        Raises:
            DataError: naming the setting that is not.
        """
        for name in ("epochs", "patience", "batch", "width", "hidden"):
            if getattr(self, name) < 1:
                raise DataError(f"{name} must be at least 1, got {getattr(self, name)}")
        for name in ("warm", "dropout"):
            if not 0 <= getattr(self, name) < 1:
                raise DataError(f"{name} must be within [0, 1), got {getattr(self, name)}")
        for name in ("rate", "encoder_rate"):
            if not 0 < getattr(self, name) < 1:
                raise DataError(f"{name} must be within (0, 1), got {getattr(self, name)}")
