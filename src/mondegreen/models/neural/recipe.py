"""How a network is built and trained: every number that a user may change."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from mondegreen.errors import DataError
from mondegreen.models.reference import read_settings


class Recipe(msgspec.Struct, frozen=True, kw_only=True):
    """Settings of a neural model; each model has its own defaults.

    Args:
        encoder: a Hugging Face folder, ``hub:NAME``, or ``words`` for embeddings of its own.
        epochs: how often the data is read at most.
        patience: stop after so many epochs without a better one on the development data.
        batch: utterances a step.
        rate: learning rate of what is new.
        encoder_rate: learning rate of the pretrained encoder.
        warm: share of the steps in which the rates rise; they fall to 0 in the others.
        dropout: share of the states that is put out in training.
        width: width of the embeddings where there is no encoder.
        hidden: width of the LSTMs.
        device: ``auto`` (a GPU where there is one), ``cpu`` or ``cuda``.
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

    def having(self, options: Mapping[str, Any]) -> Recipe:
        """Return this recipe with some settings changed.

        >>> Recipe().having({"epochs": "3"}).epochs
        3

        Raises:
            DataError: if there is no such setting, or if it cannot be that.
        """
        changed = read_settings(Recipe, msgspec.structs.asdict(self) | dict(options))
        changed.check()
        return changed

    def check(self) -> None:
        """Refuse numbers that make no sense.

        Raises:
            DataError: naming the setting.
        """
        for name in ("epochs", "patience", "batch", "width", "hidden"):
            if getattr(self, name) < 1:
                raise DataError(f"{name} must be at least 1, not {getattr(self, name)}")
        for name in ("warm", "dropout"):
            if not 0 <= getattr(self, name) < 1:
                raise DataError(f"{name} must be within [0, 1), not {getattr(self, name)}")
        for name in ("rate", "encoder_rate"):
            if not 0 < getattr(self, name) < 1:
                raise DataError(f"{name} must be within (0, 1), not {getattr(self, name)}")
